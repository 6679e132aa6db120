/**
 * Guesses the facts of an invoice from its plain text: tax number, number, date, total, and the taxes when sums prove
 * them. The proposal marks guesses as such.
 */
import { checkNif } from '../../domain/tax/nif.ts'
import type { TaxLineInput } from '../invoices/contract.ts'
import { dayOfPrinted, eurosOrNull, lineOf } from './amounts.ts'
import { setFields } from './read-result.ts'
import type { ReadProposal } from './read-result.ts'
import { amountsIn, guessTaxes, totalsIn } from './printed-sums.ts'
import type { TaxPair } from './printed-sums.ts'

const MAX_CHARS = 200_000
const NIF =
  /\b(?:ES[-\s]?)?([A-Z][-.\s]?\d{7}[-.\s]?[0-9A-J]|\d{8}[-.\s]?[A-Z]|[XYZ][-.\s]?\d{7}[-.\s]?[A-Z])\b/g
const DATE = /\b(\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))\b/g
const NUMBER =
  /(?:factura|fra\.?|invoice)\s*(?:simplificada|rectificativa)?\s*(?:n[ºo°.]*|n[úu]m(?:ero)?\.?|number|no\.?|#)?\s*[:.]?\s*([A-Z0-9][A-Z0-9/_.-]*\d[A-Z0-9/_.-]*)/i
const LABELLED_DATE =
  /(?:fecha(?:\s+de)?(?:\s+(?:factura|emisi[oó]n|expedici[oó]n))?|date)\s*:?\s*(\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))/i
const LABELLED_DUE = /(?:vencimiento|vence|due\s+date)\s*:?\s*(\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))/i

/** Returns the tax numbers with the right control character, in reading order, without the company's own. */
function taxNumbersIn(text: string, ownNif: string): string[] {
  const found: string[] = []
  for (const match of text.toUpperCase().matchAll(NIF)) {
    const check = checkNif(match[1] ?? '')
    if (check.ok && check.nif !== ownNif && !found.includes(check.nif)) found.push(check.nif)
  }
  return found
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

/** Fills the missing values of a proposal from the document's text. */
export function readText(proposal: ReadProposal, whole: string, ownNif: string): void {
  const text = whole.slice(0, MAX_CHARS)
  if (text.trim() === '') return
  if (proposal.source === 'none') proposal.source = 'text'
  const missing = <T>(field: keyof ReadProposal, value: T | null | undefined): T | null =>
    proposal[field] === undefined ? (value ?? null) : null
  setFields(proposal, 'low', {
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
  const { totals, isNamed, payable, told } = totalsIn(text)
  setFields(proposal, 'low', { payable: missing('payable', eurosOrNull(payable)) })
  const taxes =
    proposal.total === undefined
      ? guessTaxes(amountsIn(text), totals, isNamed ? null : payable)
      : guessTaxes(amountsIn(text), [Math.round(proposal.total * 100)])
  if (!taxes) {
    setFields(proposal, 'low', { total: missing('total', eurosOrNull(told)) })
    return
  }
  const { withholding } = taxes
  setFields(proposal, 'medium', {
    taxLines: taxes.lines.map((line) => lineInput(line)),
    total: proposal.total ?? eurosOrNull(taxes.totalCents),
    withholding: withholding && {
      rate: withholding.rateBp / 100,
      base: withholding.baseCents / 100,
      amount: withholding.amountCents / 100,
    },
  })
}

function lineInput({ baseCents, rateBp, taxCents }: TaxPair): TaxLineInput {
  return { base: baseCents / 100, vatRate: rateBp / 100, tax: taxCents / 100 }
}
