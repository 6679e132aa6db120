/**
 * Proposes the VAT of a purchase from outside the area of Spanish VAT when the treatment is not given. Pure. Sources:
 * LIVA arts. 13 and 84.Uno.2º and 4º (the buyer assesses the tax), 18 and 77 (imports pay at customs), 92 and 97
 * (only Spanish VAT, with an invoice, can be deducted); Protocol on Ireland and Northern Ireland art. 8.
 */
import { taxArea } from '../../domain/tax/territories.ts'
import type { TerritoryCode } from '../../domain/tax/territories.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import { taxSystemOfArea } from '../../tax/systems/index.ts'
import type { TaxSystem } from '../../tax/systems/index.ts'
import { basisPointsFromPercent, percentOf, centsFromEuros, eurosFromCents } from '../../domain/money.ts'
import { findConcept } from './concepts.ts'
import type { ReceivedLine } from './content.ts'
import type { ReceivedKind, TaxLineInput } from './contract.ts'
import { warning } from '../fault.ts'

export interface SupplierStanding {
  /** Place of the supplier: a country, or a Spanish territory outside the area of VAT. */
  place: TerritoryCode
  /** The supplier has a Spanish tax number, so VAT that it charges is Spanish. */
  hasSpanishNif: boolean
}

interface ProposedLine {
  line: TaxLineInput
  nature: ReceivedLine['nature']
  treatment: TaxTreatment
  fault: Fault
}

interface Setting {
  /** Tax of the company's territory. */
  system: TaxSystem
  kind: ReceivedKind
  date: BusinessDate
  concept: string
  account: string | null
  investmentGood: boolean
  supplier: SupplierStanding
}

/** Accounts of goods: fixed assets, stock and purchases (RD 1514/2007, groups 2 and 3, and 600 to 602). */
const GOODS_ACCOUNT = /^(2[0-4]|3|60[0-2])/

function isGoods(line: TaxLineInput, setting: Setting): boolean {
  if (line.investmentGood ?? setting.investmentGood) return true
  const account =
    line.account ??
    (line.concept === undefined ? setting.account : null) ??
    findConcept(line.concept ?? setting.concept)?.account
  return GOODS_ACCOUNT.test(account ?? '')
}

/** Kinds whose treatment follows from the kind itself. */
const DECIDED: readonly ReceivedKind[] = ['receipt', 'customs', 'reagyp']

/** True when tax that the supplier charges may belong to another territory. */
export function isAbroad({ place, hasSpanishNif }: SupplierStanding, { area: home }: TaxSystem): boolean {
  const area = taxArea(place, 'services')
  if (area === home) return false
  // In every Spanish area the tax number is Spanish and proves nothing.
  return taxSystemOfArea(area) !== undefined || !hasSpanishNif
}

/** Treatment of an amount that the supplier charged on the document, or null when it charged nothing. */
function chargedCents(line: TaxLineInput, setting: Setting): number | null {
  if (line.tax !== undefined && line.tax !== 0) return centsFromEuros(line.tax) ?? 0
  if (line.tax === 0 || !line.vatRate) return null
  const rateBp = basisPointsFromPercent(line.vatRate) ?? 0
  const isOurs = setting.system.rateAt(rateBp, setting.date) !== undefined
  // A rate of our own tax without an amount is the rate of the self-assessment; a ticket always bears the seller's own tax.
  if (isOurs && setting.kind !== 'simplified') return null
  return percentOf(centsFromEuros(line.base) ?? 0, rateBp)
}

/** Self-assesses at the given rate, or at the general one. */
function selfAssessed(line: TaxLineInput): TaxLineInput {
  const { tax: _tax, vatRate, ...rest } = line
  return { ...rest, ...(vatRate ? { vatRate } : {}) }
}

/** Proposes the treatment of a line from abroad that states none; null when it states one or is domestic. */
export function proposeAbroad(line: TaxLineInput, setting: Setting, at: string): ProposedLine | null {
  if (line.nature !== undefined || line.taxTreatment !== undefined) return null
  const { system } = setting
  if (DECIDED.includes(setting.kind) || !isAbroad(setting.supplier, system)) return null
  const { place, hasSpanishNif } = setting.supplier
  const area = taxArea(place, 'goods')
  const isSpanishArea = taxSystemOfArea(area) !== undefined
  const rateBp = line.vatRate ? (basisPointsFromPercent(line.vatRate) ?? 0) : 0
  // A Spanish business of another area that charges a rate of our tax has charged our tax.
  const trusts = isSpanishArea && hasSpanishNif && system.purchases.trustsOwnRateFromElsewhere
  if (trusts && rateBp !== 0 && system.rateAt(rateBp, setting.date)) return null
  const charged = chargedCents(line, setting)
  if (charged !== null || setting.kind === 'simplified') {
    const {
      tax: _tax,
      vatRate: _rate,
      surcharge,
      surchargeRate: _surchargeRate,
      deductiblePct: _pct,
      ...rest
    } = line
    const cents =
      (centsFromEuros(line.base) ?? 0) + (charged ?? 0) + (surcharge ? (centsFromEuros(surcharge) ?? 0) : 0)
    return {
      line: { ...rest, base: eurosFromCents(cents) },
      nature: 'domestic',
      treatment: 'N2',
      fault: warning(
        'foreign_tax_as_cost',
        `${at}.vatRate`,
        'The tax of another country or territory cannot be deducted here: it is part of the cost.',
        'If it is Spanish VAT, give the supplier’s Spanish tax number. Otherwise ask that country for a refund (form 360 in the EU).',
        { country: place },
      ),
    }
  }
  const goods = isGoods(line, setting)
  const fromUnion = system.purchases.unionNatures && area === 'eu'
  if (goods && !fromUnion)
    return {
      line: selfAssessed({ ...line, vatRate: null }),
      nature: 'import',
      treatment: 'N2',
      fault: warning(
        'import_without_customs',
        `${at}.nature`,
        system.purchases.unionNatures
          ? 'Goods from outside the EU pay their VAT at customs: this document bears none.'
          : `Goods from outside pay their ${system.name} at customs: this document bears none.`,
        `Enter the customs document (DUA) too; its ${system.englishName} is what is deducted. If these are services, choose them.`,
        { country: place },
      ),
    }
  const servicesFromUnion = system.purchases.unionNatures && taxArea(place, 'services') === 'eu'
  const nature = goods ? 'eu_goods' : servicesFromUnion ? 'eu_services' : 'foreign_services'
  return {
    line: selfAssessed(line),
    nature,
    treatment: 'S2',
    fault: warning(
      'self_assessed_proposed',
      `${at}.nature`,
      system.purchases.unionNatures
        ? `The supplier is outside the area of Spanish VAT: you assess the VAT yourself (${nature}).`
        : `The supplier is outside the area of ${system.name}: you assess it yourself (${nature}).`,
      'Check whether these are goods or services, and the rate.',
      { country: place, nature },
    ),
  }
}
