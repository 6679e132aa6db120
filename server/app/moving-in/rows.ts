/** Rows of moves: runs, their files, the documents that were read, and what a run made. */
import type { Selectable, Updateable } from 'kysely'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { HistoryAsset, HistoryDocument } from '../../domain/history.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { prepare, prepareRows } from '../../db/query.ts'
import type {
  MovingFilesTable,
  MovingRecordsTable,
  MovingRowsTable,
  MovingRunsTable,
} from '../../db/schema.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { Staged } from './stored.ts'

export type RunRow = Selectable<MovingRunsTable>
export type FileRow = Selectable<MovingFilesTable>
export type RecordKind = MovingRecordsTable['kind']

/** Documents taken in or back per transaction, few enough that other requests do not wait. */
export const STRETCH = 100

/** Returns a run by its identifier. Throws `not_found`. */
export async function findRun(ctx: Ctx, publicId: string): Promise<RunRow> {
  return orNotFound(
    await ctx.db
      .selectFrom('moving_runs')
      .selectAll()
      .where('book_id', '=', ctx.book.id)
      .where('public_id', '=', publicId)
      .executeTakeFirst(),
  )
}

/** Changes a run and tells the window. */
export async function changeRun(tx: Ctx, run: RunRow, changes: Updateable<MovingRunsTable>): Promise<RunRow> {
  if (Object.keys(changes).length > 0)
    await tx.db.updateTable('moving_runs').set(changes).where('id', '=', run.id).execute()
  await emitEvent(tx, 'moving.changed', { moveId: run.public_id })
  return findRun(tx, run.public_id)
}

/** Returns the files of a run in the order in which they were added. */
export function filesOfRun(ctx: Ctx, runId: number): Promise<FileRow[]> {
  return ctx.db
    .selectFrom('moving_files')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()
}

export type RowKind = Selectable<MovingRowsTable>['kind']

export interface ReadRow {
  position: number
  /** Default: a document. */
  kind?: RowKind
  document: HistoryDocument | HistoryAsset | Staged | null
  key: string | null
  label: string
  faults: readonly Fault[]
}

const insertRows = prepareRows((db, rows: readonly [StagedValues, ...StagedValues[]]) =>
  db.insertInto('moving_rows').values(
    rows.map((row) => ({
      file_id: row.fileId,
      position: row.position,
      kind: row.kind,
      document: row.document,
      document_key: row.key,
      label: row.label,
      outcome: row.outcome,
      faults: row.faults,
    })),
  ),
)

interface StagedValues {
  fileId: number
  position: number
  kind: RowKind
  document: string | null
  key: string | null
  label: string
  outcome: 'failed' | null
  faults: string | null
}

/** Stores documents as they were read. One with an error has no document and is not taken in. */
export async function saveRead(tx: Ctx, fileId: number, rows: readonly ReadRow[]): Promise<void> {
  await insertRows.run(
    tx.db,
    rows.map((row) => ({
      fileId,
      position: row.position,
      kind: row.kind ?? 'document',
      document: row.document === null ? null : JSON.stringify(row.document),
      key: row.key,
      label: row.label,
      outcome: row.document === null ? ('failed' as const) : null,
      faults: row.faults.length === 0 ? null : JSON.stringify(row.faults),
    })),
  )
  await tx.db
    .updateTable('moving_files')
    .set((eb) => ({ waiting: eb('waiting', '+', rows.filter(({ document }) => document !== null).length) }))
    .where('id', '=', fileId)
    .execute()
}

const waiting = prepare((db, p: { fileId: number; kind: RowKind; limit: number }) =>
  db
    .selectFrom('moving_rows')
    .select(['position', 'document', 'document_key', 'label', 'faults'])
    .where('file_id', '=', p.fileId)
    .where('kind', '=', p.kind)
    .where('outcome', 'is', null)
    .orderBy('position')
    .limit(p.limit),
)

/** Returns rows of one kind of a file that were not taken in yet. */
export function waitingRows(ctx: Ctx, fileId: number, kind: RowKind, limit: number) {
  return waiting.all(ctx.db, { fileId, kind, limit })
}

const settle = prepare(
  (
    db,
    p: { fileId: number; position: number; outcome: 'created' | 'skipped' | 'failed'; faults: string | null },
  ) =>
    db
      .updateTable('moving_rows')
      .set({ outcome: p.outcome, faults: p.faults, document: null })
      .where('file_id', '=', p.fileId)
      .where('position', '=', p.position),
)

const dropRow = prepare((db, p: { fileId: number; position: number }) =>
  db.deleteFrom('moving_rows').where('file_id', '=', p.fileId).where('position', '=', p.position),
)

/** Records what became of a document; its content is in the books from now on, or was not wanted. */
export async function settleRow(
  tx: Ctx,
  place: { fileId: number; position: number },
  outcome: 'created' | 'skipped' | 'failed',
  faults: readonly Fault[],
): Promise<void> {
  if (outcome === 'created' && faults.length === 0) {
    await dropRow.run(tx.db, place)
    return
  }
  await settle.run(tx.db, {
    ...place,
    outcome,
    faults: faults.length === 0 ? null : JSON.stringify(faults),
  })
}

const insertRecord = prepare(
  (db, p: { runId: number; kind: RecordKind; recordId: number; version: number | null }) =>
    db
      .insertInto('moving_records')
      .values({ run_id: p.runId, kind: p.kind, record_id: p.recordId, version: p.version }),
)

/** Notes a record that a run made, so that it goes with the run. */
export async function noteRecord(
  tx: Ctx,
  runId: number,
  kind: RecordKind,
  record: { id: number; version?: number | null },
): Promise<void> {
  await insertRecord.run(tx.db, {
    runId,
    kind,
    recordId: record.id,
    version: record.version ?? null,
  })
}

/** Returns the records of a kind that a run made. */
export function recordsOf(ctx: Ctx, runId: number, kind: RecordKind, limit: number) {
  return ctx.db
    .selectFrom('moving_records')
    .selectAll()
    .where('run_id', '=', runId)
    .where('kind', '=', kind)
    .orderBy('record_id', 'desc')
    .limit(limit)
    .execute()
}

/** Forgets a record, once it is deleted or left. */
export async function forgetRecord(
  tx: Ctx,
  runId: number,
  kind: RecordKind,
  recordId: number,
): Promise<void> {
  await tx.db
    .deleteFrom('moving_records')
    .where('run_id', '=', runId)
    .where('kind', '=', kind)
    .where('record_id', '=', recordId)
    .execute()
}
