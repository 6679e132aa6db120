/**
 * Solves the money of an invoice: bases, rates and quotas that multiply within a cent, and that with withholding,
 * surcharge and disbursements make the printed amount to pay. An amount is the total only by a label, never because
 * the sums like it. Pure.
 */
import { percentOf } from '../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import { vatRates, withholdingRatesBp } from '../../../domain/tax/vat-rates.ts'
import type { ReadWithholding } from './field-value.ts'
import { IS_NAMED_TAX, isExplicitTotal, plain } from './labels.ts'
import type { Percent, Printed, Sums } from './printed.ts'

/** Reason why a solution is shown without being called sure. */
export type Veto =
  | 'no_solution'
  | 'rival'
  | 'larger_total'
  | 'other_payable'
  | 'unused_rate'
  | 'unexplained_label'
  | 'weak_pair'
  | 'total_by_heading'
  | 'ambiguous_amount'
  | 'rate_not_in_force'
  | 'other_tax'
  | 'credit_sign'
  | 'unproven_parts'

export interface Pair {
  baseCents: Cents
  rateBp: BasisPoints
  taxCents: Cents
  evidence: number
  base: Printed
  tax: Printed
}

interface Surcharge {
  rateBp: BasisPoints
  cents: Cents
  printed: Printed
}

export interface Solution {
  pairs: Pair[]
  surcharges: (Surcharge | null)[]
  withholding: (ReadWithholding & { printed: Printed }) | null
  supplied: { cents: Cents; printed: Printed[] } | null
  exempt: { cents: Cents; printed: Printed } | null
  prepaid: { cents: Cents; printed: Printed } | null
  totalCents: Cents
  payableCents: Cents
  /** Printed amount that the solution makes. */
  target: Printed
  score: number
}

export interface Solved {
  best: Solution | null
  vetoes: Veto[]
  /** Pairs with the strongest evidence, for documents whose sums do not close. */
  pairs: Pair[]
  /** Amounts at a label of the total or of the amount to pay, the strongest first. */
  totals: Total[]
  /** Rates of VAT that the document prints beside their name. */
  namedRatesBp: BasisPoints[]
}

export interface Total {
  printed: Printed
  cents: Cents
  strength: number
  isPayable: boolean
  isExplicit: boolean
  byHeading: boolean
}

const MAX_AMOUNTS = 80
const MAX_PAIRS = 60
const MAX_COMBINATIONS = 200_000
const MAX_LINES = 4
const MAX_SOLUTIONS = 400
const WEAK_EVIDENCE = 3
const RIVAL_POINTS = 2.5

/** Rates of any date; whether one was in force is checked with the date of the invoice. */
const VAT_RATES: readonly BasisPoints[] = [...new Set(vatRates.map(({ rateBp }) => rateBp))].filter(
  (rateBp) => rateBp > 0,
)
const SURCHARGES = new Map<BasisPoints, BasisPoints[]>(
  VAT_RATES.map((rateBp) => [
    rateBp,
    [...new Set(vatRates.flatMap((row) => (row.rateBp === rateBp ? row.surchargesBp : [])))].filter(
      (each) => each > 0,
    ),
  ]),
)
/** IGIC and IPSI, only where the document names them (Ley 4/2012 art. 51; Ley 8/1991 art. 18). */
const ISLAND_RATES: readonly BasisPoints[] = [700, 300, 950, 1350, 1500, 2000, 50, 100, 800]
/** Of residents, and of others (LIRNR art. 25). */
const WITHHOLDING_RATES: readonly BasisPoints[] = [...withholdingRatesBp, 2_400]
const HIGHEST_WITHHOLDING_BP = 3_500
const HIGHEST_RATE_BP = 2_700

type Kind = Printed['own']
/** The label that counts: directly before, else the heading, else the words at the start of the row. */
const kindOf = (printed: Printed): Kind =>
  printed.own ??
  (printed.column !== null && printed.column !== 'item' ? printed.column : null) ??
  printed.ofRow

const kindsOf = (printed: Printed): Kind[] => [printed.own, printed.column, printed.ofRow]

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

/** Returns the amounts of the labels of the total. */
function totalsOf(sums: Sums): Total[] {
  return sums.amounts
    .flatMap((printed): Total[] => {
      const { own, ofRow, column, isLastOfRow, before, above } = printed
      const make = (strength: number, isPayable: boolean, isExplicit: boolean, byHeading: boolean): Total[] =>
        printed.values.map((cents) => ({ printed, cents, strength, isPayable, isExplicit, byHeading }))
      if (own === 'payable') return make(1.6, true, true, false)
      if (own === 'total') {
        const isExplicit = isExplicitTotal(before)
        // The sum of the bases stands first in a row of totals: "TOTALES 35,27 4,63 39,90".
        if (!isLastOfRow && column !== null && column !== 'total' && column !== 'payable') return []
        return make(isExplicit ? 1.6 : isLastOfRow ? 1.4 : 0.9, false, isExplicit, false)
      }
      if (own !== null) return []
      const isRowTotal = ofRow === 'total' || ofRow === 'payable'
      if (isRowTotal && (column === null || column === 'total' || column === 'payable') && isLastOfRow)
        return make(1.2, ofRow === 'payable', false, false)
      if (isRowTotal) return []
      if (column === 'payable') return make(1.3, true, true, true)
      if (column === 'total')
        return make(isExplicitTotal(above) ? 1.2 : 0.5, false, isExplicitTotal(above), true)
      return []
    })
    .toSorted((a, b) => b.strength - a.strength)
}

function percentsByRow(sums: Sums): Map<number, Percent[]> {
  const rows = new Map<number, Percent[]>()
  for (const percent of sums.percents)
    rows.set(percent.row.index, [...(rows.get(percent.row.index) ?? []), percent])
  return rows
}

/** Amounts that take part: all of a normal document, those with labels of a long one. */
function partakers(sums: Sums): Printed[] {
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

function pairsOf(amounts: readonly Printed[], sums: Sums, text: string): Pair[] {
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

/** Yields groups of pairs of different rates, bases and quotas and of one sign, the smallest groups first. */
function* groupsOf(pairs: readonly Pair[], size: number, from = 0): Generator<Pair[]> {
  if (size === 0) {
    yield []
    return
  }
  for (let index = from; index < pairs.length; index++) {
    const first = pairs[index]
    if (!first) return
    for (const rest of groupsOf(pairs, size - 1, index + 1))
      if (
        !rest.some(
          (each) =>
            each.rateBp === first.rateBp ||
            each.base === first.base ||
            each.tax === first.tax ||
            Math.sign(each.baseCents) !== Math.sign(first.baseCents),
        )
      )
        yield [first, ...rest]
  }
}

interface Parts {
  surcharge: Printed[]
  withholding: Printed[]
  supplied: Printed[]
  exempt: Printed[]
  prepaid: Printed[]
}

function partsOf(amounts: readonly Printed[]): Parts {
  const of = (kind: Kind): Printed[] => amounts.filter((printed) => kindsOf(printed).includes(kind))
  const is = (kind: Kind): Printed[] => amounts.filter((printed) => kindOf(printed) === kind)
  return {
    surcharge: of('surcharge'),
    withholding: is('withholding').concat(
      amounts.filter(({ ofRow, own }) => own === null && ofRow === 'withholding'),
    ),
    supplied: amounts.filter(({ own, ofRow }) => own === 'supplied' || ofRow === 'supplied'),
    exempt: amounts.filter(({ own, ofRow }) => own === 'exempt' || ofRow === 'exempt'),
    prepaid: amounts.filter(({ own, ofRow }) => own === 'prepaid' || ofRow === 'prepaid'),
  }
}

function surchargesOf(group: readonly Pair[], printed: readonly Printed[]): Surcharge[] | null {
  const found: Surcharge[] = []
  for (const pair of group) {
    const match = (SURCHARGES.get(pair.rateBp) ?? [])
      .flatMap((rateBp) =>
        printed.flatMap((each) =>
          each.values.flatMap((cents) =>
            Math.abs(cents - percentOf(pair.baseCents, rateBp)) <= 1 && cents !== 0
              ? [{ rateBp, cents, printed: each }]
              : [],
          ),
        ),
      )
      .find((each) => !found.some((other) => other.printed === each.printed))
    if (!match) return null
    found.push(match)
  }
  return found
}

type Withheld = Solution['withholding']

function withholdingsOf(
  group: readonly Pair[],
  printed: readonly Printed[],
  rates: Map<number, Percent[]>,
): Withheld[] {
  const whole = group.reduce((sum, { baseCents }) => sum + baseCents, 0)
  const found: Withheld[] = []
  for (const each of printed)
    for (const cents of each.values) {
      const amountCents = Math.abs(cents) * Math.sign(whole)
      if (amountCents === 0) continue
      const inRow = (rates.get(each.row.index) ?? []).map(({ rateBp }) => rateBp)
      const bases = [whole, ...group.map(({ baseCents }) => baseCents)]
      for (const rateBp of inRow.length > 0 ? inRow : WITHHOLDING_RATES) {
        const baseCents = bases.find((base) => Math.abs(percentOf(base, rateBp) - amountCents) <= 1)
        if (baseCents !== undefined && rateBp > 0 && rateBp <= HIGHEST_WITHHOLDING_BP)
          found.push({ rateBp, baseCents, amountCents, printed: each })
      }
    }
  return found
}

/** Choices of one part: none, each amount alone, and all together. */
function suppliedChoices(printed: readonly Printed[]): Solution['supplied'][] {
  const nonzero = printed.filter(({ values: [cents = 0] }) => cents !== 0)
  const single = new Map<Cents, Solution['supplied']>()
  for (const each of nonzero) for (const cents of each.values) single.set(cents, { cents, printed: [each] })
  const distinct = [...single.values()]
  const all =
    distinct.length > 1 && distinct.length <= 6
      ? [{ cents: distinct.reduce((sum, each) => sum + (each?.cents ?? 0), 0), printed: nonzero }]
      : []
  return [null, ...distinct, ...all]
}

/** Finds the money of a document. `text` is the whole text in plain form. */
export function solveMoney(sums: Sums, text: string): Solved {
  const amounts = partakers(sums)
  const totals = totalsOf(sums)
  const pairs = pairsOf(amounts, sums, text)
  const parts = partsOf(amounts)
  const rates = percentsByRow(sums)
  const byTotal = new Map<Cents, Total>()
  for (const total of totals) if (!byTotal.has(total.cents)) byTotal.set(total.cents, total)
  const exempts: Solution['exempt'][] = [
    null,
    ...parts.exempt.flatMap((printed) =>
      printed.values.flatMap((cents) => (cents === 0 ? [] : [{ cents, printed }])),
    ),
  ]
  const prepaids: Solution['prepaid'][] = [
    null,
    ...parts.prepaid.flatMap((printed) =>
      printed.values.map((cents) => ({ cents: Math.abs(cents), printed })),
    ),
  ]
  const supplies = suppliedChoices(parts.supplied)
  const usable = pairs.filter(({ evidence }) => evidence > 0)
  const solutions: Solution[] = []
  let tried = 0
  search: for (let size = 1; size <= MAX_LINES; size++)
    for (const group of groupsOf(usable, size)) {
      if (++tried > MAX_COMBINATIONS || solutions.length > MAX_SOLUTIONS) break search
      const net = group.reduce((sum, { baseCents, taxCents }) => sum + baseCents + taxCents, 0)
      const withSurcharge = parts.surcharge.length > 0 ? surchargesOf(group, parts.surcharge) : null
      const withheld: Withheld[] =
        parts.withholding.length > 0 ? withholdingsOf(group, parts.withholding, rates) : []
      for (const surcharges of withSurcharge ? [withSurcharge, null] : [null])
        for (const withholding of [...withheld, null])
          for (const supplied of supplies)
            for (const exempt of exempts)
              for (const prepaid of prepaids) {
                const totalCents =
                  net + (surcharges ?? []).reduce((sum, { cents }) => sum + cents, 0) + (exempt?.cents ?? 0)
                const payableCents =
                  totalCents -
                  (withholding?.amountCents ?? 0) +
                  (supplied?.cents ?? 0) -
                  (prepaid?.cents ?? 0)
                const target = byTotal.get(payableCents)
                if (!target) continue
                solutions.push({
                  pairs: group,
                  surcharges: group.map((_, index) => surcharges?.[index] ?? null),
                  withholding,
                  supplied,
                  exempt,
                  prepaid,
                  totalCents,
                  payableCents,
                  target: target.printed,
                  score: scoreOf(
                    group,
                    { surcharges, withholding, supplied, exempt, prepaid },
                    target,
                    totalCents,
                    byTotal,
                    parts,
                  ),
                })
              }
    }
  solutions.sort((a, b) => b.score - a.score)
  const [best = null] = solutions
  return {
    best,
    vetoes:
      best === null
        ? ['no_solution']
        : vetoesOf(best, solutions, { sums, totals, parts, rates, text, byTotal }),
    pairs,
    totals,
    namedRatesBp: namedRates(sums, parts),
  }
}

interface Extras {
  surcharges: Surcharge[] | null
  withholding: Withheld
  supplied: Solution['supplied']
  exempt: Solution['exempt']
  prepaid: Solution['prepaid']
}

const LINE_POINTS = 1
const PART_POINTS = 2

function scoreOf(
  group: readonly Pair[],
  extras: Extras,
  target: Total,
  totalCents: Cents,
  byTotal: ReadonlyMap<Cents, Total>,
  parts: Parts,
): number {
  const { surcharges, withholding, supplied, exempt, prepaid } = extras
  const evidence = group.reduce((sum, pair) => sum + pair.evidence, 0)
  const total = byTotal.get(totalCents)
  const explained = [surcharges, withholding, supplied, exempt, prepaid].filter(
    (part) => part !== null,
  ).length
  // Rounded a cent apart, the exact product is the likelier rate.
  const open = [
    parts.surcharge.length > 0 && surcharges === null,
    parts.withholding.length > 0 && withholding === null,
    parts.supplied.length > 0 && supplied === null,
    parts.prepaid.length > 0 && prepaid === null,
    // The amount to pay has a label of its own, and is another.
    !target.isPayable && [...byTotal.values()].some((each) => each.isPayable && each.cents !== 0),
  ].filter(Boolean).length
  const closeness =
    withholding === null
      ? 0
      : percentOf(withholding.baseCents, withholding.rateBp) === withholding.amountCents
        ? 0.3
        : 0
  return (
    evidence +
    LINE_POINTS * group.length +
    1.5 * target.strength +
    (total === undefined ? 0 : 0.7 * total.strength) +
    PART_POINTS * explained -
    PART_POINTS * open +
    closeness
  )
}

interface Context {
  sums: Sums
  totals: Total[]
  parts: Parts
  rates: Map<number, Percent[]>
  text: string
  byTotal: ReadonlyMap<Cents, Total>
}

/** Sums that a person would compare: two solutions with the same are one. */
function identityOf({
  pairs,
  surcharges,
  withholding,
  supplied,
  exempt,
  totalCents,
  payableCents,
}: Solution): string {
  const lines = pairs.map(
    ({ baseCents, rateBp, taxCents }, index) =>
      `${baseCents}/${rateBp}/${taxCents}/${surcharges[index]?.cents ?? 0}`,
  )
  return [
    lines.toSorted().join('+'),
    withholding?.amountCents,
    withholding?.rateBp,
    supplied?.cents,
    exempt?.cents,
    totalCents,
    payableCents,
  ].join('|')
}

const DEDUCTION_WORDS: readonly (readonly [RegExp, (solution: Solution) => boolean])[] = [
  [/\b(?:irpf|i r p f|retenci\w*|pfez|atxikip\w*|withh?old\w*)\b/, ({ withholding }) => withholding !== null],
  [
    /\b(?:recargo?|recarrec|rec equiv\w*|equivalencia|gainkargu\w*)\b/,
    ({ surcharges }) => surcharges.some((each) => each !== null),
  ],
  [/\b(?:suplid\w*|suplit\w*)\b/, ({ supplied }) => supplied !== null],
]
/** A row with more words than this is prose, such as a clause. */
const PROSE_WORDS = 12

function vetoesOf(best: Solution, solutions: readonly Solution[], context: Context): Veto[] {
  const vetoes = new Set<Veto>()
  const identity = identityOf(best)
  if (solutions.some((each) => best.score - each.score < RIVAL_POINTS && identityOf(each) !== identity))
    vetoes.add('rival')
  const highest = Math.max(
    Math.abs(best.payableCents),
    Math.abs(best.totalCents),
    Math.abs(best.totalCents + (best.supplied?.cents ?? 0)),
  )
  if (
    context.totals.some(
      ({ cents, printed, byHeading, isExplicit }) =>
        Math.abs(cents) > highest && (!byHeading || isExplicit) && !explains(best, printed),
    )
  )
    vetoes.add('larger_total')
  if (
    context.totals.some(
      ({ cents, printed, isPayable, isExplicit }) =>
        isPayable && isExplicit && cents !== 0 && !explains(best, printed),
    )
  )
    vetoes.add('other_payable')
  if (hasUnusedRate(best, context) || contradictsRate(best, context)) vetoes.add('unused_rate')
  if (hasUnexplained(best, context)) vetoes.add('unexplained_label')
  if (best.pairs.some(({ evidence }) => evidence < WEAK_EVIDENCE)) vetoes.add('weak_pair')
  const target = context.byTotal.get(best.payableCents)
  if (
    target === undefined ||
    (target.byHeading && (!target.isExplicit || target.printed.row.source === 'ocr'))
  )
    vetoes.add('total_by_heading')
  const used = [...best.pairs.flatMap(({ base, tax }) => [base, tax]), best.target]
  // Each amount must be what it is printed as, not what a second reading makes of it.
  if (used.some(({ values, row }) => row.source === 'ocr' && new Set(values.map(Math.abs)).size > 1))
    vetoes.add('ambiguous_amount')
  return [...vetoes]
}

function hasUnusedRate(best: Solution, { sums, parts }: Context): boolean {
  const known = new Set([
    ...best.pairs.map(({ rateBp }) => rateBp),
    ...best.surcharges.flatMap((each) => each?.rateBp ?? []),
    ...(best.withholding ? [best.withholding.rateBp] : []),
  ])
  return namedRates(sums, parts).some((rateBp) => !known.has(rateBp))
}

/** True when the row of a quota prints other rates than the one that its base makes. */
function contradictsRate({ pairs }: Solution, { rates }: Context): boolean {
  return pairs.some(({ tax, rateBp }) => {
    const printed = rates.get(tax.row.index) ?? []
    return printed.length > 0 && !printed.some((percent) => percent.rateBp === rateBp)
  })
}

/** True when one of the possible values of an amount is the solution's. */
function explains({ payableCents, totalCents }: Solution, { values }: Printed): boolean {
  return values.includes(payableCents) || values.includes(totalCents)
}

function namedRates(sums: Sums, parts: Parts): BasisPoints[] {
  const others = new Set([...parts.surcharge, ...parts.withholding].map(({ row }) => row.index))
  const named = sums.percents.filter(
    ({ rateBp, row, before, above }) =>
      rateBp > 0 &&
      !others.has(row.index) &&
      (VAT_RATES.includes(rateBp) || ISLAND_RATES.includes(rateBp)) &&
      IS_NAMED_TAX.test(plain(`${before} ${above}`)),
  )
  return [...new Set(named.map(({ rateBp }) => rateBp))]
}

function hasUnexplained(best: Solution, { sums, parts }: Context): boolean {
  const used = new Set<Cents>([
    ...best.pairs.flatMap(({ baseCents, taxCents }) => [baseCents, taxCents, baseCents + taxCents]),
    ...best.surcharges.flatMap((each) => (each ? [each.cents] : [])),
    ...(best.withholding
      ? [best.withholding.amountCents, -best.withholding.amountCents, best.withholding.baseCents]
      : []),
    ...(best.supplied ? [best.supplied.cents, ...best.supplied.printed.flatMap(({ values }) => values)] : []),
    ...(best.exempt ? [best.exempt.cents] : []),
    ...(best.prepaid ? [best.prepaid.cents, -best.prepaid.cents] : []),
    best.totalCents,
    best.payableCents,
    best.pairs.reduce((sum, { baseCents }) => sum + baseCents, 0),
    best.pairs.reduce((sum, { taxCents }) => sum + taxCents, 0),
    best.surcharges.reduce((sum, each) => sum + (each?.cents ?? 0), 0),
    0,
  ])
  best.pairs.forEach(({ baseCents, taxCents }, index) =>
    used.add(baseCents + taxCents + (best.surcharges[index]?.cents ?? 0)),
  )
  const isOpen = (printed: Printed): boolean => !printed.values.some((cents) => used.has(cents))
  const labelled = [
    ...parts.surcharge,
    ...parts.withholding,
    ...parts.supplied,
    ...parts.exempt,
    ...parts.prepaid,
  ]
  if (labelled.some(isOpen)) return true
  // A quota that no line explains.
  if (sums.amounts.some((printed) => printed.own === 'tax' && isOpen(printed) && /%/.test(printed.before)))
    return true
  for (const row of sums.rows) {
    const words = plain(row.text)
    if (words.split(' ').length > PROSE_WORDS) continue
    for (const [pattern, isExplained] of DEDUCTION_WORDS)
      if (pattern.test(words) && !isExplained(best)) return true
  }
  return false
}
