/** Invoices of the exchange profile for tests of the transport, and two companies with their ports on one simulated platform. */
import {
  createPlatform,
  createPlatformFaultControl,
  exchangePortOf,
  memoryPlatformState,
} from '../../../server/integrations/exchange/simulator/index.ts'
import type { PlatformOptions } from '../../../server/integrations/exchange/simulator/index.ts'
import type {
  InvoiceCode,
  StatusMessage,
  StatusReport,
  StatusRole,
} from '../../../server/integrations/exchange/types.ts'

export const SELLER = { nif: 'B12345674', name: 'TALLERES NORTE SL' }
export const BUYER = { nif: 'A58818501', name: 'COMPRAS SUR SA' }
export const ADVISER = { nif: '12345678Z', name: 'ASESORA DE EJEMPLO' }

export const NOW = new Date('2027-10-20T09:00:00Z')

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:'
const UBL_COMMON = `xmlns:cac="${UBL}CommonAggregateComponents-2" xmlns:cbc="${UBL}CommonBasicComponents-2"`

function party({ nif, name }: { nif: string; name: string }): string {
  return `<cac:Party><cac:PostalAddress><cbc:StreetName>Calle Mayor 1</cbc:StreetName><cbc:CityName>Madrid</cbc:CityName><cbc:PostalZone>28001</cbc:PostalZone><cbc:CountrySubentity>Madrid</cbc:CountrySubentity><cac:Country><cbc:IdentificationCode>ES</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>ES${nif}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyTaxScheme><cbc:CompanyID schemeID="FC">${nif}</cbc:CompanyID><cac:TaxScheme><cbc:ID>LOC</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName><cbc:CompanyID>${nif}</cbc:CompanyID></cac:PartyLegalEntity></cac:Party>`
}

export interface InvoiceWish {
  number?: string
  date?: string
  type?: string
  copy?: boolean
  seller?: { nif: string; name: string }
  buyer?: { nif: string; name: string }
  /** Day of payment, with nothing left to pay. */
  paidOn?: string
  /** Text of the line. */
  text?: string
  /** Replaces the profile. */
  profile?: string
}

/** Returns an invoice of 121.00 EUR. */
export function exchangeInvoice(wish: InvoiceWish = {}): string {
  const { number = 'A-1', date = '2027-10-15', type = '380', copy = false } = wish
  const { seller = SELLER, buyer = BUYER, paidOn, text = 'Mano de obra' } = wish
  const profile = wish.profile ?? 'urn:aeat:names:specification:ubl:schema:profile:B2B'
  const category =
    '<cbc:ID>S</cbc:ID><cbc:Percent>21</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>'
  const money = (amount: string, name: string): string =>
    `<cbc:${name} currencyID="EUR">${amount}</cbc:${name}>`
  const prepaid =
    paidOn === undefined
      ? ''
      : `<cac:PrepaidPayment>${money('121.00', 'PaidAmount')}<cbc:PaidDate>${paidOn}</cbc:PaidDate></cac:PrepaidPayment>`
  const corrected =
    type === '384'
      ? `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>A-1</cbc:ID><cbc:IssueDate>2027-10-15</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>`
      : ''
  const kind =
    type === '384'
      ? '<cac:AdditionalDocumentReference><cbc:ID>RECT:TIPO</cbc:ID><cbc:DocumentTypeCode>R1</cbc:DocumentTypeCode></cac:AdditionalDocumentReference><cac:AdditionalDocumentReference><cbc:ID>RECT:MODALIDAD</cbc:ID><cbc:DocumentTypeCode>S</cbc:DocumentTypeCode></cac:AdditionalDocumentReference>'
      : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="${UBL}Invoice-2" ${UBL_COMMON}><cbc:CustomizationID>urn:cen.eu:en16931:2026#conformant#urn:aeat.es:spfe:1.0.0:extended</cbc:CustomizationID><cbc:ProfileID>${profile}</cbc:ProfileID><cbc:ID>${number}</cbc:ID><cbc:CopyIndicator>${copy}</cbc:CopyIndicator><cbc:IssueDate>${date}</cbc:IssueDate><cbc:DueDate>2027-11-30</cbc:DueDate><cbc:InvoiceTypeCode>${type}</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>${corrected}<cac:AdditionalDocumentReference><cbc:ID>QR</cbc:ID><cbc:UUID>https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=${seller.nif}&amp;numserie=${number}&amp;fecha=${date.split('-').toReversed().join('-')}&amp;importe=121.00</cbc:UUID><cbc:DocumentDescription>VERIFACTU</cbc:DocumentDescription></cac:AdditionalDocumentReference>${kind}<cac:AccountingSupplierParty>${party(seller)}</cac:AccountingSupplierParty><cac:AccountingCustomerParty>${party(buyer)}</cac:AccountingCustomerParty><cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cbc:PaymentID>${number}</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>ES9121000418450200051332</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>${prepaid}<cac:TaxTotal>${money('21.00', 'TaxAmount')}<cac:TaxSubtotal>${money('100.00', 'TaxableAmount')}${money('21.00', 'TaxAmount')}<cac:TaxCategory>${category}</cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal><cac:LegalMonetaryTotal>${money('100.00', 'LineExtensionAmount')}${money('100.00', 'TaxExclusiveAmount')}${money('121.00', 'TaxInclusiveAmount')}${paidOn === undefined ? '' : money('121.00', 'PrepaidAmount')}${money(paidOn === undefined ? '121.00' : '0.00', 'PayableAmount')}</cac:LegalMonetaryTotal><cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="C62">1</cbc:InvoicedQuantity>${money('100.00', 'LineExtensionAmount')}<cac:Item><cbc:Name>${text}</cbc:Name><cac:ClassifiedTaxCategory>${category}</cac:ClassifiedTaxCategory><cac:AdditionalItemProperty><cbc:Name>REGI</cbc:Name><cbc:Value>01</cbc:Value><cbc:ValueQualifier>IVA</cbc:ValueQualifier></cac:AdditionalItemProperty></cac:Item><cac:Price>${money('100.00', 'PriceAmount')}</cac:Price></cac:InvoiceLine></Invoice>`
}

export const codeOf = (number = 'A-1', issueDate = '2027-10-15', issuerTaxId = SELLER.nif): InvoiceCode => ({
  issuerTaxId,
  number,
  issueDate,
})

/** Returns a report with what its kind needs. */
export function report(
  kind: StatusReport['kind'],
  invoice = codeOf(),
  more: Partial<StatusReport> = {},
): StatusReport {
  return {
    kind,
    invoice,
    date: '2027-10-19',
    ...(kind === 'paid' ? { dueDate: '2027-11-30' } : {}),
    ...(kind === 'rejected' ? { reason: 'commercial' } : {}),
    ...more,
  }
}

export function messageOf(role: StatusRole, reports: StatusReport[], sender?: string): StatusMessage {
  return {
    id: 'm-1',
    role,
    senderTaxId: sender ?? (role === 'issuer' ? SELLER.nif : BUYER.nif),
    issuedAt: NOW.toISOString(),
    reports,
  }
}

/** Creates a platform in this process with a port for anybody; the clock goes on by a second with each reading. */
export function openedPlatform(options: Partial<Omit<PlatformOptions, 'state'>> = {}) {
  const state = memoryPlatformState()
  const faults = createPlatformFaultControl()
  let csvs = 0
  let ids = 0
  let seconds = 0
  const now = options.now ?? (() => new Date(NOW.getTime() + 1_000 * seconds++))
  const platform = createPlatform({
    newCsv: () => `CSV${String(++csvs).padStart(13, '0')}`,
    ...options,
    now,
    state,
    faults,
  })
  const portOf = (company: { nif: string; name: string }, senderNif = company.nif) =>
    exchangePortOf(platform, { company, senderNif, now, newId: () => `message-${++ids}` })
  return { platform, state, faults, portOf, seller: portOf(SELLER), buyer: portOf(BUYER) }
}
