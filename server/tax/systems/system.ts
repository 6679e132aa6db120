/**
 * The port of an indirect tax: everything that differs between the taxes of the Spanish territories, as dated data. Code
 * outside this folder asks a system, and never for a territory or a tax by name. Pure.
 */
import type { BusinessDate } from '../../domain/dates.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import type { Dated } from '../../domain/tax/dated.ts'
import type { TaxArea, TerritoryCode } from '../../domain/tax/territories.ts'
import { usualRegime } from '../../domain/tax/totals.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { Cause } from './cause.ts'
import type { TaxFamily, VatRegime } from './contract.ts'

/** Code of the tax in the registry's record ("Impuesto"). */
export type TaxCode = '01' | '02' | '03'

/** A rate with its validity and its source. */
export interface SystemRate extends Dated {
  /** Group of the law's list. */
  kind?: 'zero' | 'reduced' | 'general' | 'increased' | 'special'
  rateBp: BasisPoints
  /** True for the rate that applies if no other does. */
  general?: true
  /** Surcharges of a retailer customer that may stand beside it on an invoice; the first is the usual one. */
  surchargesBp: readonly BasisPoints[]
  /** Surcharge that a retailer pays at customs on an import at this rate; null where there is none. */
  importSurchargeBp: BasisPoints | null
  /** False for a rate that a person may choose, but no list offers by itself. */
  offered?: false
}

/** How a regime of the company changes its sales: the treatment and cause of what is sold at home. */
export interface RegimeSale {
  /** Applies to goods only, or to everything. */
  on: 'goods' | 'all'
  taxTreatment: TaxTreatment
  cause: string | null
  /** Why it is proposed, as a sentence of an assumption. */
  why: string
}

/** A regime that a company of the system may be under. */
interface RegimeRule {
  regime: VatRegime
  /** Regime key of its taxed sales in the record; null: the general one. */
  taxedKey: string | null
  /** Regime keys of its exempt sales by treatment; the usual one of a treatment that it does not name. */
  exemptKeys: Readonly<Partial<Record<TaxTreatment, string>>>
  /** Regime key of sales with their cost, of which the margin is taxed. */
  marginKey: string
  sale: RegimeSale | null
  /** False if nothing of what it buys is deducted. */
  deducts: boolean
  /** True if it pays the retailer's surcharge of this system at customs. */
  paysImportSurcharge: boolean
  /** Conditions of the law that nothing here checks; null where none is known. */
  conditions: { es: string; en: string } | null
}

/** Words of an invoice for a treatment: those of the law in Spanish and in English, with the article. */
export interface MentionText {
  es: string
  en: string
  article: string | null
}

/** Sort of a mention, for the languages that have no text of the law. */
export type MentionKind =
  | 'exempt'
  | 'export'
  | 'intra'
  | 'not_subject'
  | 'place'
  | 'reverse'
  | 'place_reverse'

/** Legal words of a system on a day. */
export interface LegalMentions extends Dated {
  /** By treatment. */
  plain: Partial<Record<TaxTreatment, MentionText>>
  /** Not subject by place of supply. */
  place: MentionText
  /** The same, where the customer accounts for the tax. */
  placeReversed: MentionText
}

/**
 * Where a sale from the system's own area is taxed. The areas are those of `domain/tax/territories.ts`; what a table does
 * not name is at home.
 */
export interface PlaceOfSupplyRules {
  /** Goods sent to another member state are intra-Community supplies; otherwise they are exports. */
  unionGoods: boolean
  /** Sales to consumers of other member states have the one-stop shop and its threshold. */
  oneStopShop: boolean
  /** Sales to businesses of the Union are declared in the recapitulative statement (349). */
  recapitulative: boolean
  /** Cause of a service to a business established in another area. */
  serviceTo: Readonly<Partial<Record<TaxArea, string>>>
  /** Regime key of an operation taxed in another area, where the record has one for it. */
  keyElsewhere: Readonly<Partial<Record<TaxArea, string>>>
  /** Areas whose consumers are taxed here on the listed services (advice, advertising …), by an express rule. */
  listedAtHome: readonly TaxArea[]
  /** Farmers may be under a scheme with a flat-rate compensation. */
  farmerScheme: boolean
  /** Reverse charges, margins and reductions of the supplies in the treatment helper are those of this system. */
  ownSupplyRules: boolean
}

/** What a purchase of a company of the system is. */
interface PurchaseRules {
  /** Goods and services of member states have natures of their own. */
  unionNatures: boolean
  /** Tax of this system borne at home is deducted unless something says otherwise. */
  deducts: boolean
  /** A Spanish supplier of another area that charges a rate of this system has charged this tax. */
  trustsOwnRateFromElsewhere: boolean
}

/** A return of the system, by its number. What it holds is in the room of the returns. */
interface ReturnName {
  model: string
  name: { es: string; en: string }
  period: 'month' | 'quarter' | 'year' | 'occasion'
}

interface SystemLimit extends Dated {
  code: string
  /** Scheme of a company that ends above it, by the sales of a year without tax. */
  regime?: VatRegime
  cents: Cents
}

/** What an item says about its tax. */
interface PlainItem {
  taxTreatment: TaxTreatment
  cause: string | null
  vatRateBp: BasisPoints | null
}

/** What a system is made of; `defineSystem` adds the questions. */
export interface SystemData {
  family: TaxFamily
  code: TaxCode
  /** As printed. */
  name: 'IVA' | 'IGIC' | 'IPSI'
  /** In English texts. */
  englishName: 'VAT' | 'IGIC' | 'IPSI'
  /** Why its general rate is proposed, as a sentence of an assumption; null where there is none. */
  generalRateReason: string | null
  /** Area where it applies. */
  area: TaxArea
  /** Place of a company of the system when its address does not say it more precisely. */
  place: TerritoryCode
  /** Category of its taxed lines in an electronic invoice (UNTDID 5305); `zero` at 0 %. */
  category: { taxed: 'S' | 'L' | 'M'; zero: 'Z' | 'L' | 'M' }
  rates: readonly SystemRate[]
  /** False if each good or service has the rate that a person chose for it: no line gets one by default. */
  hasGeneralRate: boolean
  regimes: readonly RegimeRule[]
  /** Regime keys of the record. */
  regimeKeys: readonly string[]
  /** Regime key of a treatment when no regime of the company decides. */
  keyOfTreatment: Readonly<Partial<Record<TaxTreatment, string>>>
  treatments: readonly TaxTreatment[]
  causes: readonly Cause[]
  /** Article of each treatment, where the system has one for all of its causes; null: each cause has its own. */
  articleOf: ((taxTreatment: TaxTreatment) => string) | null
  words: readonly [LegalMentions, ...LegalMentions[]]
  /** Words in the languages of documents other than Spanish and English. */
  translated: Readonly<Record<Exclude<DocumentLanguage, 'es' | 'en'>, Readonly<Record<MentionKind, string>>>>
  /** Law of the articles of the causes; null where each article names its own. */
  law: string | null
  supply: PlaceOfSupplyRules
  purchases: PurchaseRules
  limits: readonly SystemLimit[]
  /** Its list of operations with third parties also states operations with withholding. */
  listsWithheld: boolean
  returns: readonly ReturnName[]
}

export interface TaxSystem extends SystemData {
  /** Returns the rates that are offered on a day, highest first, each once. */
  ratesAt: (date: BusinessDate) => SystemRate[]
  /** Returns the row of one rate on a day, or undefined if that rate did not exist then. */
  rateAt: (rateBp: BasisPoints, date: BusinessDate) => SystemRate | undefined
  /** Returns the rate of a line that names none; null if a person has to choose it. */
  defaultRateAt: (date: BusinessDate) => BasisPoints | null
  /** Returns a cause by its code, or undefined if the system has none such. */
  findCause: (code: string) => Cause | undefined
  /** Returns the rule of a regime, or undefined if no company of the system can be under it. */
  regimeOf: (regime: VatRegime) => RegimeRule | undefined
  /**
   * Returns the sale by which a regime exempts an item that is plainly taxed; null if it does not. A regime for goods only
   * exempts those that name no rate of their own.
   */
  saleOfItem: (regime: VatRegime, item: PlainItem) => RegimeSale | null
  /** Returns the regime key of a sale that names none. */
  keyOf: (sale: {
    taxTreatment: TaxTreatment
    cause: string | null
    regime: VatRegime
    hasCost: boolean
  }) => string
  /** Returns the legal words in force on a day; the newest without a day. */
  wordsAt: (date?: BusinessDate) => LegalMentions
}

/** A regime that changes neither key, treatment nor deduction. */
export function regimeRule(regime: VatRegime, more: Partial<RegimeRule> = {}): RegimeRule {
  return {
    regime,
    taxedKey: null,
    exemptKeys: {},
    marginKey: '03',
    sale: null,
    deducts: true,
    paysImportSurcharge: false,
    conditions: null,
    ...more,
  }
}

const isInForce = (row: Pick<Dated, 'from' | 'to'>, date: BusinessDate): boolean =>
  row.from <= date && (row.to === null || date <= row.to)

/** Returns the system of its data. */
export function defineSystem(data: SystemData): TaxSystem {
  const byCode = new Map(data.causes.map((cause) => [cause.code, cause]))
  const regimeOf = (regime: VatRegime) => data.regimes.find((rule) => rule.regime === regime)
  return {
    ...data,
    ratesAt: (date) => {
      const rows = data.rates
        .filter((rate) => rate.offered !== false && isInForce(rate, date))
        .sort((a, b) => b.rateBp - a.rateBp)
      return rows.filter((rate, index) => rows.findIndex((one) => one.rateBp === rate.rateBp) === index)
    },
    rateAt: (rateBp, date) => data.rates.find((rate) => rate.rateBp === rateBp && isInForce(rate, date)),
    defaultRateAt: (date) => {
      if (!data.hasGeneralRate) return null
      const general = data.rates.filter((rate) => rate.general === true)
      // A reduced rate is never a default: before the table begins it is its first general rate, which the check rejects.
      return (general.find((rate) => isInForce(rate, date)) ?? general[0])?.rateBp ?? null
    },
    findCause: (code) => byCode.get(code),
    regimeOf,
    saleOfItem: (regime, { taxTreatment, cause, vatRateBp }) => {
      const sale = regimeOf(regime)?.sale ?? null
      if (sale === null || sale.cause === null || taxTreatment !== 'S1' || cause !== null) return null
      return sale.on === 'all' || vatRateBp === null ? sale : null
    },
    keyOf: ({ taxTreatment, cause, regime, hasCost }) => {
      const rule = regimeOf(regime)
      if (rule && taxTreatment === 'S1') {
        if (hasCost) return rule.marginKey
        if (rule.taxedKey !== null) return rule.taxedKey
      }
      const ofSale = cause !== null && cause === rule?.sale?.cause ? byCode.get(cause) : undefined
      if (ofSale?.taxTreatment === taxTreatment) return ofSale.regimeKey
      return rule?.exemptKeys[taxTreatment] ?? data.keyOfTreatment[taxTreatment] ?? usualRegime(taxTreatment)
    },
    wordsAt: (date) => {
      const [newest] = data.words
      if (date === undefined) return newest
      return data.words.find((row) => isInForce(row, date)) ?? data.words.at(-1) ?? newest
    },
  }
}
