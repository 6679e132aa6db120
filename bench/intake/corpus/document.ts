/** One document of a corpus: kind, facts, forms and drawing, chosen by the dice. */
import type { TruthFields } from '../truth.ts'
import { Dice } from './dice.ts'
import { factsOf, truthOf } from './facts.ts'
import { DAYS, FORMS } from './forms.ts'
import type { Layout } from './scene.ts'
import { A4, Sheet } from './sheet.ts'

interface DrawnDocument {
  kind: string
  form: string
  bytes: Buffer
  truth: TruthFields
}

/** A roll is first drawn on one that is too long, then cut. */
const LONG_ROLL = 4_000

/** Draws one document in a layout. */
export async function drawDocument(layout: Layout, dice: Dice): Promise<DrawnDocument> {
  const kind = dice.of(Object.keys(layout.kinds))
  const wish = layout.kinds[kind]
  if (wish === undefined) throw new Error(`No kind ${kind}.`)
  const facts = { ...factsOf(dice, wish), hasCustomer: layout.isAnonymous !== true }
  const form = dice.of(layout.forms)
  const day = DAYS[dice.of(layout.days)]
  const family = dice.of(layout.families)
  const labels = dice.int(1, 1_000_000_000)
  const drawOn = (sheet: Sheet): Sheet => {
    layout.draw({ sheet, facts, dice: new Dice(labels), money: FORMS[form], day })
    return sheet
  }
  const { roll } = layout
  const size: readonly [number, number] =
    roll === undefined ? A4 : [roll, drawOn(new Sheet(family, [roll, LONG_ROLL])).y + 24]
  return { kind, form, bytes: await drawOn(new Sheet(family, size)).done(), truth: truthOf(facts) }
}
