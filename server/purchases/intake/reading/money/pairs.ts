/**
 * Pairs of a base and a quota that a rate of VAT makes of each other within a cent, with the evidence that they belong
 * together: their places, labels and headings. Pure.
 */
import { percentOf } from '../../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../../domain/money.ts'
import { vatRates } from '../../../../domain/tax/vat-rates.ts'
import { IS_NAMED_TAX, plain } from '../labels.ts'
import type { Percent, Printed, Sums } from '../printed.ts'

export interface Pair {
  baseCents: Cents
  rateBp: BasisPoints
  taxCents: Cents
  evidence: number
  base: Printed
  tax: Printed
  /** The amount that is not legible and was calculated; the other one is printed. */
  computed?: 'base' | 'tax'
}

const MAX_AMOUNTS = 80
const MAX_PAIRS = 60

/** Rates of any date; whether one was in force is checked with the date of the invoice. */
export const VAT_RATES: readonly BasisPoints[] = [...new Set(vatRates.map(({ rateBp }) => rateBp))].filter(
  (rateBp) => rateBp > 0,
)
/** IGIC and IPSI, only where the document names them (Ley 4/2012 art. 51; Ley 8/1991 art. 18). */
export const ISLAND_RATES: readonly BasisPoints[] = [700, 300, 950, 1350, 1500, 2000, 50, 100, 800]
const HIGHEST_RATE_BP = 2_700

export type Kind = Printed['own']
/** The label that counts: directly before, else the heading, else the words at the start of the row. */
export const kindOf = (printed: Printed): Kind =>
  printed.own ??
  (printed.column !== null && printed.column !== 'item' ? printed.column : null) ??
  printed.ofRow

export const kindsOf = (printed: Printed): Kind[] => [printed.own, printed.column, printed.ofRow]

const NOT_A_BASE: readonly Kind[] = [
  'withholding',
  'tax',
  'surcharge',
  'paid',
  'supplied',
  'quantity',
  'discount',
]
const NOT_A_TAX: readonly Kind[] = [
  'withholding',
  'surcharge',
  'paid',
  'supplied',
  'payable',
  'quantity',
  'price',
]

function isDistant(a: Printed, b: Printed): boolean {
  return a.row.page !== b.row.page || Math.abs(a.row.index - b.row.index) > 12
}

export function percentsByRow(sums: Sums): Map<number, Percent[]> {
  const rows = new Map<number, Percent[]>()
  for (const percent of sums.percents)
    rows.set(percent.row.index, [...(rows.get(percent.row.index) ?? []), percent])
  return rows
}

/** Amounts that take part: all of a normal document, those with labels of a long one. */
export function partakers(sums: Sums): Printed[] {
  const isSum = (printed: Printed): boolean => {
    const kind = kindOf(printed)
    return kind !== 'quantity' && kind !== 'price' && kind !== 'discount'
  }
  const all = sums.amounts.filter(isSum)
  if (all.length <= MAX_AMOUNTS) return all
  const labelled = all.filter((printed) => kindsOf(printed).some((kind) => kind !== null && kind !== 'item'))
  return labelled.length <= MAX_AMOUNTS ? labelled : labelled.slice(-MAX_AMOUNTS)
}

function evidenceOf(
  base: Printed,
  tax: Printed,
  rateBp: BasisPoints,
  rates: Map<number, Percent[]>,
): number | null {
  const baseKind = kindOf(base)
  const taxKind = kindOf(tax)
  if (NOT_A_BASE.includes(baseKind) || NOT_A_TAX.includes(taxKind)) return null
  // A heading may stand askew over its column; a label of its own does not.
  if (tax.own === 'base') return null
  if (isDistant(base, tax)) return null
  let evidence = 0
  const isSameRow = base.row.index === tax.row.index
  const inTaxRow = (rates.get(tax.row.index) ?? []).some((percent) => percent.rateBp === rateBp)
  const inBaseRow = (rates.get(base.row.index) ?? []).some((percent) => percent.rateBp === rateBp)
  if (isSameRow) evidence += 2
  else if (Math.abs(base.row.index - tax.row.index) <= 3) evidence += 0.5
  if (inTaxRow) evidence += 2
  else if (inBaseRow) evidence += 1
  if (taxKind === 'tax') evidence += 1.5
  else if (taxKind !== null) evidence -= 1
  if (baseKind === 'base') evidence += 1.5
  else if (baseKind === 'total' || baseKind === 'payable') evidence -= 1
  if (isSameRow && base.box[0] < tax.box[0]) evidence += 0.5
  // Another rate stands in the row of the quota: the product is chance.
  if (!inTaxRow && (rates.get(tax.row.index) ?? []).length > 0) evidence -= 2
  return evidence
}

function ratesOf(sums: Sums, text: string): BasisPoints[] {
  const islands = /\b(?:igic|ipsi)\b/.test(text) ? ISLAND_RATES : []
  const printed = sums.percents.flatMap(({ rateBp, before, above }) =>
    rateBp > 0 && rateBp <= HIGHEST_RATE_BP && IS_NAMED_TAX.test(plain(`${before} ${above}`)) ? [rateBp] : [],
  )
  return [...new Set([...VAT_RATES, ...islands, ...printed])]
}

export function pairsOf(amounts: readonly Printed[], sums: Sums, text: string): Pair[] {
  const rates = percentsByRow(sums)
  const byCents = new Map<Cents, Printed[]>()
  for (const printed of amounts)
    for (const cents of printed.values) byCents.set(cents, [...(byCents.get(cents) ?? []), printed])
  const best = new Map<string, Pair>()
  for (const [baseCents, bases] of byCents) {
    if (baseCents === 0) continue
    for (const rateBp of ratesOf(sums, text)) {
      const exact = percentOf(baseCents, rateBp)
      for (const taxCents of [exact, exact - 1, exact + 1]) {
        if (taxCents === 0 || taxCents === baseCents) continue
        for (const tax of byCents.get(taxCents) ?? [])
          for (const base of bases) {
            const found = base === tax ? null : evidenceOf(base, tax, rateBp, rates)
            if (found === null) continue
            const evidence = found - (taxCents === exact ? 0 : 0.3)
            const key = `${baseCents} ${rateBp} ${taxCents}`
            if ((best.get(key)?.evidence ?? -Infinity) < evidence)
              best.set(key, { baseCents, rateBp, taxCents, evidence, base, tax })
          }
      }
    }
  }
  return [...best.values()].toSorted((a, b) => b.evidence - a.evidence).slice(0, MAX_PAIRS)
}

/** Evidence of a pair of which one amount is calculated: too little to be sure. */
const COMPUTED_EVIDENCE = 2

/**
 * Returns pairs of which OCR saw only one amount, beside its rate. A quota is the product; for a base every value that
 * rounds to the quota is offered, of which the printed total takes one.
 */
export function computedPairs(amounts: readonly Printed[], sums: Sums): Pair[] {
  const made: Pair[] = []
  const add = (
    printed: Printed,
    pair: Pick<Pair, 'baseCents' | 'rateBp' | 'taxCents' | 'computed'>,
  ): void => {
    if (pair.baseCents !== 0 && pair.taxCents !== 0)
      made.push({ ...pair, evidence: COMPUTED_EVIDENCE, base: printed, tax: printed })
  }
  /** Bases that round to a quota. */
  const addBases = (tax: Printed, taxCents: Cents, rateBp: BasisPoints): void => {
    const reach = Math.ceil(10_000 / rateBp)
    const middle = Math.round((taxCents * 10_000) / rateBp)
    for (let baseCents = middle - reach; baseCents <= middle + reach; baseCents++)
      if (percentOf(baseCents, rateBp) === taxCents)
        add(tax, { baseCents, rateBp, taxCents, computed: 'base' })
  }
  for (const { rateBp, row, before, above } of sums.percents) {
    if (!VAT_RATES.includes(rateBp)) continue
    const inRow = amounts.filter((printed) => printed.row.index === row.index)
    // "IVA 21 %" with an illegible amount, below a base with its label.
    const isNamed = inRow.length === 0 && IS_NAMED_TAX.test(plain(`${before} ${above}`))
    const bases = isNamed
      ? amounts.filter((printed) => printed.own === 'base' && !isDistant(printed, { ...printed, row }))
      : inRow.filter((printed) => kindOf(printed) === 'base')
    for (const base of bases)
      for (const baseCents of base.values)
        add(base, { baseCents, rateBp, taxCents: percentOf(baseCents, rateBp), computed: 'tax' })
    for (const tax of inRow.filter((printed) => kindOf(printed) === 'tax'))
      for (const taxCents of tax.values) addBases(tax, taxCents, rateBp)
  }
  // A row of the table of rates whose rate is illegible too.
  for (const [index, inRow] of sums.byRow)
    if (
      !sums.percents.some(({ row }) => row.index === index) &&
      inRow.some((printed) => kindOf(printed) === 'base')
    )
      for (const tax of inRow.filter((printed) => kindOf(printed) === 'tax'))
        for (const taxCents of tax.values) for (const rateBp of VAT_RATES) addBases(tax, taxCents, rateBp)
  return made
}
