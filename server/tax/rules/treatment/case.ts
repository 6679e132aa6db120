/** Input of the helper with defaults filled in, and the answer under construction. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { BasisPoints } from '../../../domain/money.ts'
import { taxArea } from '../../../domain/tax/territories.ts'
import type { TerritoryCode, TaxArea } from '../../../domain/tax/territories.ts'
import { supplyGroup } from '../../../domain/tax/supplies.ts'
import type { Supply, SupplyGroup } from '../../../domain/tax/supplies.ts'
import type { TaxTreatment } from '../../../domain/tax/totals.ts'
import { taxSystemOf, VAT_SYSTEM } from '../../systems/index.ts'
import type { TaxSystem } from '../../systems/index.ts'
import type { Statement, TreatmentQuestion } from '../contract.ts'
import { supplyRules } from './rules.ts'
import type { SupplyRule } from './rules.ts'
import { warning, why } from './messages.ts'
import type { QuestionField, WarningCode, WhyCode } from './messages.ts'

type SellerQuestion = NonNullable<TreatmentQuestion['seller']>

/** The seller, from the company's facts or the question. */
export interface Seller {
  territory: NonNullable<SellerQuestion['territory']>
  vatRegime: NonNullable<SellerQuestion['vatRegime']>
  kind: 'natural' | 'legal'
  activity: SellerQuestion['activity'] | null
  oss: boolean
  overOssThreshold: boolean | null
  farmerScheme: boolean
}

export interface Case {
  date: BusinessDate
  seller: Seller
  sellerPlace: TerritoryCode
  /** The tax of the seller's territory. */
  system: TaxSystem
  /** The seller's own tax area. */
  home: TaxArea
  customer: TreatmentQuestion['customer'] & { place: TerritoryCode }
  /**
   * True when the customer counts as a business for the place of supply: a public body does when it has a VAT number
   * or is in Spain.
   */
  isBusiness: boolean
  supply: Supply
  group: SupplyGroup
  isGoods: boolean
  rule: SupplyRule
  facts: NonNullable<TreatmentQuestion['facts']>
}

/** Returns the question completed with the seller's facts and with defaults. */
export function caseOf(question: TreatmentQuestion, seller: Seller, date: BusinessDate): Case {
  const { supply } = question
  const rule = supplyRules[supply]
  const isGoods = rule.place === 'goods'
  const system = taxSystemOf(seller.territory)
  const sellerPlace = system.place
  const customer = { ...question.customer, place: question.customer.place ?? sellerPlace }
  const area = taxArea(customer.place, isGoods ? 'goods' : 'services', date)
  const isBusiness =
    customer.kind === 'business' ||
    (customer.kind === 'public_body' && (area !== 'eu' || customer.vatNumber !== 'none'))
  return {
    date,
    seller,
    sellerPlace,
    system,
    home: system.area,
    customer,
    isBusiness,
    supply,
    group: supplyGroup(supply),
    isGoods,
    rule,
    facts: question.facts ?? {},
  }
}

/** The answer so far. */
export interface Answer {
  taxTreatment: TaxTreatment
  regimeKey: string
  vatRateBp: BasisPoints | null
  cause: string | null
  article: string
  document: 'invoice' | 'receipt' | 'none'
  isDisbursement: boolean
  compensationBp: BasisPoints | null
  foreignTax: { country: string; rateBp: BasisPoints; source: string } | null
  why: Statement[]
  warnings: Statement[]
  questions: QuestionField[]
}

/**
 * Returns an answer with the treatment, regime and article of a cause in the catalogue of VAT, whose codes the taxes share; a
 * cause of another system is looked up in that one.
 */
export function byCause(code: string, reason?: Statement, system: TaxSystem = VAT_SYSTEM): Answer {
  const found = system.findCause(code) ?? VAT_SYSTEM.findCause(code)
  if (!found) throw new Error(`The catalogue has no cause ${code}.`)
  const { taxTreatment, regimeKey, article } = found
  return {
    taxTreatment,
    regimeKey,
    vatRateBp: taxTreatment === 'S2' ? 0 : null,
    cause: code,
    article,
    document: 'invoice',
    isDisbursement: false,
    compensationBp: null,
    foreignTax: null,
    why: reason ? [reason] : [],
    warnings: [],
    questions: [],
  }
}

/** Adds a warning, once. */
export function warn(
  answer: Answer,
  code: WarningCode,
  params: Record<string, string | number> = {},
): Answer {
  if (!answer.warnings.some((each) => each.code === code)) answer.warnings.push(warning(code, params))
  return answer
}

/** Adds a reason. */
export function because(answer: Answer, code: WhyCode, params: Record<string, string | number> = {}): Answer {
  answer.why.push(why(code, params))
  return answer
}

/** Records a question whose answer would make the proposal certain. */
export function ask(answer: Answer, field: QuestionField): Answer {
  if (!answer.questions.includes(field)) answer.questions.push(field)
  return answer
}
