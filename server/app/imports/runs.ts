/** Rows of imports: runs, their cells until they are imported, and the result of each row. */
import { sql } from 'kysely'
import type { Selectable, Updateable } from 'kysely'
import type { Fault } from '../../domain/errors/app-error.ts'
import { madridInstant } from '../../domain/dates.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { prepare } from '../../db/query.ts'
import type { ImportRowsTable, ImportRunsTable } from '../../db/schema.ts'
import type { ImportOptions, ImportRun, Mapping } from './contract.ts'
import type { Cell, FileRow } from '../../platform/spreadsheets/cells.ts'
import type { ParseOptions } from './importer.ts'
import { textOf } from '../../platform/spreadsheets/values.ts'

export type RunRow = Selectable<ImportRunsTable>
type RowRecord = Selectable<ImportRowsTable>

/** Rows imported per transaction, few enough that other requests do not wait. */
export const CHUNK_ROWS = 500

interface Title {
  title: string
  samples: string[]
}

/** Returns a run by its identifier. Throws `not_found`. */
export async function findRun(ctx: Ctx, publicId: string): Promise<RunRow> {
  return orNotFound(
    await ctx.db
      .selectFrom('import_runs')
      .selectAll()
      .where('book_id', '=', ctx.book.id)
      .where('public_id', '=', publicId)
      .executeTakeFirst(),
  )
}

/** Returns a run as API output. */
export function runView(run: RunRow): ImportRun {
  return {
    id: run.public_id,
    kind: run.kind,
    state: run.state,
    fileName: run.file_name,
    format: run.format,
    columns: (JSON.parse(run.titles) as Title[]).map((column, index) => ({ index, ...column })),
    mapping: JSON.parse(run.mapping) as Mapping,
    options: JSON.parse(run.options) as ImportOptions,
    rows: run.rows,
    taken: run.taken,
    created: run.created,
    updated: run.updated,
    skipped: run.skipped,
    failed: run.failed,
    restored: run.restored,
    kept: run.kept,
    createdAt: madridInstant(new Date(run.created_at)),
    finishedAt: run.finished_at === null ? null : madridInstant(new Date(run.finished_at)),
  }
}

/** Returns the parsing options of a run; all are decided when it is checked or first applied. */
export function parseOptionsOf(run: RunRow): ParseOptions {
  return {
    onDuplicate: 'skip',
    dateOrder: 'dmy',
    decimalSign: ',',
    ...(JSON.parse(run.options) as ImportOptions),
  }
}

export async function changeRun(tx: Ctx, run: RunRow, changes: Updateable<ImportRunsTable>): Promise<RunRow> {
  await tx.db.updateTable('import_runs').set(changes).where('id', '=', run.id).execute()
  await emitEvent(tx, 'import.changed', { importId: run.public_id })
  return findRun(tx, run.public_id)
}

/** Returns the titles with the first values below them, so that the user can recognize the columns. */
export function titlesOf(header: FileRow | undefined, rows: readonly FileRow[]): Title[] {
  const width = Math.max(header?.cells.length ?? 0, ...rows.slice(0, 50).map(({ cells }) => cells.length))
  return Array.from({ length: width }, (_, column) => ({
    title: textOf(header?.cells[column] ?? null).slice(0, 120),
    samples: rows
      .slice(0, 50)
      .map(({ cells }) => textOf(cells[column] ?? null).slice(0, 80))
      .filter(Boolean)
      .slice(0, 3),
  }))
}

const insertChunk = prepare((db, p: { runId: number; position: number; cells: string }) =>
  db.insertInto('import_chunks').values({ run_id: p.runId, position: p.position, cells: p.cells }),
)

export async function saveCells(tx: Ctx, runId: number, rows: readonly FileRow[]): Promise<void> {
  for (let position = 0; position * CHUNK_ROWS < rows.length; position++) {
    const part = rows.slice(position * CHUNK_ROWS, (position + 1) * CHUNK_ROWS)
    await insertChunk.run(tx.db, {
      runId,
      position,
      cells: JSON.stringify(part.map(({ row, cells }) => [row, cells])),
    })
  }
}

const chunk = prepare((db, p: { runId: number; position: number }) =>
  db
    .selectFrom('import_chunks')
    .select('cells')
    .where('run_id', '=', p.runId)
    .where('position', '=', p.position),
)

/** Returns the rows of one chunk; empty after the last. */
export async function cellsOfChunk(ctx: Ctx, runId: number, position: number): Promise<FileRow[]> {
  const kept = await chunk.first(ctx.db, { runId, position })
  if (!kept) return []
  return (JSON.parse(kept.cells) as [number, Cell[]][]).map(([row, cells]) => ({ row, cells }))
}

export async function dropCells(tx: Ctx, runId: number): Promise<void> {
  await tx.db.deleteFrom('import_chunks').where('run_id', '=', runId).execute()
}

const insertRow = prepare(
  (
    db,
    p: {
      runId: number
      row: number
      outcome: RowRecord['outcome']
      targetId: number | null
      targetVersion: number | null
      before: string | null
      faults: string | null
    },
  ) =>
    db.insertInto('import_rows').values({
      run_id: p.runId,
      row: p.row,
      outcome: p.outcome,
      target_id: p.targetId,
      target_version: p.targetVersion,
      before: p.before,
      faults: p.faults,
    }),
)

export async function saveRow(
  tx: Ctx,
  runId: number,
  row: {
    row: number
    outcome: RowRecord['outcome']
    target?: { id: number; version: number; before?: unknown }
    label: string
    faults: readonly Fault[]
  },
): Promise<void> {
  const { target } = row
  await insertRow.run(tx.db, {
    runId,
    row: row.row,
    outcome: row.outcome,
    targetId: target?.id ?? null,
    targetVersion: target?.version ?? null,
    before: target?.before === undefined ? null : JSON.stringify(target.before),
    faults:
      row.faults.length === 0 ? null : JSON.stringify({ label: row.label.slice(0, 200), faults: row.faults }),
  })
}

const touched = prepare((db, p: { runId: number; targetId: number }) =>
  db
    .selectFrom('import_rows')
    .select('row')
    .where('run_id', '=', p.runId)
    .where('target_id', '=', p.targetId)
    .limit(1),
)

/** Returns the row of this run that already created or changed a target, or null. */
export async function rowThatTouched(ctx: Ctx, runId: number, targetId: number): Promise<number | null> {
  return (await touched.first(ctx.db, { runId, targetId }))?.row ?? null
}

/** Returns the last rows that still have to be undone. */
export async function rowsToUndo(ctx: Ctx, runId: number): Promise<RowRecord[]> {
  return ctx.db
    .selectFrom('import_rows')
    .selectAll()
    .where('run_id', '=', runId)
    .where('target_id', 'is not', null)
    .where('undo', 'is', null)
    .orderBy('row', 'desc')
    .limit(CHUNK_ROWS)
    .execute()
}

const markUndo = prepare((db, p: { runId: number; row: number; undo: 'restored' | 'kept' }) =>
  db.updateTable('import_rows').set({ undo: p.undo }).where('run_id', '=', p.runId).where('row', '=', p.row),
)

export async function recordUndo(
  tx: Ctx,
  runId: number,
  row: number,
  undo: 'restored' | 'kept',
): Promise<void> {
  await markUndo.run(tx.db, { runId, row, undo })
}

export interface ReportedRow {
  row: number
  outcome: RowRecord['outcome']
  label: string
  faults: Fault[]
}

/** Returns the rows with messages, failed ones first. */
export async function reportedRows(ctx: Ctx, runId: number, limit: number): Promise<ReportedRow[]> {
  const rows = await ctx.db
    .selectFrom('import_rows')
    .select(['row', 'outcome', 'faults'])
    .where('run_id', '=', runId)
    .where('faults', 'is not', null)
    .orderBy(sql`outcome <> 'failed'`)
    .orderBy('row')
    .limit(limit)
    .execute()
  return rows.map(({ row, outcome, faults }) => ({
    row,
    outcome,
    ...(JSON.parse(faults ?? '{}') as { label: string; faults: Fault[] }),
  }))
}

/** Returns the field of each folded title in the latest runs. */
export async function lastRuns(ctx: Ctx, kind: RunRow['kind'], limit: number): Promise<RunRow[]> {
  return ctx.db
    .selectFrom('import_runs')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('kind', '=', kind)
    .where('state', '<>', 'draft')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
