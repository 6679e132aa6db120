/**
 * English sentences of the helper by code: reasons, warnings and questions. The page has its own texts for the same
 * codes; `{name}` is filled in.
 */
import type { Statement } from '../contract.ts'

export const WHY = {
  domestic: 'The place of the operation is Spain, where VAT applies.',
  rate: 'This is taxed at {rate} % ({article}).',
  goods_leave_from: 'The goods do not leave from Spain, so the sale is not made here.',
  goods_installed: 'The seller installs the goods where they arrive: the sale is made there.',
  triangular:
    'Bought in one member state and sent straight to a business of another: the customer accounts for the VAT.',
  export: 'The goods leave the area of VAT ({place}): exports are exempt.',
  export_by_local:
    'A customer established in Spain who carries the goods itself does not make an exempt export.',
  traveller:
    'A visitor pays the VAT and gets it back at the border with the electronic refund document (DIVA).',
  intra_eu:
    'The goods go to another member state, to a business identified there: the supply is exempt and the customer pays its own VAT.',
  intra_eu_no_number:
    'Without a VAT number of another member state the exemption does not apply: Spanish VAT is charged.',
  intra_eu_collected: 'A consumer who takes the goods away in Spain pays Spanish VAT.',
  new_vehicle:
    'A new means of transport to another member state is exempt whoever buys it: the buyer pays VAT at home.',
  distance_below: 'Up to 10,000 euros a year, sales to consumers of other member states bear Spanish VAT.',
  distance_oss:
    'The sale to a consumer of {place} bears the VAT of that state ({rate} %), declared through the one-stop shop.',
  service_at_home: 'A service to a consumer is placed where the seller is.',
  service_customer: 'A service to a business is placed where the business is ({place}).',
  service_no_number:
    'Without a VAT number the customer counts as a consumer: the service is placed in Spain.',
  service_listed:
    'Advice, advertising, data, licences and the like to a consumer outside the Union are placed there.',
  islands_not_listed:
    'That rule leaves out the Canary Islands, Ceuta and Melilla: their consumers pay Spanish VAT on this.',
  service_digital:
    'Electronic, telecom and broadcasting services to consumers are placed where the consumer lives ({place}).',
  property_there: 'What concerns property is placed where the property stands ({place}).',
  done_there: 'This is placed where it is done or held ({place}).',
  departure: "The transport of a consumer's goods is placed where it begins ({place}).",
  exempt: 'The law exempts this ({article}).',
  waiver: 'The seller waives the exemption, and the customer, a business, accounts for the VAT.',
  enforced: 'In insolvency or enforcement the business that buys the property accounts for the VAT.',
  reverse: 'Between businesses the customer accounts for the VAT of this ({article}).',
  reverse_not_consumer: 'The customer is no business: the reverse charge does not apply.',
  reverse_works:
    'The customer develops or builds, and this work is part of it: the customer accounts for the VAT.',
  not_developer: 'The customer does not develop or build: the usual VAT is charged.',
  devices_reverse:
    'Devices to a reseller, or above 10,000 euros on the invoice: the customer accounts for the VAT.',
  devices_plain: 'Neither a reseller nor above 10,000 euros: the usual VAT is charged.',
  dwelling_home:
    'Works on the home of the customer, with materials up to 40 % of the price, bear the reduced rate.',
  dwelling_business:
    'The reduced rate of works is for those who live there or their community: the general one applies.',
  materials_over:
    'The materials you supply are over 40 % of the price, so everything bears the general rate.',
  self_builder:
    'Whoever builds the own home is no business: VAT is charged, at the reduced rate of new homes.',
  margin: 'Under the margin scheme VAT is inside the price, on the margin, and is not shown.',
  travel_margin: "Travel sold in the agency's own name bears VAT on the margin, and it is not shown.",
  travel_outside: 'The part of the trip outside the Union is exempt.',
  gold: 'Investment gold is exempt.',
  donation: 'Goods given to a non-profit entity for its ends bear 0 %.',
  not_subject: 'This is not subject to VAT ({article}).',
  disbursement: "Paid in the customer's name: it is added to the invoice without VAT and outside the base.",
  farmer:
    'A farmer under the special scheme makes no invoice: the business that buys makes out a receipt with {rate} % of compensation.',
  farmer_consumer: 'A farmer under the special scheme charges a consumer neither VAT nor compensation.',
  surcharge: 'The customer is a retailer under the equivalence surcharge: {rate} % is added.',
  cash: 'The seller is under cash accounting: the VAT falls due when it is collected.',
  retailer: 'The seller is a retailer under the equivalence surcharge.',
  simplified: 'The seller is under the simplified scheme.',
  premises: 'The rent of business premises has a regime key of its own.',
  certified_works: 'Certified public works: the VAT falls due when the works are handed over or paid.',
  withholding: 'The customer keeps back {rate} % of income tax ({article}).',
  island_tax: 'In {place} another tax applies instead of VAT.',
  own_scheme: "Exempt by the seller's own scheme: {article}.",
  island_general: 'This bears the general rate of that tax, {rate} %, unless its own law gives it another.',
} as const

export const WARNINGS = {
  check_vies: 'Check the VAT number in VIES on the day of the operation and keep the answer.',
  proof_transport:
    'Keep two proofs that the goods left for {place} (transport document, receipt of the customer).',
  model_349: 'This goes into the recapitulative statement (349).',
  customs_proof: 'Keep the export declaration (DUA) with proof that the goods left.',
  diva: 'Make the refund document (DIVA) with the invoice; the traveller has three months.',
  oss_register: 'Above 10,000 euros a year: register in the one-stop shop (form 035), or in each state.',
  oss_rate: 'That state may have a reduced rate for this: its law decides.',
  foreign_rules:
    'The tax of {place} may apply: ask there whether the customer accounts for it or you have to register.',
  prove_business: 'Keep proof that the customer is a business (certificate, registration).',
  effective_use: 'If the service is really used in Spain, it may be taxed here all the same (art. 70.Dos).',
  identify_customer: 'The invoice needs the name, tax number and address of the customer.',
  own_series: 'These sales need a series of their own (RD 1619/2012 art. 6.1.a).',
  written_statement: 'Get the written statement of the customer that the rule asks for.',
  waiver_conditions:
    'The waiver must be told in writing before or with the sale, and the customer must have a right to deduct.',
  waiver_not_possible: 'Only towards a business with a right to deduct can the exemption be waived.',
  margin_records:
    'Keep the purchase of each item: the margin is sale less purchase. Do not show VAT on the invoice.',
  vehicle_data:
    'The invoice must show the date of first use and the distance or hours (RD 1619/2012 art. 6.1.k).',
  materials_share:
    'If materials you supply are over 40 % of the price, everything bears 21 %. Get a written statement of the use of the home.',
  withholding_rent:
    'No withholding where the rent is at most 900 euros a year, or the landlord proves the exemption.',
  withholding_new: 'Give the customer a written notice that you began this year or the two before.',
  certified_works_date:
    'The operation date must be after the issue date, and the customer a public body (NIF with P, Q, S or V).',
  cash_exclusions: 'Cash accounting does not apply to this operation.',
  temporary_rate:
    'This rate has changed for some months more than once: look at the rule in force on {date}.',
  uncertain_rate: 'The rate could not be checked at the official gazette.',
  check_conditions: 'Check that you meet the conditions of the article.',
  exempt_deduction: 'What you buy for exempt operations gives no right to deduct.',
  island_customs:
    'Goods sent to {place} pass customs: the customer pays the tax of the islands or cities on entry.',
  island_rate_check: 'Check in the law of {place} whether this has a rate of its own.',
  foral:
    "In the Basque Country and Navarre the VAT is the same, but it is declared to the province's own treasury.",
  donation_conditions:
    'Only for goods to non-profit entities of Ley 49/2002, for their ends of general interest.',
  disbursement_proof: "The supplier's invoice must be in the customer's name, for the same amount.",
  invoice_in_eu: 'To another member state the invoice goes before the 16th of the next month.',
  northern_ireland: 'Northern Ireland counts as the Union for goods and as outside it for services.',
  public_body: 'A public body is a business for this only in its businesslike activities.',
} as const

export const QUESTIONS = {
  'customer.place': 'Where is the customer?',
  'customer.vatNumber': 'Has the customer a VAT number of its state, and is it valid in VIES?',
  'customer.reseller': 'Does the customer buy them to sell them again?',
  'customer.developer': 'Does the customer develop or build, or work for somebody who does?',
  'customer.ownHome': 'Is it the home of the customer, or of its community?',
  'facts.goodsTo': 'Where do the goods go?',
  'facts.goodsFrom': 'Where do the goods leave from?',
  'facts.carriedBy': 'Who carries the goods?',
  'facts.doneIn': 'Where is the property, or where is it done or held?',
  'facts.amount': 'How much do these goods come to on the invoice, before tax?',
  'facts.marginScheme': 'Do you sell it under the margin scheme?',
  'seller.overOssThreshold': 'Do your sales to consumers of other member states pass 10,000 euros a year?',
  'seller.activity': 'Is it a professional activity, and is it new?',
} as const

export type WhyCode = keyof typeof WHY
export type WarningCode = keyof typeof WARNINGS
export type QuestionField = keyof typeof QUESTIONS
type Params = Record<string, string | number>

function fill(text: string, params: Params): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(params[name] ?? hole))
}

/** Returns a reason. */
export function why(code: WhyCode, params: Params = {}): Statement {
  return { code, params, text: fill(WHY[code], params) }
}

/** Returns a warning. */
export function warning(code: WarningCode, params: Params = {}): Statement {
  return { code, params, text: fill(WARNINGS[code], params) }
}
