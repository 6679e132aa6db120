/** Boxes of a return as data: which figures add to each, or by which formula it follows from the others. Pure. */
import type { Cents } from '../../../domain/money.ts'
import type { Amounts, Group, TaxTotalRow } from '../../../tax/totals/index.ts'

/** Words in both languages of the page; the Spanish ones are those of the form. */
export interface Bilingual {
  es: string
  en: string
}

/** What of a figure adds to a box. */
export type Measure = 'base' | 'tax' | 'surcharge' | 'deductible' | 'income'

const MEASURES: Record<Measure, (amounts: Amounts) => Cents> = {
  base: (amounts) => amounts.baseCents,
  tax: (amounts) => amounts.taxCents,
  surcharge: (amounts) => amounts.surchargeCents,
  deductible: (amounts) => amounts.deductibleCents,
  income: (amounts) => amounts.incomeCents,
}

/** Figures of certain groups, and what is taken of each. A document may add to several boxes. */
export interface Source {
  when: (group: Group) => boolean
  take: Measure
}

export interface Box {
  box: string
  section: string
  label: Bilingual
  /** Percent, count, or euros when not said. */
  kind?: 'percent' | 'count'
  /** From figures: the documents behind it can be listed. */
  from?: Source
  /** From other boxes: `['27', 1]` adds it, `['45', -1]` takes it off. */
  sum?: readonly (readonly [string, 1 | -1])[]
  /** From other boxes by another rule; `formula` says it in words. */
  rule?: (box: (number: string) => Cents) => Cents
  formula?: Bilingual
  /** A person types it. */
  input?: true
}

export interface BoxValue {
  box: Box
  /** Cents; hundredths of a percent; a plain count. */
  value: number
  /** Documents that add to it, counted in each figure; null for what is computed or typed. */
  documents: number | null
}

/** What an amount of a group adds to a box. */
export function amountFor(source: Source, amounts: Amounts): Cents {
  return MEASURES[source.take](amounts)
}

/**
 * The values of all boxes, in order. A box may use those before it only; `given` holds what people typed, what earlier
 * periods left, and counts.
 */
export function evaluate(
  boxes: readonly Box[],
  figures: readonly TaxTotalRow[],
  given: ReadonlyMap<string, number>,
): BoxValue[] {
  const values = new Map<string, number>()
  const valueOf = (number: string): number => {
    const value = values.get(number)
    if (value === undefined) throw new Error(`Box ${number} is used before it is known.`)
    return value
  }
  return boxes.map((box) => {
    let value = given.get(box.box) ?? 0
    let documents: number | null = null
    const { from } = box
    if (from) {
      documents = 0
      for (const figure of figures) {
        if (!from.when(figure)) continue
        value += amountFor(from, figure)
        documents += figure.documents
      }
    } else if (box.sum) {
      value = box.sum.reduce((sum, [number, sign]) => sum + sign * valueOf(number), 0)
    } else if (box.rule) {
      value = box.rule(valueOf)
    }
    values.set(box.box, value)
    return { box, value, documents }
  })
}

/** The formula of a box in words: `03 + 06 + 09`, or by its rule. */
export function formulaMessage(box: Box): Bilingual | null {
  if (box.formula !== undefined) return box.formula
  if (!box.sum) return null
  const text = box.sum
    .map(([number, sign], index) => `${sign === -1 ? '− ' : index === 0 ? '' : '+ '}${number}`)
    .join(' ')
  return { es: text, en: text }
}
