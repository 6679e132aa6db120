/**
 * The window's API on a desk: the page of the app calls operations by name, as the person at the computer. API keys are
 * rejected here, and the window's token everywhere else.
 */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors/app-error.ts'
import type { AppEnvironment, Ctx } from '../../context.ts'
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
import { createWindowGate, PERSON } from '../http/auth.ts'
import { installCalls } from './calls.ts'
import type { FindBook, WindowGate } from './calls.ts'
import { installEntry } from './entry.ts'
import type { EventFeed } from './feed.ts'
import type { BadKeys } from '../http/bad-key-limits.ts'
import type { OwnAddress } from '../http/guard.ts'
import type { Log } from '../../platform/log.ts'
import type { WindowSessions } from './sessions.ts'

const LOCK_LOOK_MS = 5_000

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
  const { env, operations, sessions, address, findBook, badKeys, feed, log } = options
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

  const gate: WindowGate = {
    async admit(request, operation) {
      checkToken(request)
      const isAnswered = ANSWERED_WHILE_LOCKED.has(operation)
      if (!isAnswered) await assertOpen()
      return {
        actorIn: async () => PERSON,
        change: async (work) => (await lockOf(env)).whileWorking(work),
        // Sello was locked during the call: the result of a change is returned, that of a read is not.
        assertStillOpen: async () => {
          if (!isAnswered) await assertOpen()
        },
        done: () => {
          if (operation === 'session.lock') feed.endAll()
        },
        isEachAttemptCounted: COUNTED_TRIES.has(operation),
      }
    },
    async admitStream(request) {
      checkToken(request)
      await assertOpen()
      return async () => null
    },
  }
  installCalls(app, { env, operations, gate, findBook, feed, log })
}
