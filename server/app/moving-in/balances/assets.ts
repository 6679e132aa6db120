/** Goods of the book of investment goods of an earlier program, as fixed assets. */
import { deleteImportedAsset, insertImportedAsset } from '../../../accounting/assets/index.ts'
import type { ImportedAsset } from '../../../accounting/assets/index.ts'
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { HistoryAsset } from '../../../domain/history.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { noteRecord } from '../rows.ts'
import type { Outcome } from '../take.ts'

const fault = (code: string, message: string, severity: Fault['severity'], fix?: string): Fault => ({
  code,
  field: '',
  severity,
  message,
  ...(fix ? { fix } : {}),
})

/** Returns the line of the history with which a good was bought, so that it is not in the book twice. */
async function lineOf(
  tx: Ctx,
  { acquisition }: HistoryAsset,
): Promise<Pick<ImportedAsset, 'receivedId' | 'receivedLine'>> {
  if (acquisition.number === null || acquisition.issueDate === null) return {}
  const line = await tx.db
    .selectFrom('received_invoices')
    .innerJoin('received_lines', 'received_lines.received_id', 'received_invoices.id')
    .select(['received_invoices.public_id', 'received_lines.position'])
    .where('received_invoices.book_id', '=', tx.book.id)
    .where('received_invoices.state', '=', 'history')
    .where('received_invoices.supplier_number', '=', acquisition.number)
    .where('received_invoices.issue_date', '=', acquisition.issueDate)
    .where('received_lines.investment_good', '=', 1)
    .where('received_lines.base_cents', '=', acquisition.baseCents)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('assets')
            .select('assets.id')
            .whereRef('assets.received_id', '=', 'received_invoices.id')
            .whereRef('assets.received_position', '=', 'received_lines.position'),
        ),
      ),
    )
    .orderBy('received_lines.position')
    .limit(1)
    .executeTakeFirst()
  return line ? { receivedId: line.public_id, receivedLine: line.position } : {}
}

function inputOf(
  good: HistoryAsset,
  days: { bought: BusinessDate; used: BusinessDate },
  firstDay: BusinessDate,
): ImportedAsset {
  const { acquisition, depreciationRateBp: rateBp } = good
  const baseCents = acquisition.baseCents > 0 ? acquisition.baseCents : good.valueCents
  const vatCents = Math.round((baseCents * (acquisition.vatRateBp ?? 0)) / 10_000)
  const yearEnd = `${good.year}-12-31`
  const lastDay = addDays(firstDay, -1)
  const accumulatedCents = good.accumulatedCents ?? 0
  return {
    description: (good.description || good.identifier).slice(0, 160),
    kind: good.type as ImportedAsset['kind'],
    identifier: good.identifier.slice(0, 40) || null,
    acquiredOn: days.bought,
    inUseOn: days.used,
    base: eurosFromCents(baseCents),
    vat: eurosFromCents(vatCents),
    vatDeducted: eurosFromCents(Math.min(good.firstDeductibleCents ?? vatCents, vatCents)),
    vatPercent: acquisition.vatRateBp === null ? null : percentFromBasisPoints(acquisition.vatRateBp),
    ...(rateBp
      ? { method: 'percent' as const, percent: percentFromBasisPoints(rateBp) }
      : { method: 'none' as const }),
    ...(accumulatedCents > 0
      ? {
          accumulatedBefore: eurosFromCents(accumulatedCents),
          accumulatedUntil: yearEnd < lastDay ? yearEnd : lastDay,
          accumulatedInYear: eurosFromCents(good.depreciationCents ?? 0),
        }
      : {}),
    supplierName: acquisition.party.name.slice(0, 120) || null,
    supplierNif: acquisition.party.nif,
    supplierCountry: acquisition.party.country,
    invoiceNumber: acquisition.number,
    invoiceDate: acquisition.issueDate,
  }
}

/** Takes a good in, in the transaction of its stretch. */
export async function takeAsset(
  tx: Ctx,
  good: HistoryAsset,
  { runId, firstDay }: { runId: number; firstDay: BusinessDate },
): Promise<Outcome> {
  const bought = good.acquisition.issueDate ?? good.inUseFrom
  const used = good.inUseFrom ?? good.acquisition.issueDate
  if (bought === null || used === null)
    return {
      outcome: 'failed',
      faults: [
        fault(
          'history_date_missing',
          'The date is missing.',
          'error',
          'Fill in the cell, or choose its column.',
        ),
      ],
    }
  if (good.disposal !== null && good.disposal.date < firstDay)
    return {
      outcome: 'skipped',
      faults: [fault('history_asset_disposed', 'It left the business before these books.', 'warning')],
    }
  const input = inputOf(good, { bought, used }, firstDay)
  const twin = await tx.db
    .selectFrom('assets')
    .select('id')
    .where('book_id', '=', tx.book.id)
    .where('description', '=', input.description)
    .where('acquired_on', '=', bought)
    .where('identifier', 'is not distinct from', input.identifier ?? null)
    .executeTakeFirst()
  if (twin)
    return {
      outcome: 'skipped',
      faults: [fault('import_is_here', 'It is here already: left as it is.', 'warning')],
    }
  const publicId = await insertImportedAsset(tx, { ...input, ...(await lineOf(tx, good)) })
  const { id } = await tx.db
    .selectFrom('assets')
    .select('id')
    .where('book_id', '=', tx.book.id)
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
  await noteRecord(tx, runId, 'asset', { id })
  return {
    outcome: 'created',
    faults:
      input.method === 'none'
        ? [
            fault(
              'history_asset_method',
              'The book says no depreciation: choose its method.',
              'warning',
              'Open the asset and choose how it is depreciated.',
            ),
          ]
        : [],
  }
}

/** Takes an asset back, unless it is gone. Throws `moving_in_use` if something of it was booked since. */
export async function takeBackAsset(tx: Ctx, rowId: number): Promise<void> {
  const row = await tx.db
    .selectFrom('assets')
    .select(['public_id', 'description'])
    .where('book_id', '=', tx.book.id)
    .where('id', '=', rowId)
    .executeTakeFirst()
  if (!row) return
  try {
    await deleteImportedAsset(tx, row.public_id)
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'asset_booked' && error.code !== 'asset_disposed'))
      throw error
    throw new AppError('moving_in_use', { details: { uses: [{ number: row.description, by: 'asset' }] } })
  }
}
