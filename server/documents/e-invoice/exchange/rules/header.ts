/** Rules of the profile about the document as a whole: fixed values, type, dates, references, files. */
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import { child, textAt } from '../../../../domain/formats/xml-reader.ts'
import {
  CUSTOMIZATION,
  INVOICE_TYPES,
  PROFILE,
  QR_REFERENCE,
  RECTIFICATION_KIND_REFERENCE,
  RECTIFICATION_KINDS,
  RECTIFICATION_METHOD_REFERENCE,
  RECTIFICATION_METHODS,
} from '../codes.ts'
import type { Document } from './document.ts'
import { placed } from './document.ts'

const holds = (element: XmlElement, name: string): boolean =>
  element.name === name || element.children.some((each) => holds(each, name))

function isHttps(text: string | null): boolean {
  return text !== null && text.length <= 1000 && URL.canParse(text) && new URL(text).protocol === 'https:'
}

function rectification(document: Document): void {
  const kinds = document.reference(RECTIFICATION_KIND_REFERENCE)
  const methods = document.reference(RECTIFICATION_METHOD_REFERENCE)
  const where = 'AdditionalDocumentReference'
  if (!document.isCorrection) {
    document.must(
      kinds.length + methods.length === 0,
      'RECT',
      where,
      'Only a corrected invoice (384, 471) says how it rectifies.',
    )
    return
  }
  const code = ([only, ...more]: typeof kinds): string | null =>
    only && more.length === 0 ? textAt(only.element, 'DocumentTypeCode') : null
  document.must(
    RECTIFICATION_KINDS.includes(code(kinds) ?? ''),
    'L2A',
    where,
    'A corrected invoice has one kind of rectification, R1 to R4.',
  )
  document.must(
    RECTIFICATION_METHODS.includes(code(methods) ?? ''),
    'L2B',
    where,
    'A corrected invoice has one method of rectification, I or S.',
  )
  document.must(
    document.all('BillingReference').length > 0,
    'BG-3',
    'BillingReference',
    'A corrected invoice names the invoice that it corrects.',
  )
}

function dates(document: Document): void {
  const issued = document.text('IssueDate') ?? ''
  document.must(
    document.text('TaxPointDate') === null ||
      document.all('InvoicePeriod').every(({ element }) => child(element, 'DescriptionCode') === null),
    'BR-CO-3',
    'TaxPointDate',
    'The day of the tax and a code for it exclude each other.',
  )
  for (const { element, path } of document.all('InvoicePeriod')) {
    const [from, to] = [textAt(element, 'StartDate'), textAt(element, 'EndDate')]
    document.must(
      from === null || to === null || from <= to,
      'BR-29',
      path,
      'The period ends before it begins.',
    )
  }
  for (const { element, path } of document.all('PrepaidPayment')) {
    const day = textAt(element, 'PaidDate')
    document.must(day === null || day <= issued, 'BT-ES-2', path, 'The invoice was paid after its issue.')
  }
}

/** Checks the head of the document. */
export function headerRules(document: Document): void {
  const { root } = document
  document.must(
    document.text('CustomizationID') === CUSTOMIZATION,
    'BT-24',
    'CustomizationID',
    'The specification is not that of the profile.',
  )
  document.must(
    document.text('ProfileID') === PROFILE,
    'BT-23',
    'ProfileID',
    'The process is not that of the profile.',
  )
  document.must(document.text('ID') !== null, 'BR-02', 'ID', 'The number is missing.')
  document.must(
    (INVOICE_TYPES as readonly (string | null)[]).includes(document.text('InvoiceTypeCode')),
    'L1',
    'InvoiceTypeCode',
    'The type is none of 380, 384, 388, 389, 471.',
  )
  document.must(
    /^[A-Z]{3}$/.test(document.currency),
    'BR-05',
    'DocumentCurrencyCode',
    'The currency is missing.',
  )
  const taxCurrency = document.text('TaxCurrencyCode')
  document.must(
    taxCurrency === null || taxCurrency !== document.currency,
    'BT-6',
    'TaxCurrencyCode',
    'The currency of the tax is that of the invoice.',
  )
  document.must(
    document.currency === 'EUR' || taxCurrency === 'EUR',
    'BT-6',
    'TaxCurrencyCode',
    'An invoice in another currency states its tax in euros.',
  )
  document.must(!holds(root, 'EmbeddedDocumentBinaryObject'), 'ATTACHMENT', '', 'The document holds a file.')
  for (const { element, path } of document.all('BillingReference')) {
    const [reference] = placed(element, 'InvoiceDocumentReference', path)
    document.must(
      reference !== undefined && textAt(reference.element, 'ID') !== null,
      'BR-55',
      path,
      'A preceding invoice has no number.',
    )
    document.must(
      reference !== undefined && textAt(reference.element, 'IssueDate') !== null,
      'BT-26',
      path,
      'A preceding invoice has no date: it is part of its unique code.',
    )
  }
  const codes = document.reference(QR_REFERENCE)
  document.must(codes.length <= 1, 'QR', 'AdditionalDocumentReference', 'There are several QR codes.')
  for (const { element, path } of codes)
    document.must(isHttps(textAt(element, 'UUID')), 'QR', path, 'The QR code is no address.')
  dates(document)
  rectification(document)
}
