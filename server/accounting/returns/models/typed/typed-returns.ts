/** Returns whose figures a person types, box by box: 131 and 123. Nothing of them is in the books. */
import type { Cents } from '../../../../domain/money.ts'
import type { ModelNumber } from '../../contract.ts'
import { evaluate } from '../boxes.ts'
import type { Bilingual, Box, BoxValue } from '../boxes.ts'
import { BOXES_123, SECTIONS_123 } from './model-123.ts'
import { boxes131, sections131 } from './model-131.ts'

interface Form {
  sections: Record<string, Bilingual>
  boxes: readonly Box[]
  result: string
}

type Typed = ReadonlyMap<string, number>

const FORMS = {
  '123': (): Form => ({ sections: SECTIONS_123, boxes: BOXES_123, result: '14' }),
  '131': (typed: Typed): Form => ({ sections: sections131(typed), boxes: boxes131(typed), result: '15' }),
} as const

/** A return whose figures a person types. */
type TypedModel = keyof typeof FORMS

/** Returns true for a return whose figures a person types. */
export function isTypedModel(model: ModelNumber): model is TypedModel {
  return Object.hasOwn(FORMS, model)
}

/** Returns the return as it was typed; its result is null while nothing is typed. Amounts are cents. */
export function typedReturn(
  model: TypedModel,
  typed: Typed,
): { sections: Record<string, Bilingual>; values: BoxValue[]; resultCents: Cents | null } {
  const { sections, boxes, result } = FORMS[model](typed)
  return {
    sections,
    values: evaluate(boxes, [], typed),
    resultCents: typed.size === 0 ? null : (typed.get(result) ?? 0),
  }
}
