/** Rules of the helper for each supply: rate, place of supply, and possible exemption. */
import type { Supply } from '../../../domain/tax/supplies.ts'
import type { WithholdingCode } from '../withholding.ts'
import type { RateClass } from './rate.ts'

/**
 * Rule for the place of supply (arts. 68 to 72): `goods` by their transport; `general` at the location of a business
 * customer, else at home; `listed` likewise, but elsewhere for a consumer outside the Union; `consumer_there` at the
 * location of a consumer; the others at the location of a property or event: always (`there`), or only for consumers
 * (`there_for_consumers`); `departure` at the place from which a consumer's goods leave.
 */
type PlaceOfSupplyRule =
  | 'goods'
  | 'general'
  | 'listed'
  | 'consumer_there'
  | 'property'
  | 'there'
  | 'there_for_consumers'
  | 'departure'

export interface SupplyRule {
  rate: RateClass
  place: PlaceOfSupplyRule
  /** Article of the rate, or of the case when the rate is the general one. */
  article: string
  /** Cause of the catalogue when the place is elsewhere; the second one, if named, is for the islands. */
  elsewhere?: readonly [string, string?]
  /** Cause of an exemption at home. */
  exempt?: string
  /** Cause of a reverse charge between businesses. */
  reverse?: string
  /** Withheld from any landlord by a business customer. */
  rent?: WithholdingCode
}

const GENERAL = 'art. 90.Uno'
const PROPERTY = ['property_elsewhere', 'property_islands'] as const
const EVENT = ['event_elsewhere'] as const

/** Returns the rule of a good, with the article of its rate. */
function good(rate: RateClass, article: string, more: Partial<SupplyRule> = {}): SupplyRule {
  return { rate, place: 'goods', article, ...more }
}
/** Returns the rule of a service under the general place of supply. */
function service(rate: RateClass, article: string, more: Partial<SupplyRule> = {}): SupplyRule {
  return { rate, place: 'general', article, ...more }
}
function exempt(cause: string, more: Partial<SupplyRule> = {}): SupplyRule {
  return { rate: 'general', place: 'general', article: GENERAL, exempt: cause, ...more }
}
function property(rate: RateClass, article: string, more: Partial<SupplyRule> = {}): SupplyRule {
  return { rate, place: 'property', article, elsewhere: PROPERTY, ...more }
}

export const supplyRules: Readonly<Record<Supply, SupplyRule>> = {
  goods: good('general', GENERAL),
  food_basic: good('food_basic', 'art. 91.Dos.1.1º'),
  olive_oil: good('olive_oil', 'art. 91.Dos.1.1º'),
  food: good('reduced', 'art. 91.Uno.1.1º'),
  drinks_taxed: good('general', GENERAL),
  books: good('super_reduced', 'art. 91.Dos.1.2º'),
  medicines: good('super_reduced', 'art. 91.Dos.1.3º'),
  veterinary_medicines: good('reduced', 'art. 91.Uno.1.5º'),
  health_products: good('reduced', 'art. 91.Uno.1.6º'),
  mobility_aids: good('super_reduced', 'art. 91.Dos.1.4º y 5º'),
  hygiene: good('hygiene', 'art. 91.Dos.1.7º'),
  plants_seeds: good('reduced', 'art. 91.Uno.1.3º y 8º'),
  water: good('reduced', 'art. 91.Uno.1.4º'),
  energy: good('energy', GENERAL),
  tobacco: good('general', GENERAL),
  art_by_author: good('reduced', 'art. 91.Uno.4'),
  used_goods: good('general', GENERAL),
  new_vehicle: good('general', GENERAL),
  phones_computers: good('general', GENERAL, { reverse: 'reverse_devices' }),
  precious_metals: good('general', GENERAL, { reverse: 'reverse_metals' }),
  gold_unworked: good('general', GENERAL, { reverse: 'reverse_gold' }),
  gold_investment: good('general', GENERAL),
  waste_scrap: good('general', GENERAL, { reverse: 'reverse_waste' }),
  emission_rights: service('general', GENERAL, { reverse: 'reverse_emissions' }),
  donated_goods: good('zero', 'art. 91.Cuatro'),
  ship_aircraft_supplies: good('general', GENERAL),
  farm_products: good('reduced', 'art. 91.Uno.1.1º a 3º'),

  services: service('general', GENERAL),
  professional: service('general', GENERAL, { place: 'listed', elsewhere: ['intangible_third'] }),
  intangible: service('general', GENERAL, { place: 'listed', elsewhere: ['intangible_third'] }),
  intermediation: service('general', GENERAL, {
    place: 'there_for_consumers',
    elsewhere: ['mediation_elsewhere'],
  }),
  repair_movables: service('general', GENERAL, {
    place: 'there_for_consumers',
    elsewhere: ['work_elsewhere'],
  }),
  vehicle_hire_short: service('general', GENERAL, { place: 'there', elsewhere: ['vehicle_elsewhere'] }),
  transport_passengers: service('reduced', 'art. 91.Uno.2.1º', {
    place: 'there',
    elsewhere: ['transport_elsewhere'],
  }),
  transport_passengers_abroad: service('reduced', 'art. 22.Trece', {
    place: 'there',
    elsewhere: ['transport_elsewhere'],
    exempt: 'passengers_abroad',
  }),
  transport_goods: service('general', GENERAL, {
    place: 'departure',
    elsewhere: ['transport_goods_elsewhere'],
  }),
  transport_export_goods: service('general', GENERAL, { exempt: 'export_transport' }),
  work_on_export_goods: service('general', GENERAL, { exempt: 'export_work' }),
  hotel: service('reduced', 'art. 91.Uno.2.2º', { place: 'property', elsewhere: PROPERTY }),
  restaurant: service('reduced', 'art. 91.Uno.2.2º', { place: 'there', elsewhere: ['restaurant_elsewhere'] }),
  travel_package: service('general', 'art. 145', { place: 'general' }),
  street_cleaning: service('reduced', 'art. 91.Uno.2.4º'),
  waste_collection: service('reduced', 'art. 91.Uno.2.5º'),
  waste_processing: service('general', GENERAL, { reverse: 'reverse_waste' }),
  farm_services: service('reduced', 'art. 91.Uno.2.3º'),
  home_care: service('home_care', 'art. 91.Uno.2.7º y Dos.2.3º'),
  aesthetic: service('general', GENERAL),
  veterinary: service('general', GENERAL),
  training_other: service('general', GENERAL, { place: 'there_for_consumers', elsewhere: EVENT }),
  trade_fair: service('reduced', 'art. 91.Uno.2.9º', { place: 'there', elsewhere: EVENT }),

  digital: service('general', GENERAL, { place: 'consumer_there', elsewhere: ['digital_elsewhere'] }),
  digital_books: service('super_reduced', 'art. 91.Dos.1.2º', {
    place: 'consumer_there',
    elsewhere: ['digital_elsewhere'],
  }),

  event_culture: service('reduced', 'art. 91.Uno.2.6º', { place: 'there', elsewhere: EVENT }),
  event_other: service('general', GENERAL, { place: 'there', elsewhere: EVENT }),
  culture_public: exempt('culture', { place: 'there', elsewhere: EVENT }),
  artists: service('reduced', 'art. 91.Uno.2.13º'),
  author_rights: exempt('authors', { place: 'listed', elsewhere: ['intangible_third'] }),
  sport_nonprofit: exempt('sport', { place: 'there_for_consumers', elsewhere: EVENT }),
  sport_private: service('general', GENERAL, { place: 'there_for_consumers', elsewhere: EVENT }),

  hospital: exempt('hospital'),
  medical: exempt('medical'),
  dental: exempt('dental'),
  ambulance: exempt('ambulance', { place: 'there', elsewhere: ['transport_elsewhere'] }),
  social_assistance: exempt('social_assistance'),
  education: exempt('education', { place: 'there_for_consumers', elsewhere: EVENT }),
  private_lessons: exempt('private_lessons', { place: 'there_for_consumers', elsewhere: EVENT }),
  insurance: exempt('insurance', { place: 'listed', elsewhere: ['intangible_third'] }),
  finance: exempt('finance', { place: 'listed', elsewhere: ['intangible_third'] }),
  lottery: exempt('lottery'),
  postal: exempt('postal'),
  membership: exempt('membership'),
  cost_sharing: exempt('cost_sharing'),

  rent_dwelling: property('general', GENERAL, { exempt: 'dwelling_rent' }),
  rent_dwelling_business: property('general', GENERAL, { rent: 'urban_rent' }),
  rent_premises: property('general', GENERAL, { rent: 'urban_rent' }),
  rent_garage: property('general', GENERAL, { rent: 'urban_rent' }),
  rent_holiday: property('general', GENERAL, { exempt: 'dwelling_rent' }),
  rent_holiday_services: property('reduced', 'art. 91.Uno.2.2º'),
  rent_rural_land: property('general', GENERAL, { exempt: 'rural_land_rent' }),
  dwelling_new: property('reduced', 'art. 91.Uno.1.7º'),
  dwelling_new_protected: property('super_reduced', 'art. 91.Dos.1.6º'),
  building_new: property('general', GENERAL),
  building_used: property('general', GENERAL, { exempt: 'used_building' }),
  land_building: property('general', GENERAL),
  land_rural: property('general', GENERAL, { exempt: 'rural_land' }),

  works_promoter: property('general', GENERAL, { reverse: 'reverse_works' }),
  works_new_dwelling: property('reduced', 'art. 91.Uno.3.1º', { reverse: 'reverse_works' }),
  works_dwelling_repair: property('reduced', 'art. 91.Uno.2.10º'),
  works_dwelling_materials: property('general', GENERAL),
  works_other: property('general', GENERAL),
  staff_construction: property('general', GENERAL, { reverse: 'reverse_works_staff' }),

  disbursement: service('general', GENERAL),
  compensation: service('general', GENERAL),
  late_interest: service('general', GENERAL),
  subsidy: service('general', GENERAL),
  guarantee_deposit: service('general', GENERAL),
  business_transfer: service('general', GENERAL),
  free_samples: service('general', GENERAL),
  advertising_items: service('general', GENERAL),
  public_fees: service('general', GENERAL),
  collection_for_others: service('general', GENERAL),
}
