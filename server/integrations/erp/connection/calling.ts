/** Line to an external account: sends the calls of a connection, and stores a log entry of each. */
import type { Worker } from 'node:worker_threads'
import { isLoopback } from '../../../platform/http-client/addresses.ts'
import { businessDateOf } from '../../../domain/dates.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { endThread, ranOutOfMemory, startThread, workerFile } from '../../../platform/processes/threads.ts'
import type { AppEnvironment, Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import type { CallNote } from './http.ts'
import { CursorRefused } from '../port.ts'
import type { Credentials, Notes, Provider, Quota, Step, Verified } from '../port.ts'
import type { ReadyPage } from '../reading/ready.ts'
import type { ErpMessage, ErpQuestion, ErpThread } from './worker.ts'

/** One request in flight, and one per interval: the smallest plans allow sixty a minute. */
const PACE_MS = 1_050
/** Heap of the thread: a page of the largest size with a margin. */
const HEAP_MB = 96
const YOUNG_MB = 4
const HANG_UP_MS = 1_000

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host.replace(/^\[|\]$/g, ''))
}

export interface Line {
  /** Calls not stored yet. */
  calls: CallNote[]
  /** Checks the credentials like `verify` of `Provider`, before any notes exist. */
  verify(): Promise<Verified>
  pull(step: Step, notes: Notes): Promise<ReadyPage>
  quota(notes: Notes): Promise<Quota | null>
  /** Ends the thread, and its requests in flight. */
  close(): void
}

function asError(message: Exclude<ErpMessage, { call: CallNote } | { answer: unknown }>): Error {
  if ('cursorRefused' in message) return new CursorRefused('The cursor is taken no more.')
  if ('refused' in message) return new AppError(message.refused.code, message.refused)
  return new Error(`The reading failed: ${message.bug}`)
}

/**
 * Creates a line to the account of the credentials: a thread of its own, which starts with the first request and
 * answers one at a time. `allowPrivate`: a person chose an address in the private network. Throws
 * `erp_stand_in_missing` in a sandbox without a mock endpoint.
 */
export function createLine(
  env: AppEnvironment,
  provider: Provider,
  credentials: Credentials,
  options: { allowPrivate: boolean; signal?: AbortSignal },
): Line {
  const { signal } = options
  const fixed = provider.fixedAddress
  const standIn = env.erpMockEndpoint
  if (env.sandbox && !standIn && fixed !== null) throw new AppError('erp_stand_in_missing')
  const base = credentials.baseUrl ?? standIn?.url ?? fixed
  if (base === null) throw new Error('A self-hosted system has an address.')
  if (env.sandbox && !isLoopbackHost(new URL(base).hostname))
    throw new AppError('erp_address_refused', { details: { reason: 'sandbox' } })
  const thread: ErpThread = {
    provider: provider.describe().id,
    credentials,
    base,
    allowPrivate: options.allowPrivate || (credentials.baseUrl === null && standIn !== null),
    paceMs: standIn?.paceMs ?? PACE_MS,
  }
  const calls: CallNote[] = []
  let worker: Worker | null = null
  let waiting: { resolve: (value: unknown) => void; reject: (error: unknown) => void } | null = null

  const settle = (how: (of: NonNullable<typeof waiting>) => void): void => {
    const of = waiting
    waiting = null
    if (of) how(of)
  }
  const stop = (error: unknown): void => {
    if (worker) void endThread(worker)
    worker = null
    settle(({ reject }) => reject(error))
  }

  function start(): Worker {
    const file = workerFile('erp', import.meta.url)
    const made = startThread('erp', file, thread, { heapMb: HEAP_MB, youngMb: YOUNG_MB })
    made.on('message', (message: ErpMessage) => {
      if ('call' in message) calls.push(message.call)
      else if (worker !== made) return
      else if (signal?.aborted) stop(signal.reason)
      else if ('answer' in message) settle(({ resolve }) => resolve(message.answer))
      else settle(({ reject }) => reject(asError(message)))
    })
    made.on('error', (error) => {
      if (worker !== made) return
      stop(
        ranOutOfMemory(error)
          ? new AppError('erp_protocol_error', { details: { reason: 'too_large' } })
          : error,
      )
    })
    made.on('exit', () => {
      if (worker === made) stop(new Error('The thread of the reading ended.'))
    })
    // The thread waits for the next request, and must not keep the process alive.
    made.unref()
    return made
  }

  function ask(question: QuestionWithoutTime): Promise<unknown> {
    signal?.throwIfAborted()
    worker ??= start()
    const at = { now: env.now().getTime(), today: businessDateOf(env.now()) }
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject }
      worker?.postMessage({ ...question, ...at } as ErpQuestion)
    })
  }

  // The thread reports its calls first, because the external system has counted them too.
  const hangUp = (): void => {
    if (!worker) return
    worker.postMessage({ ask: 'stop' } satisfies ErpQuestion)
    setTimeout(() => stop(signal?.reason), HANG_UP_MS).unref()
  }
  signal?.addEventListener('abort', hangUp, { once: true })
  return {
    calls,
    verify: async () => (await ask({ ask: 'verify', notes: {} })) as Verified,
    pull: async (step, notes) => (await ask({ ask: 'pull', step, notes })) as ReadyPage,
    quota: async (notes) => (await ask({ ask: 'quota', notes })) as Quota | null,
    close: () => {
      signal?.removeEventListener('abort', hangUp)
      stop(new Error('The line is closed.'))
    },
  }
}

type QuestionWithoutTime = ErpQuestion extends infer Question
  ? Question extends { now: number }
    ? Omit<Question, 'now' | 'today'>
    : never
  : never

/** Normalizes the address of a self-hosted system: https (http on this computer only), no query, no trailing slash. */
export function normalizeAddress(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null
  const isHere = url !== null && isLoopbackHost(url.hostname)
  const isPlain = url !== null && !url.username && !url.password && !url.search && !url.hash
  if (!url || !isPlain || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHere)))
    throw validationFailed([
      {
        code: 'erp_address',
        field: 'baseUrl',
        severity: 'error',
        message: 'This is not an https address without user, query and fragment.',
        fix: 'Write it like https://empresa.odoo.com.',
      },
    ])
  return url.origin + url.pathname.replace(/\/+$/, '')
}

const insertCall = prepare(
  (
    db,
    p: {
      connectionId: number
      runId: number | null
      at: number
      month: number
      resource: string
      status: number | null
      ms: number
      bytes: number
      window: string | null
      remaining: number | null
    },
  ) =>
    db.insertInto('erp_calls').values({
      connection_id: p.connectionId,
      run_id: p.runId,
      at: p.at,
      month: p.month,
      resource: p.resource,
      status: p.status,
      ms: p.ms,
      bytes: p.bytes,
      limit_window: p.window,
      limit_remaining: p.remaining,
    }),
)

/** Returns the month in Spain as a number, such as 202611. */
export function monthOf(at: Date): number {
  return Number(businessDateOf(at).slice(0, 7).replace('-', ''))
}

/** Stores the calls, and removes them from memory after the commit. Returns their number. */
export async function writeCalls(
  tx: Ctx,
  line: Line,
  of: { connectionId: number; runId: number | null },
): Promise<number> {
  const calls = [...line.calls]
  tx.afterCommit(() => void line.calls.splice(0, calls.length))
  for (const call of calls)
    await insertCall.run(tx.db, {
      ...of,
      at: call.at.getTime(),
      month: monthOf(call.at),
      resource: call.resource.slice(0, 60),
      status: call.status,
      ms: Math.round(call.ms),
      bytes: call.bytes,
      window: call.limit.window,
      remaining: call.limit.remaining,
    })
  return calls.length
}
