/** Reader of UBL 2.1 Invoice and CreditNote (EN 16931). Source: OASIS UBL 2.1, EN 16931-3-2. */
import { centsOfText, dayOfText, eurosOrNull, lineOf, percentOfText, rateOfText } from './amounts.ts'
import { ibanOf } from './iban.ts'
import { kindOf, paymentMethodOf, readSums } from './en16931.ts'
import type { PrintedSums } from './en16931.ts'
import { emptyProposal, setFields } from './read-result.ts'
import type { ReadResult, ReadProposal } from './read-result.ts'
import { at, child, children, textAt } from '../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../domain/formats/xml-reader.ts'

const NAMESPACE = /^urn:oasis:names:specification:ubl:schema:xsd:(Invoice|CreditNote)-2$/

export function isUbl(root: XmlElement): boolean {
  return NAMESPACE.test(root.ns) && (root.name === 'Invoice' || root.name === 'CreditNote')
}

function vatNumberOf(party: XmlElement | null): string | null {
  const schemes = children(party, 'PartyTaxScheme')
  const vat = schemes.find((each) => (textAt(each, 'TaxScheme', 'ID') ?? 'VAT') === 'VAT') ?? schemes[0]
  const number =
    textAt(vat ?? null, 'CompanyID') ??
    textAt(party, 'PartyLegalEntity', 'CompanyID') ??
    textAt(party, 'PartyIdentification', 'ID')
  return lineOf(number, 20)?.replace(/^ES(?=[A-Z0-9]{9}$)/, '') ?? null
}

function setSupplier(proposal: ReadProposal, party: XmlElement | null): string | null {
  const address = child(party, 'PostalAddress')
  const country = /^[A-Z]{2}$/.exec(textAt(address, 'Country', 'IdentificationCode') ?? '')?.[0] ?? null
  const street = lineOf(
    [textAt(address, 'StreetName'), textAt(address, 'AdditionalStreetName')].filter(Boolean).join(', '),
    120,
  )
  const postalCode = lineOf(textAt(address, 'PostalZone'), 12)
  const city = lineOf(textAt(address, 'CityName'), 80)
  const province = lineOf(textAt(address, 'CountrySubentity'), 80)
  setFields(proposal, 'high', {
    supplierName: lineOf(
      textAt(party, 'PartyLegalEntity', 'RegistrationName') ?? textAt(party, 'PartyName', 'Name'),
      120,
    ),
    supplierNif: vatNumberOf(party),
    supplierCountry: country,
    supplierAddress:
      street && postalCode && city
        ? { street, postalCode, city, ...(province ? { province } : {}), country: country ?? 'ES' }
        : null,
  })
  return country
}

/** Breakdowns, document-level charges and lines. */
function partsOf(root: XmlElement): Pick<PrintedSums, 'taxes' | 'charges' | 'lines'> {
  // A second total may state the tax in another currency; it has no groups.
  const total = children(root, 'TaxTotal').find((each) => child(each, 'TaxSubtotal') !== null)
  return {
    taxes: children(total ?? null, 'TaxSubtotal').map((group) => {
      const category = child(group, 'TaxCategory')
      return {
        category: textAt(category, 'ID'),
        rateBp: rateOfText(textAt(category, 'Percent')),
        baseCents: centsOfText(textAt(group, 'TaxableAmount')),
        taxCents: centsOfText(textAt(group, 'TaxAmount')),
        reason: textAt(category, 'TaxExemptionReason'),
      }
    }),
    charges: children(root, 'AllowanceCharge').map((charge) => ({
      cents:
        (textAt(charge, 'ChargeIndicator') === 'true' ? 1 : -1) *
        (centsOfText(textAt(charge, 'Amount')) ?? 0),
      baseCents: centsOfText(textAt(charge, 'BaseAmount')),
      reason: textAt(charge, 'AllowanceChargeReason') ?? '',
    })),
    lines: [...children(root, 'InvoiceLine'), ...children(root, 'CreditNoteLine')].map((line) => ({
      netCents: centsOfText(textAt(line, 'LineExtensionAmount')),
      note: textAt(line, 'Note'),
    })),
  }
}

/** Reads one document. */
export function readUbl(root: XmlElement): ReadResult {
  const proposal = emptyProposal('ubl', `UBL ${textAt(root, 'UBLVersionID') ?? '2.1'} ${root.name}`)
  const isCreditNote = root.name === 'CreditNote'
  const { kind, sign } = isCreditNote
    ? ({ kind: 'rectifying', sign: -1 } as const)
    : kindOf(textAt(root, 'InvoiceTypeCode'))
  const country = setSupplier(proposal, at(root, 'AccountingSupplierParty', 'Party'))
  const currency = /^[A-Z]{3}$/.exec(textAt(root, 'DocumentCurrencyCode') ?? '')?.[0] ?? null
  const withheld = at(root, 'WithholdingTaxTotal', 'TaxSubtotal')
  const rate = percentOfText(textAt(withheld, 'TaxCategory', 'Percent') ?? textAt(withheld, 'Percent'))
  const sums = child(root, 'LegalMonetaryTotal')
  const signed = (name: string): number | null => {
    const cents = centsOfText(textAt(sums, name))
    return eurosOrNull(cents === null ? null : sign * cents)
  }
  const issueDate = dayOfText(textAt(root, 'IssueDate'))
  const operationDate = dayOfText(
    textAt(root, 'TaxPointDate') ?? textAt(root, 'Delivery', 'ActualDeliveryDate'),
  )
  const said = readSums({
    sign,
    country,
    date: operationDate ?? issueDate,
    notes: children(root, 'Note')
      .map((note) => note.text)
      .join('\n'),
    ...partsOf(root),
    prepaidCents: centsOfText(textAt(sums, 'PrepaidAmount')) ?? 0,
    withholding: rate !== null && rate > 0 && rate <= 50 ? { rate } : null,
  })
  const rectifies = children(root, 'BillingReference').flatMap((reference) => {
    const number = lineOf(textAt(reference, 'InvoiceDocumentReference', 'ID'), 60)
    const day = dayOfText(textAt(reference, 'InvoiceDocumentReference', 'IssueDate'))
    return number && day ? [{ supplierNumber: number, issueDate: day }] : []
  })
  const code = child(child(root, 'PaymentMeans'), 'PaymentMeansCode')
  setFields(proposal, 'high', {
    kind,
    supplierNumber: lineOf(textAt(root, 'ID'), 60),
    issueDate,
    operationDate: operationDate === issueDate ? null : operationDate,
    dueDate: dayOfText(textAt(root, 'DueDate') ?? textAt(root, 'PaymentMeans', 'PaymentDueDate')),
    currency,
    taxLines: said.lines.length > 0 ? said.lines : null,
    withholding: said.withholding,
    prepaid: said.prepaid,
    total: signed('TaxInclusiveAmount'),
    payable: signed('PayableAmount'),
    paymentMethod: paymentMethodOf(code?.text ?? null, code?.attributes['name'] ?? null),
    iban: ibanOf(textAt(root, 'PaymentMeans', 'PayeeFinancialAccount', 'ID')),
    customerNif: vatNumberOf(at(root, 'AccountingCustomerParty', 'Party')),
    rectifies: rectifies.length > 0 ? rectifies : null,
  })
  return { proposal, warnings: said.warnings }
}
