/** Reads resource by resource and page by page: each page and the position after it are stored in one transaction. */
import { stringList, unindexed } from '../../../db/engine-sql.ts'
import { sql } from 'kysely'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { ErrorCode } from '../../../domain/errors/catalog.ts'
import type { Ctx } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { createLine, writeCalls } from '../connection/calling.ts'
import type { Line } from '../connection/calling.ts'
import { CursorRefused } from '../port.ts'
import type { Credentials, Notes, Provider, Resource, Step } from '../port.ts'
import { providerOf } from '../providers.ts'
import { recordsOf } from './ready.ts'
import type { ReadyPage } from './ready.ts'
import { connectionById, keySealContext, notesOf } from '../connection/rows.ts'
import type { ConnectionRow } from '../connection/rows.ts'
import { Stopped } from './active.ts'
import { resourcesOf, runById } from './run-rows.ts'
import type { ResourceRow } from './run-rows.ts'
import { markPresent, storeRecords } from './store-page.ts'

/** More pages than any business has: such a list does not end. */
const PAGES_AT_MOST = 2_000
/** Rows after which the store releases its cached pages of them. */
const ROWS_KEPT = 500
/** Percentage of unreadable rows in a page above which the format must have changed. */
const REJECTS_PCT = 20
const FEW_REJECTS = 2

const TABLES = {
  contacts: 'erp_contacts',
  issued: 'erp_documents',
  received: 'erp_documents',
  catalogue: 'erp_items',
} as const satisfies Record<Resource, string>

interface Reading {
  ctx: Ctx
  connection: ConnectionRow
  runId: number
  runPublicId: string
  provider: Provider
  credentials: Credentials
  line: Line
  notes: Notes
  signal: AbortSignal
}

/**
 * Returns the number of the pass. Two passes of one run differ, so that a restart does not treat its own records as
 * repetitions.
 */
function passOf(row: Pick<ResourceRow, 'run_id' | 'restarted'>): number {
  return row.run_id * 2 + row.restarted
}

async function updateResource(tx: Ctx, row: ResourceRow, values: Partial<ResourceRow>): Promise<ResourceRow> {
  return tx.db
    .updateTable('erp_run_resources')
    .set(values)
    .where('run_id', '=', row.run_id)
    .where('resource', '=', row.resource)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function countCalls(tx: Ctx, reading: Reading): Promise<void> {
  const calls = await writeCalls(tx, reading.line, {
    connectionId: reading.connection.id,
    runId: reading.runId,
  })
  if (calls > 0)
    await tx.db
      .updateTable('erp_runs')
      .set((eb) => ({ calls: eb('calls', '+', calls) }))
      .where('id', '=', reading.runId)
      .execute()
}

async function writeRejects(tx: Ctx, reading: Reading, row: ResourceRow, page: ReadyPage): Promise<void> {
  const at = tx.now().getTime()
  for (const each of page.rejects)
    await tx.db
      .insertInto('erp_rejects')
      .values({
        connection_id: reading.connection.id,
        run_id: reading.runId,
        resource: row.resource,
        external_kind: each.externalKind,
        external_id: each.externalId,
        position: each.position,
        page: row.pages + 1,
        reason: each.reason,
        field: each.field,
        // The row may echo the key, which must not be stored.
        raw: each.raw.replaceAll(reading.credentials.secret, '[secret]'),
        at,
      })
      .execute()
}

/** Effect of a page on the position in its list. */
interface Turn {
  row: ResourceRow
  isComplete: boolean
  fault: AppError | null
}

function badPaging(reason: string): AppError {
  return new AppError('erp_bad_paging', { details: { reason } })
}

/** Stores a page with the position after it. */
async function keepPage(tx: Ctx, reading: Reading, row: ResourceRow, page: ReadyPage): Promise<Turn> {
  const place = { connectionId: reading.connection.id, pass: passOf(row) }
  const resource = row.resource as Resource
  const taken = await storeRecords(tx, place, recordsOf(page))
  await markPresent(tx, place, TABLES[resource], page.present)
  await writeRejects(tx, reading, row, page)
  const isRepeated = page.count > 0 && taken.duplicates === page.count && page.rejects.length === 0
  const next = isRepeated && page.repeatedCursor !== undefined ? page.repeatedCursor : page.nextCursor
  let fault: AppError | null = null
  if (page.broken !== undefined) fault = badPaging(page.broken)
  else if (isRepeated && page.repeatedCursor === undefined) fault = badPaging('repeated_page')
  else if (next !== null && next === row.cursor) fault = badPaging('same_cursor')
  else if (row.pages + 1 >= PAGES_AT_MOST && next !== null) fault = badPaging('too_many_pages')
  else if (page.rejects.length > FEW_REJECTS && page.rejects.length * 100 > page.rawCount * REJECTS_PCT)
    fault = new AppError('erp_protocol_error', {
      details: { reason: 'many_rejects', rejects: page.rejects.length, rows: page.rawCount },
    })
  const kept = await updateResource(tx, row, {
    pages: row.pages + 1,
    fetched: row.fetched + page.rawCount,
    created: row.created + taken.created,
    updated: row.updated + taken.updated,
    unchanged: row.unchanged + taken.unchanged,
    duplicates: row.duplicates + taken.duplicates,
    rejected: row.rejected + page.rejects.length,
    // A faulty page is requested again.
    cursor: fault ? row.cursor : next,
    ...(page.mark !== undefined && (row.mark === null || page.mark > row.mark) ? { mark: page.mark } : {}),
  })
  if (page.notes !== undefined) {
    reading.notes = page.notes
    await tx.db
      .updateTable('erp_connections')
      .set({ notes: JSON.stringify(page.notes) })
      .where('id', '=', reading.connection.id)
      .execute()
  }
  await countCalls(tx, reading)
  await emitEvent(tx, 'erp.sync_progress', {
    runId: reading.runPublicId,
    resource,
    pages: kept.pages,
    fetched: kept.fetched,
  })
  return { row: kept, isComplete: fault === null && next === null, fault }
}

/**
 * Marks known records that a complete pass did not see as gone; never deletes them. A row that could not be read
 * still exists; if one had no identifier, nobody can tell which record it was.
 */
async function markMissing(
  tx: Ctx,
  reading: Reading,
  row: ResourceRow,
  unread: readonly string[],
): Promise<number> {
  const table = TABLES[row.resource as Resource]
  const rejects = await tx.db
    .selectFrom('erp_rejects')
    .select('external_id')
    .where('run_id', '=', reading.runId)
    .where('resource', '=', row.resource)
    .execute()
  const unreadable = rejects.flatMap(({ external_id: id }) => (id === null ? [] : [id]))
  if (unreadable.length < rejects.length) return 0
  // The plus excludes the index by date, which would read every seen document.
  const scope =
    table === 'erp_documents'
      ? sql`side = ${row.resource} and ${unindexed(sql.ref('list_date'))} between ${row.window_from} and ${row.window_to}`
      : sql`true`
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set missing_since = ${tx.now().getTime()}
    where connection_id = ${reading.connection.id} and seen_pass < ${passOf(row)} and missing_since is null and ${scope}
      and external_id not in ${stringList(unreadable)}
      and external_kind not in ${stringList(unread)}`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}

/** Returns true if the pass has seen everything that should exist. */
function isWhole(reading: Reading, row: ResourceRow): boolean {
  // A pass over changes says nothing about absent records, unless identifiers were read too.
  if (row.since === null) return true
  return reading.provider.describe().capabilities.deletes === 'ids' && row.window_from !== null
}

async function completeResource(
  tx: Ctx,
  reading: Reading,
  row: ResourceRow,
  unread: readonly string[],
): Promise<void> {
  const now = tx.now().getTime()
  const missing = isWhole(reading, row) ? await markMissing(tx, reading, row, unread) : 0
  await updateResource(tx, row, { state: 'completed', cursor: null, missing: row.missing + missing })
  // Depends on what was read, not on what was requested: one run may read one side in full and the other in part.
  const fullPass =
    row.since === null && (row.window_from === null || row.window_from <= reading.connection.history_from)
  const mark = {
    last_complete_at: now,
    ...(row.mark === null ? {} : { mark: row.mark }),
    ...(fullPass ? { full_pass_at: now, window_from: row.window_from } : {}),
    last_count: row.fetched,
  }
  await tx.db
    .insertInto('erp_watermarks')
    .values({ connection_id: reading.connection.id, resource: row.resource, ...mark })
    .onConflict((on) => on.columns(['connection_id', 'resource']).doUpdateSet(mark))
    .execute()
}

/** Reads one resource to its end. Throws the error that ends it. */
async function readResource(reading: Reading, first: ResourceRow): Promise<void> {
  const { ctx, line, signal } = reading
  let row = first
  let unreleased = 0
  for (;;) {
    signal.throwIfAborted()
    const step: Step = {
      resource: row.resource as Resource,
      cursor: row.cursor,
      window:
        row.window_from === null || row.window_to === null
          ? null
          : { from: row.window_from, to: row.window_to },
      since: row.since,
    }
    let page: ReadyPage
    try {
      page = await line.pull(step, reading.notes)
    } catch (error) {
      if (!(error instanceof CursorRefused)) throw error
      if (row.restarted === 1)
        throw new AppError('erp_protocol_error', { details: { reason: 'cursor_refused' } })
      row = await ctx.transaction((tx) => updateResource(tx, row, { cursor: null, restarted: 1, mark: null }))
      continue
    }
    // A page that arrives during the stop is stored all the same: its call was paid for.
    const current = row
    const turn = await ctx.transaction(async (tx) => {
      const kept = await keepPage(tx, reading, current, page)
      if (kept.isComplete) await completeResource(tx, reading, kept.row, page.unread ?? [])
      return { ...kept, isStopped: (await runById(tx, reading.runId)).state !== 'running' }
    })
    // A person stopped the run on another server.
    if (turn.isStopped) throw new Stopped('person')
    // Released immediately: otherwise several of these would wait for the next garbage collection.
    page.packed.buffer.transfer(0)
    // Nothing reads these pages of the store again soon: they would only fill its cache.
    unreleased += page.rawCount
    if (unreleased >= ROWS_KEPT) {
      ctx.env.store.releaseMemory()
      unreleased = 0
    }
    if (turn.fault) throw turn.fault
    if (turn.isComplete) return
    row = turn.row
  }
}

/** Reads the account's own meter where there is one, so that calls of other programs count too. */
async function readMeter(reading: Reading): Promise<void> {
  const { ctx, provider, line, notes } = reading
  if (!provider.describe().capabilities.quotaMeter) return
  const quota = await line.quota(notes)
  await ctx.transaction(async (tx) => {
    await countCalls(tx, reading)
    if (quota === null) return
    await tx.db
      .updateTable('erp_connections')
      // Up to the call that read the meter, which the meter includes.
      .set((eb) => ({
        meter_used: quota.monthUsed,
        meter_limit: quota.monthLimit,
        meter_at: eb
          .selectFrom('erp_calls')
          .select(({ fn }) => fn.max('at').as('at'))
          .where('connection_id', '=', reading.connection.id),
      }))
      .where('id', '=', reading.connection.id)
      .execute()
  })
}

/**
 * Reads what a run still has to read. If one resource fails, the others continue, unless `endsRun` says that the
 * error affects all: that one is thrown.
 */
export async function readResources(
  ctx: Ctx,
  runId: number,
  signal: AbortSignal,
  endsRun: (code: ErrorCode) => boolean,
): Promise<void> {
  const run = await runById(ctx, runId)
  const connection = await connectionById(ctx, run.connection_id)
  if (connection.sealed_key === null) throw new AppError('erp_not_connected')
  const provider = providerOf(connection.provider)
  const place = keySealContext(connection.public_id, connection.book_id)
  const key = ctx.env.store.sealer.open(connection.sealed_key, place)
  const credentials: Credentials = {
    secret: key.toString('utf8'),
    baseUrl: connection.base_url,
    database: connection.database,
    accountId: connection.account_id,
  }
  key.fill(0)
  const line = createLine(ctx.env, provider, credentials, {
    allowPrivate: connection.allow_private === 1,
    signal,
  })
  const reading: Reading = {
    ctx,
    connection,
    runId,
    runPublicId: run.public_id,
    provider,
    credentials,
    line,
    notes: notesOf(connection),
    signal,
  }
  try {
    for (const row of await resourcesOf(ctx, runId)) {
      if (row.state === 'completed' || row.state === 'skipped') continue
      const begun = await ctx.transaction((tx) => updateResource(tx, row, { state: 'running' }))
      try {
        await readResource(reading, begun)
      } catch (error) {
        if (signal.aborted || !(error instanceof AppError)) throw error
        await ctx.transaction(async (tx) => {
          await countCalls(tx, reading)
          await updateResource(tx, row, {
            state: 'failed',
            error_code: error.code,
            error_details: error.details === undefined ? null : JSON.stringify(error.details),
          })
        })
        if (endsRun(error.code)) throw error
      }
    }
    try {
      await readMeter(reading)
    } catch (error) {
      // Everything was read; a missing meter is the smaller harm.
      if (!(error instanceof AppError)) throw error
    }
  } finally {
    line.close()
    await ctx.transaction((tx) => countCalls(tx, reading))
  }
}
