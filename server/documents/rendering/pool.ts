/**
 * Pool of threads that draw and sign: started with the first job, stopped when idle, replaced after a crash. A job
 * that crashes its thread fails alone; the next thread does the waiting ones.
 */
import type { Worker } from 'node:worker_threads'
import { endThread, startThread, workerFile } from '../../platform/processes/threads.ts'
import type { DocumentJob, MadeDocument, WorkerJob, WorkerReply } from './worker.ts'

type DocumentFailure = 'failed' | 'crashed' | 'timeout' | 'closed'

/** Reason why a document was not made. `failed` will fail again; the others may be retried. */
class DocumentError extends Error {
  readonly reason: DocumentFailure

  constructor(reason: DocumentFailure, message: string) {
    super(message)
    this.name = 'DocumentError'
    this.reason = reason
  }
}

export interface DocumentPool {
  /** Makes a document. Rejects with a `DocumentError`, or with the signal's reason when that is aborted. */
  make: (job: DocumentJob, options?: { signal?: AbortSignal }) => Promise<MadeDocument>
  /** Returns the number of running threads. */
  threads: () => number
  /** Stops all threads; running and waiting jobs are rejected as `closed`. */
  close: () => Promise<void>
}

export interface DocumentPoolOptions {
  workerUrl?: URL
  /** 1 by default; 2 at most, because a third would only use memory. */
  threads?: number
  timeoutMs?: number
  idleMs?: number
}

interface Waiting {
  job: WorkerJob
  resolve: (made: MadeDocument) => void
  reject: (reason: unknown) => void
  /** Stops listening to the caller's signal. */
  release: () => void
  settled: boolean
}

interface Thread {
  worker: Worker
  current: Waiting | null
  timer: NodeJS.Timeout | null
}

const MAX_THREADS = 2
const HEAP_MB = 256

export function createDocumentPool(options: DocumentPoolOptions = {}): DocumentPool {
  const {
    workerUrl = workerFile('document', import.meta.url),
    threads = 1,
    timeoutMs = 10_000,
    idleMs = 30_000,
  } = options
  const limit = Math.max(1, Math.min(MAX_THREADS, threads))
  const pool = new Set<Thread>()
  const queue: Waiting[] = []
  let closed = false
  let nextId = 1

  const settle = (waiting: Waiting, finish: () => void): void => {
    if (waiting.settled) return
    waiting.settled = true
    waiting.release()
    finish()
  }

  const stop = (thread: Thread): Promise<void> => {
    if (thread.timer !== null) clearTimeout(thread.timer)
    pool.delete(thread)
    return endThread(thread.worker)
  }

  const fail = (thread: Thread, reason: DocumentFailure, message: string): void => {
    const { current } = thread
    thread.current = null
    void stop(thread)
    if (current) settle(current, () => current.reject(new DocumentError(reason, message)))
    pump()
  }

  const rest = (thread: Thread): void => {
    thread.current = null
    // An idle thread must not keep the process alive.
    thread.worker.unref()
    thread.timer = setTimeout(() => void stop(thread), idleMs)
    thread.timer.unref()
  }

  const start = (): Thread => {
    const worker = startThread('document', workerUrl, null, { heapMb: HEAP_MB })
    const thread: Thread = { worker, current: null, timer: null }
    worker.on('message', (reply: WorkerReply) => {
      const { current } = thread
      if (current === null || current.job.id !== reply.id) return
      if (thread.timer !== null) clearTimeout(thread.timer)
      rest(thread)
      settle(current, () => {
        if ('made' in reply) current.resolve(reply.made)
        else current.reject(new DocumentError('failed', `The document could not be made: ${reply.failure}`))
      })
      pump()
    })
    worker.on('error', (error) => fail(thread, 'crashed', `The drawing thread broke: ${error.message}`))
    worker.on('exit', () => {
      if (pool.has(thread)) fail(thread, 'crashed', 'The drawing thread ended.')
    })
    pool.add(thread)
    return thread
  }

  const run = (thread: Thread, waiting: Waiting): void => {
    if (thread.timer !== null) clearTimeout(thread.timer)
    thread.current = waiting
    thread.worker.ref()
    thread.timer = setTimeout(
      () => fail(thread, 'timeout', `The document took longer than ${timeoutMs} ms.`),
      timeoutMs,
    )
    try {
      thread.worker.postMessage(waiting.job)
    } catch (error) {
      // The job contains something that is not plain data; the thread has not received it.
      clearTimeout(thread.timer)
      rest(thread)
      settle(waiting, () =>
        waiting.reject(new DocumentError('failed', `The document could not be made: ${String(error)}`)),
      )
    }
  }

  const pump = (): void => {
    while (!closed) {
      while (queue[0]?.settled) queue.shift()
      if (queue.length === 0) return
      const idle = [...pool].find((thread) => thread.current === null)
      if (!idle && pool.size >= limit) return
      const waiting = queue.shift()
      if (waiting) run(idle ?? start(), waiting)
    }
  }

  return {
    make: (job, { signal } = {}) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new DocumentError('closed', 'The application is closing.'))
        if (signal?.aborted) return reject(signal.reason)
        const onAbort = (): void => settle(waiting, () => reject(signal?.reason))
        const release = (): void => signal?.removeEventListener('abort', onAbort)
        const waiting: Waiting = { job: { id: nextId++, job }, resolve, reject, release, settled: false }
        signal?.addEventListener('abort', onAbort, { once: true })
        queue.push(waiting)
        pump()
      }),
    threads: () => pool.size,
    close: async () => {
      closed = true
      const ended = new DocumentError('closed', 'The application is closing.')
      const open = [...queue.splice(0), ...[...pool].flatMap((thread) => thread.current ?? [])]
      for (const waiting of open) settle(waiting, () => waiting.reject(ended))
      await Promise.all([...pool].map(stop))
    },
  }
}
