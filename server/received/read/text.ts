/**
 * What the plain text of an invoice lets one guess: tax number, number, date, total, and the taxes when sums prove them.
 * Guesses are marked as such; only sums that add up are taken for taxes.
 */
import { checkNif } from '../../core/nif.ts'
import { percentOf } from '../../core/money.ts'
import type { Cents } from '../../core/money.ts'
import type { TaxLineInput } from '../contract.ts'
import { centsOfPrinted, dayOfPrinted, eurosOrNull, lineOf } from './amounts.ts'
import { tell } from './found.ts'
import type { FoundProposal } from './found.ts'

const MAX_CHARS = 200_000
/** More amounts than these are a price list, and pairs of them add up by chance. */
const MAX_AMOUNTS = 80

const NIF =
  /\b(?:ES[-\s]?)?([A-Z][-.\s]?\d{7}[-.\s]?[0-9A-J]|\d{8}[-.\s]?[A-Z]|[XYZ][-.\s]?\d{7}[-.\s]?[A-Z])\b/g
const AMOUNT =
  /(?<![\d.,/-])-?\d{1,3}(?:[.,']\d{3})*[.,]\d{2}(?![\d%/]|[.,]\d|\s*%)|(?<![\d.,/-])-?\d{1,9}[.,]\d{2}(?![\d%/]|[.,]\d|\s*%)/g
const DATE = /\b(\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))\b/g
const NUMBER =
  /(?:factura|fra\.?|invoice)\s*(?:simplificada|rectificativa)?\s*(?:n[ºo°.]*|n[úu]m(?:ero)?\.?|number|no\.?|#)?\s*[:.]?\s*([A-Z0-9][A-Z0-9/_.-]*\d[A-Z0-9/_.-]*)/i
const LABELLED_DATE =
  /(?:fecha(?:\s+de)?(?:\s+(?:factura|emisi[oó]n|expedici[oó]n))?|date)\s*:?\s*(\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))/i
const LABELLED_DUE = /(?:vencimiento|vence|due\s+date)\s*:?\s*(\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))/i
const LABELLED_TOTAL =
  /(?:total\s+(?:factura|a\s+pagar|con\s+iva|general)|importe\s+total|total)\s*(?:\(?(?:eur|€)\)?)?\s*:?\s*(-?\d[\d.,' ]*[.,]\d{2})/gi

const RATES_BP = [2100, 1000, 400, 500, 750, 200]
const WITHHOLDING_BP = [1500, 700, 1900, 100, 200]

/** Tax numbers with the right control, in reading order, without our own. */
export function taxNumbersIn(text: string, ownNif: string): string[] {
  const found: string[] = []
  for (const match of text.toUpperCase().matchAll(NIF)) {
    const check = checkNif(match[1] ?? '')
    if (check.ok && check.nif !== ownNif && !found.includes(check.nif)) found.push(check.nif)
  }
  return found
}

export interface TaxGuess {
  lines: { baseCents: Cents; rateBp: number; taxCents: Cents }[]
  totalCents: Cents
  withholding: { rateBp: number; baseCents: Cents; amountCents: Cents } | null
}

interface Pair {
  baseCents: Cents
  rateBp: number
  taxCents: Cents
}

function pairsOf(amounts: ReadonlySet<Cents>): Pair[] {
  const pairs: Pair[] = []
  for (const baseCents of amounts)
    for (const rateBp of RATES_BP) {
      const taxCents = percentOf(baseCents, rateBp)
      if (taxCents > 0 && amounts.has(taxCents)) pairs.push({ baseCents, rateBp, taxCents })
    }
  return pairs.sort((a, b) => b.baseCents - a.baseCents)
}

const sum = (pair: Pair): Cents => pair.baseCents + pair.taxCents

/**
 * Bases and taxes among the amounts of a document that add up to its total; the total may be known from its tax code.
 * Null when no sum proves them.
 */
export function guessTaxes(amounts: readonly Cents[], knownTotal: Cents | null): TaxGuess | null {
  const all = new Set(amounts.filter((cents) => cents > 0))
  if (all.size > MAX_AMOUNTS) return null
  if (knownTotal !== null) all.add(knownTotal)
  const pairs = pairsOf(all)
  const isTotal = (cents: Cents): boolean => (knownTotal === null ? all.has(cents) : cents === knownTotal)
  for (const pair of pairs) {
    const total = sum(pair)
    if (isTotal(total)) return guess([pair], total, all)
    // The total with its taxes may not be printed when something is withheld: then what is left to pay is.
    const withheld = withholdingOf([pair], total, all)
    if (knownTotal === null && withheld) return { lines: [pair], totalCents: total, withholding: withheld }
  }
  for (const [index, first] of pairs.entries())
    for (const second of pairs.slice(index + 1)) {
      if (second.rateBp === first.rateBp || second.baseCents === first.baseCents) continue
      const total = sum(first) + sum(second)
      if (isTotal(total)) return guess([first, second], total, all)
    }
  return null
}

function withholdingOf(
  lines: readonly Pair[],
  total: Cents,
  all: ReadonlySet<Cents>,
): TaxGuess['withholding'] {
  const baseCents = lines.reduce((cents, line) => cents + line.baseCents, 0)
  for (const rateBp of WITHHOLDING_BP) {
    const amountCents = percentOf(baseCents, rateBp)
    if (amountCents > 0 && all.has(amountCents) && all.has(total - amountCents))
      return { rateBp, baseCents, amountCents }
  }
  return null
}

const guess = (lines: Pair[], totalCents: Cents, all: ReadonlySet<Cents>): TaxGuess => ({
  lines,
  totalCents,
  withholding: withholdingOf(lines, totalCents, all),
})

function labelledTotal(text: string): Cents | null {
  const found = [...text.matchAll(LABELLED_TOTAL)].flatMap((match) => centsOfPrinted(match[1] ?? '') ?? [])
  return found.length === 0 ? null : Math.max(...found)
}

function nameIn(text: string): string | null {
  const lines = text.split(/\r?\n/).slice(0, 40)
  for (const each of lines) {
    const line = lineOf(each, 120)
    if (!line || line.length < 4 || !/\p{L}{3}/u.test(line)) continue
    if (
      /factura|invoice|fecha|cliente|p[áa]gina|tel[ée]f|www\.|@|n\.?i\.?f|c\.?i\.?f|qr tributario|veri\*factu/i.test(
        line,
      )
    )
      continue
    return line
  }
  return null
}

/** Fills what is still missing of a proposal from the document's text. */
export function readText(proposal: FoundProposal, whole: string, ownNif: string): void {
  const text = whole.slice(0, MAX_CHARS)
  if (text.trim() === '') return
  if (proposal.source === 'none') proposal.source = 'text'
  const missing = <T>(field: keyof FoundProposal, value: T | null | undefined): T | null =>
    proposal[field] === undefined ? (value ?? null) : null
  tell(proposal, 'low', {
    supplierNif: missing('supplierNif', taxNumbersIn(text, ownNif)[0]),
    supplierName: missing('supplierName', nameIn(text)),
    supplierNumber: missing('supplierNumber', lineOf(NUMBER.exec(text)?.[1]?.replace(/[.,/-]+$/, ''), 60)),
    issueDate: missing(
      'issueDate',
      dayOfPrinted(LABELLED_DATE.exec(text)?.[1] ?? '') ??
        [...text.matchAll(DATE)].map((match) => dayOfPrinted(match[1] ?? '')).find((day) => day !== null),
    ),
    dueDate: missing('dueDate', dayOfPrinted(LABELLED_DUE.exec(text)?.[1] ?? '')),
  })
  if (proposal.taxLines.length > 0) return
  const amounts = [...text.matchAll(AMOUNT)].flatMap((match) => centsOfPrinted(match[0]) ?? [])
  const known = proposal.total === undefined ? null : Math.round(proposal.total * 100)
  const taxes = guessTaxes(amounts, known)
  if (taxes) {
    const { withholding } = taxes
    tell(proposal, 'medium', {
      taxLines: taxes.lines.map((line) => lineInput(line)),
      total: proposal.total ?? eurosOrNull(taxes.totalCents),
      withholding: withholding && {
        rate: withholding.rateBp / 100,
        base: withholding.baseCents / 100,
        amount: withholding.amountCents / 100,
      },
    })
    return
  }
  tell(proposal, 'low', { total: missing('total', eurosOrNull(labelledTotal(text))) })
}

function lineInput({ baseCents, rateBp, taxCents }: Pair): TaxLineInput {
  return { base: baseCents / 100, vatRate: rateBp / 100, tax: taxCents / 100 }
}
