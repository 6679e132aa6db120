/** Rules of the profile about lines: regime, category and rate, price, collection lines. */
import { child, children, textAt } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import { REGIME_KEYS, REGIME_PROPERTY, TAX_CATEGORIES } from '../codes.ts'
import type { NationalTax } from '../codes.ts'
import type { Document, Placed } from './document.ts'
import { placed } from './document.ts'

/** Names of the lists by national tax. */
const LISTS: Readonly<Record<NationalTax, 'L3A' | 'L3B' | 'L3C'>> = { IVA: 'L3A', IGIC: 'L3B', IPSI: 'L3C' }

const isNationalTax = (text: string): text is NationalTax => Object.hasOwn(LISTS, text)

function regimes(document: Document, { element, path }: Placed): void {
  const own = children(child(element, 'Item'), 'AdditionalItemProperty').filter(
    (each) => textAt(each, 'Name') === REGIME_PROPERTY,
  )
  const where = `${path}/Item/AdditionalItemProperty`
  const keys = own.map((each) => `${textAt(each, 'ValueQualifier')} ${textAt(each, 'Value')}`)
  document.must(own.length === 1 || own.length === 2, 'REGI', where, 'A line has one or two regimes.')
  document.must(new Set(keys).size === keys.length, 'REGI', where, 'A line names a regime twice.')
  for (const each of own) {
    const tax = textAt(each, 'ValueQualifier') ?? ''
    if (!isNationalTax(tax))
      document.say('REGI-TAX', where, 'The tax of a regime is none of IVA, IGIC, IPSI.')
    else
      document.must(
        REGIME_KEYS[tax].includes(textAt(each, 'Value') ?? ''),
        LISTS[tax],
        where,
        `The regime is none of the list ${LISTS[tax]}.`,
      )
  }
}

/** Categories without tax, whose rate is 0; O has none on a line (BR-O-5). */
const UNTAXED: readonly string[] = ['Z', 'E', 'AE', 'G']
const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** Checks category and rate at one place. */
export function categoryRules(document: Document, category: XmlElement | null, path: string): void {
  const id = textAt(category, 'ID') ?? ''
  document.must(
    TAX_CATEGORIES.includes(id),
    'L4',
    path,
    `The category ${id || '(none)'} is not in the list L4.`,
  )
  document.must(
    textAt(category, 'TaxScheme', 'ID') === 'VAT',
    'TAX-SCHEME',
    path,
    'The scheme of the tax is VAT.',
  )
  const text = textAt(category, 'Percent')
  const rate = text === null ? null : DECIMAL.test(text) ? Number(text) : NaN
  if (id === 'S')
    document.must(rate !== null && rate > 0 && rate <= 100, 'RATE', path, 'A taxed line has a rate above 0.')
  else if (UNTAXED.includes(id)) document.must(rate === 0, 'RATE', path, `The rate of ${id} is 0.`)
  else if (id === 'O')
    document.must(rate === null || rate === 0, 'RATE', path, 'What is not subject has no rate.')
  else document.must(rate !== null && rate >= 0 && rate <= 100, 'RATE', path, 'The rate is missing.')
}

function line(document: Document, placedLine: Placed): void {
  const { element, path } = placedLine
  const quantity = child(element, 'InvoicedQuantity')
  document.must(quantity !== null, 'BR-22', path, 'The quantity is missing.')
  document.must(
    quantity === null || (quantity.attributes['unitCode'] ?? '') !== '',
    'BR-23',
    path,
    'The unit is missing.',
  )
  document.must(textAt(element, 'LineExtensionAmount') !== null, 'BR-24', path, 'The net amount is missing.')
  document.must(textAt(element, 'Item', 'Name') !== null, 'BR-25', path, 'The name is missing.')
  const price = textAt(element, 'Price', 'PriceAmount')
  document.must(price !== null, 'BR-26', path, 'The price is missing.')
  document.must(!(price ?? '').startsWith('-'), 'BR-27', path, 'The price is negative.')
  const categories = children(child(element, 'Item'), 'ClassifiedTaxCategory')
  document.must(categories.length === 1, 'BR-CO-4', path, 'A line has one category of tax.')
  categoryRules(document, categories[0] ?? null, `${path}/Item/ClassifiedTaxCategory`)
  for (const each of placed(element, 'AllowanceCharge', path))
    document.must(
      !(textAt(each.element, 'Amount') ?? '').startsWith('-'),
      'NEGATIVE-ALLOWANCE',
      each.path,
      'An allowance or charge is negative.',
    )
  regimes(document, placedLine)
}

function collection(document: Document, { element, path }: Placed): void {
  document.must(
    textAt(element, 'TaxInclusiveLineExtensionAmount') !== null,
    'BT-179',
    path,
    'The amount collected is missing.',
  )
  document.must(
    textAt(element, 'Item', 'Description') !== null,
    'BT-180',
    path,
    'It does not say what is collected.',
  )
}

/** Checks lines, the document's allowances and charges, and collection lines. */
export function lineRules(document: Document): void {
  const lines = document.all('InvoiceLine')
  for (const each of lines) line(document, each)
  const ids = lines.map(({ element }) => textAt(element, 'ID'))
  document.must(new Set(ids).size === ids.length, 'BT-126', 'InvoiceLine', 'Two lines have one identifier.')
  for (const { element, path } of document.all('AllowanceCharge')) {
    categoryRules(document, child(element, 'TaxCategory'), `${path}/TaxCategory`)
    document.must(
      !(textAt(element, 'Amount') ?? '').startsWith('-'),
      'NEGATIVE-ALLOWANCE',
      path,
      'An allowance or charge is negative.',
    )
    document.must(
      textAt(element, 'AllowanceChargeReason') !== null ||
        textAt(element, 'AllowanceChargeReasonCode') !== null,
      'BR-CO-21',
      path,
      'An allowance or charge has no reason.',
    )
  }
  for (const each of document.all('CollectionInvoiceLine')) collection(document, each)
}
