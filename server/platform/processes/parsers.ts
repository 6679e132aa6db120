/**
 * Parsers of foreign files. Each runs in a child process with hard limits of memory and time: a thread's limits cover
 * only its heap, not buffers or WebAssembly. Both sides use this file.
 */
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../domain/errors/app-error.ts'
import type { ErrorCode } from '../../domain/errors/catalog.ts'
import { collectGarbage } from './memory.ts'
import { compileCache, workerFile } from './threads.ts'

/** Each is `worker.ts` next to its source and `<name>-worker.js` in the bundle. */
type ParserName =
  | 'archive'
  | 'bank'
  | 'certificate'
  | 'directory'
  | 'exchange'
  | 'history'
  | 'logo'
  | 'mail'
  | 'ocr'
  | 'opening'
  | 'read'
  | 'return'
  | 'table'

/** Reason why a parser gave no answer. `broken`: it ended without one, or failed with an unknown error. */
export type ParserFault = 'too_slow' | 'too_large' | 'broken'

export class ParserFailure extends Error {
  readonly why: ParserFault
  constructor(why: ParserFault, message: string = why) {
    super(message)
    this.name = 'ParserFailure'
    this.why = why
  }
}

/** A child process as this module needs it, started by Node or Electron. */
interface ParserProcess {
  readonly pid: number | undefined
  /** Resolves when the message has been sent. */
  send(message: unknown): Promise<void>
  onMessage(listener: (message: unknown) => void): void
  /** `signal` is null if the system does not report it. */
  onExit(listener: (code: number | null, signal: string | null) => void): void
  kill(): void
  /** Sets whether the child keeps the program alive. */
  hold(held: boolean): void
}

interface ParserStart {
  file: string
  args: readonly string[]
  /** Flags of the JavaScript engine. */
  flags: readonly string[]
  env: Readonly<Record<string, string>>
}

export type StartParser = (start: ParserStart) => ParserProcess

export interface ParserOptions {
  /** `import.meta.url` of the caller: the parser's file is next to it. */
  from: string
  /** Replaces the parser's file in tests. */
  file?: URL | undefined
  timeoutMs: number
  /** Longest time without a part of the answer; by default only `timeoutMs` applies. */
  stepTimeoutMs?: number
  /** Ends the process, or the wait for one; the call then throws the signal's reason. */
  signal?: AbortSignal | undefined
  /** True if the process ends after this answer, so that no later file can access its data. */
  single?: boolean
  /** The file, sent in pieces before the job, which receives it as `bytes`: it need not be completely in memory here. */
  bytes?: FilePieces
  /** Receives a long answer in parts, in order, before the answer itself; the child waits until it resolves. */
  onPart?: (part: never) => void | Promise<void>
}

/** The bytes of a file in consecutive pieces. */
export interface FilePieces {
  length: number
  pieces: Iterable<Uint8Array>
}

/** Limits of the children of one kind. */
interface ProcessLimits {
  /** Resident memory of one child, including the engine's own 70 MB, most of which is shared with the program. */
  memoryMb: number
  heapMb: number
  /** A child with more memory than this after an answer is not reused. */
  reuseMb: number
  /** From this size on, a file leaves so much memory in use that its child is not reused. */
  largeBytes: number
  atOnce: number
  waitingAtMost: number
  idleMs: number
}

const FILES: ProcessLimits = {
  memoryMb: 168,
  heapMb: 100,
  reuseMb: 110,
  largeBytes: 4 * 1024 * 1024,
  atOnce: 2,
  waitingAtMost: 16,
  idleMs: 10_000,
}
/** Pages are large and take seconds, and the engine is faster when warm: OCR does not wait behind files, nor they behind it. */
const OCR: ProcessLimits = {
  memoryMb: 600,
  heapMb: 100,
  reuseMb: 420,
  largeBytes: Infinity,
  atOnce: 1,
  waitingAtMost: 16,
  idleMs: 60_000,
}
/** A mail is in memory up to three times: as it came, as lines, and as its attachments. */
const MAIL: ProcessLimits = { ...FILES, memoryMb: 320, reuseMb: 200, atOnce: 1 }
/**
 * Pages of a document are drawn to find their codes, by a module and for another that both keep their memory: its child needs
 * more, and is worth reusing with it, because a start takes longer than a page.
 */
const READ: ProcessLimits = { ...FILES, memoryMb: 240, reuseMb: 190 }
/** A file of an earlier program is in memory with the texts that its rows share, and an index of its documents. */
const HISTORY: ProcessLimits = { ...FILES, memoryMb: 256, heapMb: 160, atOnce: 1 }
/** A content of an archive is in memory twice while it is sent, and the manifest names tens of thousands of files. */
const ARCHIVE: ProcessLimits = { ...FILES, memoryMb: 320, heapMb: 160, atOnce: 1 }
const SPECIAL: Partial<Record<ParserName, ProcessLimits>> = {
  archive: ARCHIVE,
  ocr: OCR,
  mail: MAIL,
  read: READ,
  // A structured invoice of ten thousand lines is read as a whole, like by the other reader, in whose place it works.
  exchange: READ,
  history: HISTORY,
}
const limitsOf = (name: ParserName): ProcessLimits => SPECIAL[name] ?? FILES

const PIECE_BYTES = 256 * 1024
/** From this size on, the leftover copies of a file in the program are worth collecting. */
const LARGE_BYTES = 4 * 1024 * 1024
/** Below this size what an earlier file left behind does no harm. */
const SMALL_BYTES = 256 * 1024
const START_MS = 20_000
const RETRY_SECONDS = 5
const WATCH_MS = 15
const MEGABYTE = 1024 * 1024
const flagsOf = ({ heapMb }: ProcessLimits): string[] => [
  `--max-old-space-size=${heapMb}`,
  '--max-semi-space-size=4',
  '--v8-pool-size=1',
]
/** Signals and exit codes of an engine or allocator without memory, and of the watchdog thread. */
const MEMORY_SIGNALS: readonly (string | null)[] = ['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGILL']
const MEMORY_CODES: readonly (number | null)[] = [5, 6, 9, 132, 133, 134, 137, 0x80000003]

type ToChild = { file: number } | { piece: Uint8Array } | { job: unknown } | { taken: true }

type FromChild =
  | { ready: true; dataBytes: number | null }
  | { part: unknown }
  | { reply: unknown; rssMb: number; isWorn: boolean }
  | {
      refused: { code: ErrorCode; field?: string | undefined; details?: Record<string, unknown> | undefined }
    }
  | { fault: ParserFault; message: string }

/** Returns the environment of a program: without these variables Windows starts no cryptography. */
function environment(): Record<string, string> {
  const { SystemRoot } = process.env
  return {
    MALLOC_ARENA_MAX: '1',
    UV_THREADPOOL_SIZE: '1',
    ...compileCache(),
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
  }
}

const startWithNode: StartParser = ({ file, args, flags, env }) => {
  const child = spawn(process.execPath, [...flags, file, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  })
  return {
    pid: child.pid,
    // Errors of sending are ignored: the end of the child reports them.
    send: (message) => new Promise((resolve) => child.send(message as object, () => resolve())),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => {
      let ended = false
      const once = (code: number | null, signal: string | null): void => {
        if (ended) return
        ended = true
        listener(code, signal)
      }
      child.on('exit', once)
      child.on('error', () => once(1, null))
    },
    kill: () => void child.kill('SIGKILL'),
    hold: (held) => {
      if (held) {
        child.ref()
        child.channel?.ref()
      } else {
        child.unref()
        child.channel?.unref()
      }
    },
  }
}

let startProcess: StartParser = startWithNode

/** Sets another function that starts child processes: the packaged Electron does not run as Node. */
export function setParserStart(start: StartParser | undefined): void {
  startProcess = start ?? startWithNode
}

interface Child {
  process: ParserProcess
  key: string
  limits: ProcessLimits
  idle: NodeJS.Timeout | null
  isReady: boolean
  hasExited: boolean
  onMessage: ((message: FromChild) => void) | null
  onExit: ((code: number | null, signal: string | null) => void) | null
}

const idleChildren = new Map<string, Child>()

/** Callers that wait for a child, and children at work, under the same limits. */
interface Lane {
  running: number
  waiting: (() => void)[]
}

const lanes = new Map<ProcessLimits, Lane>()

function laneOf(limits: ProcessLimits): Lane {
  const lane = lanes.get(limits) ?? { running: 0, waiting: [] }
  lanes.set(limits, lane)
  return lane
}

async function takeSlot(limits: ProcessLimits, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const lane = laneOf(limits)
  if (lane.running < limits.atOnce) {
    lane.running += 1
    return
  }
  if (lane.waiting.length >= limits.waitingAtMost)
    throw new AppError('too_busy', { retryAfterSeconds: RETRY_SECONDS })
  await new Promise<void>((resolve, reject) => {
    const leave = (): void => {
      lane.waiting.splice(lane.waiting.indexOf(enter), 1)
      reject(signal?.reason as Error)
    }
    const enter = (): void => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    lane.waiting.push(enter)
    signal?.addEventListener('abort', leave, { once: true })
  })
}

function freeSlot(limits: ProcessLimits): void {
  const lane = laneOf(limits)
  const next = lane.waiting.shift()
  if (next) next()
  else lane.running -= 1
}

function startChild(name: ParserName, file: URL): Child {
  const key = `${name} ${file.href}`
  const limits = limitsOf(name)
  const kept = idleChildren.get(key)
  // Idle children of other kinds release their memory first; the OCR needs that of the reader too.
  if (!kept) {
    endIdle(limits)
    endOldestIdle()
  }
  if (name === 'ocr') endIdle(READ)
  if (kept) {
    idleChildren.delete(key)
    if (kept.idle !== null) clearTimeout(kept.idle)
    kept.idle = null
    kept.process.hold(true)
    return kept
  }
  const started = startProcess({
    file: fileURLToPath(file),
    args: [`--parser=${name}`],
    flags: flagsOf(limits),
    env: environment(),
  })
  const child: Child = {
    process: started,
    key,
    limits,
    idle: null,
    isReady: false,
    hasExited: false,
    onMessage: null,
    onExit: null,
  }
  started.onMessage((message) => child.onMessage?.(message as FromChild))
  started.onExit((code, signal) => {
    child.hasExited = true
    if (child.idle !== null) clearTimeout(child.idle)
    if (idleChildren.get(key) === child) idleChildren.delete(key)
    child.onExit?.(code, signal)
  })
  return child
}

function keepIdle(child: Child): void {
  endIdle(child.limits)
  child.process.hold(false)
  child.idle = setTimeout(() => {
    if (idleChildren.get(child.key) === child) idleChildren.delete(child.key)
    child.process.kill()
  }, child.limits.idleMs)
  child.idle.unref()
  idleChildren.set(child.key, child)
}

/** Kills a child; resolves when it has exited and the system has its memory back. */
function endChild(child: Child): Promise<void> {
  if (child.hasExited) return Promise.resolve()
  return new Promise((resolve) => {
    child.onExit = () => resolve()
    child.process.kill()
  })
}

/** Ends the idle children under these limits, or all of them. */
function endIdle(limits?: ProcessLimits): void {
  for (const [key, child] of idleChildren) {
    if (limits !== undefined && child.limits !== limits) continue
    if (child.idle !== null) clearTimeout(child.idle)
    idleChildren.delete(key)
    child.process.kill()
  }
}

/** Idle children that remain beside one that starts: what reads mails and what reads documents take turns. The OCR's comes on top. */
const MOST_IDLE = 1

/** Ends the children that have been idle for longest, but for the OCR's, which takes longest to start. */
function endOldestIdle(): void {
  const idle = [...idleChildren].filter(([, { limits }]) => limits !== OCR)
  for (const [key, child] of idle.slice(0, Math.max(0, idle.length - MOST_IDLE))) {
    if (child.idle !== null) clearTimeout(child.idle)
    idleChildren.delete(key)
    child.process.kill()
  }
}

/** Ends the idle children. */
export const endIdleParsers = (): void => endIdle()

/** Returns the number of idle children. */
export const idleParsers = (): number => idleChildren.size

/**
 * Limits the memory of a child on Linux by the kernel, as the watchdog thread could react too late. The engine
 * reserves address space that counts but is never used, so that the limit is its size when ready plus `memoryMb`.
 */
function limitByKernel({ process: { pid }, limits }: Child, dataBytes: number | null): Promise<void> {
  if (process.platform !== 'linux' || pid === undefined || dataBytes === null) return Promise.resolve()
  const data = dataBytes + limits.memoryMb * MEGABYTE
  return new Promise((resolve) => {
    // Without the program `prlimit` only the watchdog thread applies.
    execFile('prlimit', ['--pid', String(pid), `--data=${data}:${data}`, '--core=0:0'], () => resolve())
  })
}

function failureOf(child: Child, code: number | null, signal: string | null): Error {
  if (MEMORY_SIGNALS.includes(signal) || (signal === null && MEMORY_CODES.includes(code)))
    return new ParserFailure('too_large')
  if (!child.isReady) return new Error(`The parser ended before it was ready (${signal ?? code}).`)
  return new ParserFailure('broken')
}

/** Returns the pieces of bytes in memory. */
export function piecesOf(bytes: Uint8Array): FilePieces {
  return {
    length: bytes.length,
    pieces: (function* () {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
    })(),
  }
}

/**
 * Returns the pieces of a file in base64, decoded one at a time; `seen` is called with each. The next piece
 * overwrites the previous one.
 */
export function piecesOfBase64(content: string, seen: (piece: Uint8Array) => void): FilePieces {
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0
  const step = PIECE_BYTES * 4
  return {
    length: (content.length / 4) * 3 - padding,
    pieces: (function* () {
      // One buffer for all pieces: each is sent before the next is decoded.
      const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES * 3, (content.length / 4) * 3))
      for (let at = 0; at < content.length; at += step) {
        const piece = buffer.subarray(0, buffer.write(content.slice(at, at + step), 'base64'))
        seen(piece)
        yield piece
      }
    })(),
  }
}

async function sendJob(child: Child, job: unknown, bytes: FilePieces | undefined): Promise<void> {
  if (bytes === undefined) return child.process.send({ job })
  await child.process.send({ file: bytes.length })
  for (const piece of bytes.pieces) {
    if (child.hasExited) return
    await child.process.send({ piece })
  }
  await child.process.send({ job })
}

/**
 * Passes one file to its parser and returns the result. Throws the parser's `AppError`, a `ParserFailure`, or
 * `too_busy` if too many files are waiting.
 */
export async function parse<Job, Reply>(name: ParserName, job: Job, options: ParserOptions): Promise<Reply> {
  const { from, timeoutMs, stepTimeoutMs, signal, single = false, onPart, bytes } = options
  const limits = limitsOf(name)
  await takeSlot(limits, signal)
  const isLarge = bytes !== undefined && bytes.length >= LARGE_BYTES
  // Many small files, as in a mailbox, would make the program pause for each.
  if (bytes === undefined || bytes.length >= SMALL_BYTES) collectGarbage(isLarge)
  let child: Child | null = null
  let timer: NodeJS.Timeout | undefined
  let stepTimer: NodeJS.Timeout | undefined
  let canReuse = false
  let abort = (): void => {}
  try {
    const mine = startChild(name, options.file ?? workerFile(name, from))
    child = mine
    return await new Promise<Reply>((resolve, reject) => {
      const beginStep = (): void => {
        clearTimeout(stepTimer)
        if (stepTimeoutMs !== undefined)
          stepTimer = setTimeout(() => reject(new ParserFailure('too_slow')), stepTimeoutMs)
      }
      const begin = (): void => {
        clearTimeout(timer)
        timer = setTimeout(() => reject(new ParserFailure('too_slow')), timeoutMs)
        beginStep()
        sendJob(mine, job, bytes).then(() => {
          // The sent pieces would use memory in addition to the parser's own.
          if (isLarge) collectGarbage(true)
        }, reject)
      }
      abort = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', abort, { once: true })
      mine.onExit = (code, signalName) => reject(failureOf(mine, code, signalName))
      mine.onMessage = (message) => {
        if ('ready' in message) {
          mine.isReady = true
          void limitByKernel(mine, message.dataBytes).then(begin)
        } else if ('part' in message) {
          // The time in which the part is stored is not the child's.
          clearTimeout(stepTimer)
          void (async () => {
            try {
              await onPart?.(message.part as never)
              beginStep()
              await mine.process.send({ taken: true })
            } catch (error) {
              reject(error as Error)
            }
          })()
        } else if ('refused' in message) {
          canReuse = true
          const { code, ...rest } = message.refused
          reject(new AppError(code, rest as ConstructorParameters<typeof AppError>[1]))
        } else if ('fault' in message) reject(new ParserFailure(message.fault, message.message))
        else {
          canReuse = !message.isWorn && message.rssMb <= limits.reuseMb
          resolve(message.reply as Reply)
        }
      }
      if (mine.isReady) return begin()
      timer = setTimeout(() => reject(new Error('The parser did not start.')), START_MS)
    })
  } finally {
    clearTimeout(timer)
    clearTimeout(stepTimer)
    signal?.removeEventListener('abort', abort)
    if (child !== null) {
      const mine = child
      mine.onMessage = null
      mine.onExit = null
      // After a large file its memory would remain in use during the next file, or cause a failure.
      const isReusable = canReuse && !single && (bytes?.length ?? 0) < limits.largeBytes
      if (isReusable && !mine.hasExited) keepIdle(mine)
      else await endChild(mine)
    }
    freeSlot(limits)
  }
}

/** Ends its own process if it uses too much memory, or if its parent has exited. */
const WATCHING = `
  const { workerData: { bytes, everyMs } } = require('node:worker_threads')
  const parent = process.ppid
  setInterval(() => {
    if (process.memoryUsage.rss() > bytes || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, everyMs)`

interface Upward {
  send(message: FromChild): Promise<void>
  onMessage(listener: (message: ToChild) => void): void
}

interface UtilityPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

/** Returns the connection to the parent; null if this process is not a parser of that name. */
function upward(name: ParserName): Upward | null {
  if (!process.argv.includes(`--parser=${name}`)) return null
  const { parentPort } = process as unknown as { parentPort?: UtilityPort }
  if (parentPort)
    return {
      send: async (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data as ToChild)),
    }
  if (process.send === undefined) return null
  process.once('disconnect', () => process.exit())
  return {
    send: (message) => new Promise((resolve) => process.send?.(message, () => resolve())),
    onMessage: (listener) => process.on('message', (message) => listener(message as ToChild)),
  }
}

/** Returns the memory of the process that a data limit counts; null if the system does not report it. */
function dataBytesOf(): number | null {
  try {
    const [, kib] = /^VmData:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return kib === undefined ? null : Number(kib) * 1024
  } catch {
    return null
  }
}

/** Returns true if an allocation failed for lack of memory. */
export function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof RangeError && /alloc|memory|invalid (?:array|string|typed)|out of/i.test(error.message)
  )
}

function asMessage(error: unknown): FromChild {
  if (error instanceof AppError) {
    const { code, field, details } = error
    return { refused: { code, ...(field === undefined ? {} : { field }), ...(details ? { details } : {}) } }
  }
  // The message of another error could quote the file.
  return { fault: isOutOfMemory(error) ? 'too_large' : 'broken', message: (error as Error)?.name ?? '' }
}

/**
 * Runs in the child: answers one job after another. `sendPart` sends a part of a long answer and waits until the parent
 * has taken it. `isWorn` returns true after an answer if the process should not be reused.
 */
export function answerJobs<Job, Reply>(
  name: ParserName,
  answer: (job: Job, sendPart: (part: unknown) => Promise<void>) => Reply | Promise<Reply>,
  isWorn: () => boolean = () => false,
): void {
  const parent = upward(name)
  if (parent === null) return
  new Worker(WATCHING, {
    eval: true,
    env: {},
    execArgv: [],
    workerData: { bytes: limitsOf(name).memoryMb * MEGABYTE, everyMs: WATCH_MS },
    resourceLimits: {
      maxOldGenerationSizeMb: 8,
      maxYoungGenerationSizeMb: 1,
      codeRangeSizeMb: 8,
      stackSizeMb: 1,
    },
  })
    .once('online', () => void parent.send({ ready: true, dataBytes: dataBytesOf() }))
    .unref()
  let bytes: Buffer | null = null
  let filled = 0
  let taken = (): void => {}
  const sendPart = async (part: unknown): Promise<void> => {
    const isTaken = new Promise<void>((resolve) => {
      taken = resolve
    })
    await parent.send({ part })
    await isTaken
  }
  parent.onMessage((message) => {
    if ('taken' in message) return taken()
    if ('file' in message) {
      bytes = Buffer.allocUnsafeSlow(message.file)
      filled = 0
      return
    }
    if ('piece' in message) {
      bytes?.set(message.piece, filled)
      filled += message.piece.length
      return
    }
    const job = bytes === null ? message.job : { ...(message.job as object), bytes }
    bytes = null
    void (async () => {
      try {
        const reply = await answer(job as Job, sendPart)
        await parent.send({ reply, rssMb: process.memoryUsage.rss() / MEGABYTE, isWorn: isWorn() })
      } catch (error) {
        await parent.send(asMessage(error))
      }
    })()
  })
}
