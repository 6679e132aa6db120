/**
 * Stores replies by Idempotency-Key, in the transaction of their operation: a repeated request finds both or neither.
 * The transactions of a company run one after another, on all servers of an office, so that simultaneous repetitions
 * wait for the first and get its reply.
 */
import { canonicalJson } from '../../domain/canonical-json.ts'
import { sha256Hex } from '../../domain/sha256.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { AppEnvironment, Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'

const DAY_MS = 86_400_000
export const RETENTION_MS = 7 * DAY_MS
/** Time during which a repeated request still receives the secret of the first reply. */
export const SECRET_MS = 10 * 60_000

/** Members of replies that contain a secret. Such replies are sealed and lose these members after ten minutes. */
export const SECRET_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'keys.create': ['key'],
  'keys.createByPerson': ['key'],
  'invoices.validate': ['confirmation'],
  'people.addPasskey': ['step', 'options'],
  'people.finishPassword': ['codes'],
  'people.invite': ['link'],
  'people.newCodes': ['codes'],
  'people.recoveryLink': ['link'],
  'people.setPassword': ['step', 'secret', 'address'],
  'recovery.reveal': ['code', 'groups'],
  'webhooks.create': ['secret'],
  'webhooks.createByPerson': ['secret'],
  'webhooks.rotateSecret': ['secret'],
}

/** Throws `validation_failed` unless the key is 1 to 255 printable ASCII characters. */
export function checkIdempotencyKey(key: string): void {
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) return
  throw validationFailed([
    {
      code: 'wrong_format',
      field: 'Idempotency-Key',
      severity: 'error',
      message: 'Must be 1 to 255 printable ASCII characters.',
    },
  ])
}

interface StoredReply {
  scope: string
  key: string
  operation: string
  inputHash: Uint8Array
  status: number
  reply: string
  sealed: number
  at: number
}

const find = prepare((db, p: { scope: string; key: string }) =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('scope', '=', p.scope)
    .where('idempotency_key', '=', p.key),
)

const remove = prepare((db, p: { scope: string; key: string }) =>
  db.deleteFrom('idempotency_keys').where('scope', '=', p.scope).where('idempotency_key', '=', p.key),
)

const insert = prepare((db, p: StoredReply) =>
  db.insertInto('idempotency_keys').values({
    scope: p.scope,
    idempotency_key: p.key,
    operation: p.operation,
    input_hash: p.inputHash,
    status: p.status,
    reply: p.reply,
    sealed: p.sealed,
    created_at: p.at,
  }),
)

/** Returns the scope of repetitions: one API key, or one person in one book. */
function scopeOf(ctx: Ctx): string {
  return ctx.actor.kind === 'key' ? ctx.actor.id : `${ctx.actor.id}:${ctx.book.publicId}`
}

/** Returns the location of a sealed reply, which cannot be opened elsewhere. */
export function sealContextOf(scope: string, key: string): string {
  return `idempotency_keys|reply|${scope}|${key}`
}

function withoutSecrets(operation: string, reply: unknown): unknown {
  const secrets = SECRET_MEMBERS[operation] ?? []
  if (typeof reply !== 'object' || reply === null) return reply
  return Object.fromEntries(Object.entries(reply).filter(([member]) => !secrets.includes(member)))
}

interface Answer {
  data: unknown
  /** True for the stored reply of an earlier request. */
  replayed: boolean
  /** The earlier request failed with an internal error after it had changed something; there is no data. */
  failed?: true
}

interface IdempotentRequest {
  key: string
  operation: string
  input: unknown
  status: number
}

/**
 * Returns the stored reply to the same request, or null. Throws `idempotency_mismatch` for a different request with
 * its key.
 */
async function storedAnswer(tx: Ctx, request: KnownRequest): Promise<Answer | null> {
  const { key, operation, scope, inputHash } = request
  const now = tx.now().getTime()
  const kept = await find.first(tx.db, { scope, key })
  if (!kept || kept.created_at <= now - RETENTION_MS) return null
  if (kept.operation !== operation || !inputHash.equals(kept.input_hash))
    throw new AppError('idempotency_mismatch')
  if (kept.status >= 500) return { data: null, replayed: true, failed: true }
  const text =
    kept.sealed === 1
      ? tx.env.store.sealer.open(kept.reply, sealContextOf(scope, key)).toString('utf8')
      : kept.reply
  const reply: unknown = JSON.parse(text)
  const stale = kept.created_at <= now - SECRET_MS
  return { data: stale ? withoutSecrets(operation, reply) : reply, replayed: true }
}

async function keep(tx: Ctx, request: KnownRequest, data: unknown): Promise<Answer> {
  const { key, operation, scope, inputHash, status } = request
  const secret = operation in SECRET_MEMBERS
  const text = JSON.stringify(data)
  // Expired replies are removed.
  await remove.run(tx.db, { scope, key })
  await insert.run(tx.db, {
    scope,
    key,
    operation,
    inputHash,
    status,
    reply: secret ? tx.env.store.sealer.seal(text, sealContextOf(scope, key)) : text,
    sealed: secret ? 1 : 0,
    at: tx.now().getTime(),
  })
  return { data, replayed: false }
}

interface KnownRequest extends IdempotentRequest {
  scope: string
  inputHash: Buffer
}

function known(ctx: Ctx, request: IdempotentRequest): KnownRequest {
  checkIdempotencyKey(request.key)
  return {
    ...request,
    scope: scopeOf(ctx),
    inputHash: Buffer.from(sha256Hex(canonicalJson(request.input)), 'hex'),
  }
}

/**
 * Runs `work` once per key. The same request again gets the stored reply; a different one throws
 * `idempotency_mismatch`. A failure rolls everything back, including the key, so that the request can be sent again.
 */
export async function answerOnce(
  ctx: Ctx,
  idempotent: IdempotentRequest,
  work: (tx: Ctx) => Promise<unknown>,
): Promise<Answer> {
  const request = known(ctx, idempotent)
  return ctx.transaction(
    async (tx) => (await storedAnswer(tx, request)) ?? (await keep(tx, request, await work(tx))),
  )
}

/** Requests in progress outside of a transaction, by store: on a desk, where no other process has any. */
const atWork = new WeakMap<object, Set<string>>()

/** Runs `work` while no other request in progress has this name, on any server. Throws `idempotency_in_progress`. */
async function whileAlone<T>(
  { servers, store }: AppEnvironment,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const inProgress = (): AppError => new AppError('idempotency_in_progress', { retryAfterSeconds: 1 })
  if (servers) {
    const done = await servers.hold(`reply|${sha256Hex(name)}`, async () => ({ result: await work() }), null)
    if (!done) throw inProgress()
    return done.result
  }
  const busy = atWork.get(store) ?? new Set()
  atWork.set(store, busy)
  if (busy.has(name)) throw inProgress()
  busy.add(name)
  try {
    return await work()
  } finally {
    busy.delete(name)
  }
}

/** Returns the same context with a flag for commits through it. */
function watched(ctx: Ctx): { ctx: Ctx; hasCommitted: () => boolean } {
  let isCommitted = false
  const seen = Object.create(ctx) as Ctx
  seen.transaction = (work) =>
    ctx.transaction((tx) => {
      // The first effect, so that the commit is recorded even if another effect fails.
      tx.afterCommit(() => {
        isCommitted = true
      })
      return work(tx)
    })
  return { ctx: seen, hasCommitted: () => isCommitted }
}

/**
 * Does the same for work that calls an external service or stores content outside, and therefore must not hold a transaction: a repetition
 * during the work gets `idempotency_in_progress`. An internal error after a commit is stored and returned again,
 * because the progress is unknown; a rejection by the external service is not stored, since it allows a retry. After
 * a crash between the work and its reply, a repetition does the work again.
 */
export async function answerOnceExternal(
  ctx: Ctx,
  idempotent: IdempotentRequest,
  work: (ctx: Ctx) => Promise<unknown>,
): Promise<Answer> {
  const request = known(ctx, idempotent)
  return whileAlone(ctx.env, `${request.scope}|${request.key}`, async () => {
    const kept = await storedAnswer(ctx, request)
    if (kept) return kept
    const { ctx: within, hasCommitted } = watched(ctx)
    const data = await work(within).catch(async (error: unknown) => {
      if (!(error instanceof AppError) && hasCommitted())
        await ctx.transaction((tx) => keep(tx, { ...request, status: 500 }, null))
      throw error
    })
    return ctx.transaction((tx) => keep(tx, request, data))
  })
}

/** Deletes replies older than seven days, and the secrets in sealed ones older than ten minutes. */
export async function pruneIdempotency(
  env: AppEnvironment,
): Promise<{ forgotten: number; unsealed: number }> {
  const now = env.now().getTime()
  const { reader, sealer } = env.store
  const due = await reader
    .selectFrom('idempotency_keys')
    .select(['scope', 'idempotency_key', 'operation', 'reply', 'sealed', 'created_at'])
    .where((eb) =>
      eb.or([
        eb('created_at', '<=', now - RETENTION_MS),
        eb.and([eb('sealed', '=', 1), eb('created_at', '<=', now - SECRET_MS)]),
      ]),
    )
    .execute()
  if (due.length === 0) return { forgotten: 0, unsealed: 0 }
  return env.store.transaction(null, async (db) => {
    let unsealed = 0
    for (const row of due) {
      if (row.sealed === 0 || row.created_at <= now - RETENTION_MS) continue
      const reply: unknown = JSON.parse(
        sealer.open(row.reply, sealContextOf(row.scope, row.idempotency_key)).toString('utf8'),
      )
      await db
        .updateTable('idempotency_keys')
        .set({ reply: JSON.stringify(withoutSecrets(row.operation, reply)), sealed: 0 })
        .where('scope', '=', row.scope)
        .where('idempotency_key', '=', row.idempotency_key)
        .where('created_at', '=', row.created_at)
        .execute()
      unsealed += 1
    }
    const deleted = await db
      .deleteFrom('idempotency_keys')
      .where('created_at', '<=', now - RETENTION_MS)
      .executeTakeFirst()
    return { forgotten: Number(deleted.numDeletedRows), unsealed }
  })
}
