/**
 * The small server behind the page while the books cannot be opened: the same guard, token and page as the real one,
 * limited to the fault and the ways to resolve it. It never reads the books; programs get the reason as an error.
 */
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { ErrorCode } from '../../domain/errors/catalog.ts'
import { BadKeys, createBareServer, createWindowGate, installEntry, sendOk } from '../http/index.ts'
import type { BareOptions, WindowSessions } from '../http/index.ts'
import type { RestoreInput, UploadPath } from '../../app/recovery-mode/contract.ts'
import type {
  AvailableBackupView,
  Keep,
  StartFault,
  RecoveryAnswer,
  StartFaultKind,
} from '../../app/recovery-mode/contract.ts'
import { UPLOAD_BYTES_AT_MOST } from './upload.ts'

const UPLOAD_PATH: UploadPath = '/app/restore-file'

/** The recovery actions of the page. */
interface RecoveryHandler {
  trouble: () => StartFault
  retry: () => Promise<RecoveryAnswer>
  /** Creates the missing folder with new books. */
  /** Opens books that cannot be written in their location, for reading only. */
  read: () => Promise<RecoveryAnswer>
  create: () => Promise<RecoveryAnswer>
  recover: (code: string, keep: Keep) => Promise<RecoveryAnswer>
  useFolder: (folder: string) => Promise<RecoveryAnswer>
  /** Returns the backups of these books, newest first. */
  backups: () => AvailableBackupView[]
  /** Stores a portable file until it is restored. */
  keepFile: (body: Readable) => Promise<number>
  restore: (input: RestoreInput) => Promise<RecoveryAnswer>
  report: () => string
  quit: () => void
}

interface RecoveryServerOptions extends BareOptions {
  windowToken: string
  sessions: WindowSessions
  door: RecoveryHandler
}

const CODES: Readonly<Record<StartFaultKind, ErrorCode>> = {
  keychain_locked: 'keychain_locked',
  key_elsewhere: 'keychain_locked',
  key_missing: 'keychain_locked',
  key_wrong: 'keychain_locked',
  store_in_use: 'store_in_use',
  port_taken: 'port_taken',
  disk_full: 'store_readonly',
  folder_readonly: 'store_readonly',
  folder_missing: 'store_missing',
  folder_unusable: 'store_missing',
  folder_shared: 'folder_shared',
  store_missing: 'store_missing',
  store_damaged: 'store_damaged',
  store_newer: 'store_newer',
  shut_to_restore: 'books_shut',
  start_failed: 'internal',
}

/** Returns the answer to all other requests; `details.trouble` tells the page to show the recovery actions. */
function refusalOf({ kind }: StartFault): AppError {
  return new AppError(CODES[kind], { details: { trouble: kind } })
}

function parsed<Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> {
  const result = shape.safeParse(body)
  if (result.success) return result.data
  throw validationFailed(
    result.error.issues.map((issue) => ({
      code: 'wrong_format',
      field: issue.path.join('.'),
      severity: 'error' as const,
      message: issue.message,
    })),
  )
}

export function createRecoveryServer(options: RecoveryServerOptions): FastifyInstance {
  const { door, now } = options
  const app = createBareServer(options)
  const badKeys = new BadKeys()
  const onRequest = createWindowGate(options, badKeys)
  const { sessions, address } = options
  installEntry(app, { sessions, address, badKeys, now, proofs: null })
  const shut = async (): Promise<never> => {
    throw refusalOf(door.trouble())
  }
  const answers: Record<string, (body: unknown) => unknown> = {
    'trouble.get': () => ({ trouble: door.trouble() }),
    'trouble.retry': () => door.retry(),
    'trouble.create': () => door.create(),
    'trouble.read': () => door.read(),
    'trouble.recover': async (body) => {
      const { RecoverInput } = await import('../../app/recovery-mode/contract.ts')
      const { code, keep } = parsed(RecoverInput, body)
      return door.recover(code, keep)
    },
    'trouble.useFolder': async (body) => {
      const { FolderInput } = await import('../../app/recovery-mode/contract.ts')
      return door.useFolder(parsed(FolderInput, body).folder)
    },
    'trouble.backups': () => ({ items: door.backups() }),
    'trouble.restore': async (body) => {
      const shapes = await import('../../app/recovery-mode/contract.ts')
      return door.restore(parsed(shapes.RestoreInput, body))
    },
    'trouble.report': () => ({ text: door.report() }),
    'trouble.quit': () => {
      setImmediate(door.quit)
      return { quitting: true }
    },
  }
  app.post<{ Params: { operation: string } }>(
    '/app/call/:operation',
    { onRequest: async (request) => onRequest(request) },
    async (request, reply) => {
      const { operation } = request.params
      const answer = Object.hasOwn(answers, operation) ? answers[operation] : undefined
      if (!answer) throw refusalOf(door.trouble())
      return sendOk(reply, await answer(request.body ?? {}), now())
    },
  )
  void app.register(async (within) => {
    // The only body that is not JSON: streamed, since it may be larger than memory.
    within.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body))
    within.post(
      UPLOAD_PATH,
      { onRequest: async (request) => onRequest(request), bodyLimit: UPLOAD_BYTES_AT_MOST },
      async (request, reply) =>
        sendOk(reply, { bytes: await door.keepFile(request.body as Readable) }, now()),
    )
  })
  app.get('/app/events', { onRequest: async (request) => onRequest(request) }, shut)
  app.get('/healthz', shut)
  // Before the body is read: programs get the reason at every address.
  app.all('/api/*', { onRequest: shut }, shut)
  return app
}
