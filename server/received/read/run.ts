/** Reads a file on a thread of its own, with limits of time and memory, a few at once. */
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../core/errors.ts'
import type { Found, ReadJob, ReadReply, Unreadable } from './found.ts'

export interface ReadLimits {
  timeoutMs?: number
  workerUrl?: URL
}

const TIMEOUT_MS = 20_000
const HEAP_MB = 384
const AT_ONCE = 2
// Kept equal to READ_THREAD of found.ts.
const READ_THREAD = 'read-received'

/** worker.ts beside this file when it runs from source; in the bundle `read-worker.js`, beside it or beside its folder. */
export function readWorkerUrl(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('./worker.ts', import.meta.url)
  const beside = new URL('./read-worker.js', import.meta.url)
  return existsSync(beside) ? beside : new URL('../read-worker.js', import.meta.url)
}

function unreadable(why: Unreadable): AppError {
  return new AppError('file_unreadable', { field: 'content', details: { why } })
}

let running = 0
const waiting: (() => void)[] = []

async function takeTurn(): Promise<void> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
}

function passTurn(): void {
  const next = waiting.shift()
  if (next) next()
  else running -= 1
}

/** What a file says. Throws `file_unreadable` with `details.why`. */
export async function readOnThread(
  file: { bytes: Uint8Array; mediaType: string },
  ownNif: string,
  { timeoutMs = TIMEOUT_MS, workerUrl = readWorkerUrl() }: ReadLimits = {},
): Promise<Found> {
  await takeTurn()
  const job: ReadJob = { thread: READ_THREAD, bytes: file.bytes, mediaType: file.mediaType, ownNif }
  const worker = new Worker(workerUrl, {
    workerData: job,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    const reply = await new Promise<ReadReply>((resolve, reject) => {
      timer = setTimeout(() => reject(unreadable('too_slow')), timeoutMs)
      worker.once('message', resolve)
      worker.once('error', (error) =>
        reject(
          unreadable(
            (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_large' : 'broken',
          ),
        ),
      )
      worker.once('exit', () => reject(unreadable('broken')))
    })
    if ('unreadable' in reply) throw unreadable(reply.unreadable)
    return reply.found
  } finally {
    clearTimeout(timer)
    void worker.terminate()
    passTurn()
  }
}
