/**
 * Call log of each key's assistant, in short form and for a limited time. A read must not wait for the disk, so calls
 * are buffered in memory and written together shortly after. A crash loses only these buffered entries: changes made
 * by an assistant are in the audit log, in the transaction that made them.
 */
import { contains, elementsOf, jsonText } from '../../db/engine-sql.ts'
import { sql } from 'kysely'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { AppEnvironment, Ctx, KeyActor, UseCase } from '../../context.ts'
import { activeKeyIds, keyRowId, keyRowIds } from '../../platform/api-keys/index.ts'
import type { Db } from '../../db/query.ts'
import { prepare } from '../../db/query.ts'
import type { ToolCallsTable } from '../../db/schema.ts'
import { clientText } from './client.ts'
import type { Client } from './client.ts'
import type { listCallsContract, listClientsContract, ToolCall } from './contract.ts'
import { answerFacts, argumentFacts, invoiceIn, seenInvoices } from './digest.ts'
import type { StoredFact, SeenInvoice } from './digest.ts'

/** Per key. */
export const STORED_CALLS = 2_000
const KEPT_MS = 30 * 24 * 3_600_000
const GATHER_MS = 1_000
/** Most buffered calls; beyond it the oldest are dropped. */
const MAX_WAITING = 500
const DEFAULT_LIMIT = 50

interface NewCall {
  actor: KeyActor
  client: Client | null
  tool: string
  args: unknown
  outcome: 'ok' | 'refused' | 'failed'
  code: string | undefined
  answer: unknown
  ms: number
  requestId: string
}

type Row = Omit<ToolCallsTable, 'id' | 'client' | 'code' | 'invoice_id'> & {
  client: string | null
  code: string | null
  invoice_id: string | null
}

interface Waiting {
  rows: Row[]
  clients: Map<number, Client & { at: number }>
  timer: NodeJS.Timeout | null
  writing: Promise<void>
}

/** What waits for each company: a transaction writes for one. */
const waitingOf = new WeakMap<AppEnvironment, Map<number, Waiting>>()

function waitingIn(env: AppEnvironment, companyId: number): Waiting {
  let ofEnv = waitingOf.get(env)
  if (!ofEnv) waitingOf.set(env, (ofEnv = new Map()))
  let waiting = ofEnv.get(companyId)
  if (!waiting)
    ofEnv.set(
      companyId,
      (waiting = { rows: [], clients: new Map(), timer: null, writing: Promise.resolve() }),
    )
  return waiting
}

function writeSoon(env: AppEnvironment, companyId: number, waiting: Waiting): void {
  waiting.timer ??= setTimeout(() => void writeCallsOf(env, companyId, waiting), GATHER_MS).unref()
}

/** Records the name that the assistant of a key gives itself. */
export function recordClient(env: AppEnvironment, actor: KeyActor, client: Client): void {
  const waiting = waitingIn(env, actor.companyId)
  waiting.clients.set(actor.rowId, { ...client, at: env.now().getTime() })
  writeSoon(env, actor.companyId, waiting)
}

/** Buffers the log entry of a call. Never throws and writes nothing yet. */
export function recordCall(env: AppEnvironment, call: NewCall): void {
  const { actor, client, answer, args } = call
  const waiting = waitingIn(env, actor.companyId)
  waiting.rows.push({
    key_id: actor.rowId,
    at: env.now().getTime(),
    client: client && clientText(client),
    tool: call.tool,
    arguments: JSON.stringify(argumentFacts(args)),
    outcome: call.outcome,
    code: call.code ?? null,
    answer: JSON.stringify(answerFacts(answer)),
    // An invoice that was not found cannot be linked.
    invoice_id: call.code === 'not_found' ? null : invoiceIn(args, answer),
    seen: JSON.stringify(seenInvoices(answer)),
    ms: call.ms,
    request_id: call.requestId,
  })
  if (waiting.rows.length > MAX_WAITING) waiting.rows.shift()
  writeSoon(env, actor.companyId, waiting)
}

const insertCall = prepare((db, p: Row) =>
  db.insertInto('tool_calls').values({
    key_id: p.key_id,
    at: p.at,
    client: p.client,
    tool: p.tool,
    arguments: p.arguments,
    outcome: p.outcome,
    code: p.code,
    answer: p.answer,
    invoice_id: p.invoice_id,
    seen: p.seen,
    ms: p.ms,
    request_id: p.request_id,
  }),
)

const setClient = prepare((db, p: { keyId: number; name: string; version: string | null; at: number }) =>
  db
    .insertInto('key_clients')
    .values({ key_id: p.keyId, name: p.name, version: p.version, at: p.at })
    .onConflict((conflict) =>
      conflict.column('key_id').doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        version: eb.ref('excluded.version'),
        at: eb.ref('excluded.at'),
      })),
    ),
)

const clientOfKey = prepare((db, p: { keyId: number }) =>
  db.selectFrom('key_clients').select(['name', 'version', 'at']).where('key_id', '=', p.keyId),
)

const cutKey = prepare((db, p: { keyId: number; kept: number }) =>
  db
    .deleteFrom('tool_calls')
    .where('key_id', '=', p.keyId)
    .where('id', '<=', (eb) =>
      eb
        .selectFrom('tool_calls as newer')
        .select('newer.id')
        .where('newer.key_id', '=', p.keyId)
        .orderBy('newer.id', 'desc')
        .limit(1)
        .offset(p.kept),
    ),
)

async function writeTogether(db: Db, { rows, clients }: Pick<Waiting, 'rows' | 'clients'>): Promise<void> {
  for (const [keyId, client] of clients) await setClient.run(db, { keyId, ...client })
  // The 2025 protocol names the client once, at the start; later calls belong to the same assistant.
  const known = new Map<number, string | null>()
  for (const row of rows) {
    if (!known.has(row.key_id)) {
      const client = await clientOfKey.first(db, { keyId: row.key_id })
      known.set(row.key_id, client ? clientText(client) : null)
    }
    await insertCall.run(db, { ...row, client: row.client ?? known.get(row.key_id) ?? null })
  }
  for (const keyId of known.keys()) await cutKey.run(db, { keyId, kept: STORED_CALLS })
}

const isEmpty = ({ rows, clients }: Waiting): boolean => rows.length === 0 && clients.size === 0

/**
 * Writes the buffered calls. A store that cannot be written loses only these entries. Never rejects. Not for use
 * inside a transaction: it waits for its own.
 */
export async function writeCalls(env: AppEnvironment): Promise<void> {
  const all = [...(waitingOf.get(env) ?? [])]
  await Promise.all(all.map(([companyId, waiting]) => writeCallsOf(env, companyId, waiting)))
}

/** Writes those of the caller's company: a request begins no transaction of another one. */
async function writeCallsHere({ env, book }: Ctx): Promise<void> {
  await writeCallsOf(env, book.companyId, waitingIn(env, book.companyId))
}

function writeCallsOf(env: AppEnvironment, companyId: number, waiting: Waiting): Promise<void> {
  if (waiting.timer) clearTimeout(waiting.timer)
  waiting.timer = null
  if (isEmpty(waiting)) return waiting.writing
  waiting.writing = waiting.writing.then(async () => {
    if (isEmpty(waiting)) return
    // The store may run the work again from its start.
    let taken: Pick<Waiting, 'rows' | 'clients'> | null = null
    try {
      await env.store.transaction(companyId, (db) => {
        // Taken only now, so that a concurrent deletion finds every call either here or written.
        if (!taken) {
          taken = { rows: waiting.rows, clients: waiting.clients }
          waiting.rows = []
          waiting.clients = new Map()
        }
        return writeTogether(db, taken)
      })
    } catch (error) {
      env.report('calls of assistants', error)
    }
  })
  return waiting.writing
}

const pruneOld = prepare((db, p: { before: number }) =>
  db.deleteFrom('tool_calls').where('at', '<', p.before),
)

/** Deletes calls past their retention time. Part of the maintenance. */
export async function pruneCalls(env: AppEnvironment): Promise<void> {
  const before = env.now().getTime() - KEPT_MS
  await env.store.transaction(null, (db) => pruneOld.run(db, { before }))
}

/** Deletes the book's calls whose texts contain one of `needles`: a person's names and numbers. */
export async function forgetCalls(tx: Ctx, needles: readonly string[]): Promise<void> {
  const keys = await keyRowIds(tx)
  if (keys.length === 0) return
  await sql`
    delete from tool_calls where key_id in (${sql.join(keys)})
      and exists (select 1 from ${elementsOf(JSON.stringify(needles))}
        where ${contains(sql`lower(arguments || answer)`, sql`lower(each.value)`)})
  `.execute(tx.db)
  // Buffered calls must not be written after the deletion.
  const waiting = waitingIn(tx.env, tx.book.companyId)
  const lower = needles.map((needle) => needle.toLowerCase())
  waiting.rows = waiting.rows.filter((row) => {
    const text = `${row.arguments}${row.answer}`.toLowerCase()
    return !keys.includes(row.key_id) || !lower.some((needle) => text.includes(needle))
  })
}

function callOf(row: Row & { id: number }): ToolCall {
  const seen = JSON.parse(row.seen) as SeenInvoice[]
  const { invoice_id: about } = row
  return {
    id: `call_${row.id}`,
    at: new Date(row.at).toISOString(),
    client: row.client,
    tool: row.tool,
    arguments: JSON.parse(row.arguments) as StoredFact[],
    outcome: row.outcome,
    code: row.code,
    answer: JSON.parse(row.answer) as StoredFact[],
    invoice: about === null ? null : (seen.find(({ id }) => id === about) ?? { id: about, number: null }),
    seen,
    ms: row.ms,
    requestId: row.request_id,
  }
}

/** Returns a range of the calls of one key, newest first. Throws `not_found`. */
export const listCalls: UseCase<typeof listCallsContract> = async (
  ctx,
  { keyId, outcome, invoiceId, offset = 0, limit = DEFAULT_LIMIT },
) => {
  const rowId = await keyRowId(ctx, keyId)
  if (rowId === undefined) throw new AppError('not_found')
  await writeCallsHere(ctx)
  let query = ctx.db.selectFrom('tool_calls').where('key_id', '=', rowId)
  if (outcome) query = query.where('outcome', '=', outcome)
  if (invoiceId)
    query = query.where((eb) =>
      eb.or([
        eb('invoice_id', '=', invoiceId),
        sql<boolean>`exists (select 1 from ${elementsOf(sql.ref('seen'))} where ${jsonText(sql.ref('each.value'), 'id')} = ${invoiceId})`,
      ]),
    )
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await query.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { items: rows.map(callOf), count }
}

const countCalls = prepare((db, p: { keyId: number }) =>
  db
    .selectFrom('tool_calls')
    .select((eb) => eb.fn.countAll<number>().as('calls'))
    .where('key_id', '=', p.keyId),
)

/** Lists the assistant name of each active key; keys without one are left out. */
export const listClients: UseCase<typeof listClientsContract> = async (ctx) => {
  await writeCallsHere(ctx)
  const items: ContractOutput<typeof listClientsContract>['items'] = []
  for (const { id, publicId } of await activeKeyIds(ctx)) {
    const client = await clientOfKey.first(ctx.db, { keyId: id })
    const calls = (await countCalls.first(ctx.db, { keyId: id }))?.calls ?? 0
    if (!client && calls === 0) continue
    const { name = null, version = null, at } = client ?? {}
    items.push({
      keyId: publicId,
      name,
      version,
      at: at === undefined ? null : new Date(at).toISOString(),
      calls,
    })
  }
  return { items }
}
