/** How a return is laid out on the page: lines of base and tax side by side, as on the form. Pure. */
import type { OutputOf } from '../../../server/api/contracts.ts'

export type Model = OutputOf<'fiscal.model'>
export type Box = Model['boxes'][number]

/** What a return comes to; null where it has no result, or where 0 would say that nothing is to pay and nobody knows. */
export function shownResult({ applies, result }: Pick<Model, 'applies' | 'result'>): number | null {
  return applies === null ? null : result
}

export interface FormLine {
  label: string
  /** One box, or base and tax of the same line. */
  boxes: readonly Box[]
}

const BASE: Record<'es' | 'en', RegExp> = { es: /: base$/, en: /: base$/ }
const TAX: Record<'es' | 'en', RegExp> = { es: /: cuota$/, en: /: tax$/ }

/** Lines of one section; those whose boxes are all zero and need nobody are left out unless `all`. */
export function formLines(
  boxes: readonly Box[],
  section: string,
  language: 'es' | 'en',
  all: boolean,
): FormLine[] {
  const own = boxes.filter((box) => box.section === section)
  const lines: FormLine[] = []
  for (let index = 0; index < own.length; index++) {
    const box = own[index]!
    const next = own[index + 1]
    const label = box.label[language]
    const isPair =
      next !== undefined && BASE[language].test(label) && TAX[language].test(next.label[language])
    if (isPair) index += 1
    lines.push({
      label: isPair ? label.replace(BASE[language], '') : label,
      boxes: isPair ? [box, next] : [box],
    })
  }
  return all ? lines : lines.filter((line) => line.boxes.some((box) => box.amount !== 0 || isAlways(box)))
}

/** Totals and what a person may type are always shown. */
function isAlways(box: Box): boolean {
  return (box.formula !== null && !box.input) || (box.input && box.section === 'work')
}

/** An amount as it is pasted into the agency's form: comma, two decimals, no thousands. */
export function pastable(box: Pick<Box, 'amount' | 'kind'>): string {
  return box.kind === 'count' ? String(box.amount) : box.amount.toFixed(2).replace('.', ',')
}
