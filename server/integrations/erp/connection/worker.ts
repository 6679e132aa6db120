/**
 * Worker thread that calls an accounting system and processes its answers: it parses, checks and prepares large texts
 * under a memory limit, so that they neither block the main thread nor leave garbage in its heap.
 */
import type { MessagePort } from 'node:worker_threads'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { ErrorCode } from '../../../domain/errors/catalog.ts'
import { onThreadMessage, ownThread } from '../../../platform/processes/threads.ts'
import { createErpHttp } from './http.ts'
import type { CallNote } from './http.ts'
import { CursorRefused } from '../port.ts'
import type { Credentials, Notes, ProviderCtx, Quota, Step, Verified } from '../port.ts'
import { providerOf } from '../providers.ts'
import { readyPage } from '../reading/ready.ts'
import type { ReadyPage } from '../reading/ready.ts'

export interface ErpThread {
  provider: string
  credentials: Credentials
  base: string
  allowPrivate: boolean
  paceMs: number
}

export type ErpQuestion =
  | { ask: 'verify'; notes: Notes; today: string; now: number }
  | { ask: 'pull'; step: Step; notes: Notes; today: string; now: number }
  | { ask: 'quota'; notes: Notes; today: string; now: number }
  /** Aborts the current request. */
  | { ask: 'stop' }

export type ErpMessage =
  | { call: CallNote }
  | { answer: Verified | ReadyPage | Quota | null }
  | {
      refused: {
        code: ErrorCode
        field?: string
        details?: Record<string, unknown>
        retryAfterSeconds?: number
      }
    }
  | { cursorRefused: true }
  /** A bug of ours, by its name and location. */
  | { bug: string }

function fault(error: unknown): ErpMessage {
  if (error instanceof CursorRefused) return { cursorRefused: true }
  if (error instanceof AppError) {
    const { code, field, details, retryAfterSeconds } = error
    return {
      refused: {
        code,
        ...(field === undefined ? {} : { field }),
        ...(details === undefined ? {} : { details }),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      },
    }
  }
  const { name, stack = '' } = error instanceof Error ? error : new Error(String(error))
  // Its message could quote external data; its location cannot.
  const place = stack.split('\n').find((line) => /^\s+at /.test(line)) ?? ''
  return { bug: `${name}${place.replace(/\s+/g, ' ')}` }
}

/** Returns the buffers that are transferred with the message instead of being copied. */
function ownedBy(message: ErpMessage): ArrayBuffer[] {
  return 'answer' in message && message.answer !== null && 'packed' in message.answer
    ? [message.answer.packed.buffer]
    : []
}

function serve(port: MessagePort, thread: ErpThread): void {
  const provider = providerOf(thread.provider)
  const { credentials, base, allowPrivate, paceMs } = thread
  // The caller's clock, which advances while the request runs.
  let offset = 0
  const hangUp = new AbortController()
  const http = createErpHttp({
    base,
    signal: hangUp.signal,
    allowPrivate,
    paceMs,
    secret: credentials.secret,
    now: () => new Date(performance.now() + offset),
    onCall: (call) => port.postMessage({ call } satisfies ErpMessage),
  })

  async function answer(question: Exclude<ErpQuestion, { ask: 'stop' }>): Promise<ErpMessage> {
    offset = question.now - performance.now()
    const ctx: ProviderCtx = { http, credentials, notes: question.notes, today: question.today }
    switch (question.ask) {
      case 'verify':
        return { answer: await provider.verify(ctx) }
      case 'pull':
        return { answer: readyPage(await provider.pull(question.step, ctx)) }
      case 'quota':
        return { answer: await provider.quota(ctx) }
    }
  }

  const stop = (): void => hangUp.abort(new Error('Stopped.'))
  onThreadMessage(
    port,
    (question: ErpQuestion) => {
      if (question.ask === 'stop') return stop()
      void answer(question)
        .catch(fault)
        .then((message) => port.postMessage(message, ownedBy(message)))
    },
    stop,
  )
}

const own = ownThread<ErpThread>('erp')
if (own) serve(own.port, own.given)
