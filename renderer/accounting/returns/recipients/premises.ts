/** Form state of rented premises. Pure. */
import { normalizeNif } from '../../../../server/domain/tax/nif.ts'
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'

export type Rents = OutputOf<'fiscal.rentedPremises'>
type Premises = Rents['premises'][number]
export type Landlord = Rents['landlords'][number]
type Sent = InputOf<'fiscal.setRentedPremises'>['premises']

/** Parts of the address as text, in the order of the form. */
export const ADDRESS = [
  'streetType',
  'street',
  'numbering',
  'houseNumber',
  'qualifier',
  'block',
  'entrance',
  'staircase',
  'floor',
  'door',
  'complement',
  'town',
  'municipality',
  'municipalityCode',
  'province',
  'postalCode',
] as const
export type AddressPart = (typeof ADDRESS)[number]

/** Characters that a part takes. */
export const LENGTHS: Readonly<Record<AddressPart, number>> = {
  streetType: 5,
  street: 50,
  numbering: 3,
  houseNumber: 5,
  qualifier: 3,
  block: 3,
  entrance: 3,
  staircase: 3,
  floor: 3,
  door: 3,
  complement: 40,
  town: 30,
  municipality: 30,
  municipalityCode: 5,
  province: 2,
  postalCode: 5,
}

export interface PremisesForm {
  /** Key of the card while it is edited. */
  key: number
  /** Null for new premises. */
  id: string | null
  landlordNif: string
  landlordName: string
  rentKind: Premises['rentKind']
  situation: string
  cadastralNumber: string
  address: Record<AddressPart, string>
  fromYear: string
  toYear: string
  /** Cents; null while empty. */
  base: number | null
}

let cards = 0

/** Returns new premises, of a landlord if one is given. */
export function emptyPremises(year: number, landlord?: Pick<Landlord, 'nif' | 'name'>): PremisesForm {
  return {
    key: ++cards,
    id: null,
    landlordNif: landlord?.nif ?? '',
    landlordName: landlord?.name ?? '',
    rentKind: 'money',
    situation: '1',
    cadastralNumber: '',
    address: {
      ...(Object.fromEntries(ADDRESS.map((part) => [part, ''])) as Record<AddressPart, string>),
      numbering: 'NUM',
    },
    fromYear: String(year),
    toYear: '',
    base: null,
  }
}

export function formOfPremises(premises: readonly Premises[]): PremisesForm[] {
  return premises.map((each) => ({
    key: ++cards,
    id: each.id,
    landlordNif: each.landlordNif,
    landlordName: each.landlordName,
    rentKind: each.rentKind,
    situation: String(each.situation),
    cadastralNumber: each.cadastralNumber ?? '',
    address: Object.fromEntries(ADDRESS.map((part) => [part, String(each[part] ?? '')])) as Record<
      AddressPart,
      string
    >,
    fromYear: String(each.fromYear),
    toYear: each.toYear === null ? '' : String(each.toYear),
    base: each.base === null ? null : Math.round(each.base * 100),
  }))
}

const text = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim())
const number = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed))

export function premisesOfForm(rows: readonly PremisesForm[]): Sent {
  return rows.map(({ id, address, ...row }) => ({
    ...(id === null ? {} : { id }),
    landlordNif: row.landlordNif,
    landlordName: row.landlordName,
    rentKind: row.rentKind,
    situation: Number(row.situation),
    cadastralNumber: text(row.cadastralNumber),
    streetType: address.streetType.trim().toUpperCase(),
    street: address.street,
    numbering: address.numbering.trim().toUpperCase(),
    houseNumber: number(address.houseNumber),
    qualifier: text(address.qualifier),
    block: text(address.block),
    entrance: text(address.entrance),
    staircase: text(address.staircase),
    floor: text(address.floor),
    door: text(address.door),
    complement: text(address.complement),
    town: text(address.town),
    municipality: address.municipality,
    municipalityCode: address.municipalityCode.trim(),
    province: address.province.trim().padStart(2, '0'),
    postalCode: address.postalCode.trim(),
    fromYear: Number(row.fromYear),
    toYear: number(row.toYear),
    base: row.base === null ? null : row.base / 100,
  }))
}

/** Returns stored premises as they are sent again; those that no longer exist become new ones. */
export function premisesAgain(before: readonly Premises[], kept: ReadonlySet<string | null>): Sent {
  return premisesOfForm(
    formOfPremises(before).map((each) => ({ ...each, id: kept.has(each.id) ? each.id : null })),
  )
}

/** Returns the premises of a landlord in a year, as typed so far. */
export function premisesOfLandlord(
  rows: readonly PremisesForm[],
  { nif }: Pick<Landlord, 'nif'>,
  year: number,
): PremisesForm[] {
  return rows.filter(
    ({ landlordNif, fromYear, toYear }) =>
      nif !== null &&
      normalizeNif(landlordNif) === nif &&
      Number(fromYear) <= year &&
      (toYear.trim() === '' || Number(toYear) >= year),
  )
}
