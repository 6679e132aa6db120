/**
 * Open part of a quote: what an invoice may take of it, and which deposits it deducts; never more than the quote.
 * Pure.
 */
import { divideRounded } from '../../domain/money.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import { computeTotals, lineNetCents, shareCents, taxesMargin } from '../../domain/tax/totals.ts'
import type { PriceMode, TotalsLine } from '../../domain/tax/totals.ts'

/** Part of a line that an invoice took. */
export interface Taken {
  position: number
  quantityMicro: Micro
  discountCents: Cents
  costCents: Cents
}

/** Deposit of a tax group, in the price mode of the quote: requested (+) or deducted (-). */
export interface DepositPart {
  group: string
  cents: Cents
}

export interface Conversion {
  lines: readonly Taken[]
  deposits: readonly DepositPart[]
  /** Its share of the document's fixed discount. */
  discountCents: Cents
}

/** Parts of a quote's content that matter here. */
export interface OpenContent<Line extends TotalsLine = TotalsLine> {
  lines: readonly Line[]
  priceMode: PriceMode
  discountBp: BasisPoints
  discountCents: Cents
}

/** Open part of a line; `isOpen` also for a line without quantity that no invoice has yet. */
export interface OpenLine extends Taken {
  isOpen: boolean
}

/** Returns the open part of each line. */
export function openLines(content: OpenContent, conversions: readonly Conversion[]): OpenLine[] {
  const open = content.lines.map((line, position) => ({
    position,
    quantityMicro: line.quantityMicro,
    discountCents: line.discountCents,
    costCents: line.costCents ?? 0,
    isOpen: true,
  }))
  for (const { lines } of conversions)
    for (const taken of lines) {
      const line = open[taken.position]
      if (!line) continue
      line.quantityMicro -= taken.quantityMicro
      line.discountCents -= taken.discountCents
      line.costCents -= taken.costCents
      line.isOpen = line.quantityMicro !== 0
    }
  return open
}

function part(whole: number, top: number, bottom: number): number {
  return bottom === 0 ? whole : Number(divideRounded(BigInt(whole) * BigInt(top), BigInt(bottom)))
}

function nearer(value: number, limit: number): number {
  return limit < 0 ? Math.max(value, limit) : Math.min(value, limit)
}

/** Takes a quantity of an open line, with its share of the line's fixed amounts; the last part takes the rest. */
export function takeOf(content: OpenContent, open: OpenLine, quantityMicro: Micro): Taken {
  const { position } = open
  if (quantityMicro === open.quantityMicro)
    return { position, quantityMicro, discountCents: open.discountCents, costCents: open.costCents }
  const line = content.lines[position]
  const whole = line?.quantityMicro ?? 0
  return {
    position,
    quantityMicro,
    discountCents: nearer(part(line?.discountCents ?? 0, quantityMicro, whole), open.discountCents),
    costCents: nearer(part(line?.costCents ?? 0, quantityMicro, whole), open.costCents),
  }
}

/** Takes all that is left. */
export function takeAll(content: OpenContent, open: readonly OpenLine[]): Taken[] {
  return open.filter(({ isOpen }) => isOpen).map((line) => takeOf(content, line, line.quantityMicro))
}

/** Takes a share of the quantity of each line, at most what is left of it. */
export function takeShare(content: OpenContent, open: readonly OpenLine[], shareBp: BasisPoints): Taken[] {
  const taken: Taken[] = []
  for (const line of open) {
    if (!line.isOpen) continue
    const wanted = part(content.lines[line.position]?.quantityMicro ?? 0, shareBp, 10_000)
    const quantity = nearer(wanted, line.quantityMicro)
    if (quantity !== 0 || line.quantityMicro === 0) taken.push(takeOf(content, line, quantity))
  }
  return taken
}

/** Returns the lines as the invoice that takes them states them. */
export function linesTaken<Line extends TotalsLine>(
  content: OpenContent<Line>,
  taken: readonly Taken[],
): Line[] {
  return taken.flatMap(({ position, quantityMicro, discountCents, costCents }) => {
    const line = content.lines[position]
    if (!line) return []
    return [{ ...line, quantityMicro, discountCents, costCents: line.costCents === null ? null : costCents }]
  })
}

// ---- Deposits. ----

/** Group of lines of equal tax and equal withholding: a deposit has one line for each. */
export function groupOf(line: TotalsLine): string {
  const { taxTreatment, regimeKey, vatRateBp, surchargeRateBp, withholdable } = line
  return [taxTreatment, regimeKey, vatRateBp ?? '', surchargeRateBp ?? '', withholdable ? 1 : 0].join('|')
}

/**
 * True when a deposit may cover the line: not for disbursements, nor under a margin scheme, whose margin is not known
 * yet.
 */
function bearsDeposit(line: TotalsLine): boolean {
  return !line.isDisbursement && !taxesMargin(line)
}

/** Returns the amount of each group in the price mode of the quote, after the document's discount. */
export function amountsOf(
  lines: readonly TotalsLine[],
  { priceMode, discountBp, discountCents }: Omit<OpenContent, 'lines'>,
): Map<string, Cents> {
  const bearing = lines.filter(bearsDeposit)
  const totals = computeTotals(bearing, { priceMode, withholdingRateBp: null, discountBp, discountCents })
  const amounts = new Map<string, Cents>()
  for (const tax of totals.taxes) {
    const same = bearing.filter(
      (line) =>
        line.taxTreatment === tax.taxTreatment &&
        line.regimeKey === tax.regimeKey &&
        line.vatRateBp === tax.vatRateBp &&
        line.surchargeRateBp === tax.surchargeRateBp,
    )
    const groups = [...new Set(same.map(groupOf))]
    const cents =
      priceMode === 'net'
        ? tax.baseCents
        : tax.baseCents + tax.taxCents + tax.surchargeCents + tax.outsideCents
    const weights = groups.map((group) =>
      same
        .filter((line) => groupOf(line) === group)
        .reduce((sum, line) => sum + BigInt(lineNetCents(line, 'net')), 0n),
    )
    const shares = shareCents(cents, weights)
    for (const [index, group] of groups.entries()) amounts.set(group, shares[index] ?? 0)
  }
  return amounts
}

/** Returns the deposits that are invoiced and not deducted yet. */
export function outstandingDeposits(conversions: readonly Conversion[]): Map<string, Cents> {
  const sums = new Map<string, Cents>()
  for (const { deposits } of conversions)
    for (const { group, cents } of deposits) sums.set(group, (sums.get(group) ?? 0) + cents)
  for (const [group, cents] of sums) if (cents === 0) sums.delete(group)
  return sums
}

/** Returns the invoiced amount of each group, deposits included. */
function invoicedOf(content: OpenContent, conversions: readonly Conversion[]): Map<string, Cents> {
  const sums = outstandingDeposits(conversions)
  for (const conversion of conversions) {
    if (conversion.lines.length === 0) continue
    const amounts = amountsOf(linesTaken(content, conversion.lines), {
      ...content,
      discountCents: conversion.discountCents,
    })
    for (const [group, cents] of amounts) sums.set(group, (sums.get(group) ?? 0) + cents)
  }
  return sums
}

/**
 * Returns a deposit of a share of the quote: of each group at most what is not invoiced yet and what the remaining
 * lines can deduct again. Negative groups bear none.
 */
export function depositOf(
  content: OpenContent,
  conversions: readonly Conversion[],
  shareBp: BasisPoints,
): DepositPart[] {
  const invoiced = invoicedOf(content, conversions)
  const outstanding = outstandingDeposits(conversions)
  const rest = takeAll(content, openLines(content, conversions))
  const restAmounts = amountsOf(linesTaken(content, rest), {
    ...content,
    discountCents: discountShareOf(content, conversions, rest, true),
  })
  const parts: DepositPart[] = []
  for (const [group, cents] of amountsOf(content.lines, content)) {
    const left = Math.min(
      cents - Math.max(0, invoiced.get(group) ?? 0),
      (restAmounts.get(group) ?? 0) - (outstanding.get(group) ?? 0),
    )
    const wanted = Math.min(part(cents, shareBp, 10_000), left)
    if (wanted > 0) parts.push({ group, cents: wanted })
  }
  return parts
}

/**
 * Returns the deposits that an invoice of these lines deducts: as much as its own amounts allow, and all of them on
 * the last one.
 */
export function deductionsFor(
  amounts: ReadonlyMap<string, Cents>,
  conversions: readonly Conversion[],
  isLast: boolean,
): DepositPart[] {
  const parts: DepositPart[] = []
  for (const [group, outstanding] of outstandingDeposits(conversions)) {
    const cents = isLast ? outstanding : Math.min(outstanding, Math.max(0, amounts.get(group) ?? 0))
    if (cents !== 0) parts.push({ group, cents: -cents })
  }
  return parts
}

/** Returns the part of the document's fixed discount of these lines; the last invoice gets the rest. */
export function discountShareOf(
  content: OpenContent,
  conversions: readonly Conversion[],
  taken: readonly Taken[],
  isLast: boolean,
): Cents {
  const left = conversions.reduce((rest, { discountCents }) => rest - discountCents, content.discountCents)
  if (isLast || left === 0) return left
  const sum = (lines: readonly TotalsLine[]) =>
    lines.filter((line) => !line.isDisbursement).reduce((all, line) => all + lineNetCents(line, 'net'), 0)
  const share = part(content.discountCents, sum(linesTaken(content, taken)), sum(content.lines))
  return Math.min(Math.max(0, share), left)
}

/** True when nothing is left after these lines. */
export function isLastOf(open: readonly OpenLine[], taken: readonly Taken[]): boolean {
  return open.every(({ isOpen, position, quantityMicro }) => {
    if (!isOpen) return true
    const mine = taken.find((each) => each.position === position)
    return mine !== undefined && mine.quantityMicro === quantityMicro
  })
}
