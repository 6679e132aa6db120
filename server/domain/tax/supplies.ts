/**
 * Kinds of supplies in terms of the tax law, grouped as an owner would describe them: the choices of the treatment
 * helper. Pure.
 */

/** In the order of the page. `group` is the first question, the code the second. */
export const SUPPLIES = {
  goods: [
    'goods',
    'food_basic',
    'olive_oil',
    'food',
    'drinks_taxed',
    'books',
    'medicines',
    'veterinary_medicines',
    'health_products',
    'mobility_aids',
    'hygiene',
    'plants_seeds',
    'water',
    'energy',
    'tobacco',
    'art_by_author',
    'used_goods',
    'new_vehicle',
    'phones_computers',
    'precious_metals',
    'gold_unworked',
    'gold_investment',
    'waste_scrap',
    'emission_rights',
    'donated_goods',
    'ship_aircraft_supplies',
    'farm_products',
  ],
  services: [
    'services',
    'professional',
    'intangible',
    'intermediation',
    'repair_movables',
    'vehicle_hire_short',
    'transport_passengers',
    'transport_passengers_abroad',
    'transport_goods',
    'transport_export_goods',
    'work_on_export_goods',
    'hotel',
    'restaurant',
    'travel_package',
    'street_cleaning',
    'waste_collection',
    'waste_processing',
    'farm_services',
    'home_care',
    'aesthetic',
    'veterinary',
    'training_other',
    'trade_fair',
  ],
  digital: ['digital', 'digital_books'],
  culture: [
    'event_culture',
    'event_other',
    'culture_public',
    'artists',
    'author_rights',
    'sport_nonprofit',
    'sport_private',
  ],
  exempt: [
    'hospital',
    'medical',
    'dental',
    'ambulance',
    'social_assistance',
    'education',
    'private_lessons',
    'insurance',
    'finance',
    'lottery',
    'postal',
    'membership',
    'cost_sharing',
  ],
  property: [
    'rent_dwelling',
    'rent_dwelling_business',
    'rent_premises',
    'rent_garage',
    'rent_holiday',
    'rent_holiday_services',
    'rent_rural_land',
    'dwelling_new',
    'dwelling_new_protected',
    'building_new',
    'building_used',
    'land_building',
    'land_rural',
  ],
  works: [
    'works_promoter',
    'works_new_dwelling',
    'works_dwelling_repair',
    'works_dwelling_materials',
    'works_other',
    'staff_construction',
  ],
  outside: [
    'disbursement',
    'compensation',
    'late_interest',
    'subsidy',
    'guarantee_deposit',
    'business_transfer',
    'free_samples',
    'advertising_items',
    'public_fees',
    'collection_for_others',
  ],
} as const

export type SupplyGroup = keyof typeof SUPPLIES
export type Supply = (typeof SUPPLIES)[SupplyGroup][number]

/** All codes in order. */
export const SUPPLY_CODES = Object.values(SUPPLIES).flat() as [Supply, ...Supply[]]

/** Returns the group of a code. */
export function supplyGroup(supply: Supply): SupplyGroup {
  for (const [group, codes] of Object.entries(SUPPLIES))
    if ((codes as readonly string[]).includes(supply)) return group as SupplyGroup
  throw new Error(`${supply} is in no group.`)
}
