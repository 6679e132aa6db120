/** One document of a corpus: kind, facts, forms and drawing, chosen by the dice. */
import type { TruthFields } from '../truth.ts'
import { Dice } from './dice.ts'
import { factsOf, truthOf } from './facts.ts'
import type { SampleFacts, SampleWish } from './facts.ts'
import { DAYS, FORMS } from './forms.ts'
import type { DayName, FormName } from './forms.ts'
import type { Layout } from './scene.ts'
import { A4, Sheet } from './sheet.ts'
import type { Family } from './sheet.ts'

interface DrawnDocument {
  kind: string
  form: string
  bytes: Buffer
  truth: TruthFields
}

/** What a document states, and how it is drawn. */
export interface PlannedDocument {
  kind: string
  wish: SampleWish
  facts: SampleFacts
  form: FormName
  day: DayName
  family: Family
  /** Seed of the choices among labels. */
  labels: number
}

/** A roll is first drawn on one that is too long, then cut. */
const LONG_ROLL = 4_000

/** Chooses all that one document of a layout needs. */
export function planDocument(layout: Layout, dice: Dice): PlannedDocument {
  const kind = dice.of(Object.keys(layout.kinds))
  const wish = layout.kinds[kind]
  if (wish === undefined) throw new Error(`No kind ${kind}.`)
  const facts = { ...factsOf(dice, wish), hasCustomer: layout.isAnonymous !== true }
  const form = dice.of(layout.forms)
  const day = dice.of(layout.days)
  const family = dice.of(layout.families)
  return { kind, wish, facts, form, day, family, labels: dice.int(1, 1_000_000_000) }
}

/** Draws a planned document. `diceOf` returns the dice for the labels, at their start each time. */
export async function drawPlanned(
  layout: Layout,
  { kind, facts, form, day, family, labels }: PlannedDocument,
  diceOf: () => Dice = () => new Dice(labels),
): Promise<DrawnDocument> {
  const drawOn = (sheet: Sheet): Sheet => {
    layout.draw({ sheet, facts, dice: diceOf(), money: FORMS[form], day: DAYS[day] })
    return sheet
  }
  const { roll } = layout
  const size: readonly [number, number] =
    roll === undefined ? A4 : [roll, drawOn(new Sheet(family, [roll, LONG_ROLL])).y + 24]
  return { kind, form, bytes: await drawOn(new Sheet(family, size)).done(), truth: truthOf(facts) }
}

/** Draws one document in a layout. */
export async function drawDocument(layout: Layout, dice: Dice): Promise<DrawnDocument> {
  return await drawPlanned(layout, planDocument(layout, dice))
}
