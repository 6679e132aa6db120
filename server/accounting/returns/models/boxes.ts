/** Boxes of a return as data: the totals that add to each box, or the formula over other boxes. Pure. */
import type { Cents } from '../../../domain/money.ts'
import type { Amounts, Group, TaxTotalRow } from '../../../tax/totals/index.ts'

/** Text in both languages of the page; the Spanish text is that of the form. */
export interface Bilingual {
  es: string
  en: string
}

/** Formula of the boxes for the regularisation of investment goods (LIVA arts. 107 to 110). */
export const REGULARISATION: Bilingual = {
  es: 'lo que sale de Bienes de inversión: la prorrata del año frente a la de la compra, y las ventas (arts. 107 a 110 LIVA)',
  en: 'what the fixed assets give: the pro rata of the year against that of the purchase, and sales (LIVA arts. 107 to 110)',
}

/** Amount of a total that adds to a box. */
type Measure = 'base' | 'tax' | 'surcharge' | 'deductible' | 'income'

const MEASURES: Record<Measure, (amounts: Amounts) => Cents> = {
  base: (amounts) => amounts.baseCents,
  tax: (amounts) => amounts.taxCents,
  surcharge: (amounts) => amounts.surchargeCents,
  deductible: (amounts) => amounts.deductibleCents,
  income: (amounts) => amounts.incomeCents,
}

/** Totals of certain groups, and the amount taken of each. A document may add to several boxes. */
interface Source {
  when: (group: Group) => boolean
  take: Measure
}

export interface Box {
  box: string
  section: string
  label: Bilingual
  /** Percent, count, or a whole number that counts nothing; default euros. */
  kind?: 'percent' | 'count' | 'code'
  /** Computed from totals: the documents behind it can be listed. */
  from?: Source
  /** Sum of other boxes: `['27', 1]` adds, `['45', -1]` subtracts. */
  sum?: readonly (readonly [string, 1 | -1])[]
  /** Another rule over other boxes; `formula` describes it as text. */
  rule?: (box: (number: string) => Cents) => Cents
  formula?: Bilingual
  /** Typed by the user. */
  input?: true
}

export interface BoxValue {
  box: Box
  /** Cents; hundredths of a percent; a plain number. */
  value: number
  /** Number of documents, counted in each total; null for computed or typed boxes. */
  documents: number | null
}

/** Returns what the amounts of a group add to a box. */
export function amountFor(source: Source, amounts: Amounts): Cents {
  return MEASURES[source.take](amounts)
}

/**
 * Returns the values of all boxes, in order. A box may use only boxes before it; `given` contains typed values,
 * amounts of earlier periods, and counts.
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

/** Returns the formula of a box as text: `03 + 06 + 09`, or the description of its rule. */
export function formulaMessage(box: Box): Bilingual | null {
  if (box.formula !== undefined) return box.formula
  if (!box.sum) return null
  const text = box.sum
    .map(([number, sign], index) => `${sign === -1 ? '− ' : index === 0 ? '' : '+ '}${number}`)
    .join(' ')
  return { es: text, en: text }
}
