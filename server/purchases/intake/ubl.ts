/**
 * Reader of UBL Invoice and CreditNote: 2.1 (EN 16931:2017), and 2.5 (EN 16931:2026) with the profile of the public platform in
 * Spain. Sources: OASIS UBL 2.1 and 2.5, CEN/TS 16931-3-2, Orden HAC/1028/2026.
 */
import { centsOfText, dayOfText, eurosOrNull, lineOf, percentOfText, rateOfText } from './amounts.ts'
import { ibanOf } from './iban.ts'
import { isSelfBilledType, kindOf, paymentMethodOf, readSums } from './en16931.ts'
import type { PrintedSums } from './en16931.ts'
import { warning } from '../fault.ts'
import { factsOfQr } from './qr-url.ts'
import type { Cents } from '../../domain/money.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { USUAL_TAX } from './own-tax.ts'
import type { OwnTax } from './own-tax.ts'
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

/** Beginning of BT-24: the namespaces of both editions are the same. */
const EDITION_2026 = 'urn:cen.eu:en16931:2026'
/** Description of the collection line that takes a withholding off the amount due. */
const WITHHELD = 'RETE'

/** What the edition of 2026 states in fields of its own. */
interface Newer {
  /** Amounts collected for somebody else (BG-34), without the withholding. */
  collectedCents: Cents
  withholding: PrintedSums['withholding']
  warnings: Fault[]
}

function newerOf(root: XmlElement): Newer {
  const collected = children(root, 'CollectionInvoiceLine').map((line) => ({
    cents: centsOfText(textAt(line, 'TaxInclusiveLineExtensionAmount')) ?? 0,
    isWithheld: textAt(line, 'Item', 'Description') === WITHHELD,
  }))
  const collectedCents = collected.reduce((sum, { cents, isWithheld }) => sum + (isWithheld ? 0 : cents), 0)
  const parts = children(root, 'WithholdingTaxTotal').flatMap((total) => children(total, 'TaxSubtotal'))
  const rates = parts.map((part) => percentOfText(textAt(part, 'TaxCategory', 'Percent')) ?? 0)
  const sumOf = (name: string) =>
    eurosOrNull(parts.reduce((sum, part) => sum + (centsOfText(textAt(part, name)) ?? 0), 0))
  const [rate = 0] = rates
  const [base, amount] = [sumOf('TaxableAmount'), sumOf('TaxAmount')]
  const isOne = rates.every((each) => each === rate)
  return {
    collectedCents,
    withholding: rate > 0 && rate <= 50 && base !== null && amount !== null ? { rate, base, amount } : null,
    warnings: isOne
      ? []
      : [
          warning(
            'several_withholdings',
            'withholding',
            'It withholds at several rates; their sum was taken at the first one.',
            'Check the rate.',
          ),
        ],
  }
}

/** Returns what a reference of the profile says in its type code. */
function referenceCode(root: XmlElement, id: string): string | null {
  const found = children(root, 'AdditionalDocumentReference').find((each) => textAt(each, 'ID') === id)
  return textAt(found ?? null, 'DocumentTypeCode')
}

const isTrue = (text: string | null): boolean => text === 'true' || text === '1'

/** Sets what only the profile of the public platform states. */
function setProfile(root: XmlElement, proposal: ReadProposal): Fault[] {
  const qr = children(root, 'AdditionalDocumentReference').find((each) => textAt(each, 'ID') === 'QR')
  const facts = factsOfQr(textAt(qr ?? null, 'UUID') ?? '')
  const method = referenceCode(root, 'RECT:MODALIDAD')
  const paid = children(root, 'PrepaidPayment').map((each) => dayOfText(textAt(each, 'PaidDate')))
  setFields(proposal, 'high', {
    paidOn: paid.find((day) => day !== null),
    isCopy: isTrue(textAt(root, 'CopyIndicator')) || null,
    rectificationMethod: method === 'S' ? 'substitution' : method === 'I' ? 'differences' : null,
    qrUrl: facts?.qrUrl,
  })
  const differs =
    facts !== null &&
    (facts.supplierNif !== proposal.supplierNif || facts.supplierNumber !== proposal.supplierNumber)
  return differs
    ? [
        warning(
          'qr_differs',
          'content',
          'The registry code in the file is of another invoice.',
          'Ask the supplier which one is right.',
          { nif: facts.supplierNif ?? '', number: facts.supplierNumber ?? '' },
        ),
      ]
    : []
}

function formatOf(root: XmlElement, isNewer: boolean): string {
  const version = textAt(root, 'UBLVersionID') ?? (isNewer ? '2.5' : '2.1')
  return `UBL ${version} ${root.name}`
}

/** Reads one document. */
export function readUbl(root: XmlElement, ownTax: OwnTax = USUAL_TAX): ReadResult {
  const isNewer = (textAt(root, 'CustomizationID') ?? '').startsWith(EDITION_2026)
  const proposal = emptyProposal('ubl', formatOf(root, isNewer))
  const isCreditNote = root.name === 'CreditNote'
  const { kind, sign } = isCreditNote
    ? ({ kind: 'rectifying', sign: -1 } as const)
    : kindOf(textAt(root, 'InvoiceTypeCode'))
  const country = setSupplier(proposal, at(root, 'AccountingSupplierParty', 'Party'))
  const currency = /^[A-Z]{3}$/.exec(textAt(root, 'DocumentCurrencyCode') ?? '')?.[0] ?? null
  const withheld = at(root, 'WithholdingTaxTotal', 'TaxSubtotal')
  const rate = percentOfText(textAt(withheld, 'TaxCategory', 'Percent') ?? textAt(withheld, 'Percent'))
  const sums = child(root, 'LegalMonetaryTotal')
  const newer = isNewer ? newerOf(root) : null
  const collectedCents = newer?.collectedCents ?? 0
  const signed = (name: string, moreCents: Cents = 0): number | null => {
    const cents = centsOfText(textAt(sums, name))
    return eurosOrNull(cents === null ? null : sign * (cents + moreCents))
  }
  const issueDate = dayOfText(textAt(root, 'IssueDate'))
  const operationDate = dayOfText(
    textAt(root, 'TaxPointDate') ?? textAt(root, 'Delivery', 'ActualDeliveryDate'),
  )
  const said = readSums({
    ownTax,
    sign,
    country,
    date: operationDate ?? issueDate,
    notes: [
      ...children(root, 'Note').map((note) => note.text),
      ...children(root, 'Annotation').map((note) => textAt(note, 'AnnotationContent') ?? ''),
    ].join('\n'),
    ...partsOf(root),
    prepaidCents: centsOfText(textAt(sums, 'PrepaidAmount')) ?? 0,
    withholding: newer ? newer.withholding : rate !== null && rate > 0 && rate <= 50 ? { rate } : null,
    ...(isNewer ? { collectedCents, isPrepaidPure: true } : {}),
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
    total: signed('TaxInclusiveAmount', collectedCents),
    payable: signed('PayableAmount'),
    paymentMethod: paymentMethodOf(code?.text ?? null, code?.attributes['name'] ?? null),
    iban: ibanOf(textAt(root, 'PaymentMeans', 'PayeeFinancialAccount', 'ID')),
    customerNif: vatNumberOf(at(root, 'AccountingCustomerParty', 'Party')),
    rectifies: rectifies.length > 0 ? rectifies : null,
    isSelfBilled:
      isSelfBilledType(textAt(root, 'InvoiceTypeCode') ?? textAt(root, 'CreditNoteTypeCode')) || null,
  })
  const ofProfile = isNewer ? setProfile(root, proposal) : []
  return { proposal, warnings: [...said.warnings, ...(newer?.warnings ?? []), ...ofProfile] }
}
