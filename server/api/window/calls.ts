/**
 * The two addresses of the window: its calls, by the name of an operation, and its event stream. Who may call them is
 * the gate's affair: the owner of a desk, or a person who signed in to an office.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BytesAnswer, StreamAnswer } from '../../domain/contract/fields.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { AppEnvironment, Book, UserActor } from '../../context.ts'
import { createCtx, NO_BOOK } from '../../context.ts'
import type { OperationEntry } from '../operations.ts'
import { runOperation } from '../run.ts'
import { bodyLimitOf } from '../http/bodies.ts'
import { bookMissing } from '../http/auth.ts'
import { isDocumentPending, sendMedia, sendPending } from '../http/bytes.ts'
import { sendOk } from '../http/envelope.ts'
import type { EventFeed, StreamRights } from './feed.ts'
import type { Log } from '../../platform/log.ts'

/** Finds a book by its public id. */
export type FindBook = (env: AppEnvironment, publicId: string) => Promise<Book | null | undefined>

/** A call that the gate has let in. */
interface AdmittedCall {
  /** Throws `not_found` for a book that the person may not open. */
  actorIn(book: Book): Promise<UserActor>
  /** Runs a call that changes something. */
  change<T>(work: () => Promise<T>): Promise<T>
  /** Throws if the result of a read may no longer be shown. */
  assertStillOpen(): Promise<void>
  /** Called after the operation, before the answer. */
  done(): void
  /** True if only the caller of this attempt may get its result: a repetition runs again. */
  isEachAttemptCounted: boolean
}

export interface WindowGate {
  /** Before the body is read. Throws unless the caller may call the operation now. */
  admit(request: FastifyRequest, operation: string): Promise<AdmittedCall>
  /**
   * Throws unless the caller may listen; returns what decides of which company (null: of all), and what of it: null for
   * everything. It throws for a company that the person may not open.
   */
  admitStream(request: FastifyRequest): Promise<(book: Book | null) => Promise<StreamRights | null>>
}

interface CallOptions {
  env: AppEnvironment
  operations: readonly OperationEntry[]
  gate: WindowGate
  findBook: FindBook
  feed: EventFeed
  log: Log
}

export function installCalls(app: FastifyInstance, options: CallOptions): void {
  const { env, gate, findBook, feed, log } = options
  const byName = new Map(options.operations.map((entry) => [entry.facts.name, entry]))
  const admitted = new WeakMap<FastifyRequest, AdmittedCall>()

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
    // One route for all operations: the largest file that any of them accepts, and for each its own limit.
    {
      onRequest: async (request, reply) => {
        const { operation } = request.params as { operation: string }
        admitted.set(request, await gate.admit(request, operation))
        const entry = byName.get(operation)
        if (entry && Number(request.headers['content-length'] ?? 0) > bodyLimitOf(entry.facts)) {
          // The body is not read: nothing else can come over this connection.
          void reply.header('connection', 'close')
          throw new AppError('payload_too_large')
        }
      },
      bodyLimit: Math.max(...options.operations.map(({ facts }) => bodyLimitOf(facts))),
    },
    async (request, reply) => {
      const call = admitted.get(request)
      const entry = byName.get(request.params.operation)
      if (!entry || !call) throw new AppError('not_found')
      const { media, effect } = entry.facts
      const book = entry.facts.bookless ? NO_BOOK : await bookOf(request.headers['sello-book'])
      const actor = await call.actorIn(book)
      const operation = await entry.load()
      const ctx = createCtx({ env, book, actor, channel: 'ui', requestId: request.id })
      const idempotencyKey = call.isEachAttemptCounted ? undefined : request.headers['idempotency-key']
      const run = (): Promise<unknown> =>
        runOperation(operation, ctx, request.body ?? {}, {
          idempotencyKey: Array.isArray(idempotencyKey) ? idempotencyKey.join(', ') : idempotencyKey,
          onReplay: () => void reply.header('idempotency-replayed', 'true'),
        })
      try {
        const isRead = effect === 'read'
        const data = await (isRead ? run() : call.change(run))
        call.done()
        if (isRead) await call.assertStillOpen()
        return media
          ? sendMedia(request, reply, data as BytesAnswer | StreamAnswer, media, log)
          : sendOk(reply, data, env.now())
      } catch (error) {
        if (media && isDocumentPending(error)) return sendPending(reply, env.now())
        throw error
      }
    },
  )

  app.get('/app/events', async (request, reply) => {
    const rightsIn = await gate.admitStream(request)
    const book = env.servers ? await bookOf(request.headers['sello-book']) : null
    const rights = await rightsIn(book)
    if (feed.isFull) throw new AppError('rate_limited', { retryAfterSeconds: 10 })
    const last = request.headers['last-event-id']
    const failed = (error: unknown): void =>
      log({ event: 'bug', route: '/app/events', requestId: request.id, error })
    const stream = await feed.open(env, {
      companyId: book?.companyId ?? null,
      lastEventId: typeof last === 'string' ? last : undefined,
      onFailure: failed,
      rights,
    })
    return reply.header('content-type', 'text/event-stream; charset=utf-8').send(stream)
  })

  app.addHook('preClose', async () => feed.endAll())
}
