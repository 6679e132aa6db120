/**
 * Query of the treatment dialog: the data filled in from the customer, the relevant fields, and the names of
 * territories. Pure.
 */
import type { BusinessDate } from '../../server/domain/dates.ts'
import { eurosFromCents } from '../../server/domain/money.ts'
import { checkNif } from '../../server/domain/tax/nif.ts'
import { isInUnion, placeOfAddress } from '../../server/domain/tax/territories.ts'
import { supplyGroup } from '../../server/domain/tax/supplies.ts'
import type { Supply } from '../../server/domain/tax/supplies.ts'
import type { InputOf, OutputOf } from '../../server/api/contracts.ts'

type Question = InputOf<'tax.propose'>
export type Proposal = OutputOf<'tax.propose'>

/** Customer data known to the editor. */
export interface CustomerFacts {
  name?: string
  nif?: string | null
  idType?: string | null
  country?: string
  postalCode?: string | null
  surcharge?: boolean
}

/** Form state of the dialog; null for an unanswered field. */
export interface Form {
  kind: 'consumer' | 'business' | 'public_body'
  place: string
  vatNumber: 'valid' | 'unchecked' | 'none'
  surcharge: boolean
  reseller: boolean | null
  developer: boolean | null
  ownHome: boolean | null
  supply: Supply
  goodsFrom: string | null
  goodsTo: string | null
  carriedBy: 'seller' | 'customer' | 'traveller' | null
  installed: boolean
  doneIn: string | null
  waiver: boolean
  marginScheme: 'used_goods' | 'art' | 'antiques' | 'none' | null
  /** Cents. */
  amount: number | null
  certifiedWorks: boolean
  enforced: boolean
  notForFarming: boolean
  overOssThreshold: boolean | null
  activity: 'professional' | 'new_professional' | 'other' | null
}

/** Returns the territory of a customer, by country and postal code. */
export function customerTerritory({ country = 'ES', postalCode }: CustomerFacts): string {
  return placeOfAddress(country, postalCode)
}

/** Letters of public bodies (Orden EHA/451/2008). */
const PUBLIC_BODY = /^[PQS]/

function kindOf({ nif, country = 'ES', idType }: CustomerFacts): Form['kind'] {
  if (!nif) return 'consumer'
  if (country !== 'ES') return idType === '02' ? 'business' : 'consumer'
  const check = checkNif(nif)
  if (check.kind === 'entity') return PUBLIC_BODY.test(check.nif) ? 'public_body' : 'business'
  return 'business'
}

/** Returns a new form with what the customer's data imply. */
export function formFor(customer: CustomerFacts, supply: Supply = 'services'): Form {
  return {
    kind: kindOf(customer),
    place: customerTerritory(customer),
    // A customer identified by another kind of number has no VAT number; an unknown customer may have one.
    vatNumber: customer.nif && customer.idType !== '02' ? 'none' : 'unchecked',
    surcharge: customer.surcharge ?? false,
    reseller: null,
    developer: null,
    ownHome: null,
    supply,
    goodsFrom: null,
    goodsTo: null,
    carriedBy: null,
    installed: false,
    doneIn: null,
    waiver: false,
    marginScheme: null,
    amount: null,
    certifiedWorks: false,
    enforced: false,
    notForFarming: false,
    overOssThreshold: null,
    activity: null,
  }
}

function whenSaid<T>(name: string, value: T | null | false): Record<string, T> {
  return value === null || value === false ? {} : { [name]: value }
}

/** Returns whether the VAT number of a customer matters: only customers in other member states have one. */
export function needsVatNumber(form: Form): boolean {
  return form.kind !== 'consumer' && form.place !== 'ES' && (form.place === 'XI' || isInUnion(form.place))
}

/** Returns the query for the server: only answered fields that can matter. */
export function questionOf(form: Form, date: BusinessDate | null): Question {
  const isGoods = supplyGroup(form.supply) === 'goods'
  const facts = {
    ...whenSaid('goodsFrom', form.goodsFrom),
    ...whenSaid('goodsTo', form.goodsTo),
    ...whenSaid('carriedBy', form.carriedBy),
    ...whenSaid('installed', isGoods && form.installed),
    ...whenSaid('doneIn', form.doneIn),
    ...whenSaid('waiver', form.waiver),
    ...(form.marginScheme === null || !isGoods
      ? {}
      : { marginScheme: form.marginScheme === 'none' ? null : form.marginScheme }),
    ...whenSaid('amount', form.amount === null ? null : eurosFromCents(form.amount)),
    ...whenSaid('certifiedWorks', form.certifiedWorks),
    ...whenSaid('enforced', form.enforced),
    ...(form.notForFarming ? { forFarming: false } : {}),
  }
  const seller = {
    ...(form.overOssThreshold === null ? {} : { overOssThreshold: form.overOssThreshold }),
    ...whenSaid('activity', form.activity),
  }
  return {
    ...(date === null ? {} : { date }),
    supply: form.supply,
    customer: {
      kind: form.kind,
      place: form.place,
      ...(needsVatNumber(form) ? { vatNumber: form.vatNumber } : {}),
      ...(form.surcharge && form.kind === 'business' && isGoods ? { surcharge: true } : {}),
      ...(form.reseller === null ? {} : { reseller: form.reseller }),
      ...(form.developer === null ? {} : { developer: form.developer }),
      ...(form.ownHome === null ? {} : { ownHome: form.ownHome }),
    },
    ...(Object.keys(facts).length > 0 ? { facts } : {}),
    ...(Object.keys(seller).length > 0 ? { seller } : {}),
  }
}

/** Fields of territory and manner of supply; those the server does not require are offered by the kind of supply. */
export type Field =
  | 'goodsTo'
  | 'goodsFrom'
  | 'carriedBy'
  | 'installed'
  | 'doneIn'
  | 'waiver'
  | 'marginScheme'
  | 'amount'
  | 'certifiedWorks'
  | 'enforced'
  | 'notForFarming'
  | 'reseller'
  | 'developer'
  | 'ownHome'
  | 'overOssThreshold'
  | 'activity'

const WHERE_DONE: ReadonlySet<Supply> = new Set<Supply>([
  'hotel',
  'restaurant',
  'transport_passengers',
  'transport_passengers_abroad',
  'travel_package',
  'vehicle_hire_short',
  'event_culture',
  'event_other',
  'trade_fair',
  'training_other',
  'repair_movables',
  'intermediation',
  'culture_public',
  'sport_nonprofit',
  'sport_private',
  'education',
  'private_lessons',
  'ambulance',
])
const SOLD_PROPERTY: ReadonlySet<Supply> = new Set<Supply>([
  'building_used',
  'land_rural',
  'dwelling_new',
  'dwelling_new_protected',
  'building_new',
  'land_building',
])
const CHAIN_WORKS: ReadonlySet<Supply> = new Set<Supply>([
  'works_promoter',
  'works_new_dwelling',
  'works_other',
  'works_dwelling_repair',
  'staff_construction',
])

/**
 * Returns the fields that can matter for a form, in the order they are shown; `asked` are those the proposal
 * requires.
 */
export function fieldsFor(form: Form, asked: readonly string[]): Field[] {
  const { supply, kind, place } = form
  const group = supplyGroup(supply)
  const abroad = place !== 'ES'
  const fields: Field[] = []
  if (group === 'goods' && supply !== 'emission_rights') {
    if (abroad || form.goodsTo !== null) fields.push('goodsTo', 'carriedBy')
    if (abroad) fields.push('goodsFrom', 'installed')
  }
  if (supply === 'transport_goods' && kind === 'consumer') fields.push('goodsFrom')
  if (WHERE_DONE.has(supply) || group === 'property' || group === 'works') fields.push('doneIn')
  if (supply === 'used_goods') fields.push('marginScheme')
  if (supply === 'phones_computers' && kind === 'business') fields.push('reseller', 'amount')
  if (CHAIN_WORKS.has(supply) && kind === 'business') fields.push('developer')
  if (supply === 'works_dwelling_repair' && kind !== 'consumer') fields.push('ownHome')
  if (group === 'works' && kind === 'public_body') fields.push('certifiedWorks')
  if (SOLD_PROPERTY.has(supply) && kind === 'business') fields.push('enforced')
  if (supply === 'building_used' || supply === 'land_rural' || supply === 'gold_investment')
    fields.push('waiver')
  if (supply === 'rent_rural_land') fields.push('notForFarming')
  for (const path of asked) {
    const name = path.split('.').at(-1) as Field
    if (!fields.includes(name) && path !== 'customer.place' && path !== 'customer.vatNumber')
      fields.push(name)
  }
  return fields
}

/** Clears answers whose field is no longer shown, so that no hidden answer decides. */
export function withoutUnseen(form: Form, shown: readonly Field[]): Form {
  const empty = formFor({})
  const next = { ...form }
  const all: Field[] = [
    'goodsTo',
    'goodsFrom',
    'carriedBy',
    'installed',
    'doneIn',
    'waiver',
    'marginScheme',
    'amount',
    'certifiedWorks',
    'enforced',
    'notForFarming',
    'reseller',
    'developer',
    'ownHome',
  ]
  for (const field of all) if (!shown.includes(field)) Object.assign(next, { [field]: empty[field] })
  return next
}

/** Values that a line takes from a proposal. */
export interface ChosenTreatment {
  taxTreatment: Proposal['taxTreatment']
  regimeKey: string
  /** Percent; null without a rate. */
  vatRate: number | null
  surcharge: number | null
  withholding: number | null
  isDisbursement: boolean
  cause: string | null
  mention: string | null
}

export function chosenOf(proposal: Proposal): ChosenTreatment {
  const { taxTreatment, regimeKey, vatRate, surcharge, withholding, isDisbursement, cause, mention } =
    proposal
  return { taxTreatment, regimeKey, vatRate, surcharge, withholding, isDisbursement, cause, mention }
}
