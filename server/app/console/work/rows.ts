/** SQL of the units of work over many companies. */
import { sql } from 'kysely'
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../db/query.ts'
import type { BulkFilesTable, BulkUnitsTable } from '../../../db/schema.ts'
import type { ContentColumn } from '../../../db/outside/objects.ts'
import type { UNIT_STATES, WORK_KINDS } from '../work-contract.ts'

/** Content of the files that units have made. */
export const BULK_CONTENTS: ContentColumn = { table: 'bulk_files', column: 'bytes' }

export type UnitRow = Selectable<BulkUnitsTable>
type UnitState = (typeof UNIT_STATES)[number]
type WorkKind = (typeof WORK_KINDS)[number]

/** Rows in one statement. */
const BATCH = 50

/** Inserts units, in the order of the list. */
export async function insertUnits(db: Db, units: readonly Insertable<BulkUnitsTable>[]): Promise<void> {
  for (let from = 0; from < units.length; from += BATCH)
    await db
      .insertInto('bulk_units')
      .values(units.slice(from, from + BATCH))
      .execute()
}

/** Returns the next units that nobody has begun, of one company or of any, in the order in which they were requested. */
export function queuedUnits(db: Db, companyId: number | null, limit: number): Promise<UnitRow[]> {
  let query = db
    .selectFrom('bulk_units')
    .selectAll()
    // A literal: the indexes are partial ones.
    .where(sql<boolean>`ended_at is null`)
    .where('state', '=', 'queued')
  if (companyId !== null) query = query.where('company_id', '=', companyId)
  return query.orderBy('id').limit(limit).execute()
}

/** Returns the number of works of a person that have not ended. */
export async function openWorks(db: Db, personId: string): Promise<number> {
  const rows = await db
    .selectFrom('bulk_units')
    .select('run_id')
    .distinct()
    .where('asked_by', '=', personId)
    .where(sql<boolean>`ended_at is null`)
    .execute()
  return rows.length
}

/** Begins a unit. Returns the number of the attempt; null if somebody else has begun or cancelled it. */
export async function beginUnit(db: Db, id: number, at: number): Promise<number | null> {
  const row = await db
    .updateTable('bulk_units')
    .set({ state: 'running', started_at: at, attempts: sql<number>`attempts + 1` })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returning('attempts')
    .executeTakeFirst()
  return row?.attempts ?? null
}

export interface Ending {
  state: 'done' | 'failed' | 'skipped'
  code: string | null
  /** JSON. */
  outcome: string | null
  fileBytes: number | null
}

/** Ends an attempt. Returns false if it is no longer the current one: then nothing is written. */
export async function endUnit(
  db: Db,
  { id, attempt, at, ending }: { id: number; attempt: number; at: number; ending: Ending },
): Promise<boolean> {
  const row = await db
    .updateTable('bulk_units')
    .set({
      state: ending.state,
      code: ending.code,
      outcome: ending.outcome,
      file_bytes: ending.fileBytes,
      ended_at: at,
      secret: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('attempts', '=', attempt)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function insertUnitFile(db: Db, row: Insertable<BulkFilesTable>): Promise<void> {
  await db.insertInto('bulk_files').values(row).execute()
}

/** Gives back the units that a vanished process had begun, of one company or of all; ends those that were begun too often. */
export async function reclaimUnits(
  db: Db,
  { companyId, mostAttempts, at }: { companyId: number | null; mostAttempts: number; at: number },
): Promise<void> {
  const running = (state: 'queued' | 'failed') => {
    let query = db
      .updateTable('bulk_units')
      .set(
        state === 'queued'
          ? { state, started_at: null }
          : { state, code: 'internal', ended_at: at, secret: null },
      )
      .where('state', '=', 'running')
      .where(sql<boolean>`ended_at is null`)
      .where('attempts', state === 'queued' ? '<' : '>=', mostAttempts)
    if (companyId !== null) query = query.where('company_id', '=', companyId)
    return query.execute()
  }
  await running('failed')
  await running('queued')
}

/** Cancels the units of a work that nobody has begun. */
export async function cancelUnits(db: Db, runId: string, at: number): Promise<void> {
  await db
    .updateTable('bulk_units')
    .set({ state: 'cancelled', ended_at: at, secret: null })
    .where('run_id', '=', runId)
    .where('state', '=', 'queued')
    .execute()
}

export interface WorkRow {
  runId: string
  kind: WorkKind
  startedAt: number
  endedAt: number | null
  counts: Record<UnitState, number>
  files: number
  fileBytes: number
}

/** Returns works of a person with their counts, newest first; `runId`: only that one. */
export async function worksOf(
  db: Db,
  personId: string,
  { runId = null, limit }: { runId?: string | null; limit: number },
): Promise<WorkRow[]> {
  const in_ = (state: UnitState) => sql<number>`count(*) filter (where state = ${sql.lit(state)})`
  let query = db
    .selectFrom('bulk_units')
    .select((eb) => [
      'run_id',
      'kind',
      eb.fn.min('created_at').as('started_at'),
      eb.fn.max('ended_at').as('ended_at'),
      in_('queued').as('queued'),
      in_('running').as('running'),
      in_('done').as('done'),
      in_('failed').as('failed'),
      in_('skipped').as('skipped'),
      in_('cancelled').as('cancelled'),
      eb.fn.count<number>('file_bytes').as('files'),
      sql<number>`coalesce(sum(file_bytes), 0)`.as('file_bytes'),
      eb.fn.max('id').as('last'),
    ])
    .where('asked_by', '=', personId)
  if (runId !== null) query = query.where('run_id', '=', runId)
  const rows = await query.groupBy(['run_id', 'kind']).orderBy('last', 'desc').limit(limit).execute()
  return rows.map(({ run_id, kind, started_at, ended_at, files, file_bytes, last: _last, ...counts }) => ({
    runId: run_id,
    kind,
    startedAt: started_at,
    endedAt: counts.queued + counts.running === 0 ? ended_at : null,
    counts,
    files,
    fileBytes: file_bytes,
  }))
}

/** Returns the units of a work of a person with their companies, in order. */
export function unitsOf(db: Db, personId: string, runId: string) {
  return db
    .selectFrom('bulk_units')
    .innerJoin('companies', 'companies.id', 'bulk_units.company_id')
    .selectAll('bulk_units')
    .select([
      'companies.public_id as company',
      'companies.legal_name',
      'companies.trade_name',
      'companies.nif',
    ])
    .where('run_id', '=', runId)
    .where('asked_by', '=', personId)
    .orderBy('position')
    .execute()
}

/** Returns the file of a unit. */
export async function unitFile(db: Db, unitId: number) {
  return db.selectFrom('bulk_files').selectAll().where('unit_id', '=', unitId).executeTakeFirst()
}

/** Returns the bytes of the files of a work. */
export async function storedBytes(db: Db, runId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('bulk_units')
    .select(sql<number>`coalesce(sum(file_bytes), 0)`.as('bytes'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  return bytes
}
