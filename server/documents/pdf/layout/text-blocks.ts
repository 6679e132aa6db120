/** What a paper says in words, whatever its format: its title, what it refers to, the parties' lines, its small print. */
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

/** The name the document goes by: title and number. */
export function documentName(paper: InvoicePaper): string {
  const labels = labelsFor(paper.language)
  return oneLine(`${titleOf(paper, labels)} ${paper.number ?? labels.draft}`)
}

/** True for the draft of an invoice: what is drawn now is not what it will be. */
export function isDraftInvoice(paper: InvoicePaper): boolean {
  return paper.state === 'draft' && paper.document === 'invoice'
}

/** Label, value and the editor's field of each fact in the head. */
export function headRows(paper: InvoicePaper, labels: Labels): [string, string, string][] {
  const { language, customerReferences } = paper
  const rows: [string, string, string][] = [
    [labels.number, paper.number ?? labels.draftNumber, 'number'],
    [labels.issueDate, date(paper.issueDate, language), 'issueDate'],
  ]
  // What it corrects or replaces is read first of all, and said in full under the sums.
  for (const [label, role] of [
    [labels.rectifies, 'rectifies'],
    [labels.substitutes, 'substitutes'],
  ] as const) {
    const named = namesOf(paper, role)
    if (named !== '') rows.push([label, oneLine(named), 'references'])
  }
  if (paper.operationDate !== null && paper.operationDate !== paper.issueDate)
    rows.push([labels.operationDate, date(paper.operationDate, language), 'operationDate'])
  if (paper.dueDate !== null) rows.push([labels.dueDate, date(paper.dueDate, language), 'dueDate'])
  if (paper.validUntil !== null)
    rows.push([labels.validUntil, date(paper.validUntil, language), 'validUntil'])
  const { order = null, contract = null, file = null } = customerReferences ?? {}
  if (order) rows.push([labels.customerOrder, oneLine(order), 'customerReferences'])
  if (contract) rows.push([labels.customerContract, oneLine(contract), 'customerReferences'])
  if (file) rows.push([labels.customerFile, oneLine(file), 'customerReferences'])
  return rows
}

/** Numbers and dates of the invoices that one refers to, in one line. */
function namesOf(paper: InvoicePaper, role: PaperReference['role']): string {
  return paper.references
    .filter((reference) => reference.role === role)
    .map(({ number, issueDate }) => `${number} (${date(issueDate, paper.language)})`)
    .join(', ')
}

/** What it rectifies or stands for, and why (RD 1619/2012 art. 15.4). */
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
 * To a customer in the Union the seller's number is its VAT identification number, with the prefix of its state (Directive
 * 2006/112/EC arts. 215 and 226(3)); inside Spain it is the NIF alone.
 */
function taxIdOf({ nif }: PaperParty, { issuer, client, taxes }: InvoicePaper): string {
  const country = client?.country ?? 'ES'
  const inUnion =
    (country !== 'ES' && isInUnion(country)) || taxes.some(({ taxTreatment }) => taxTreatment === 'E5')
  return inUnion && nif === issuer.nif && /^[A-Z0-9]{9}$/.test(nif ?? '') ? `ES${nif}` : (nif ?? '')
}

/** The lines under a party's name. The country is named once one of the two parties is abroad. */
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

/** What the foot says of a paper that is no invoice, or not yet; null for one that is. */
export function footerText(paper: InvoicePaper, labels: Labels): string | null {
  if (paper.document !== 'invoice') return labels.notAnInvoice
  return paper.state === 'draft' ? labels.draftFooter : null
}

/**
 * True when lines show prices and amounts with their tax: on what consumers read. A complete invoice shows its unit prices
 * without it (RD 1619/2012 art. 6.1.f), whatever they were typed as; under the margin scheme the tax must not be told.
 */
export function showsTaxIncluded(paper: InvoicePaper): boolean {
  if (paper.priceMode === 'net') return false
  const isSimplified = paper.kind === 'F2' || paper.kind === 'R5'
  return isSimplified || paper.document !== 'invoice' || paper.lines.some((line) => line.isMargin)
}

/** The amount of a line as it is shown. */
export function lineAmount(line: PaperLine, paper: InvoicePaper): Cents {
  return showsTaxIncluded(paper) ? line.listedCents : line.netCents
}

/** The unit price of a line as it is shown. */
export function linePrice(line: PaperLine, paper: InvoicePaper): Micro {
  return showsTaxIncluded(paper) ? line.unitPriceMicro : line.netUnitPriceMicro
}
