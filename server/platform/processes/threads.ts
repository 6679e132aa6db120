/** Threads: their files, what they start with, and how they end. Both sides of one use this. */
import { existsSync } from 'node:fs'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'

/** Each is `<name>-worker.js` in the bundle. */
export type ThreadName = 'backup' | 'book' | 'check' | 'document' | 'erp'

interface Start {
  thread: ThreadName
  given: unknown
}

/** Of the heap alone; buffers are outside of it. */
export interface ThreadLimits {
  heapMb: number
  youngMb?: number
}

/** Said to a thread that is to end. */
const END = null
/**
 * What a thread may take to end by itself: longer than any step of one. On a busy computer a thread is two seconds old before
 * it has loaded what it draws with, and a force within that meets the engine in the middle of compiling.
 */
const GRACE_MS = 10_000

/** worker.ts beside the module `from` when that runs from source; in the bundle beside it, or beside its folder. */
export function workerFile(name: string, from: string): URL {
  if (from.endsWith('.ts')) return new URL('./worker.ts', from)
  const beside = new URL(`./${name}-worker.js`, from)
  return existsSync(beside) ? beside : new URL(`../${name}-worker.js`, from)
}

/** Starts a thread with nothing of the program's environment and options. Memory beyond the limit ends it with an `error`. */
export function startThread(name: ThreadName, file: URL, given: unknown, limits: ThreadLimits): Worker {
  const { heapMb, youngMb } = limits
  return new Worker(file, {
    workerData: { thread: name, given } satisfies Start,
    env: {},
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: heapMb,
      ...(youngMb === undefined ? {} : { maxYoungGenerationSizeMb: youngMb }),
    },
  })
}

/** Whether it ended for want of memory. */
export function ranOutOfMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/**
 * Lets a thread end by itself; only one that is still there after `graceMs` is ended by force. The engine can break at being
 * ended in the middle of a step of its own, and takes the whole program with it. Resolves when the thread is gone; until then
 * the program does not end by itself, as what is closed after the thread has to be closed too.
 */
export async function endThread(worker: Worker, graceMs = GRACE_MS): Promise<void> {
  // A thread that is gone has no number any more.
  if (worker.threadId === -1) return
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.postMessage(END)
  worker.ref()
  const force = setTimeout(() => void worker.terminate(), graceMs)
  await gone
  clearTimeout(force)
}

/** On the thread's own side: its way back and what it was given; null where the file was loaded as something else. */
export function ownThread<Given>(name: ThreadName): { port: MessagePort; given: Given } | null {
  const start = workerData as Partial<Start> | null
  return parentPort !== null && start?.thread === name
    ? { port: parentPort, given: start.given as Given }
    : null
}

/** Hears questions until it is told to end: then it listens no more, and `end` lets go of what would keep it. */
export function hearQuestions<Question>(
  port: MessagePort,
  hear: (question: Question) => void,
  end: () => void = () => {},
): void {
  port.on('message', (said: Question | typeof END) => {
    if (said !== END) return hear(said)
    port.close()
    end()
  })
}
