/**
 * Writes parties for Facturae 3.2.2: people as given name and surnames, addresses in short fields, offices of public
 * bodies.
 */
import { checkNif } from '../../domain/tax/nif.ts'
import { isInUnion } from '../../domain/tax/territories.ts'
import type { XmlNode } from '../../domain/formats/xml-writer.ts'
import { alpha3Of, isoCountry, provinceOf } from './codes.ts'
import type { EParty } from './party.ts'

/** Cuts a text to `max` characters, counted as in XML Schema; never splits a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return Array.from(text).slice(0, max).join('').trim()
}

export const opt = (name: string, text: string | null | undefined): XmlNode | undefined =>
  text === null || text === undefined || text === '' ? undefined : [name, text]

/** Particles that belong to the next word. */
const PARTICLES = new Set(
  'de del la las los el y i da das do dos van von der den di du le mac mc san santa'.split(' '),
)

interface PersonName {
  given: string
  first: string
  second: string | null
}

/** Placeholder for a surname that the format requires and the person does not have. */
const NO_SURNAME = '-'

/**
 * Splits a person's name into given name and surnames. `Apellidos, Nombre` is explicit; otherwise a Spanish name of
 * three words or more has two surnames, and every other name has one. Particles stay with the next word: María del
 * Carmen | López | de la Fuente.
 */
export function personName(name: string, isSpanish: boolean): PersonName {
  const [before = '', after] = name.split(/,\s*/, 2)
  const units: string[] = []
  let open = ''
  for (const word of (after === undefined ? name : before).trim().split(/\s+/)) {
    open = open === '' ? word : `${open} ${word}`
    if (PARTICLES.has(word.toLowerCase())) continue
    units.push(open)
    open = ''
  }
  if (open !== '') units.push(open)
  if (after !== undefined && after.trim() !== '') {
    const [first = NO_SURNAME, ...rest] = units
    return { given: after.trim(), first, second: rest.join(' ') || null }
  }
  const surnames = units.length < 2 ? 0 : isSpanish && units.length > 2 ? 2 : 1
  const given = units.slice(0, units.length - surnames).join(' ')
  const [first = NO_SURNAME, second = null] = surnames === 0 ? [] : units.slice(-surnames)
  return { given, first, second }
}

const POSTAL_CODE = /^\d{5}$/

/** Returns why a party cannot be written in the format, or null. */
export function partyFault(party: EParty): 'number' | 'address' | 'postal_code' | 'country' | null {
  if (party.nif === null || party.nif.length < 3 || party.nif.length > 30) return 'number'
  if (!party.street || !party.postalCode || !party.city) return 'address'
  if (alpha3Of(party.country) === null) return 'country'
  if (party.country === 'ES' && !POSTAL_CODE.test(party.postalCode)) return 'postal_code'
  return null
}

function address(party: EParty): XmlNode {
  const street = cut(party.street ?? '', 80)
  const city = party.city ?? ''
  const code = party.postalCode ?? ''
  const country = alpha3Of(party.country) ?? ''
  if (party.country === 'ES')
    return [
      'AddressInSpain',
      [
        ['Address', street],
        ['PostCode', code],
        ['Town', cut(city, 50)],
        ['Province', cut(party.province ?? provinceOf(code) ?? city, 20)],
        ['CountryCode', country],
      ],
    ]
  return [
    'OverseasAddress',
    [
      ['Address', street],
      ['PostCodeAndTown', cut(`${code} ${city}`, 50)],
      ['Province', cut(party.province ?? city, 20)],
      ['CountryCode', country],
    ],
  ]
}

/** Returns telephone and e-mail only when they fit: a cut one is useless. */
function contact({ phone, email }: EParty): XmlNode | undefined {
  const telephone = phone?.replace(/[\s.()-]/g, '') ?? ''
  const shown = [
    opt('Telephone', telephone.length <= 15 ? telephone : null),
    opt('ElectronicMail', (email ?? '').length <= 60 ? email : null),
  ].filter((node) => node !== undefined)
  return shown.length === 0 ? undefined : ['ContactDetails', shown]
}

/** Returns the residence: R in Spain, U in the rest of the Union, E elsewhere. */
function residence({ country }: EParty): 'R' | 'U' | 'E' {
  if (country === 'ES') return 'R'
  return isInUnion(isoCountry(country)) ? 'U' : 'E'
}

function who(party: EParty): XmlNode {
  if (!party.isPerson)
    return [
      'LegalEntity',
      [
        ['CorporateName', cut(party.name, 80)],
        opt('TradeName', party.tradeName === null ? null : cut(party.tradeName, 40)),
        address(party),
        contact(party),
      ],
    ]
  const check = party.nif === null ? null : checkNif(party.nif)
  const { given, first, second } = personName(party.name, check?.ok === true && check.kind === 'natural')
  return [
    'Individual',
    [
      ['Name', cut(given, 40)],
      ['FirstSurname', cut(first, 40)],
      opt('SecondSurname', second === null ? null : cut(second, 40)),
      address(party),
      contact(party),
    ],
  ]
}

/**
 * Returns the offices with their roles: 01 accounting office, 02 managing body, 03 processing unit, and 04 for the body
 * that proposed the expense, where it is asked for (FACe, guide for suppliers).
 */
function offices(party: EParty): XmlNode | undefined {
  const { dir3 } = party
  if (!dir3) return undefined
  const centre = (role: string, code: string): XmlNode => [
    'AdministrativeCentre',
    [['CentreCode', code], ['RoleTypeCode', role], address(party)],
  ]
  return [
    'AdministrativeCentres',
    [
      centre('01', dir3.accountingOffice),
      centre('02', dir3.managingBody),
      centre('03', dir3.processingUnit),
      dir3.proposingBody === undefined ? undefined : centre('04', dir3.proposingBody),
    ],
  ]
}

/** Returns the number as the format writes it: without prefix for Spain, with its country's prefix for the Union. */
export function taxNumber({ country, nif, vatNumber }: EParty): string {
  return country !== 'ES' && vatNumber !== null ? vatNumber : (nif ?? '')
}

export function facturaeParty(name: string, party: EParty): XmlNode {
  return [
    name,
    [
      [
        'TaxIdentification',
        [
          ['PersonTypeCode', party.isPerson ? 'F' : 'J'],
          ['ResidenceTypeCode', residence(party)],
          ['TaxIdentificationNumber', taxNumber(party)],
        ],
      ],
      offices(party),
      who(party),
    ],
  ]
}
