/** Computes what an operation adds to which totals of which months. Pure, and the only place where this is decided. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { searchText } from '../../domain/text.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import { euKeyOf, isSelfAssessed, partyTerritoryOf, systemOf } from './operation.ts'
import type { EuKey, Operation, OperationParty, OperationTax, PartyTerritory, Side } from './operation.ts'

/**
 * When tax counts: accrued and deducted (or collected) in the same month; only accrued, because the payment or the
 * deduction comes later; or that later payment or deduction.
 */
type Stage = 'both' | 'accrued' | 'settled'

/** Key of a total; `-1` and `''` stand for what does not apply. */
export interface Group {
  side: Side
  stage: Stage
  rectifying: 0 | 1
  tax: string
  taxTreatment: TaxTreatment
  regimeKey: string
  vatRateBp: number
  surchargeBp: number
  place: PartyTerritory
  nature: '' | 'goods' | 'services'
  deductible: 0 | 1
  investment: 0 | 1
  euKey: string
  country: string
}

export interface Amounts {
  baseCents: Cents
  taxCents: Cents
  surchargeCents: Cents
  deductibleCents: Cents
  /** Income or expense for income tax. */
  incomeCents: Cents
}

export interface FigurePart extends Amounts {
  group: Group
  month: number
}

/** Returns 202607 for any day of July 2026. */
export function monthNumber(date: BusinessDate): number {
  return Number(date.slice(0, 4)) * 100 + Number(date.slice(5, 7))
}

/** Returns the periods of a month: itself, its quarter (21 to 24) and its year (0). */
export function periodsOf(month: number): [number, number, number] {
  const year = Math.floor(month / 100) * 100
  return [month, year + 20 + Math.ceil((month % 100) / 3), year]
}

/** Returns the same text for equal groups. */
export function groupText(group: Group): string {
  return [
    group.side,
    group.stage,
    group.rectifying,
    group.tax,
    group.taxTreatment,
    group.regimeKey,
    group.vatRateBp,
    group.surchargeBp,
    group.place,
    group.nature,
    group.deductible,
    group.investment,
    group.euKey,
    group.country,
  ].join('|')
}

const ONE_STOP_SHOP = '17'

/**
 * True under the one-stop shop: the tax belongs to another country, so the country is part of the group. A tax without
 * one has the same key for something else (under IGIC the sales of retailers).
 */
const isOneStopShop = (tax: OperationTax): boolean =>
  tax.regimeKey === ONE_STOP_SHOP && systemOf(tax)?.supply.oneStopShop !== false

function groupOf(operation: Operation, tax: OperationTax, stage: Stage): Group {
  return {
    side: operation.side,
    stage,
    rectifying: operation.rectifying ? 1 : 0,
    tax: tax.tax ?? 'vat',
    taxTreatment: tax.taxTreatment,
    regimeKey: tax.regimeKey,
    vatRateBp: tax.vatRateBp ?? -1,
    surchargeBp: tax.surchargeRateBp ?? -1,
    place: tax.place ?? partyTerritoryOf(operation.party, tax.nature ?? null),
    nature: tax.nature ?? '',
    deductible: (tax.deductibleCents ?? 0) === 0 ? 0 : 1,
    investment: tax.investment === true ? 1 : 0,
    euKey: euKeyOf(operation, tax) ?? '',
    country: isOneStopShop(tax) ? operation.party.country : '',
  }
}

/** Merges parts of the same group and month, so that a document adds once to each total. */
function gathered(parts: readonly FigurePart[]): FigurePart[] {
  const byKey = new Map<string, FigurePart>()
  for (const part of parts) {
    const key = `${part.month}|${groupText(part.group)}`
    const known = byKey.get(key)
    if (!known) {
      byKey.set(key, { ...part })
      continue
    }
    known.baseCents += part.baseCents
    known.taxCents += part.taxCents
    known.surchargeCents += part.surchargeCents
    known.deductibleCents += part.deductibleCents
    known.incomeCents += part.incomeCents
  }
  return [...byKey.values()]
}

/**
 * Returns the income or expense for income tax: non-deductible tax of a purchase is a cost, an investment good is
 * depreciated.
 */
function incomeCentsOf(side: Side, tax: OperationTax): Cents {
  if (tax.incomeCents !== undefined) return tax.incomeCents
  if (side === 'issued') return tax.baseCents
  if (tax.investment === true) return 0
  return tax.baseCents + tax.taxCents + tax.surchargeCents - (tax.deductibleCents ?? 0)
}

/** Returns what the operation itself adds; what payments add under cash accounting is in `settledParts`. */
export function partsOf(operation: Operation): FigurePart[] {
  const month = monthNumber(operation.date)
  const later = operation.deductionDate ? monthNumber(operation.deductionDate) : month
  const parts: FigurePart[] = []
  for (const tax of operation.taxes) {
    const { baseCents, taxCents, surchargeCents } = tax
    const amounts = { baseCents, taxCents, surchargeCents, deductibleCents: tax.deductibleCents ?? 0 }
    const incomeCents = incomeCentsOf(operation.side, tax)
    if (operation.cash || later !== month) {
      parts.push({
        group: groupOf(operation, tax, 'accrued'),
        month,
        ...amounts,
        deductibleCents: 0,
        incomeCents,
      })
      if (!operation.cash)
        parts.push({ group: groupOf(operation, tax, 'settled'), month: later, ...amounts, incomeCents: 0 })
    } else {
      parts.push({ group: groupOf(operation, tax, 'both'), month, ...amounts, incomeCents })
    }
  }
  const [first] = parts
  if (first) first.incomeCents += incomeOf(operation) - incomeByTax(operation)
  return gathered(parts)
}

function incomeByTax({ side, taxes }: Operation): Cents {
  return taxes.reduce((sum, tax) => sum + incomeCentsOf(side, tax), 0)
}

/** Returns the income or expense for income tax of a whole operation. */
export function incomeOf(operation: Operation): Cents {
  return operation.incomeCents ?? incomeByTax(operation)
}

/** Returns what cash accounting makes due for the whole operation, in the month of `date`. */
export function settledParts(operation: Operation, date: BusinessDate): FigurePart[] {
  const month = monthNumber(date)
  return gathered(
    operation.taxes.map((tax) => ({
      group: groupOf(operation, tax, 'settled'),
      month,
      baseCents: tax.baseCents,
      taxCents: tax.taxCents,
      surchargeCents: tax.surchargeCents,
      deductibleCents: tax.deductibleCents ?? 0,
      incomeCents: 0,
    })),
  )
}

/** Returns the key of the other party: its tax number, or its name when it has none. */
export function partyKey(party: OperationParty): string {
  return party.nif === null ? `name|${searchText(party.name)}` : `${party.country}|${normalizeNif(party.nif)}`
}

/** Returns the tax charged on the document. */
export function chargedCents(operation: Operation): Cents {
  let sum = 0
  for (const tax of operation.taxes)
    if (!isSelfAssessed(operation.side, tax)) sum += tax.taxCents + tax.surchargeCents
  return sum
}

/**
 * Returns the amount of the operation for the return of operations with third parties. Excluded: operations with
 * withholding (declared in 190 and 180) unless the list of the tax states them, those across the border of the country or
 * the Union (349, customs), one-stop shop, and parties without a tax number. Source: RD 1065/2007 arts. 33 and 34.
 */
export function thirdPartyCents(operation: Operation): Cents {
  if (
    operation.outsideThirdParties === true ||
    (operation.withholding !== null &&
      !operation.taxes.every((tax) => systemOf(tax)?.listsWithheld === true)) ||
    operation.party.nif === null
  )
    return 0
  let sum = 0
  for (const tax of operation.taxes) {
    // E5 is a sale to another member state only where the tax has such sales.
    const isSoldAbroad = tax.taxTreatment === 'E5' && systemOf(tax)?.supply.unionGoods !== false
    const isExport = tax.taxTreatment === 'E2' || isSoldAbroad
    const isImport = operation.side === 'received' && tax.regimeKey === '13'
    const isAbroad = isOneStopShop(tax) || euKeyOf(operation, tax) !== null
    if (isExport || isImport || isAbroad) continue
    sum += tax.baseCents
    if (!isSelfAssessed(operation.side, tax)) sum += tax.taxCents + tax.surchargeCents
  }
  return sum
}

/** Returns the bases by key of the recapitulative statement (model 349). */
export function euBases(operation: Operation): Map<EuKey, Cents> {
  const bases = new Map<EuKey, Cents>()
  for (const tax of operation.taxes) {
    const key = euKeyOf(operation, tax)
    if (key !== null) bases.set(key, (bases.get(key) ?? 0) + tax.baseCents)
  }
  return bases
}

/** Returns the sum of the bases. */
export function baseCentsOf(operation: Operation): Cents {
  return operation.taxes.reduce((sum, tax) => sum + tax.baseCents, 0)
}
