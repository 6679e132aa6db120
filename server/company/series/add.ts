/** Adds a series to the book, with its entry in the history. */
import { recordAudit } from '../../platform/audit/index.ts'
import type { Ctx } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { insertSeries } from './rows.ts'
import type { NewSeries, SeriesRow } from './rows.ts'

/** Adds a series; the caller has checked that its code is free. */
export async function addSeries(ctx: Ctx, series: NewSeries): Promise<SeriesRow> {
  const row = await insertSeries(ctx, series)
  await recordAudit(ctx, {
    action: 'series.created',
    target: { type: 'series', id: row.publicId, label: row.code },
  })
  await emitEvent(ctx, 'company.changed', { seriesId: row.publicId })
  return row
}
