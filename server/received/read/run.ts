/** Reads a file on a thread of its own, with limits of time and memory, a few at once. */
import { AppError } from '../../core/errors.ts'
import { endThread, ranOutOfMemory, startThread, threadFile } from '../../core/threads.ts'
import type { Found, ReadJob, ReadReply, Unreadable } from './found.ts'

export interface ReadLimits {
  timeoutMs?: number
  workerUrl?: URL
}

const TIMEOUT_MS = 20_000
const HEAP_MB = 384
const AT_ONCE = 2

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
  { timeoutMs = TIMEOUT_MS, workerUrl = threadFile('read', import.meta.url) }: ReadLimits = {},
): Promise<Found> {
  await takeTurn()
  const job: ReadJob = { bytes: file.bytes, mediaType: file.mediaType, ownNif }
  const worker = startThread('read', workerUrl, job, { heapMb: HEAP_MB })
  let timer: NodeJS.Timeout | undefined
  try {
    const reply = await new Promise<ReadReply>((resolve, reject) => {
      timer = setTimeout(() => reject(unreadable('too_slow')), timeoutMs)
      worker.once('message', resolve)
      worker.once('error', (error) => reject(unreadable(ranOutOfMemory(error) ? 'too_large' : 'broken')))
      worker.once('exit', () => reject(unreadable('broken')))
    })
    if ('unreadable' in reply) throw unreadable(reply.unreadable)
    return reply.found
  } finally {
    clearTimeout(timer)
    void endThread(worker)
    passTurn()
  }
}
