/**
 * The window's API: the page of the app calls operations by name, as the person at the computer. API keys are
 * rejected here, and the window's token everywhere else.
 */
import type { FastifyInstance } from 'fastify'
import type { BytesAnswer, StreamAnswer } from '../../domain/contract/fields.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { AppEnvironment, Book, Ctx } from '../../context.ts'
import { createCtx, NO_BOOK } from '../../context.ts'
import {
  ANSWERED_WHILE_LOCKED,
  COUNTED_TRIES,
  enterWithCode,
  enterWithRecovery,
  isLocked,
  lockOf,
  loginMethods,
} from '../../app/app-lock/index.ts'
import type { OperationEntry } from '../operations.ts'
import { runOperation } from '../run.ts'
import { bodyLimitOf } from '../http/bodies.ts'
import { bookMissing, createWindowGate, PERSON } from '../http/auth.ts'
import { isDocumentPending, sendMedia, sendPending } from '../http/bytes.ts'
import { installEntry } from './entry.ts'
import { sendOk } from '../http/envelope.ts'
import type { EventFeed } from './feed.ts'
import type { BadKeys } from '../http/bad-key-limits.ts'
import type { OwnAddress } from '../http/guard.ts'
import type { Log } from '../../platform/log.ts'
import type { WindowSessions } from './sessions.ts'

const LOCK_LOOK_MS = 5_000

/** Finds a book by its public id. */
export type FindBook = (env: AppEnvironment, publicId: string) => Promise<Book | null | undefined>

interface WindowOptions {
  env: AppEnvironment
  operations: readonly OperationEntry[]
  windowToken: string
  sessions: WindowSessions
  address: OwnAddress
  findBook: FindBook
  badKeys: BadKeys
  feed: EventFeed
  log: Log
}

export function installWindow(app: FastifyInstance, options: WindowOptions): void {
  const { env, sessions, address, findBook, badKeys, feed, log } = options
  const byName = new Map(options.operations.map((entry) => [entry.facts.name, entry]))
  const checkToken = createWindowGate(options, badKeys)

  /** Throws `app_locked` while Sello is locked, and ends the open event streams. */
  async function assertOpen(): Promise<void> {
    if (!(await isLocked(env))) return
    feed.endAll()
    throw new AppError('app_locked')
  }

  // If all pages are idle no request triggers the check, so that it also runs periodically.
  const watch = setInterval(() => {
    assertOpen().catch((error: unknown) => {
      if (!(error instanceof AppError)) log({ event: 'bug', error })
    })
  }, LOCK_LOOK_MS)
  watch.unref()
  app.addHook('onClose', async () => clearInterval(watch))

  const ctxOf = (): Ctx =>
    createCtx({ env, book: NO_BOOK, actor: PERSON, channel: 'ui', requestId: env.newId('req') })
  installEntry(app, {
    sessions,
    address,
    badKeys,
    now: env.now,
    proofs: {
      ways: () => loginMethods(env),
      code: (text) => enterWithCode(ctxOf(), text),
      recoveryCode: (text) => enterWithRecovery(ctxOf(), text),
    },
  })

  async function bookOf(header: string | string[] | undefined): Promise<Book> {
    if (header === undefined)
      throw validationFailed([
        {
          code: 'required',
          field: 'sello-book',
          severity: 'error',
          message: 'Name the book in this header.',
        },
      ])
    const book = typeof header === 'string' ? await findBook(env, header) : null
    if (!book) throw bookMissing()
    return book
  }

  app.post<{ Params: { operation: string } }>(
    '/app/call/:operation',
    // One route for all operations: the largest file that any of them accepts.
    {
      // Before the body is read: no files are accepted while locked.
      onRequest: async (request) => {
        checkToken(request)
        if (!ANSWERED_WHILE_LOCKED.has((request.params as { operation: string }).operation))
          await assertOpen()
      },
      bodyLimit: Math.max(...options.operations.map(({ facts }) => bodyLimitOf(facts))),
    },
    async (request, reply) => {
      const entry = byName.get(request.params.operation)
      if (!entry) throw new AppError('not_found')
      const { media, name, effect } = entry.facts
      const book = entry.facts.bookless ? NO_BOOK : await bookOf(request.headers['sello-book'])
      const operation = await entry.load()
      const ctx = createCtx({ env, book, actor: PERSON, channel: 'ui', requestId: request.id })
      const idempotencyKey = COUNTED_TRIES.has(name) ? undefined : request.headers['idempotency-key']
      const run = (): Promise<unknown> =>
        runOperation(operation, ctx, request.body ?? {}, {
          idempotencyKey: Array.isArray(idempotencyKey) ? idempotencyKey.join(', ') : idempotencyKey,
          onReplay: () => void reply.header('idempotency-replayed', 'true'),
        })
      try {
        const isRead = effect === 'read'
        const data = await (isRead ? run() : (await lockOf(env)).whileWorking(run))
        if (name === 'session.lock') feed.endAll()
        // Sello was locked during the call: the result of a change is returned, that of a read is not.
        if (isRead && !ANSWERED_WHILE_LOCKED.has(name)) await assertOpen()
        return media
          ? sendMedia(request, reply, data as BytesAnswer | StreamAnswer, media, log)
          : sendOk(reply, data, env.now())
      } catch (error) {
        if (media && isDocumentPending(error)) return sendPending(reply, env.now())
        throw error
      }
    },
  )

  const openOnly = async (request: Parameters<typeof checkToken>[0]): Promise<void> => {
    checkToken(request)
    await assertOpen()
  }
  app.get('/app/events', { onRequest: openOnly }, async (request, reply) => {
    if (feed.isFull) throw new AppError('rate_limited', { retryAfterSeconds: 10 })
    const last = request.headers['last-event-id']
    const failed = (error: unknown): void =>
      log({ event: 'bug', route: '/app/events', requestId: request.id, error })
    const companyId = env.servers ? (await bookOf(request.headers['sello-book'])).companyId : null
    const stream = await feed.open(env, companyId, typeof last === 'string' ? last : undefined, failed)
    return reply.header('content-type', 'text/event-stream; charset=utf-8').send(stream)
  })

  app.addHook('preClose', async () => feed.endAll())
}
