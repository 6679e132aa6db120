/** Texts of a document in every format: its title, its references, the parties' lines, its small print. */
import type { Cents, Micro } from '../../../domain/money.ts'
import { isInUnion } from '../../../domain/tax/territories.ts'
import { countryName, date } from '../number-format.ts'
import { labelsFor } from '../labels/index.ts'
import type { Labels } from '../labels/index.ts'
import type { InvoicePaper, PaperLine, PaperParty, PaperReference } from '../paper.ts'
import { oneLine } from '../text.ts'

export function titleOf(paper: InvoicePaper, labels: Labels): string {
  if (paper.document === 'quote') return labels.quote
  if (paper.document === 'proforma') return labels.proforma
  if (paper.document === 'delivery_note') return labels.deliveryNote
  if (paper.kind === 'R5') return labels.rectifyingSimplified
  if (paper.kind.startsWith('R')) return labels.rectifyingInvoice
  return paper.kind === 'F2' ? labels.simplifiedInvoice : labels.invoice
}

/** Returns the name of the document: title and number. */
export function documentName(paper: InvoicePaper): string {
  const labels = labelsFor(paper.language)
  return oneLine(`${titleOf(paper, labels)} ${paper.number ?? labels.draft}`)
}

/** Returns true for the draft of an invoice, which may still change. */
export function isDraftInvoice(paper: InvoicePaper): boolean {
  return paper.state === 'draft' && paper.document === 'invoice'
}

/** Returns label, value and the editor's field of each fact in the head. */
export function headRows(paper: InvoicePaper, labels: Labels): [string, string, string][] {
  const { language, customerReferences } = paper
  const rows: [string, string, string][] = [
    [labels.number, paper.number ?? labels.draftNumber, 'number'],
    [labels.issueDate, date(paper.issueDate, language), 'issueDate'],
  ]
  // References to corrected or replaced invoices come first here, and in full below the sums.
  for (const [label, role] of [
    [labels.rectifies, 'rectifies'],
    [labels.substitutes, 'substitutes'],
  ] as const) {
    const named = namesOf(paper, role)
    if (named !== '') rows.push([label, oneLine(named), 'references'])
  }
  if (paper.operationDate !== null && paper.operationDate !== paper.issueDate)
    rows.push([labels.operationDate, date(paper.operationDate, language), 'operationDate'])
  // Several due dates stand with their amounts where the payment is.
  if (paper.dueDate !== null && paper.instalments.length === 0)
    rows.push([labels.dueDate, date(paper.dueDate, language), 'dueDate'])
  if (paper.validUntil !== null)
    rows.push([labels.validUntil, date(paper.validUntil, language), 'validUntil'])
  const { order = null, contract = null, file = null } = customerReferences ?? {}
  if (order) rows.push([labels.customerOrder, oneLine(order), 'customerReferences'])
  if (contract) rows.push([labels.customerContract, oneLine(contract), 'customerReferences'])
  if (file) rows.push([labels.customerFile, oneLine(file), 'customerReferences'])
  return rows
}

/** Returns numbers and dates of the referenced invoices, in one line. */
function namesOf(paper: InvoicePaper, role: PaperReference['role']): string {
  return paper.references
    .filter((reference) => reference.role === role)
    .map(({ number, issueDate }) => `${number} (${date(issueDate, paper.language)})`)
    .join(', ')
}

/** Returns which invoices it rectifies or replaces, and why (RD 1619/2012 art. 15.4). */
export function referenceText(paper: InvoicePaper, labels: Labels): string[] {
  const named = (role: PaperReference['role']): string => namesOf(paper, role)
  const words: string[] = []
  const { rectification } = paper
  if (rectification) {
    const how = rectification.method === 'S' ? labels.bySubstitution : labels.byDifferences
    const what = named('rectifies')
    words.push(what === '' ? `${labels.rectifies} ${how}` : `${labels.rectifies} ${how}: ${what}`)
    if (rectification.reason) words.push(`${labels.reason}: ${rectification.reason}`)
  }
  const substituted = named('substitutes')
  if (substituted !== '') words.push(`${labels.substitutes}: ${substituted}`)
  return words
}

/**
 * Returns the seller's tax number: for a customer in the Union its VAT identification number, with the prefix of its
 * state (Directive 2006/112/EC arts. 215 and 226(3)); inside Spain the NIF alone.
 */
function taxIdOf({ nif }: PaperParty, { issuer, client, taxes }: InvoicePaper): string {
  const country = client?.country ?? 'ES'
  const inUnion =
    (country !== 'ES' && isInUnion(country)) || taxes.some(({ taxTreatment }) => taxTreatment === 'E5')
  return inUnion && nif === issuer.nif && /^[A-Z0-9]{9}$/.test(nif ?? '') ? `ES${nif}` : (nif ?? '')
}

/** Returns the lines under a party's name. Countries are named when one of the two parties is abroad. */
export function partyLines(party: PaperParty, paper: InvoicePaper, labels: Labels): string[] {
  const abroad = [paper.issuer, paper.client].some((each) => each?.country && each.country !== 'ES')
  const province = party.province && party.province !== party.city ? `(${party.province})` : ''
  const country =
    abroad && party.country && /^[a-z]{2}$/i.test(party.country)
      ? countryName(party.country, paper.language)
      : ''
  return [
    party.tradeName && party.tradeName !== party.name ? party.tradeName : '',
    party.nif === null ? '' : `${labels.taxId} ${taxIdOf(party, paper)}`,
    party.street ?? '',
    [party.postalCode, party.city, province].filter(Boolean).join(' '),
    country,
    [party.email, party.phone].filter(Boolean).join(' · '),
  ].filter((line) => line !== '')
}

/** Returns the footer's notice on a document that is not an invoice, or not yet; null for an invoice. */
export function footerText(paper: InvoicePaper, labels: Labels): string | null {
  if (paper.document !== 'invoice') return labels.notAnInvoice
  return paper.state === 'draft' ? labels.draftFooter : null
}

/**
 * Returns true when lines show prices and amounts with tax, as on documents for consumers. A complete invoice shows
 * its unit prices without tax (RD 1619/2012 art. 6.1.f), however they were entered; under the margin scheme the tax
 * must not be shown.
 */
export function showsTaxIncluded(paper: InvoicePaper): boolean {
  if (paper.priceMode === 'net') return false
  const isSimplified = paper.kind === 'F2' || paper.kind === 'R5'
  return isSimplified || paper.document !== 'invoice' || paper.lines.some((line) => line.isMargin)
}

/** Returns the amount of a line as shown. */
export function lineAmount(line: PaperLine, paper: InvoicePaper): Cents {
  return showsTaxIncluded(paper) ? line.listedCents : line.netCents
}

/** Returns the unit price of a line as shown. */
export function linePrice(line: PaperLine, paper: InvoicePaper): Micro {
  return showsTaxIncluded(paper) ? line.unitPriceMicro : line.netUnitPriceMicro
}
