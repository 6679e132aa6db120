/** Reads the invoices of a document from the words of its pages. Pure: the same pages give the same readings. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import { isUsualTax, USUAL_TAX } from '../own-tax.ts'
import type { OwnTax } from '../own-tax.ts'
import type { Page } from '../pages/page.ts'
import { readCategory } from './categories.ts'
import { readDates } from './dates.ts'
import { missing } from './field-value.ts'
import type { FieldValue, Reading } from './field-value.ts'
import { groupsOf, joinPages } from './groups.ts'
import type { JoinDoubt } from './groups.ts'
import { readKind } from './kind.ts'
import { plain, untaxedBy } from './labels.ts'
import { layoutOf } from './layout.ts'
import { moneyOf } from './money/money-fields.ts'
import { solveMoney } from './money/money.ts'
import { readName } from './names.ts'
import { readNumber } from './numbers.ts'
import { readPayment } from './payment.ts'
import { sumsOf } from './printed.ts'
import type { Printed, Sums } from './printed.ts'
import { cleanPages, readingsOf } from './readings.ts'
import type { Readings } from './readings.ts'
import type { Row } from './rows.ts'
import { readParties } from './tax-ids.ts'
import { solveUntaxed } from './money/untaxed.ts'

export interface ReaderContext {
  /** Tax number and name of the company, which is never the supplier. */
  ownNif: string
  ownName: string
  today: BusinessDate
  /** Tax of the company; that of most of Spain if it is left out. */
  ownTax?: OwnTax
  /** Total that the tax code on the pages states: with disbursements, and without what is withheld. */
  codedCents?: Cents | null
}

/** States that foreign invoices are commonly from, by the names that addresses print. */
const COUNTRIES: readonly (readonly [string, RegExp])[] = [
  ['US', /\b(?:usa|united states|u s a)\b/],
  ['GB', /\b(?:united kingdom|england|scotland)\b/],
  ['IE', /\b(?:ireland|irlanda)\b/],
  ['LU', /\b(?:luxembourg|luxemburgo)\b/],
  ['DE', /\b(?:germany|deutschland|alemania)\b/],
  ['FR', /\b(?:france|francia)\b/],
  ['NL', /\b(?:netherlands|nederland|paises bajos)\b/],
  ['PT', /\bportugal\b/],
  ['IT', /\b(?:italy|italia)\b/],
  ['CH', /\b(?:switzerland|suiza|schweiz)\b/],
] // prettier-ignore

function countryOf(rows: readonly Row[]): FieldValue<string> {
  for (const row of rows) {
    const bare = plain(row.text)
    for (const [country, pattern] of COUNTRIES)
      if (pattern.test(bare))
        return {
          value: country,
          level: 'guess',
          evidence: [
            { page: row.page, box: row.box, reason: 'words', args: { text: row.text.slice(0, 60) } },
          ],
          rivals: [],
        }
  }
  return missing()
}

function currencyOf(sums: Sums): FieldValue<string> {
  const counts = new Map<string, number>()
  for (const { currency } of sums.amounts)
    if (currency !== null) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  const ranked = [...counts].toSorted((a, b) => b[1] - a[1])
  const [first] = ranked
  if (!first) return { value: 'EUR', level: 'guess', evidence: [], rivals: [] }
  const printed = sums.amounts.find(({ currency }) => currency === first[0])
  return {
    value: first[0],
    level: ranked.length === 1 ? 'read' : 'guess',
    evidence: printed
      ? [{ page: printed.row.page, box: printed.box, reason: 'symbol', args: { currency: first[0] } }]
      : [],
    rivals: ranked.slice(1).map(([currency]) => currency),
  }
}

/** Removes what is stated in another currency than the document: its amounts again, converted. */
function inCurrency(sums: Sums, currency: string | null): Sums {
  const isOwn = (printed: Printed): boolean => printed.currency === null || printed.currency === currency
  if (sums.amounts.every(isOwn)) return sums
  const byRow = [...sums.byRow].map(([index, inRow]) => [index, inRow.filter(isOwn)] as const)
  return {
    ...sums,
    amounts: sums.amounts.filter(isOwn),
    byRow: new Map(byRow.filter(([, inRow]) => inRow.length > 0)),
  }
}

const MENTIONS_CREDIT =
  /\b(?:rectificativ[ao]|rectifica|abono|abonament|zuzentzailea|credit (?:note|memo)|nota de credito|korrekturrechnung|rechnungskorrektur|gutschrift|retificativa|avoir)\b/

/** Reads one invoice from its rows: the money from all readings merged, the other fields from each by itself. */
/** Returns whether a document charges the tax of the company, as far as its words say. */
function chargesOf(text: string, ownTax: OwnTax = USUAL_TAX): 'usual' | 'own' | 'other' {
  if (isUsualTax(ownTax)) return 'usual'
  return text.split(/\W+/).includes(ownTax.name) ? 'own' : 'other'
}

function readInvoice(readings: Readings, context: ReaderContext): Omit<Reading, 'pages' | 'cut' | 'layout'> {
  const rows = readings.merged
  const text = plain(rows.map((row) => row.text).join(' '))
  const all = sumsOf(rows)
  const parties = readParties(readings, context.ownNif)
  const { issueDate, dueDate } = readDates(readings, context.today)
  const currency = currencyOf(all)
  const sums = inCurrency(all, currency.value)
  // A code states euros, also of an invoice in another currency.
  const codedCents = currency.value === 'EUR' ? (context.codedCents ?? null) : null
  const solved = solveMoney(sums, text, codedCents)
  const coded = solved.totals.filter(({ cents }) => cents === codedCents)
  const isForeignCurrency = currency.value !== null && currency.value !== 'EUR'
  const supplierCountry =
    parties.supplierCountry.value === null && isForeignCurrency ? countryOf(rows) : parties.supplierCountry
  const isSpanish = !isForeignCurrency && (supplierCountry.value ?? 'ES') === 'ES'
  const isAbroad = !isSpanish && supplierCountry.value !== 'ES'
  const reason = untaxedBy(text) ?? (isAbroad ? 'reverse_charge' : null)
  const isNegative = solved.best !== null ? solved.best.payableCents < 0 : (solved.totals[0]?.cents ?? 0) < 0
  const { kind, evidence } = readKind(readings, isNegative)
  const { fields, closes, vetoes } = moneyOf({
    solved,
    untaxed: reason === null ? null : solveUntaxed(sums, codedCents === null ? solved.totals : coded),
    untaxedBy: reason,
    issueDate: issueDate.value,
    isSpanish,
    isCreditTitle: kind === 'credit',
    mentionsCredit: MENTIONS_CREDIT.test(text),
    namesIslands: /\b(?:igic|ipsi)\b/.test(text),
    charges: chargesOf(text, context.ownTax),
  })
  return {
    kind,
    kindEvidence: evidence,
    fields: {
      supplierName: readName(readings, parties.each, context.ownName),
      supplierNif: parties.supplierNif,
      supplierCountry,
      customerNif: parties.customerNif,
      number: readNumber(readings),
      issueDate,
      dueDate,
      currency,
      ...fields,
      ...readPayment(readings),
      category: readCategory(rows),
    },
    closes,
    vetoes,
  }
}

/** Reads every invoice of a document; an empty list when its pages have no words. */
export function readPages(pages: readonly Page[], context: ReaderContext): Reading[] {
  const readings = readingsOf(cleanPages(pages))
  const groups = groupsOf(readings, pages, context.ownNif)
  // Of several invoices it is not known which one has the code.
  const known = groups.length === 1 ? context : { ...context, codedCents: null }
  return groups.map((group) => ({
    ...readInvoice(group, known),
    pages: [group.merged[0]?.page ?? 0, group.merged.at(-1)?.page ?? 0],
    cut: group.cut,
    layout: layoutOf(group.merged),
  }))
}

interface JoinedReading {
  /** Null when no page has words. */
  reading: Reading | null
  /** For each page of the reading its file and its page there, from 0. */
  sources: { file: number; page: number }[]
  /** Why the files may not be one invoice; empty when they look like one. */
  doubts: JoinDoubt[]
}

/**
 * Reads the pages of several files, such as photos of the sheets of one invoice, as one invoice: in the order of their "page
 * 2 of 3" when each prints one, else as given. Boxes and pages of the evidence count the joined pages from 0.
 */
export function readJoined(files: readonly (readonly Page[])[], context: ReaderContext): JoinedReading {
  const { pages, sources, doubts } = joinPages(files.map(cleanPages), context.ownNif)
  const readings = readingsOf(pages)
  if (readings.merged.length === 0) return { reading: null, sources, doubts }
  const reading = {
    ...readInvoice(readings, context),
    pages: [0, pages.length - 1] as [number, number],
    cut: null,
    layout: layoutOf(readings.merged),
  }
  return { reading, sources, doubts }
}
