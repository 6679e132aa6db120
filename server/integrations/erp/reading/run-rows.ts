/** SQL of syncs: rows written at their begin, progress and end, and returned in the form of the contract. */
import type { Selectable } from 'kysely'
import { createCursor, readCursor } from '../../../domain/contract/cursor.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { orNotFound } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import type { ErpRunResourcesTable, ErpRunsTable } from '../../../db/schema.ts'
import type { rejectsContract, ResourceName, Run, runContract, RunReject, runsContract } from '../contract.ts'
import { isRunning } from './interrupted.ts'
import { shownConnection } from '../connection/rows.ts'

export type RunRow = Selectable<ErpRunsTable>
export type ResourceRow = Selectable<ErpRunResourcesTable>

const DEFAULT_LIMIT = 25

const lastRunOf = prepare((db, p: { id: number }) =>
  db.selectFrom('erp_runs').selectAll().where('connection_id', '=', p.id).orderBy('id', 'desc').limit(1),
)
const runningOf = prepare((db, p: { id: number }) =>
  db.selectFrom('erp_runs').selectAll().where('connection_id', '=', p.id).where(isRunning),
)
const byRow = prepare((db, p: { id: number }) => db.selectFrom('erp_runs').selectAll().where('id', '=', p.id))
const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db.selectFrom('erp_runs').selectAll().where('book_id', '=', p.bookId).where('public_id', '=', p.publicId),
)
const resources = prepare((db, p: { id: number }) =>
  db.selectFrom('erp_run_resources').selectAll().where('run_id', '=', p.id).orderBy('position'),
)

export async function lastRun(ctx: Ctx, connectionId: number): Promise<RunRow | null> {
  return (await lastRunOf.first(ctx.db, { id: connectionId })) ?? null
}

export async function runningRun(ctx: Ctx, connectionId: number): Promise<RunRow | null> {
  return (await runningOf.first(ctx.db, { id: connectionId })) ?? null
}

export async function runById(ctx: Ctx, id: number): Promise<RunRow> {
  return orNotFound(await byRow.first(ctx.db, { id }))
}

/** Returns a sync of the book. Throws `not_found`. */
export async function findRun(ctx: Ctx, publicId: string): Promise<RunRow> {
  return orNotFound(await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId }))
}

export function resourcesOf(ctx: Ctx, runId: number): Promise<ResourceRow[]> {
  return resources.all(ctx.db, { id: runId })
}

function failure(code: string | null, details: string | null = null): Run['error'] {
  if (code === null) return null
  return { code, ...(details === null ? {} : { details: JSON.parse(details) as Record<string, unknown> }) }
}

/** Returns a sync in the form of the contract. */
export async function runView(ctx: Ctx, row: RunRow): Promise<Run> {
  const iso = (at: number) => new Date(at).toISOString()
  return {
    runId: row.public_id,
    state: row.state,
    mode: row.mode,
    startedAt: iso(row.started_at),
    finishedAt: row.finished_at === null ? null : iso(row.finished_at),
    calls: row.calls,
    estimate: row.estimate,
    resumable: row.resumable === 1,
    resources: (await resourcesOf(ctx, row.id)).map((each) => ({
      resource: each.resource as ResourceName,
      state: each.state,
      pages: each.pages,
      fetched: each.fetched,
      created: each.created,
      updated: each.updated,
      unchanged: each.unchanged,
      duplicates: each.duplicates,
      rejected: each.rejected,
      missing: each.missing,
      window:
        each.window_from === null || each.window_to === null
          ? null
          : { from: each.window_from, to: each.window_to },
      error: failure(each.error_code, each.error_details),
    })),
    error: failure(row.error_code),
  }
}

/** Returns the syncs of the shown connection, newest first. */
export const listRuns: UseCase<typeof runsContract> = async (
  ctx,
  { limit = DEFAULT_LIMIT, cursor, connectionId },
) => {
  const connection = await shownConnection(ctx, connectionId)
  if (!connection) return { items: [], nextCursor: null }
  const filter = { connection: connection.public_id }
  let query = ctx.db.selectFrom('erp_runs').selectAll().where('connection_id', '=', connection.id)
  if (cursor !== undefined) {
    const [id] = readCursor(cursor, 'erp.runs', filter)
    query = query.where('id', '<', Number(id))
  }
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const items: Run[] = []
  for (const row of shown) items.push(await runView(ctx, row))
  return {
    items,
    nextCursor: rows.length > limit && last ? createCursor('erp.runs', filter, [last.id]) : null,
  }
}

export const getRun: UseCase<typeof runContract> = async (ctx, { id }) => runView(ctx, await findRun(ctx, id))

/** Returns the unreadable rows of a sync, in the order of arrival. */
export const listRejects: UseCase<typeof rejectsContract> = async (
  ctx,
  { id, limit = DEFAULT_LIMIT, cursor },
) => {
  const run = await findRun(ctx, id)
  let query = ctx.db.selectFrom('erp_rejects').selectAll().where('run_id', '=', run.id)
  if (cursor !== undefined) {
    const [after] = readCursor(cursor, 'erp.rejects', { id })
    query = query.where('id', '>', Number(after))
  }
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => ({
      resource: row.resource as ResourceName,
      externalKind: row.external_kind,
      externalId: row.external_id,
      page: row.page,
      position: row.position,
      reason: row.reason as RunReject['reason'],
      field: row.field,
      raw: row.raw,
      at: new Date(row.at).toISOString(),
      untrusted: true,
    })),
    nextCursor: rows.length > limit && last ? createCursor('erp.rejects', { id }, [last.id]) : null,
  }
}
