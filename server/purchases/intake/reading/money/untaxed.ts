/**
 * Money of a document without VAT: exempt, of reverse charge, or from abroad. Its total is proven only when printed
 * parts make it. Pure.
 */
import type { Cents } from '../../../../domain/money.ts'
import type { Total, Veto } from './money.ts'
import type { Printed, Sums } from '../printed.ts'

export interface Untaxed {
  cents: Cents
  target: Printed
  /** Printed amounts that make the total; empty when none do. */
  parts: Printed[]
  vetoes: Veto[]
}

const MAX_PARTS = 60

/** Returns the amounts of consecutive rows above the total that add up to it; null when none do. */
function partsAbove(target: Printed, cents: Cents, sums: Sums): Printed[] | null {
  const parts: Printed[] = []
  let sum = 0
  for (let index = target.row.index - 1; index >= 0 && parts.length < MAX_PARTS; index--) {
    const row = sums.rows[index]
    if (!row || row.page !== target.row.page) return null
    const last = sums.byRow.get(index)?.at(-1)
    const [value = 0] = last?.values ?? []
    // A subtotal, or the total again.
    if (!last || value === cents) continue
    if (last.own === 'paid' || last.own === 'payable') return null
    parts.push(last)
    sum += value
    if (sum === cents) return parts.length >= 2 ? parts.toReversed() : null
    if (Math.abs(sum) > Math.abs(cents) * 3) return null
  }
  return null
}

/** Returns the row that states the amount at 0 % with a quota of 0.00; null when there is none. */
function zeroRow(cents: Cents, sums: Sums): Printed[] | null {
  for (const [index, amounts] of sums.byRow) {
    if (!sums.percents.some(({ row, rateBp }) => row.index === index && rateBp === 0)) continue
    const base = amounts.find(({ values: [value] }) => value === cents)
    const tax = amounts.find(({ values: [value] }) => value === 0)
    if (base && tax) return [base, tax]
  }
  return null
}

/** Returns the base of an exempt line beside the total of the document; null when there is none. */
function exemptBase(target: Printed, cents: Cents, sums: Sums): Printed[] | null {
  const base = sums.amounts.find(
    ({ own, ofRow, column, row, values: [value] }) =>
      (own === 'exempt' || ofRow === 'exempt') && column === 'base' && row !== target.row && value === cents,
  )
  return base ? [base] : null
}

/** Finds the money of a document without VAT; null when it has a quota, or no labelled total. */
export function solveUntaxed(sums: Sums, totals: readonly Total[]): Untaxed | null {
  if (
    sums.amounts.some(
      ({ own, values: [cents = 0], repaired }) =>
        own === 'tax' && cents !== 0 && !repaired.has(cents) && !isPremiumTax(sums, cents),
    )
  )
    return null
  const counted = totals.map((total) => ({
    total,
    strength:
      total.strength +
      totals.filter(({ cents, printed }) => cents === total.cents && printed !== total.printed).length * 0.5,
  }))
  const [best] = counted.toSorted((a, b) => b.strength - a.strength)
  if (!best) return null
  const { cents, printed: target } = best.total
  if (cents === 0) return null
  const vetoes = new Set<Veto>()
  if (totals.some((each) => Math.abs(each.cents) > Math.abs(cents) && (!each.byHeading || each.isExplicit)))
    vetoes.add('larger_total')
  if (best.total.byHeading && !best.total.isExplicit) vetoes.add('total_by_heading')
  const parts =
    partsAbove(target, cents, sums) ?? zeroRow(cents, sums) ?? exemptBase(target, cents, sums) ?? []
  if (parts.length === 0) vetoes.add('unproven_parts')
  if ([target, ...parts].some(({ row, values }) => row.source === 'ocr' && values.length > 1))
    vetoes.add('ambiguous_amount')
  if (sums.amounts.some(({ own, values: [value = 0] }) => own === 'withholding' && value !== 0))
    vetoes.add('unexplained_label')
  return { cents, target, parts, vetoes: [...vetoes] }
}

/** True for the tax on insurance premiums, which is part of the price. */
function isPremiumTax(sums: Sums, cents: Cents): boolean {
  return sums.amounts.some(
    ({ before, values }) => values.includes(cents) && /prima|ips|premium/i.test(before),
  )
}
