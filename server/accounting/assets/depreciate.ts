/** Books depreciation: once for each asset and day, at the end of a year or of a quarter of it; and takes it back. */
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { ContractInput, ContractOutput } from '../../domain/contract/define-contract.ts'
import { quarterPeriod } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { centsFromEuros, eurosFromCents } from '../../domain/money.ts'
import { lockedUntil, postEntry, removeEntry } from '../ledger/index.ts'
import type { depreciateContract, depreciationContract, undoDepreciationContract } from './contract.ts'
import { lastOf, planOf, unbooked, yearOf } from './plan.ts'
import type { Booked } from './plan.ts'
import {
  changeAsset,
  findAsset,
  findAssets,
  findBookings,
  insertBooking,
  removeBooking,
  termsOf,
} from './rows.ts'
import type { AssetRow, BookingRow } from './rows.ts'
import { bookedOf } from './view.ts'

type Run = ContractOutput<typeof depreciationContract>
type RunRequest = ContractInput<typeof depreciationContract>

/** Returns the last day of a run: of the quarter, or of the year. */
function endOf({ year, quarter }: RunRequest): BusinessDate {
  return quarter === undefined ? lastOf(year) : quarterPeriod(year, quarter).to
}

interface Proposed {
  row: AssetRow
  booking: Booked
}

/** Returns what is not booked of each asset; never more than is left to depreciate. */
async function proposals(ctx: Ctx, request: RunRequest): Promise<Proposed[]> {
  const bookings = await findBookings(ctx)
  return (await findAssets(ctx)).flatMap((row) => {
    const own = bookings.get(row.id) ?? []
    // What an asset that is gone was depreciated is settled with its disposal.
    if (row.out_on !== null) return []
    const booking = unbooked(termsOf(row), own, endOf(request))
    return booking === null ? [] : [{ row, booking }]
  })
}

/** Returns the years before one with amounts that are not booked. */
async function missingYears(ctx: Ctx, before: number): Promise<number[]> {
  const bookings = await findBookings(ctx)
  const years = new Set<number>()
  for (const row of await findAssets(ctx))
    if (row.out_on === null)
      for (const { year, cents, bookedCents } of planOf(termsOf(row), bookings.get(row.id) ?? []))
        if (year < before && cents !== bookedCents) years.add(year)
  return [...years].toSorted((a, b) => a - b)
}

async function runView(ctx: Ctx, request: RunRequest): Promise<Run> {
  const proposed = await proposals(ctx, request)
  const end = endOf(request)
  let bookedCents = 0
  for (const list of (await findBookings(ctx)).values())
    for (const { to, cents } of list) if (yearOf(to) === request.year && to <= end) bookedCents += cents
  return {
    year: request.year,
    quarter: request.quarter ?? null,
    date: end,
    items: proposed.map(({ row, booking }) => ({
      id: row.public_id,
      description: row.description,
      from: booking.from,
      to: booking.to,
      amount: eurosFromCents(booking.cents),
      expenseAccount: row.expense_account,
      accumulatedAccount: row.accumulated_account,
    })),
    total: eurosFromCents(proposed.reduce((sum, { booking }) => sum + booking.cents, 0)),
    booked: eurosFromCents(bookedCents),
    lockedUntil: await lockedUntil(ctx),
    missingYears: await missingYears(ctx, request.year),
  }
}

/** Returns what a run would book. */
export const depreciationRun: UseCase<typeof depreciationContract> = (ctx, request) => runView(ctx, request)

/** Books one amount of an asset with its entry. Throws `period_locked` on a closed day. */
export async function bookDepreciation(
  tx: Ctx,
  row: AssetRow,
  booking: Booked,
  ofDisposal = false,
): Promise<void> {
  const id = await insertBooking(tx, row.id, booking, ofDisposal)
  await postEntry(tx, {
    date: booking.to,
    source: { type: 'depreciation', id },
    lines: [
      { account: row.expense_account, amountCents: booking.cents },
      { account: row.accumulated_account, amountCents: -booking.cents },
    ],
  })
}

/** Takes one booked amount back. Throws `period_locked` on a closed day. */
export async function unbook(tx: Ctx, booking: BookingRow): Promise<void> {
  await removeEntry(tx, { type: 'depreciation', id: booking.id })
  await removeBooking(tx, booking.id)
}

/** Books a run. Throws `depreciation_changed` if it is no longer what was shown. */
export const depreciate: UseCase<typeof depreciateContract> = (ctx, { expectedTotal, ...request }) =>
  ctx.transaction(async (tx) => {
    const proposed = await proposals(tx, request)
    const total = proposed.reduce((sum, { booking }) => sum + booking.cents, 0)
    if (expectedTotal !== undefined && centsFromEuros(expectedTotal) !== total)
      throw new AppError('depreciation_changed', { details: { total: eurosFromCents(total) } })
    for (const { row, booking } of proposed) await bookDepreciation(tx, row, booking)
    if (proposed.length > 0) {
      const label =
        request.quarter === undefined ? String(request.year) : `${request.quarter}T ${request.year}`
      await recordAudit(tx, {
        action: 'asset.depreciated',
        target: { type: 'depreciation', id: label, label: `${label}: ${proposed.length}` },
      })
      await emitEvent(tx, 'asset.changed', { year: request.year })
      await emitEvent(tx, 'ledger.changed', { year: request.year })
    }
    return runView(tx, request)
  })

/** Returns the first day of a run's part of the year. */
function startOf({ year, quarter }: RunRequest): BusinessDate {
  return quarter === undefined ? `${year}-01-01` : quarterPeriod(year, quarter).from
}

/**
 * Takes back what is booked of a year from a quarter on. Terms that were changed after a booking count from the last one
 * that remains.
 */
export const undoDepreciation: UseCase<typeof undoDepreciationContract> = (ctx, { id, ...request }) =>
  ctx.transaction(async (tx) => {
    const bookings = await findBookings(tx)
    const rows = id === undefined ? await findAssets(tx) : [await findAsset(tx, id)]
    let undone = 0
    for (const row of rows) {
      const own = bookings.get(row.id) ?? []
      const gone = own.filter(({ to }) => yearOf(to) === request.year && to >= startOf(request))
      if (gone.length === 0) continue
      if (row.out_on !== null) {
        if (id !== undefined) throw new AppError('asset_disposed', { details: { on: row.out_on } })
        continue
      }
      for (const booking of gone.toReversed()) await unbook(tx, booking)
      const left = own.filter((booking) => !gone.includes(booking))
      await countFrom(tx, row, left)
      undone += gone.length
    }
    if (undone > 0) {
      const label =
        request.quarter === undefined ? String(request.year) : `${request.quarter}T ${request.year}`
      await recordAudit(tx, {
        action: 'asset.depreciation_undone',
        target: { type: 'depreciation', id: label, label: `${label}: ${undone}` },
      })
      await emitEvent(tx, 'asset.changed', { year: request.year })
      await emitEvent(tx, 'ledger.changed', { year: request.year })
    }
    return { undone, depreciation: await runView(tx, request) }
  })

/** Lets the terms of an asset count from its last booking if they counted from a later one. */
async function countFrom(tx: Ctx, row: AssetRow, left: readonly BookingRow[]): Promise<void> {
  const last = left.at(-1)
  const until = last ? last.to : row.prior_until
  if (row.counted_until <= until) return
  await changeAsset(tx, row, { counted_until: until, counted_cents: bookedOf(row, left) })
}
