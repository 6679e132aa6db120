/**
 * Taxes of the rows of a list. What a list leaves out is derived only where arithmetic proves it: the VAT from base
 * and rate, the base from total and rate, the rate if exactly one of that day gives the VAT.
 */
import type { BusinessDate } from '../../../../domain/dates.ts'
import { percentOf } from '../../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../../domain/money.ts'
import { vatRatesAt } from '../../../../domain/tax/vat-rates.ts'
import { surchargeRateFor } from '../document.ts'
import type { RowCells } from '../read-row.ts'
import { shown } from '../report.ts'
import { SLOTS } from './fields.ts'
import { rateName, slotName } from './mapping.ts'

/** A tax as a list states or proves it. */
export interface ListTax {
  row: RowCells
  /** Field of the base, for faults. */
  field: string
  baseCents: Cents
  /** Null: without VAT, for a reason that the list does not say. */
  rateBp: BasisPoints | null
  taxCents: Cents
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents
}

const MILLION = 1_000_000

/** Returns the base of a line: price times quantity less discount. */
function lineBase(row: RowCells): Cents | null {
  const price = row.decimal('unitPrice')
  if (price === null) return null
  const quantity = row.isMapped('quantity') ? (row.decimal('quantity') ?? 1) : 1
  const discount = row.decimal('discount') ?? 0
  return Math.round((Math.round(price * MILLION) * quantity * (1 - discount / 100)) / (MILLION / 100))
}

/** Returns the rate of the day that gives the VAT of a base to the cent; null if none or several do. */
export function provenRate(baseCents: Cents, taxCents: Cents, day: BusinessDate): BasisPoints | null {
  const fitting = vatRatesAt(day).filter(
    ({ rateBp }) => rateBp !== 0 && Math.abs(percentOf(baseCents, rateBp) - taxCents) <= 1,
  )
  return fitting.length === 1 ? (fitting[0]?.rateBp ?? null) : null
}

/** Returns the base within an amount that includes VAT and surcharge; null if no base gives exactly that amount. */
function baseWithin(grossCents: Cents, rateBp: BasisPoints, surchargeBp: BasisPoints): Cents | null {
  const near = Math.round((grossCents * 10_000) / (10_000 + rateBp + surchargeBp))
  for (const base of [near, near - 1, near + 1])
    if (base + percentOf(base, rateBp) + percentOf(base, surchargeBp) === grossCents) return base
  return null
}

/** Returns the VAT between base and total; the total may be less what is withheld. */
function taxWithin(rest: Cents, withheld: Cents | null, base: Cents, day: BusinessDate): Cents {
  const before = rest + Math.abs(withheld ?? 0) * Math.sign(base)
  return rest !== 0 && provenRate(base, rest, day) === null && provenRate(base, before, day) !== null
    ? before
    : rest
}

/** Reads the tax of one slot; undefined if its cells are empty. */
function slotTax(
  row: RowCells,
  slot: number,
  day: BusinessDate,
  isOnly: boolean,
): ListTax | null | undefined {
  const name = (field: string) => slotName(field, slot)
  const stated = {
    base: row.cents(name('base')) ?? (slot === 1 && !row.isMapped('base') ? lineBase(row) : null),
    tax: row.cents(name('tax')),
    rate: row.rate(name('rate')),
    surcharge: row.cents(name('surcharge')),
    surchargeRate: row.rate(name('surchargeRate'), 0.1),
  }
  const total = slot === 1 && isOnly ? row.cents('total') : null
  let { base, rate, tax } = stated
  if (base !== null && rate === null && tax === null && total !== null)
    tax = taxWithin(total - base - (stated.surcharge ?? 0), row.cents('withholding'), base, day)
  if (base === null && tax === null && total === null) return undefined
  // Unused slots are written as zeros.
  if (slot > 1 && (base ?? 0) === 0 && (tax ?? 0) === 0) return undefined
  if (base === null && total !== null && tax !== null) base = total - tax - (stated.surcharge ?? 0)
  if (base === null && total !== null && rate !== null)
    base = baseWithin(total, rate, stated.surchargeRate ?? 0)
  if (base === null) {
    if (!row.failed) row.fault('history_amount_missing', name('base'))
    return null
  }
  if (rate === null && tax !== null && tax !== 0) {
    rate = provenRate(base, tax, day)
    if (rate === null) {
      row.fault('history_rate_not_proven', name('tax'), { base: shown(base), tax: shown(tax) })
      return null
    }
  }
  // A rate of 0 beside an amount is no rate, unless 0 % was one on that day for food, which a list cannot tell.
  const isTaxed = rate !== null && rate !== 0
  const taxCents = isTaxed ? (tax ?? percentOf(base, rate ?? 0)) : 0
  if (isTaxed && rate !== null && Math.abs(taxCents - percentOf(base, rate)) > 1)
    row.fault('history_tax_differs', name('tax'), {
      given: shown(taxCents),
      expected: shown(percentOf(base, rate)),
    })
  const surchargeRateBp =
    isTaxed && rate !== null && (stated.surcharge || stated.surchargeRate)
      ? (stated.surchargeRate ?? surchargeRateFor(stated.surcharge ?? 0, base, rate))
      : null
  const surchargeCents = isTaxed
    ? (stated.surcharge ?? (surchargeRateBp === null ? 0 : percentOf(base, surchargeRateBp)))
    : 0
  return {
    row,
    field: name('base'),
    baseCents: base,
    rateBp: isTaxed ? rate : null,
    taxCents,
    surchargeRateBp,
    surchargeCents,
  }
}

/** Reads the columns of one rate: `Base 21%`, `Cuota 21%`; undefined if they are empty. */
function rateTax(row: RowCells, rateBp: BasisPoints | null): ListTax | null | undefined {
  const base = row.cents(rateName('base', rateBp))
  const tax = row.cents(rateName('tax', rateBp))
  if ((base ?? 0) === 0 && (tax ?? 0) === 0) return undefined
  if (base === null) {
    if (!row.failed) row.fault('history_amount_missing', rateName('base', rateBp))
    return null
  }
  const isTaxed = rateBp !== null && rateBp !== 0
  const expected = isTaxed ? percentOf(base, rateBp) : 0
  const taxCents = isTaxed ? (tax ?? expected) : 0
  if (Math.abs(taxCents - expected) > 1)
    row.fault('history_tax_differs', rateName('tax', rateBp), {
      given: shown(taxCents),
      expected: shown(expected),
    })
  return {
    row,
    field: rateName('base', rateBp),
    baseCents: base,
    rateBp: isTaxed ? rateBp : null,
    taxCents,
    surchargeRateBp: null,
    surchargeCents: row.cents(rateName('surcharge', rateBp)) ?? 0,
  }
}

/** Returns the taxes of a row, without those that could not be read. */
export function rowTaxes(
  row: RowCells,
  columns: Readonly<Record<string, number>>,
  day: BusinessDate,
  isOnlyRow: boolean,
): ListTax[] {
  const rates = Object.keys(columns).flatMap((name) => {
    const match = /^base@(none|\d+)$/.exec(name)
    return match ? [match[1] === 'none' ? null : Number(match[1])] : []
  })
  const found = rates.flatMap((rateBp) => rateTax(row, rateBp) ?? [])
  if (rates.length > 0) return found
  return SLOTS.flatMap((slot) => slotTax(row, slot, day, isOnlyRow) ?? [])
}
