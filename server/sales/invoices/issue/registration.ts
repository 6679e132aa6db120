/** Builds the registration of an invoice: the few facts that the record needs, taken from the content. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { TaxTotal, Totals } from '../../../domain/tax/totals.ts'
import type { NewRegistration } from '../../../registry/index.ts'
import { madeByOf } from '../issued-by.ts'
import { isSimplified } from '../kinds.ts'
import type { DraftContent, InvoiceReferenceFacts, InvoiceTaxCode } from '../content.ts'
import type { PartyFacts } from '../draft/parties.ts'

const MAX_DESCRIPTION = 500

/** Returns DescripcionOperacion: the goods or services, in one line of at most 500 characters. */
function descriptionOf(content: DraftContent): string {
  const text = content.lines.map((line) => line.description.replace(/\s+/g, ' ').trim()).join('; ')
  // A cut inside a surrogate pair would leave a half that UTF-8 cannot encode.
  const cut = text.slice(0, MAX_DESCRIPTION - 1).replace(/[\ud800-\udbff]$/, '')
  return text.length <= MAX_DESCRIPTION ? text : `${cut.trimEnd()}…`
}

function recipientsOf(client: PartyFacts): NewRegistration['recipients'] {
  if (client.nif === null) return []
  if (client.idType === null) return [{ name: client.name, nif: client.nif }]
  return [{ name: client.name, country: client.country, idType: client.idType, id: client.nif }]
}

function rectificationOf({ rectification }: DraftContent): NewRegistration['rectification'] {
  if (rectification === null) return null
  if (rectification.method === 'I' || rectification.rectified === null) return { method: 'I' }
  return { method: 'S', ...rectification.rectified }
}

function keysOf(
  content: DraftContent,
  role: InvoiceReferenceFacts['role'],
  issuer: PartyFacts,
): NewRegistration['rectified'] {
  return content.references
    .filter((reference) => reference.role === role)
    .map(({ number, issueDate }) => ({ issuerNif: issuer.nif ?? '', number, issueDate }))
}

/** Returns a line of the breakdown, without taxes of other countries and without a margin's cost. */
function breakdownLine(tax: InvoiceTaxCode, line: TaxTotal): NewRegistration['breakdown'][number] {
  const { outsideCents: _outside, ...facts } = line
  const vatRateBp = line.taxTreatment.startsWith('N') ? null : line.vatRateBp
  return { ...facts, tax, vatRateBp, costBaseCents: null }
}

/** Returns the registration of an invoice with its number and date. */
export function registrationOf(
  content: DraftContent,
  totals: Totals,
  issued: { number: string; issueDate: BusinessDate; issuer: PartyFacts },
): NewRegistration {
  return {
    turn: 'first',
    issuer: { nif: issued.issuer.nif ?? '', name: issued.issuer.name },
    number: issued.number,
    issueDate: issued.issueDate,
    operationDate:
      content.operationDate !== null && content.operationDate !== issued.issueDate
        ? content.operationDate
        : null,
    kind: content.kind,
    rectification: rectificationOf(content),
    rectified: keysOf(content, 'rectifies', issued.issuer),
    substituted: keysOf(content, 'substitutes', issued.issuer),
    simplifiedArt7273: content.simplifiedArt7273,
    withoutRecipientArt61d: false,
    madeBy: madeByOf(content),
    description: descriptionOf(content),
    recipients: isSimplified(content.kind) ? [] : recipientsOf(content.client),
    coupon: false,
    breakdown: totals.taxes.map((line) => breakdownLine(content.tax, line)),
    taxTotalCents: totals.taxCents,
    totalCents: totals.registeredTotalCents,
    agreementNumber: null,
  }
}
