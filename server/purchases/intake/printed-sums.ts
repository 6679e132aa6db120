/**
 * Finds the sums of an invoice in plain text: the amounts beside the word total, and the bases and taxes that add up
 * to them. An amount elsewhere on the page, or in a row of articles, is never taken for the total. Pure.
 */
import { percentOf } from '../../domain/money.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import { centsOfPrinted } from './amounts.ts'

/** A text with more amounts is a price list, and pairs of them add up by chance. */
const MAX_AMOUNTS = 80

const DIGITS = String.raw`(?:\d{1,3}(?:[.,'\u2019]\d{3})+|\d{1,9})[.,]\d{2}(?![\d%/]|[.,]\d|\s*%)`
const AMOUNT = new RegExp(String.raw`(?<![\d.,/-])(-\s?|\()?(${DIGITS})(-(?![\d\s]*\d))?`, 'g')

const RATES_BP: readonly BasisPoints[] = [2100, 1000, 400, 500, 750, 200]
const WITHHOLDING_BP: readonly BasisPoints[] = [1500, 700, 1900, 100, 200]

/** Words allowed between "total" and its amount; a total of something else is not the document's. */
const FILLER = String.raw`(?:\s|[:.·\u2026_=*]|\u20ac|\(|\)|\b(?:factura|fra|ticket|tique|compra|documento|general|importe|a\s+pagar|a\s+percibir|con\s+iva|iva\s+incluido|iva\s+incl|impuestos\s+incluidos|invoice|amount|due|incl|vat|eur|euros?|s\.?\s?e\.?\s?u\.?\s?o)\b)*?`
const LABEL = String.raw`(?:(?<!sub[-\s]?)(?<!(?:base|bruto|neto|iva|cuota|imponible|impuestos)\s)\btotal(?:es)?\b|\bl[ií]quido\b|\bimporte\s+a\s+(?:pagar|percibir)\b|\ba\s+pagar\b)`
/** Text that ends in the label of a total. */
const LABELLED = new RegExp(`${LABEL}${FILLER}$`, 'i')
/** Labels more specific than "total": the amount beside them is the invoice's own. */
const STRONG =
  /total\W+(?:factura|fra|con\s+iva|iva\s+inc|general|ticket|tique|compra|documento|invoice|amount|importe)|importe\s+total|total\s+eur/i
/** Labels of the amount to pay, which differs from the total after withholding, disbursements and earlier payments. */
const PAYABLE = /l[ií]quido|a\s+(?:pagar|percibir)|\bdue\b/i
/** Words for amounts that make the amount to pay differ from the total. */
const DEDUCTION =
  /retenci[oó]n|i\.?\s?r\.?\s?p\.?\s?f\b|suplidos?\b|anticipos?\b|a\s+cuenta|withh[eo]ld|prepaid/i
/** Words of a heading over sums; headings over articles use others. */
const SUM_WORDS =
  /^(?:[a-z]|base|imponible|tipo|iva|igic|cuota|importe|bruto|neto|suma|subtotal|recargo|req|re|irpf|retenci[oó]n|totale?s?|factura|fra|documento|pagar|percibir|l[ií]quido|eur|euros?|de|del|sin|con|incl|incluido|impuestos?|vat|tax|net|amount|due)$/i

/** Greatest distance between a label and its amount, in characters and in lines below it. */
const LABEL_CHARS = 120
const NEXT_LINES = 3

interface Printed {
  cents: Cents
  at: number
  end: number
  /** True for "- 120,00": the sign may be a dash before the amount. */
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

/** Returns every amount of a text with its sign; after a dash with a blank the sign is open, and both are returned. */
export function amountsIn(text: string): Cents[] {
  return plainMinus(text)
    .split(/\r?\n/)
    .flatMap(printedIn)
    .flatMap(({ cents, isDoubtful }) => (isDoubtful ? [cents, -cents] : [cents]))
}

type Label = 'total' | 'strong' | 'payable'

interface Labelled {
  cents: Cents
  label: Label
}

const WORD = /\p{L}+/gu
const wordsOf = (line: string): string[] => line.match(WORD) ?? []
const isOnlyAmounts = (line: string): boolean => wordsOf(line).every((word) => /^(?:eur|euros?)$/i.test(word))

/** Returns the amount that the others add up to, among amounts without a word between them; null when there is none. */
function sumAmong(run: readonly Printed[]): Printed | null {
  const [first, ...others] = run
  const last = run.at(-1)
  if (!first || !last || others.length === 0) return first ?? null
  const sum = (some: readonly Printed[]) => some.reduce((cents, each) => cents + each.cents, 0)
  if (last.cents === sum(run.slice(0, -1))) return last
  return first.cents === sum(others) ? first : null
}

/**
 * Returns the amount under a heading of sums: one line of nothing but amounts. Of several lines each is the total of
 * its own rate.
 */
function underHeading(lines: readonly string[], index: number): Printed | null {
  if (!wordsOf(lines[index] ?? '').every((word) => SUM_WORDS.test(word))) return null
  const [next = '', then = ''] = lines
    .slice(index + 1, index + 1 + NEXT_LINES)
    .filter((each) => each.trim() !== '')
  const amounts = printedIn(next)
  if (!isOnlyAmounts(next) || (printedIn(then).length > 0 && isOnlyAmounts(then))) return null
  // The total is under the last heading, in the last column.
  return wordsOf(lines[index] ?? '').length > 1 ? (amounts.at(-1) ?? null) : sumAmong(amounts)
}

/** Classifies the words before an amount. */
function labelOf(words: string): Label {
  if (PAYABLE.test(LABELLED.exec(words)?.[0] ?? '')) return 'payable'
  return STRONG.test(words) ? 'strong' : 'total'
}

/** Returns the amounts beside the word total, on its line or alone on the next one. */
function labelledIn(text: string): Labelled[] {
  const lines = plainMinus(text).split(/\r?\n/)
  const found: Labelled[] = []
  const add = (amount: Printed | null, words: string): void => {
    if (!amount) return
    const { cents } = amount
    const label = labelOf(words)
    if (!found.some((each) => each.cents === cents && each.label === label)) found.push({ cents, label })
  }
  lines.forEach((line, index) => {
    const amounts = printedIn(line)
    amounts.forEach((each, at) => {
      const before = line.slice(Math.max(0, each.at - LABEL_CHARS), each.at)
      if (!LABELLED.test(before)) return
      const run = [each]
      for (const next of amounts.slice(at + 1)) {
        if (!isOnlyAmounts(line.slice(run.at(-1)?.end, next.at))) break
        run.push(next)
      }
      add(sumAmong(run), before)
    })
    const end = line.trim().slice(-LABEL_CHARS)
    if (amounts.length === 0 && LABELLED.test(end)) add(underHeading(lines, index), end)
  })
  return found
}

interface PrintedTotals {
  /** Amounts beside a label of the total: those with a specific label, else all. */
  totals: Cents[]
  /** Their label is specific. */
  isNamed: boolean
  /** Amount beside a label of the amount to pay; null when there is none, or more than one. */
  payable: Cents | null
  /** Amount that is the total by its label alone, whatever the taxes; null when the labels are ambiguous. */
  told: Cents | null
}

/** Returns the totals and the amounts to pay that a text prints. */
export function totalsIn(text: string): PrintedTotals {
  const labelled = labelledIn(text)
  const of = (label: Label): Cents[] => labelled.flatMap((each) => (each.label === label ? each.cents : []))
  const strong = of('strong')
  const isNamed = strong.length > 0
  const totals = isNamed ? strong : of('total')
  const payables = of('payable')
  const [only = null] = payables
  const payable = payables.length === 1 ? only : null
  const [first = null] = totals
  const named = totals.length === 1 ? first : null
  return { totals, isNamed, payable, told: isNamed ? named : statedBy(totals, payable, DEDUCTION.test(text)) }
}

/** Chooses among totals without a specific label. */
function statedBy(totals: readonly Cents[], payable: Cents | null, isDeducted: boolean): Cents | null {
  const isBelow = (cents: Cents) => payable !== null && Math.abs(cents) < Math.abs(payable)
  // The amount to pay is the total when there is no other and nothing is deducted.
  if (totals.every(isBelow)) return isDeducted ? null : payable
  const [only = null] = totals
  return totals.length === 1 ? only : null
}

export interface TaxPair {
  baseCents: Cents
  rateBp: BasisPoints
  taxCents: Cents
}

interface TaxGuess {
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
/** With more pairs than this, three add up by chance, and there would be millions of combinations to try. */
const MOST_PAIRS_OF_THREE = 40

/** Yields groups of one, two and three rates, the smallest first: no rate and no base twice. */
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

const largest = (amounts: readonly Cents[]): Cents =>
  amounts.reduce((most, cents) => (Math.abs(cents) > Math.abs(most) ? cents : most), 0)

/** True when an amount beside the word total is one of the sums of a guess. */
function isPartOf({ lines, totalCents, withholding }: TaxGuess, cents: Cents): boolean {
  const bases = lines.reduce((sum, { baseCents }) => sum + baseCents, 0)
  const parts = lines.flatMap(({ baseCents, taxCents }) => [baseCents, taxCents, baseCents + taxCents])
  const whole = [totalCents, totalCents - (withholding?.amountCents ?? 0), bases, totalCents - bases]
  return [...parts, ...whole].includes(cents)
}

/**
 * Finds bases and taxes among the amounts of a document that add up to the largest printed total or, less the
 * withholding, to the amount to pay; the smaller totals must be parts of it. Null when no sum proves them, or when no
 * total is known.
 */
export function guessTaxes(
  amounts: readonly Cents[],
  totals: readonly Cents[],
  payable: Cents | null = null,
): TaxGuess | null {
  const target = largest(payable === null ? totals : [...totals, payable])
  // A credit note has negative figures throughout: it is read as an invoice, and the signs are inverted again.
  const guess =
    target < 0
      ? negated(
          guessOf(
            amounts.map((cents) => -cents),
            -target,
          ),
        )
      : guessOf(amounts, target)
  return guess && totals.every((cents) => isPartOf(guess, cents)) ? guess : null
}

function guessOf(amounts: readonly Cents[], target: Cents): TaxGuess | null {
  const all = new Set(amounts.filter((cents) => cents > 0))
  if (target === 0 || all.size > MAX_AMOUNTS) return null
  all.add(target)
  // Withholding is a deduction: it is printed with or without its sign.
  const deducted = new Set(amounts.map((cents) => Math.abs(cents)))
  const pairs = pairsOf(all)
  const most = pairs.length > MOST_PAIRS_OF_THREE ? MOST_RATES - 1 : MOST_RATES
  for (let size = 1; size <= most; size++)
    for (const lines of groupsOf(pairs, size)) {
      const totalCents = lines.reduce((cents, { baseCents, taxCents }) => cents + baseCents + taxCents, 0)
      const withholding = withholdingOf(lines, totalCents, deducted, all)
      // With withholding, the total with taxes may not be printed: then the amount to pay is.
      if (totalCents === target || totalCents - (withholding?.amountCents ?? 0) === target)
        return { lines, totalCents, withholding }
    }
  return null
}

function withholdingOf(
  lines: readonly TaxPair[],
  totalCents: Cents,
  deducted: ReadonlySet<Cents>,
  all: ReadonlySet<Cents>,
): TaxGuess['withholding'] {
  const baseCents = lines.reduce((cents, line) => cents + line.baseCents, 0)
  for (const rateBp of WITHHOLDING_BP) {
    const amountCents = percentOf(baseCents, rateBp)
    const left = totalCents - amountCents
    if (amountCents > 0 && deducted.has(amountCents) && all.has(left))
      return { rateBp, baseCents, amountCents }
  }
  return null
}

function negated(guess: TaxGuess | null): TaxGuess | null {
  if (!guess) return null
  const { lines, totalCents, withholding } = guess
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
