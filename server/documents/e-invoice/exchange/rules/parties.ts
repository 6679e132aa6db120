/** Rules of the profile about seller and customer: both Spanish tax numbers, names, addresses in Spain. */
import { at, child, children, textAt } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import { checkNif } from '../../../../domain/tax/nif.ts'
import { LOCAL_NUMBER, LOCAL_SCHEME } from '../codes.ts'
import type { Document } from './document.ts'
import type { ExchangeRule } from './names.ts'

const POSTAL_CODE = /^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/

/** Returns the numbers of a party by scheme, as written. */
function numbersOf(party: XmlElement, scheme: string): { text: string; schemeId: string | undefined }[] {
  return children(party, 'PartyTaxScheme')
    .filter((each) => textAt(each, 'TaxScheme', 'ID') === scheme)
    .map((each) => ({
      text: textAt(each, 'CompanyID') ?? '',
      schemeId: child(each, 'CompanyID')?.attributes['schemeID'],
    }))
}

/** Returns the tax number of a party of the profile: its local number, else its VAT number without prefix; null without. */
export function partyNumber(party: XmlElement | null): string | null {
  if (party === null) return null
  const [local] = numbersOf(party, LOCAL_SCHEME)
  const [vat] = numbersOf(party, 'VAT')
  return local?.text || vat?.text.replace(/^ES/, '') || null
}

/** Whether the text is the number itself, in capitals and without separators. */
const isPlainNif = (text: string): boolean => {
  const check = checkNif(text)
  return check.ok && check.nif === text
}

function address(document: Document, party: XmlElement, path: string, rule: ExchangeRule): void {
  const own = child(party, 'PostalAddress')
  const country = textAt(own, 'Country', 'IdentificationCode')
  document.must(country !== null, rule, `${path}/PostalAddress`, 'The country is missing.')
  if (country !== 'ES') return
  for (const name of ['StreetName', 'CityName', 'CountrySubentity'])
    document.must(textAt(own, name) !== null, rule, `${path}/PostalAddress`, `${name} is missing.`)
  document.must(
    POSTAL_CODE.test(textAt(own, 'PostalZone') ?? ''),
    rule,
    `${path}/PostalAddress`,
    'The postal code is none of Spain.',
  )
}

function party(document: Document, name: string, side: 'SELLER' | 'BUYER'): void {
  const path = `${name}/Party`
  const own = document.at(name, 'Party')
  if (own === null) {
    document.say(`${side}-NIF`, name, 'The party is missing.')
    return
  }
  const local = numbersOf(own, LOCAL_SCHEME)
  const vat = numbersOf(own, 'VAT')
  document.must(
    partyNumber(own) !== null && isPlainNif(partyNumber(own) ?? ''),
    `${side}-NIF`,
    path,
    'There is no valid Spanish tax number.',
  )
  for (const { text, schemeId } of local)
    document.must(
      schemeId === LOCAL_NUMBER && isPlainNif(text),
      side === 'SELLER' ? 'BT-32' : 'BT-47',
      path,
      'The local number is a NIF of the scheme FC.',
    )
  for (const { text } of vat)
    document.must(
      text.startsWith('ES') && isPlainNif(text.slice(2)),
      side === 'SELLER' ? 'BT-31' : 'BT-48',
      path,
      'The VAT number is ES and a NIF.',
    )
  const said = new Set([...local.map(({ text }) => text), ...vat.map(({ text }) => text.slice(2))])
  document.must(said.size <= 1, `${side}-NIF`, path, 'The numbers of the party differ.')
  document.must(
    textAt(at(own, 'PartyLegalEntity'), 'RegistrationName') !== null,
    side === 'SELLER' ? 'BR-06' : 'BR-07',
    path,
    'The name is missing.',
  )
  address(document, own, path, `${side}-ADDRESS`)
}

/** Checks the parties. */
export function partyRules(document: Document): void {
  party(document, 'AccountingSupplierParty', 'SELLER')
  party(document, 'AccountingCustomerParty', 'BUYER')
}
