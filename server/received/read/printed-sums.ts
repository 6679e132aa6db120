/**
 * The sums of an invoice in plain text: which amounts stand beside the word total, and the bases and taxes that add up to one
 * of them. An amount that only stands on the page is never taken for the total. Pure.
 */
import { percentOf } from '../../core/money.ts'
import type { BasisPoints, Cents } from '../../core/money.ts'
import { centsOfPrinted } from './amounts.ts'

/** More amounts than these are a price list, and pairs of them add up by chance. */
const MAX_AMOUNTS = 80

const DIGITS = String.raw`(?:\d{1,3}(?:[.,'\u2019]\d{3})+|\d{1,9})[.,]\d{2}(?![\d%/]|[.,]\d|\s*%)`
const AMOUNT = new RegExp(String.raw`(?<![\d.,/-])(-\s?|\()?(${DIGITS})(-(?![\d\s]*\d))?`, 'g')

const RATES_BP: readonly BasisPoints[] = [2100, 1000, 400, 500, 750, 200]
const WITHHOLDING_BP: readonly BasisPoints[] = [1500, 700, 1900, 100, 200]

/** Words that may stand between "total" and its amount; a total of something else is none of the document. */
const FILLER = String.raw`(?:\s|[:.·\u2026_=*]|\u20ac|\(|\)|\b(?:factura|fra|ticket|tique|compra|documento|general|importe|a\s+pagar|a\s+percibir|con\s+iva|iva\s+incluido|iva\s+incl|impuestos\s+incluidos|invoice|amount|due|incl|vat|eur|euros?|s\.?\s?e\.?\s?u\.?\s?o)\b)*?`
const LABEL = String.raw`(?:(?<!sub[-\s]?)(?<!(?:base|bruto|neto|iva|cuota|imponible|impuestos)\s)\btotal(?:es)?\b|\bl[ií]quido\b|\bimporte\s+a\s+(?:pagar|percibir)\b|\ba\s+pagar\b)`
/** Text that ends in the label of a total. */
const LABELLED = new RegExp(`${LABEL}${FILLER}$`, 'i')
/** Labels that say more than "total": what they stand beside is the invoice's own. */
const STRONG =
  /total\W+(?:factura|fra|a\s+pagar|con\s+iva|iva\s+inc|general|ticket|tique|compra|documento|invoice|amount|importe)|importe\s+total|total\s+eur/i

/** A label stands as near as this to its amount, in characters and in lines below it. */
const LABEL_CHARS = 120
const NEXT_LINES = 3

interface Printed {
  cents: Cents
  at: number
  end: number
  /** "- 120,00" may be a dash before an amount as well as its sign. */
  isDoubtful: boolean
}

const plainMinus = (text: string): string => text.replace(/[\u2212\u2010-\u2013](?=\s?\d)/g, '-')

function printedIn(line: string): Printed[] {
  return [...line.matchAll(AMOUNT)].flatMap((match) => {
    const [whole, before = '', digits = '', after = ''] = match
    const cents = centsOfPrinted(digits)
    if (cents === null) return []
    const closed = before === '(' && line[match.index + whole.length] === ')'
    const isNegative = before.startsWith('-') || after === '-' || closed
    return [
      {
        cents: isNegative && cents !== 0 ? -cents : cents,
        at: match.index,
        end: match.index + whole.length,
        isDoubtful: /^-\s/.test(before),
      },
    ]
  })
}

/** Every amount of a text with its sign; a dash with a blank behind it leaves the sign open, and both are given. */
export function amountsIn(text: string): Cents[] {
  return plainMinus(text)
    .split(/\r?\n/)
    .flatMap(printedIn)
    .flatMap(({ cents, isDoubtful }) => (isDoubtful ? [cents, -cents] : [cents]))
}

export interface PrintedTotal {
  cents: Cents
  /** Says of what it is the total. */
  isStrong: boolean
}

/** The amounts beside the word total, on its line or alone on the next one; those that say most first. */
export function totalsIn(text: string): PrintedTotal[] {
  const lines = plainMinus(text).split(/\r?\n/)
  const found: PrintedTotal[] = []
  const add = (cents: Cents, label: string): void => {
    if (!found.some((each) => each.cents === cents)) found.push({ cents, isStrong: STRONG.test(label) })
  }
  lines.forEach((line, index) => {
    const amounts = printedIn(line)
    for (const each of amounts) {
      const before = line.slice(Math.max(0, each.at - LABEL_CHARS), each.at)
      if (LABELLED.test(before)) add(each.cents, before)
    }
    if (amounts.length > 0 || !LABELLED.test(line.trim().slice(-LABEL_CHARS))) return
    const next = lines.slice(index + 1, index + 1 + NEXT_LINES).find((each) => each.trim() !== '') ?? ''
    const [only, ...more] = printedIn(next)
    // Under a heading stands its column: the last one, as the total is the last heading.
    const last = more.at(-1) ?? only
    if (last) add(last.cents, line)
  })
  return found.toSorted((a, b) => Number(b.isStrong) - Number(a.isStrong))
}

export interface TaxPair {
  baseCents: Cents
  rateBp: BasisPoints
  taxCents: Cents
}

export interface TaxGuess {
  lines: TaxPair[]
  totalCents: Cents
  withholding: { rateBp: BasisPoints; baseCents: Cents; amountCents: Cents } | null
}

function pairsOf(amounts: ReadonlySet<Cents>): TaxPair[] {
  const pairs: TaxPair[] = []
  for (const baseCents of amounts)
    for (const rateBp of RATES_BP) {
      const taxCents = percentOf(baseCents, rateBp)
      if (taxCents > 0 && amounts.has(taxCents)) pairs.push({ baseCents, rateBp, taxCents })
    }
  return pairs.sort((a, b) => b.baseCents - a.baseCents)
}

const MOST_RATES = 3
/** Of more pairs than these, three add up by chance; and there would be millions to try. */
const MOST_PAIRS_OF_THREE = 40

/** Groups of one, two and three rates, the fewest first: no rate and no base twice. */
function* groupsOf(pairs: readonly TaxPair[], size: number, from = 0): Generator<TaxPair[]> {
  if (size === 0) {
    yield []
    return
  }
  for (let index = from; index < pairs.length; index++) {
    const first = pairs[index]
    if (!first) return
    for (const rest of groupsOf(pairs, size - 1, index + 1))
      if (!rest.some((each) => each.rateBp === first.rateBp || each.baseCents === first.baseCents))
        yield [first, ...rest]
  }
}

/**
 * Bases and taxes among the amounts of a document that add up to what it prints as its total, or, less what is withheld, to
 * what it asks to be paid. Null when no sum proves them, or when no total is known.
 */
export function guessTaxes(amounts: readonly Cents[], totals: readonly Cents[]): TaxGuess | null {
  // What gives back says so in every figure: read as if it charged, and turned round again.
  if (totals.length > 0 && totals.every((cents) => cents < 0)) {
    const turned = guessTaxes(
      amounts.map((cents) => -cents),
      totals.map((cents) => -cents),
    )
    return turned && negated(turned)
  }
  const all = new Set(amounts.filter((cents) => cents > 0))
  if (all.size > MAX_AMOUNTS) return null
  const printed = new Set(totals.filter((cents) => cents > 0))
  for (const cents of printed) all.add(cents)
  // Withholding is a deduction: it may be printed with its sign or without.
  const deducted = new Set(amounts.map((cents) => Math.abs(cents)))
  const pairs = pairsOf(all)
  const most = pairs.length > MOST_PAIRS_OF_THREE ? MOST_RATES - 1 : MOST_RATES
  for (let size = 1; size <= most; size++)
    for (const lines of groupsOf(pairs, size)) {
      const totalCents = lines.reduce((cents, { baseCents, taxCents }) => cents + baseCents + taxCents, 0)
      const withheld = withholdingOf(lines, totalCents, { deducted, printed, all })
      if (printed.has(totalCents)) return { lines, totalCents, withholding: withheld }
      // The total with its taxes may not be printed when something is withheld: then what is left to pay is.
      if (withheld && printed.has(totalCents - withheld.amountCents))
        return { lines, totalCents, withholding: withheld }
    }
  return null
}

function withholdingOf(
  lines: readonly TaxPair[],
  totalCents: Cents,
  known: Record<'deducted' | 'printed' | 'all', ReadonlySet<Cents>>,
): TaxGuess['withholding'] {
  const baseCents = lines.reduce((cents, line) => cents + line.baseCents, 0)
  for (const rateBp of WITHHOLDING_BP) {
    const amountCents = percentOf(baseCents, rateBp)
    const left = totalCents - amountCents
    if (
      amountCents > 0 &&
      known.deducted.has(amountCents) &&
      (known.printed.has(left) || known.all.has(left))
    )
      return { rateBp, baseCents, amountCents }
  }
  return null
}

function negated({ lines, totalCents, withholding }: TaxGuess): TaxGuess {
  return {
    lines: lines.map((line) => ({ ...line, baseCents: -line.baseCents, taxCents: -line.taxCents })),
    totalCents: -totalCents,
    withholding: withholding && {
      ...withholding,
      baseCents: -withholding.baseCents,
      amountCents: -withholding.amountCents,
    },
  }
}
