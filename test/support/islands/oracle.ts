/**
 * An exact oracle of the returns 420, 425 and 415, written from the text of their boxes and from documents, without code of
 * the product. All amounts are whole cents.
 */
import type { DocumentLine, Matter, TradeDocument } from './documents.ts'

/** Base and tax of one rate. */
type Rates = Map<number, [base: number, tax: number]>

/** A quarter: lines by rate, and the other boxes by number. */
export interface OracleReturn {
  rates: Rates
  boxes: Record<string, number>
}

const isOfYear = (day: string, year: number): boolean => Number(day.slice(0, 4)) === year
const quarterOf = (day: string): number => Math.ceil(Number(day.slice(5, 7)) / 3)

interface Entry {
  document: TradeDocument
  line: DocumentLine
}

const entries = (documents: readonly TradeDocument[]): Entry[] =>
  documents.flatMap((document) => document.lines.map((line) => ({ document, line })))

const sum = (list: readonly Entry[], amount: 'baseCents' | 'taxCents' | 'deductedCents'): number =>
  list.reduce((total, { line }) => total + line[amount], 0)

function byRate(list: readonly Entry[]): Rates {
  const rates: Rates = new Map()
  for (const { line } of list) {
    const [base, tax] = rates.get(line.rateBp) ?? [0, 0]
    rates.set(line.rateBp, [base + line.baseCents, tax + line.taxCents])
  }
  return rates
}

const TAXED: readonly Matter[] = ['taxed', 'used_goods', 'travel']

/**
 * What a period has, by the rules of the form: an operation counts when it is made, one under cash accounting
 * when paid, and the deduction of a purchase in the period that was chosen for it.
 */
function periodOf(documents: readonly TradeDocument[], isIn: (day: string) => boolean) {
  const all = entries(documents)
  const made = all.filter(({ document }) => isIn(document.day))
  const due = all.filter(({ document }) => isIn(document.deductedOn ?? document.paidOn ?? document.day))
  const sales = (list: readonly Entry[], ...matters: Matter[]) =>
    list.filter(({ document, line }) => document.side === 'sale' && matters.includes(line.matter))
  const bought = (list: readonly Entry[], ...matters: Matter[]) =>
    list.filter(({ document, line }) => document.side === 'purchase' && matters.includes(line.matter))
  const first = (list: readonly Entry[]) => list.filter(({ document }) => !document.isCorrection)
  const corrected = (list: readonly Entry[]) => list.filter(({ document }) => document.isCorrection)
  const deducted = (list: readonly Entry[]) => list.filter(({ line }) => line.deductedCents !== 0)
  const waiting = made.filter(({ document }) => document.paidOn !== null)
  return { all, made, due, waiting, sales, bought, first, corrected, deducted }
}

/** Boxes 26 to 36 of the quarter: bases and tax of what is deducted. */
function deductions({ due, bought, first, corrected, deducted }: ReturnType<typeof periodOf>) {
  const interior = deducted(first(bought(due, 'bought', 'bought_with_reverse_charge')))
  const imported = deducted(first(bought(due, 'imported')))
  const rectified = deducted(corrected(bought(due, 'bought', 'bought_with_reverse_charge', 'imported')))
  const investment = (list: readonly Entry[], is: boolean) =>
    list.filter(({ line }) => line.isInvestment === is)
  const pairs: [string, string, readonly Entry[]][] = [
    ['26', '27', investment(interior, false)],
    ['28', '29', investment(interior, true)],
    ['30', '31', investment(imported, false)],
    ['32', '33', investment(imported, true)],
    ['34', '35', rectified],
  ]
  const boxes: Record<string, number> = {}
  for (const [base, tax, list] of pairs) {
    boxes[base] = sum(list, 'baseCents')
    boxes[tax] = sum(list, 'deductedCents')
  }
  boxes['36'] = sum(deducted(bought(due, 'from_farmer')), 'deductedCents')
  return boxes
}

/** Amounts that a person types into boxes of a quarter, in cents. */
export type TypedBoxes = Record<string, number>

const typedSum = (typed: TypedBoxes, ...boxes: string[]): number =>
  boxes.reduce((total, box) => total + (typed[box] ?? 0), 0)

/** Returns the four quarters of a year. `brought` is what the year before left to offset. */
export function quarters420(
  documents: readonly TradeDocument[],
  year: number,
  brought: number,
  typed: readonly TypedBoxes[] = [],
): OracleReturn[] {
  let left = brought
  return [1, 2, 3, 4].map((quarter) => {
    const found = quarter420(documents, { year, quarter }, left, typed[quarter - 1])
    left = Math.max(0, -found.boxes['45']!)
    return found
  })
}

/** Returns one quarter. `left` is what earlier ones left to offset. */
export function quarter420(
  documents: readonly TradeDocument[],
  { year, quarter }: { year: number; quarter: number },
  left: number,
  typed: TypedBoxes = {},
): OracleReturn {
  const period = periodOf(documents, (day) => isOfYear(day, year) && quarterOf(day) === quarter)
  const { made, due, waiting, sales, bought, first, corrected } = period
  const lines = first(sales(due, ...TAXED))
  const asBuyer = first(bought(made, 'bought_with_reverse_charge'))
  const modified = [
    ...corrected(sales(due, ...TAXED)),
    ...corrected(bought(made, 'bought_with_reverse_charge')),
  ]
  const boxes: Record<string, number> = {
    '19': sum(asBuyer, 'baseCents'),
    '20': sum(asBuyer, 'taxCents'),
    '21': sum(modified, 'baseCents'),
    '22': sum(modified, 'taxCents'),
    ...deductions(period),
    '43': left,
    '46': sum(sales(made, 'export', 'exempt_area', 'exempt_art_25', 'exempt_zec'), 'baseCents'),
    '47': sum(sales(made, 'outside', 'sold_with_reverse_charge'), 'baseCents'),
    '48': sum(sales(waiting, ...TAXED), 'baseCents'),
    '49': sum(sales(waiting, ...TAXED), 'taxCents'),
    '50': sum(bought(waiting, 'bought'), 'baseCents'),
    '51': sum(bought(waiting, 'bought'), 'taxCents'),
  }
  boxes['25'] = sum(lines, 'taxCents') + boxes['20']! + boxes['22']! - typedSum(typed, '24')
  boxes['40'] =
    ['27', '29', '31', '33', '35', '36'].reduce((total, box) => total + boxes[box]!, 0) +
    typedSum(typed, '37', '38', '39')
  boxes['41'] = boxes['25'] - boxes['40']
  boxes['45'] = boxes['41'] + typedSum(typed, '42') - left
  return { rates: byRate(lines), boxes: { ...boxes, ...typed } }
}

/** The yearly summary: its lines apart by regime, and the other boxes. */
interface OracleYear {
  ordinary: Rates
  usedGoods: Rates
  cash: Rates
  boxes: Record<string, number>
}

/** Boxes of the year that repeat what a person typed in its quarters. */
const REPEATED = { '23': '77', '24': '78', '37': '91', '38': '92', '39': '93', '42': '112' }

const repeated = (quarters: readonly OracleReturn[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(REPEATED).map(([quarterly, yearly]) => [
      yearly,
      quarters.reduce((total, { boxes }) => total + (boxes[quarterly] ?? 0), 0),
    ]),
  )

/** Returns the summary of a year. `refunded`: the last quarter asked for its money back. */
export function year425(
  documents: readonly TradeDocument[],
  year: number,
  quarters: readonly OracleReturn[],
  refunded = false,
): OracleYear {
  const period = periodOf(documents, (day) => isOfYear(day, year))
  const { made, due, waiting, sales, bought, first, corrected } = period
  const isCash = ({ document }: Entry) => document.paidOn !== null
  const lines = (...matters: Matter[]) => first(sales(due, ...matters)).filter((each) => !isCash(each))
  const cash = first(sales(due, ...TAXED)).filter(isCash)
  const asBuyer = first(bought(made, 'bought_with_reverse_charge'))
  const modified = [
    ...corrected(sales(due, ...TAXED)),
    ...corrected(bought(made, 'bought_with_reverse_charge')),
  ]
  const quarterly = deductions(period)
  const volume = (...matters: Matter[]) => sum(sales(made, ...matters), 'baseCents')
  const general = sales(made, 'taxed').filter((each) => !isCash(each))
  const noDeduction = made.filter(
    ({ document, line }) =>
      document.side === 'purchase' && line.matter !== 'from_farmer' && line.deductedCents === 0,
  )
  const fromFarmers = made.filter(({ line }) => line.matter === 'from_farmer' && line.deductedCents === 0)
  const results = quarters.map(({ boxes }) => boxes['45']!)
  const last = results.at(-1)!
  const boxes: Record<string, number> = {
    '67': sum(lines('travel'), 'baseCents'),
    '69': sum(lines('travel'), 'taxCents'),
    '70': sum(modified, 'baseCents'),
    '71': sum(modified, 'taxCents'),
    '75': sum(asBuyer, 'baseCents'),
    '76': sum(asBuyer, 'taxCents'),
    ...Object.fromEntries(Object.entries(quarterly).map(([box, cents]) => [String(Number(box) + 54), cents])),
    ...repeated(quarters),
    '114': quarters[0]!.boxes['43']!,
    '116': results.reduce((total, cents) => total + (cents > 0 ? cents : 0), 0),
    '118': last < 0 && !refunded ? -last : 0,
    '119': last < 0 && refunded ? -last : 0,
    '120': sum(general, 'baseCents'),
    '121': sum(sales(waiting, ...TAXED), 'baseCents'),
    '122': volume('export'),
    '123': volume('exempt_area'),
    '124': volume('exempt_art_25'),
    '125': volume('exempt_zec'),
    '126': volume('exempt_without_right'),
    '128': volume('outside', 'sold_with_reverse_charge'),
    '130': volume('used_goods'),
    '131': volume('travel'),
    '136': sum([...noDeduction, ...fromFarmers], 'taxCents'),
    '138': sum(sales(waiting, ...TAXED), 'baseCents'),
    '139': sum(sales(waiting, ...TAXED), 'taxCents'),
    '140': sum(bought(waiting, 'bought'), 'baseCents'),
    '141': sum(bought(waiting, 'bought'), 'taxCents'),
    '142': volume('small_business'),
    '143': volume('retail'),
  }
  const total = (list: readonly Entry[], amount: 'baseCents' | 'taxCents') => sum(list, amount)
  const all = [...lines('taxed'), ...lines('used_goods'), ...cash]
  boxes['74'] = total(all, 'baseCents') + boxes['67']! + boxes['70']!
  boxes['79'] = total(all, 'taxCents') + boxes['69']! + boxes['71']! + boxes['76']! - boxes['78']!
  boxes['94'] = ['81', '83', '85', '87', '89', '90', '91', '92', '93'].reduce(
    (sums, box) => sums + boxes[box]!,
    0,
  )
  boxes['95'] = boxes['79'] - boxes['94']
  boxes['113'] = boxes['95']
  boxes['115'] = boxes['112']! + boxes['113'] - boxes['114']!
  boxes['134'] = ['120', '121', '122', '123', '124', '125', '126', '128', '130', '131'].reduce(
    (sums, box) => sums + boxes[box]!,
    0,
  )
  boxes['147'] = boxes['142']! + boxes['143']!
  return {
    ordinary: byRate(lines('taxed')),
    usedGoods: byRate(lines('used_goods')),
    cash: byRate(cash),
    boxes,
  }
}

/**
 * What a small business states in the year: the summary has a part of its own for it, and nothing else is filled in.
 */
export function smallYear425(documents: readonly TradeDocument[], year: number): Record<string, number> {
  const { made, sales } = periodOf(documents, (day) => isOfYear(day, year))
  const exempt = sum(sales(made, 'small_business'), 'baseCents')
  return { '142': exempt, '147': exempt }
}

/**
 * Output and input tax of a quarter as the books have them: a purchase with its tax, and what the buyer assesses, on the
 * day on which it is received; on that of its payment where the supplier is under cash accounting.
 */
export function booksOf(
  documents: readonly (TradeDocument & { receivedOn: string })[],
  { year, quarter }: { year: number; quarter: number },
): { outputCents: number; inputCents: number } {
  const booked = entries(
    documents.filter(({ receivedOn, paidOn }) => {
      const day = paidOn ?? receivedOn
      return isOfYear(day, year) && quarterOf(day) === quarter
    }),
  )
  const sold = booked.filter(({ document }) => document.side === 'sale')
  const bought = booked.filter(({ document }) => document.side === 'purchase')
  const assessed = bought.filter(({ line }) => line.matter === 'bought_with_reverse_charge')
  return {
    outputCents: sum(sold, 'taxCents') + sum(assessed, 'taxCents'),
    inputCents: sum(bought, 'deductedCents'),
  }
}

/** Sums of the list of third parties: party, side and cents, tax included, above 3,005.06 euros; largest first. */
export function parties415(
  documents: readonly TradeDocument[],
  year: number,
): Record<'sale' | 'purchase', number[]> {
  const sums = new Map<string, number>()
  for (const { document, line } of entries(documents).filter((each) => isOfYear(each.document.day, year))) {
    // The last one has no tax number; goods that cross the border are declared to customs.
    if (document.party === 6) continue
    if (document.lines.some(({ matter }) => matter === 'imported') || line.matter === 'export') continue
    // Operations with VAT and a withholding stay out of every list.
    const isVat = document.lines.some(({ matter }) => matter === 'mainland_vat')
    if (isVat && document.isWithheld) continue
    const key = `${document.side} ${document.party}`
    const tax = line.matter === 'bought_with_reverse_charge' ? 0 : line.taxCents
    sums.set(key, (sums.get(key) ?? 0) + line.baseCents + tax)
  }
  const of = (side: string) =>
    [...sums]
      .filter(([key, cents]) => key.startsWith(side) && cents > 300_506)
      .map(([, cents]) => cents)
      .sort((a, b) => b - a)
  return { sale: of('sale'), purchase: of('purchase') }
}
