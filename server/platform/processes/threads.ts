/** Worker threads: their files, their start data, and their end. Both sides use this file. */
import { existsSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'

/** Each is `<name>-worker.js` in the bundle. */
type ThreadName = 'backup' | 'book' | 'check' | 'document' | 'erp' | 'office-copy'

interface Start {
  thread: ThreadName
  given: unknown
}

/** Limits of the heap only; buffers are outside of it. */
interface ThreadLimits {
  heapMb: number
  youngMb?: number
  /** Variables beside the compile cache; none by default. */
  environment?: NodeJS.ProcessEnv
}

/** Message that asks a thread to end. */
const END = null
/**
 * Time for a thread to end by itself: longer than any of its steps. On a busy computer a thread needs two seconds to
 * load its modules, and forced termination during that time interrupts the engine's compilation.
 */
const GRACE_MS = 10_000

/**
 * Returns the path of worker.ts next to the module `from` when running from source, or of its file in the bundle or
 * the folder of the bundle.
 */
export function workerFile(name: string, from: string): URL {
  if (from.endsWith('.ts')) return new URL('./worker.ts', from)
  const beside = new URL(`./${name}-worker.js`, from)
  return existsSync(beside) ? beside : new URL(`../${name}-worker.js`, from)
}

/** Returns the variable with which a thread or process uses the compile cache of this one, if there is one. */
export function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}

/**
 * Starts a thread without the program's options, and of its environment with the compile cache and what is given. Memory beyond the
 * limit ends it with an `error`.
 */
export function startThread(name: ThreadName, file: URL, given: unknown, limits: ThreadLimits): Worker {
  const { heapMb, youngMb, environment } = limits
  return new Worker(file, {
    workerData: { thread: name, given } satisfies Start,
    env: { ...environment, ...compileCache() },
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: heapMb,
      ...(youngMb === undefined ? {} : { maxYoungGenerationSizeMb: youngMb }),
    },
  })
}

/** Returns true if it ended for lack of memory. */
export function ranOutOfMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/**
 * Lets a thread end by itself and terminates it only after `graceMs`. Forced termination in the middle of a step can
 * crash the engine and the whole program. Resolves when the thread has ended; until then it keeps the program alive,
 * as later cleanup steps have to run too.
 */
export async function endThread(worker: Worker, graceMs = GRACE_MS): Promise<void> {
  // A thread that has ended has no id.
  if (worker.threadId === -1) return
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.postMessage(END)
  worker.ref()
  const force = setTimeout(() => void worker.terminate(), graceMs)
  await gone
  clearTimeout(force)
}

/** Runs in the thread: returns its port and start data; null if the file was loaded otherwise. */
export function ownThread<Given>(name: ThreadName): { port: MessagePort; given: Given } | null {
  const start = workerData as Partial<Start> | null
  return parentPort !== null && start?.thread === name
    ? { port: parentPort, given: start.given as Given }
    : null
}

/**
 * Answers messages until the thread is asked to end: then it stops listening, and `end` releases everything that
 * would keep it alive.
 */
export function onThreadMessage<Question>(
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
