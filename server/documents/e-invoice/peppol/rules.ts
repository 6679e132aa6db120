/**
 * Checks the rules that Peppol BIS Billing 3.0 adds to EN 16931, as far as they can be checked without code lists of its own.
 * Source: OpenPEPPOL, peppol-bis-invoice-3, PEPPOL-EN16931-UBL (May 2025); the rules have the names they have there.
 */
import { at, child, children, textAt } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import type { Finding } from '../exchange/finding.ts'
import { readUblDocument } from '../exchange/ubl.ts'

export const PEPPOL_CUSTOMIZATION =
  'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0'
export const PEPPOL_PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'

const INVOICE_TYPES =
  '71 80 82 84 102 218 219 331 380 382 383 386 388 393 395 553 575 623 780 817 870 875 876 877'.split(' ')
const CREDIT_TYPES = '381 396 81 83 532'.split(' ')
/** Category that a reason code of exemption requires. */
const CATEGORY_OF: Readonly<Record<string, string>> = {
  'VATEX-EU-G': 'G',
  'VATEX-EU-O': 'O',
  'VATEX-EU-IC': 'K',
  'VATEX-EU-AE': 'AE',
  'VATEX-EU-D': 'E',
  'VATEX-EU-F': 'E',
  'VATEX-EU-I': 'E',
  'VATEX-EU-J': 'E',
}

const number = (text: string | null): number => Number(text ?? 0)
const isClose = (one: number, other: number): boolean => Math.abs(one - other) <= 0.02 + 1e-9

function* everyElement(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const each of element.children) yield* everyElement(each)
}

type Rule = readonly [rule: string, message: string, isKept: (root: XmlElement) => boolean]

const lines = (root: XmlElement) => [...children(root, 'InvoiceLine'), ...children(root, 'CreditNoteLine')]
const charges = (root: XmlElement) =>
  [root, ...lines(root)].flatMap((each) => children(each, 'AllowanceCharge'))
const totalsOf = (root: XmlElement, hasGroups: boolean) =>
  children(root, 'TaxTotal').filter((each) => (child(each, 'TaxSubtotal') !== null) === hasGroups)

function netOf(line: XmlElement): number {
  const quantity = textAt(line, 'InvoicedQuantity') ?? textAt(line, 'CreditedQuantity') ?? '1'
  const per = number(textAt(line, 'Price', 'BaseQuantity')) || 1
  return children(line, 'AllowanceCharge').reduce(
    (sum, each) =>
      sum + (textAt(each, 'ChargeIndicator') === 'true' ? 1 : -1) * number(textAt(each, 'Amount')),
    (number(quantity) * number(textAt(line, 'Price', 'PriceAmount'))) / per,
  )
}

const MONEY =
  /^(?:Amount|BaseAmount|PriceAmount|TaxableAmount|LineExtensionAmount|TaxExclusiveAmount|TaxInclusiveAmount|AllowanceTotalAmount|ChargeTotalAmount|PrepaidAmount|PayableRoundingAmount|PayableAmount)$/

const RULES: readonly Rule[] = [
  ['R001', 'The process (BT-23) is missing.', (root) => textAt(root, 'ProfileID') !== null],
  ['R002', 'There is more than one note.', (root) => children(root, 'Note').length <= 1],
  [
    'R003',
    'There is neither a reference of the buyer nor an order.',
    (root) => textAt(root, 'BuyerReference') !== null || textAt(root, 'OrderReference', 'ID') !== null,
  ],
  [
    'R004',
    'The specification (BT-24) is another one.',
    (root) => (textAt(root, 'CustomizationID') ?? '').startsWith(PEPPOL_CUSTOMIZATION),
  ],
  [
    'R005',
    'The currency of the tax is that of the invoice.',
    (root) =>
      textAt(root, 'TaxCurrencyCode') === null ||
      textAt(root, 'TaxCurrencyCode') !== textAt(root, 'DocumentCurrencyCode'),
  ],
  [
    'R007',
    'The process (BT-23) is not one of the network.',
    (root) => /^urn:fdc:peppol\.eu:2017:poacc:billing:\d\d:1\.0$/.test(textAt(root, 'ProfileID') ?? ''),
  ],
  [
    'R008',
    'There is an empty element.',
    (root) => [...everyElement(root)].every((each) => each.children.length > 0 || each.text.trim() !== ''),
  ],
  [
    'R010',
    'The buyer has no electronic address.',
    (root) => textAt(root, 'AccountingCustomerParty', 'Party', 'EndpointID') !== null,
  ],
  [
    'R020',
    'The seller has no electronic address.',
    (root) => textAt(root, 'AccountingSupplierParty', 'Party', 'EndpointID') !== null,
  ],
  [
    'R040',
    'An allowance or charge is not its share of its base.',
    (root) =>
      charges(root).every((each) => {
        const share = textAt(each, 'MultiplierFactorNumeric')
        const base = textAt(each, 'BaseAmount')
        if (share === null || base === null) return true
        return isClose(number(textAt(each, 'Amount')), (number(base) * number(share)) / 100)
      }),
  ],
  [
    'R041',
    'An allowance or charge has a share without a base.',
    (root) =>
      charges(root).every(
        (each) => child(each, 'MultiplierFactorNumeric') === null || child(each, 'BaseAmount') !== null,
      ),
  ],
  [
    'R042',
    'An allowance or charge has a base without a share.',
    (root) =>
      charges(root).every(
        (each) => child(each, 'BaseAmount') === null || child(each, 'MultiplierFactorNumeric') !== null,
      ),
  ],
  [
    'R043',
    'An allowance or charge does not say which it is.',
    (root) => charges(root).every((each) => /^(?:true|false)$/.test(textAt(each, 'ChargeIndicator') ?? '')),
  ],
  [
    'R051',
    'An amount is in another currency than the invoice.',
    (root) =>
      [...everyElement(root)].every(
        ({ name, attributes }) =>
          !MONEY.test(name) || attributes['currencyID'] === textAt(root, 'DocumentCurrencyCode'),
      ),
  ],
  ['R053', 'There is not one total with its breakdown.', (root) => totalsOf(root, true).length === 1],
  [
    'R054',
    'The tax in the currency of the tax is missing, or there without that currency.',
    (root) => totalsOf(root, false).length === (child(root, 'TaxCurrencyCode') === null ? 0 : 1),
  ],
  [
    'R055',
    'Both totals of the tax have opposite signs.',
    (root) => {
      const [own, other] = [totalsOf(root, true)[0], totalsOf(root, false)[0]]
      return !other || number(textAt(own, 'TaxAmount')) * number(textAt(other, 'TaxAmount')) >= 0
    },
  ],
  [
    'R061',
    'A direct debit has no mandate.',
    (root) =>
      children(root, 'PaymentMeans').every(
        (each) =>
          !['49', '59'].includes(textAt(each, 'PaymentMeansCode') ?? '') ||
          textAt(each, 'PaymentMandate', 'ID') !== null,
      ),
  ],
  [
    'R120',
    'The net amount of a line is not its quantity at its price with its allowances.',
    (root) => lines(root).every((each) => isClose(number(textAt(each, 'LineExtensionAmount')), netOf(each))),
  ],
  [
    'R121',
    'The quantity of a price is not above zero.',
    (root) =>
      lines(root).every((each) => {
        const per = textAt(each, 'Price', 'BaseQuantity')
        return per === null || number(per) > 0
      }),
  ],
  [
    'P0100',
    'The type of the invoice is none of the profile.',
    (root) => root.name !== 'Invoice' || INVOICE_TYPES.includes(textAt(root, 'InvoiceTypeCode') ?? ''),
  ],
  [
    'P0101',
    'The type of the credit note is none of the profile.',
    (root) => root.name !== 'CreditNote' || CREDIT_TYPES.includes(textAt(root, 'CreditNoteTypeCode') ?? ''),
  ],
  [
    'P0104',
    'A reason of exemption stands in another category than its own.',
    (root) =>
      [...everyElement(root)].every((each) => {
        if (each.name !== 'TaxCategory') return true
        const required = CATEGORY_OF[(textAt(each, 'TaxExemptionReasonCode') ?? '').toUpperCase()]
        return required === undefined || textAt(each, 'ID') === required
      }),
  ],
  [
    'F001',
    'A date has another form than YYYY-MM-DD.',
    (root) =>
      [...everyElement(root)].every(
        ({ name, text }) => !/Date$/.test(name) || /^\d{4}-\d\d-\d\d$/.test(text.trim()),
      ),
  ],
  [
    'CL008',
    'An electronic address names no scheme.',
    (root) =>
      ['AccountingSupplierParty', 'AccountingCustomerParty'].every((name) => {
        const endpoint = at(root, name, 'Party', 'EndpointID')
        return endpoint === null || /^(?:\d{4}|EM)$/.test(endpoint.attributes['schemeID'] ?? '')
      }),
  ],
]

/** Names of the rules that are checked. */
export const PEPPOL_RULES: readonly string[] = RULES.map(([rule]) => `PEPPOL-EN16931-${rule}`)

/** Returns the rules of the network that a document breaks; empty if none. Throws `XmlRefused`. */
export function checkPeppol(xml: string): Finding[] {
  const root = readUblDocument(xml)
  return RULES.flatMap(([rule, message, isKept]) =>
    isKept(root) ? [] : [{ rule: `PEPPOL-EN16931-${rule}`, path: root.name, message }],
  )
}
