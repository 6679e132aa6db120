/** Stores what was filed as filings, so that amounts that are carried on follow it, and takes them back. */
import { dropMovedReturn, storeMovedReturn } from '../../../accounting/returns/index.ts'
import { findFilings } from '../../../accounting/returns/index.ts'
import type { Ctx } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { forgetRecord, noteRecord, recordsOf } from '../rows.ts'
import type { RunRow } from '../rows.ts'
import { movedPeriod, proofOf } from './stored.ts'

/** More returns than any business files before it moves. */
const MOST = 1_000

/** Deletes the filings of a run. */
export async function dropFilings(tx: Ctx, run: RunRow): Promise<void> {
  for (const { record_id: id } of await recordsOf(tx, run.id, 'filing', MOST)) {
    await dropMovedReturn(tx, id)
    await forgetRecord(tx, run.id, 'filing', id)
  }
}

/**
 * Writes the filings of a run again, the earliest first: what a return carries on is part of the next. Of a period that
 * has another filing, that one stays.
 */
export async function writeFilings(tx: Ctx, run: RunRow): Promise<void> {
  await dropFilings(tx, run)
  const entries = proofOf(run).filter(({ boxes }) => Object.keys(boxes).length > 0)
  const dated = []
  for (const entry of entries) dated.push({ entry, period: await movedPeriod(tx, run, entry) })
  dated.sort((a, b) => (a.period.to < b.period.to ? -1 : a.period.to > b.period.to ? 1 : 0))
  for (const { entry, period } of dated) {
    const { model, boxes, outcome, filedOn, reference, source } = entry
    const others = await findFilings(tx, model, { from: period.year, to: period.year })
    if (others.has(`${period.year} ${period.code}`)) continue
    const id = await storeMovedReturn(tx, {
      model,
      period,
      boxes,
      outcome,
      filedOn,
      reference,
      source: source === 'typed' ? 'marked' : 'file',
    })
    await noteRecord(tx, run.id, 'filing', { id })
    await emitEvent(tx, 'filing.changed', { model, year: period.year, period: period.code })
  }
}
