/**
 * Solves the money of an invoice: bases, rates and quotas that multiply within a cent, and that with withholding,
 * surcharge and disbursements make the printed amount to pay. An amount is the total only by a label, never because
 * the sums like it. Pure.
 */
import { percentOf } from '../../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../../domain/money.ts'
import { vatRates, withholdingRatesBp } from '../../../../domain/tax/vat-rates.ts'
import type { ReadWithholding } from '../field-value.ts'
import { IS_NAMED_TAX, isExplicitTotal, plain } from '../labels.ts'
import {
  computedPairs,
  ISLAND_RATES,
  kindOf,
  kindsOf,
  pairsOf,
  partakers,
  percentsByRow,
  VAT_RATES,
} from './pairs.ts'
import type { Kind, Pair } from './pairs.ts'
import type { Percent, Printed, Sums } from '../printed.ts'
import type { Row } from '../rows.ts'

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
  | 'computed_amount'

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
  /** Those beside the name of IGIC or IPSI. */
  islandRatesBp: BasisPoints[]
}

export interface Total {
  printed: Printed
  cents: Cents
  strength: number
  isPayable: boolean
  isExplicit: boolean
  byHeading: boolean
}

const MAX_COMBINATIONS = 200_000
const MAX_LINES = 4
const MAX_SOLUTIONS = 400
const WEAK_EVIDENCE = 3
const RIVAL_POINTS = 2.5

const SURCHARGES = new Map<BasisPoints, BasisPoints[]>(
  VAT_RATES.map((rateBp) => [
    rateBp,
    [...new Set(vatRates.flatMap((row) => (row.rateBp === rateBp ? row.surchargesBp : [])))].filter(
      (each) => each > 0,
    ),
  ]),
)
/** Of residents, and of others (LIRNR art. 25). */
const WITHHOLDING_RATES: readonly BasisPoints[] = [...withholdingRatesBp, 2_400]
const HIGHEST_WITHHOLDING_BP = 3_500
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

/** True when two pairs cannot both be lines: they share a rate or an amount, differ in sign, or are both calculated. */
const excludes = (one: Pair, other: Pair): boolean =>
  one.rateBp === other.rateBp ||
  one.base === other.base ||
  one.tax === other.tax ||
  (one.computed !== undefined && other.computed !== undefined) ||
  Math.sign(one.baseCents) !== Math.sign(other.baseCents)

/** Yields groups of pairs of different rates, bases and quotas and of one sign. */
function* groupsOf(
  pairs: readonly Pair[],
  size: number,
  from = 0,
  chosen: readonly Pair[] = [],
): Generator<readonly Pair[]> {
  if (chosen.length === size) {
    yield chosen
    return
  }
  for (let index = from; index < pairs.length; index++) {
    const next = pairs[index]
    // Excluded here, before others are chosen to it: calculated pairs are hundreds.
    if (!next || chosen.some((each) => excludes(each, next))) continue
    yield* groupsOf(pairs, size, index + 1, [...chosen, next])
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

/** What the solutions of a document are made of. */
interface Known {
  parts: Parts
  rates: Map<number, Percent[]>
  byTotal: ReadonlyMap<Cents, Total>
  /** Total of the code on the page. */
  coded: Total | null
}

/** Returns the solutions that pairs make, the best first. */
function solutionsOf(pairs: readonly Pair[], { parts, rates, byTotal, coded }: Known): Solution[] {
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
  const solutions: Solution[] = []
  let tried = 0
  search: for (let size = 1; size <= MAX_LINES; size++)
    for (const group of groupsOf(pairs, size)) {
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
                const isCoded =
                  totalCents === coded?.cents || totalCents + (supplied?.cents ?? 0) === coded?.cents
                // What is to be paid follows from a total that is known.
                const target = byTotal.get(payableCents) ?? (isCoded ? coded : null)
                if (!target) continue
                const extras = { surcharges, withholding, supplied, exempt, prepaid }
                solutions.push({
                  pairs: [...group],
                  surcharges: group.map((_, index) => surcharges?.[index] ?? null),
                  withholding,
                  supplied,
                  exempt,
                  prepaid,
                  totalCents,
                  payableCents,
                  target: target.printed,
                  score: scoreOf(group, extras, target, totalCents, byTotal, parts),
                })
              }
    }
  return solutions.toSorted((a, b) => b.score - a.score)
}

/** Returns the total of a code as an amount that is printed nowhere. */
function codedTotal(cents: Cents, [row]: readonly Row[]): Total[] {
  if (row === undefined || cents === 0) return []
  const printed: Printed = {
    values: [cents],
    repaired: new Set(),
    box: row.box,
    row,
    index: -1,
    before: '',
    above: '',
    own: 'total',
    ofRow: null,
    column: null,
    isLastOfRow: true,
    isCoded: true,
    currency: null,
  }
  const strength = CODED_STRENGTH
  return [{ printed, cents, strength, isPayable: false, isExplicit: true, byHeading: false }]
}
const CODED_STRENGTH = 1.6

/** True when the total of a solution is the one of the code. */
function isCodedSum({ totalCents, supplied, payableCents, prepaid }: Solution, codedCents: Cents): boolean {
  const before = payableCents + (prepaid?.cents ?? 0)
  // What gives back may be printed without its sign.
  return [totalCents, totalCents + (supplied?.cents ?? 0), before].some(
    (cents) => Math.abs(cents) === Math.abs(codedCents),
  )
}

/** True when nothing was found, or lines that make less than what is printed as the total. */
const fallsShort = (vetoes: readonly Veto[]): boolean =>
  vetoes.includes('no_solution') || vetoes.includes('larger_total')

/**
 * Finds the money of a document. `text` is the whole text in plain form. The total that a code on the page states is one
 * also where it is not legible among the words, and what makes another total is not the money of the document.
 */
export function solveMoney(sums: Sums, text: string, codedCents: Cents | null = null): Solved {
  const amounts = partakers(sums)
  const coded = codedCents === null ? [] : codedTotal(codedCents, sums.rows)
  const written = totalsOf(sums)
  // A printed one has a place to show.
  const totals = [...written, ...coded.filter(({ cents }) => written.every((each) => each.cents !== cents))]
  const pairs = pairsOf(amounts, sums, text)
  const parts = partsOf(amounts)
  const rates = percentsByRow(sums)
  const byTotal = new Map<Cents, Total>()
  for (const total of totals) if (!byTotal.has(total.cents)) byTotal.set(total.cents, total)
  const [code] = coded
  const known: Known = { parts, rates, byTotal, coded: code ?? null }
  const usable = pairs.filter(({ evidence }) => evidence > 0)
  const solve = (from: readonly Pair[]): Solution[] => {
    const all = solutionsOf(from, known)
    return code ? all.filter((each) => isCodedSum(each, code.cents)) : all
  }
  const context = { sums, totals, parts, rates, text, byTotal, isCoded: code !== undefined }
  const vetoesIn = (all: readonly Solution[]): Veto[] =>
    all[0] ? vetoesOf(all[0], all, context) : ['no_solution']
  let solutions = solve(usable)
  let vetoes = vetoesIn(solutions)
  // What OCR did not see may be calculated, to be shown but never to be sure of.
  if (fallsShort(vetoes) && sums.rows.some(({ source }) => source === 'ocr')) {
    const calculated = solve([...usable, ...computedPairs(amounts, sums)])
    const doubts = vetoesIn(calculated)
    if (!fallsShort(doubts)) [solutions, vetoes] = [calculated, doubts]
  }
  const [best = null] = solutions
  return {
    best,
    vetoes,
    pairs,
    totals,
    namedRatesBp: [...new Set(namedPercents(sums, parts).map(({ rateBp }) => rateBp))],
    islandRatesBp: namedPercents(sums, parts)
      .filter(({ before, above }) => /\b(?:igic|ipsi)\b/.test(plain(`${before} ${above}`)))
      .map(({ rateBp }) => rateBp),
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
  /** The total is that of the code on the page. */
  isCoded: boolean
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
const isProse = ({ text }: Row): boolean => plain(text).split(' ').length > PROSE_WORDS

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
    !context.isCoded &&
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
  if (!context.isCoded && (target === undefined || (target.byHeading && !target.isExplicit)))
    vetoes.add('total_by_heading')
  if (best.pairs.some(({ computed }) => computed)) vetoes.add('computed_amount')
  if (isAmbiguous(best, context)) vetoes.add('ambiguous_amount')
  return [...vetoes]
}

/** True for an amount that the readings see differently, or that neither has as it is. */
function isDoubtful({ values, repaired, row }: Printed, cents: Cents): boolean {
  if (row.source === 'text') return false
  return new Set(values.map(Math.abs)).size > 1 || repaired.has(cents) || repaired.has(-cents)
}

/**
 * True when arithmetic does not prove what OCR is in doubt of. One doubtful amount of a base, a rate and a quota follows from
 * the other two and from the total; so does a doubtful total from lines that are clear.
 */
function isAmbiguous(best: Solution, { rates, isCoded }: Context): boolean {
  const isClearTotal = isCoded || !isDoubtful(best.target, best.payableCents)
  // The less certain reading of a total must not make a wrong total right.
  if (!isClearTotal && best.target.values[0] !== best.payableCents) return true
  const extras = [
    ...best.surcharges.flatMap((each) => (each ? [isDoubtful(each.printed, each.cents)] : [])),
    ...(best.withholding ? [isDoubtful(best.withholding.printed, best.withholding.amountCents)] : []),
    ...(best.supplied?.printed ?? []).map((each) => isDoubtful(each, best.supplied?.cents ?? 0)),
    ...(best.exempt ? [isDoubtful(best.exempt.printed, best.exempt.cents)] : []),
    ...(best.prepaid ? [isDoubtful(best.prepaid.printed, best.prepaid.cents)] : []),
  ].filter(Boolean).length
  const inPairs = best.pairs.map(({ base, tax, baseCents, taxCents, rateBp }) => {
    const doubts = [isDoubtful(base, baseCents), isDoubtful(tax, taxCents)].filter(Boolean).length
    const isRatePrinted = [base, tax].some(({ row }) =>
      (rates.get(row.index) ?? []).some((percent) => percent.rateBp === rateBp),
    )
    return doubts === 1 && !isRatePrinted ? 2 : doubts
  })
  const doubts = inPairs.reduce((sum, each) => sum + each, 0) + extras
  if (doubts === 0) return false
  return !isClearTotal || extras > 1 || (extras === 1 && doubts > 1) || inPairs.some((each) => each > 1)
}

function hasUnusedRate(best: Solution, { sums, parts }: Context): boolean {
  const known = new Set([
    ...best.pairs.map(({ rateBp }) => rateBp),
    ...best.surcharges.flatMap((each) => each?.rateBp ?? []),
    ...(best.withholding ? [best.withholding.rateBp] : []),
  ])
  // Of two readings, the one that makes sense was the right one.
  return namedPercents(sums, parts).some(
    ({ rateBp, others }) => !known.has(rateBp) && !others.some((each) => known.has(each)),
  )
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

/** Rates of VAT that stand beside their name, as far as they are not those of other deductions. */
function namedPercents(sums: Sums, parts: Parts): Percent[] {
  const others = new Set([...parts.surcharge, ...parts.withholding].map(({ row }) => row.index))
  return sums.percents.filter(
    ({ rateBp, isAlternate, row, before, above }) =>
      rateBp > 0 &&
      !isAlternate &&
      !others.has(row.index) &&
      (VAT_RATES.includes(rateBp) || ISLAND_RATES.includes(rateBp)) &&
      IS_NAMED_TAX.test(plain(isProse(row) ? before : `${before} ${above}`)),
  )
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
    if (isProse(row)) continue
    const words = plain(row.text)
    for (const [pattern, isExplained] of DEDUCTION_WORDS)
      if (pattern.test(words) && !isExplained(best)) return true
  }
  return false
}
