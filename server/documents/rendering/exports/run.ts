/**
 * Exports of a running Sello: each book prepares one at a time, document by document, outside every request. Finished
 * documents stay in the store; the export itself is forgotten.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DocumentLanguage } from '../../../domain/languages.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { createCtx } from '../../../context.ts'
import type { AppEnvironment, Ctx, CtxParts } from '../../../context.ts'
import { resolveInvoice } from '../../../sales/invoices/index.ts'
import type { DocumentFormat } from '../contract.ts'
import { EXPORT_FAULTS } from './limits.ts'
import type { ExportFault } from './limits.ts'
import { runningExports } from './running.ts'
import { issuedDocument } from '../invoice.ts'
import { MOST_ZIP_BYTES } from '../../../domain/formats/zip-stream.ts'

/** Archives of a book that are kept at the same time. */
export const MOST_PER_BOOK = 3
/** Time after which an archive that nobody asked for is forgotten. */
export const UNUSED_MS = 30 * 60_000
/** Overhead of an entry: two headers, its name twice, its line in the index. */
const ENTRY_BYTES = 600

export interface Wanted {
  id: string
  number: string | null
}
export interface Missing extends Wanted {
  why: ExportFault
}

/** Request for an archive. */
export interface ArchiveOrder {
  format: DocumentFormat
  language: DocumentLanguage | null
  invoices: readonly Wanted[]
  /** Documents known from the start to be missing. */
  missing: readonly Missing[]
}

export interface Archive extends ArchiveOrder {
  id: string
  createdAt: Date
  state: 'waiting' | 'preparing' | 'ready'
  /** Invoices processed so far, with those known from the start to be missing. */
  done: number
  made: Wanted[]
  failed: Missing[]
  /** Bytes of the finished documents. */
  size: number
}

/** Who asked for an archive, and in which book. */
export type ArchiveRequest = Omit<CtxParts, 'env'>

interface Entry {
  archive: Archive
  asked: ArchiveRequest
  usedAtMs: number
  /** Its transaction is committed, so it may run. */
  isQueued: boolean
  hasBegun: boolean
  isCancelled: boolean
}

/** Keeps archives: in the memory of one process, or in the rows of an office. */
export interface Exports {
  /** Reserves a slot for an archive within a transaction. Throws `exports_busy`. */
  place(tx: Ctx, order: ArchiveOrder): Promise<Archive>
  /** Begins the work, after the commit. */
  start(archive: Archive): void
  /** Returns the archive if the caller may see it: a person sees all of the book's, a key only its own. */
  find(ctx: Ctx, id: string): Promise<Archive | undefined>
  /** Stops an archive at its next document and removes it. */
  cancel(ctx: Ctx, archive: Archive): Promise<void>
  /** Stops the archives that this process prepares; resolves when the current document is done. */
  stop(): Promise<void>
}

/** Returns a new archive. */
export function newArchive(ctx: Ctx, order: ArchiveOrder, state: Archive['state']): Archive {
  return {
    ...order,
    id: ctx.newId('exp'),
    createdAt: ctx.now(),
    state,
    done: order.missing.length,
    made: [],
    failed: [...order.missing],
    size: 0,
  }
}

/** Returns who asks, as it is kept with the archive. */
export function requestOf({ book, actor, channel, requestId }: Ctx): ArchiveRequest {
  return { book, actor, channel, requestId }
}

/** Returns true if a caller may see an archive. */
export function maySee({ book, actor }: Ctx, asked: Pick<ArchiveRequest, 'book' | 'actor'>): boolean {
  return asked.book.id === book.id && (actor.kind !== 'key' || asked.actor.id === actor.id)
}

function reasonOf(error: unknown, env: AppEnvironment): ExportFault {
  if (error instanceof AppError && error.code === 'format_unavailable') {
    const why = EXPORT_FAULTS.find((one) => one === error.details?.why)
    if (why) return why
  }
  env.report('exports', error)
  return 'not_made'
}

async function prepareOne(
  ctx: Ctx,
  archive: Archive,
  wanted: Wanted,
  hasEnded: () => boolean,
): Promise<void> {
  try {
    const document = await issuedDocument(ctx, await resolveInvoice(ctx, wanted.id), archive)
    const size = archive.size + document.bytes.byteLength + ENTRY_BYTES
    if (size > MOST_ZIP_BYTES) archive.failed.push({ ...wanted, why: 'archive_full' })
    else {
      archive.size = size
      archive.made.push(wanted)
    }
  } catch (error) {
    // The store and the worker threads are being closed: that is not the document's fault.
    if (hasEnded()) return
    archive.failed.push({ ...wanted, why: reasonOf(error, ctx.env) })
  }
}

/**
 * Prepares what is left of an archive, document by document, until it is ready or `hasEnded`. `keep` is called after
 * each document.
 */
export async function prepareArchive(
  ctx: Ctx,
  archive: Archive,
  {
    hasEnded,
    keep = async () => {},
  }: { hasEnded: () => boolean; keep?: (archive: Archive) => Promise<void> },
): Promise<void> {
  archive.state = 'preparing'
  for (const wanted of archive.invoices.slice(archive.done - archive.missing.length)) {
    if (hasEnded()) return
    await prepareOne(ctx, archive, wanted, hasEnded)
    archive.done += 1
    await keep(archive)
    // A document that is kept is read at once: between two of them everybody else has a turn.
    await nextTurn()
  }
  archive.state = 'ready'
}

function createExports(env: AppEnvironment): Exports {
  const entries = new Map<string, Entry>()
  /** The current work by book. */
  const working = new Map<number, Promise<void>>()
  let stopped = false

  function forgetOld(): void {
    const oldest = env.now().getTime() - UNUSED_MS
    for (const [id, { archive, hasBegun, usedAtMs }] of entries) {
      const isUnderWay = hasBegun && archive.state !== 'ready'
      if (!isUnderWay && usedAtMs <= oldest) entries.delete(id)
    }
  }

  async function prepare(entry: Entry): Promise<void> {
    entry.hasBegun = true
    await prepareArchive(createCtx({ env, ...entry.asked }), entry.archive, {
      hasEnded: () => entry.isCancelled || stopped,
    })
    entry.usedAtMs = env.now().getTime()
  }

  /** One archive of the book after another, in the order they were asked for. */
  async function work(bookId: number, first: Entry): Promise<void> {
    for (let next: Entry | undefined = first; next && !stopped;) {
      await prepare(next)
      next = [...entries.values()].find(
        ({ asked, isQueued, hasBegun }) => asked.book.id === bookId && isQueued && !hasBegun,
      )
    }
    working.delete(bookId)
  }

  return {
    async place(ctx, order) {
      forgetOld()
      const { book } = ctx
      const ofBook = [...entries.values()].filter(({ asked }) => asked.book.id === book.id)
      if (ofBook.length >= MOST_PER_BOOK) {
        const [longestUnused] = ofBook
          .filter(({ archive }) => archive.state === 'ready')
          .toSorted((one, other) => one.usedAtMs - other.usedAtMs)
        if (!longestUnused) throw new AppError('exports_busy', { details: { most: MOST_PER_BOOK } })
        entries.delete(longestUnused.archive.id)
      }
      const archive = newArchive(ctx, order, working.has(book.id) ? 'waiting' : 'preparing')
      entries.set(archive.id, {
        archive,
        asked: requestOf(ctx),
        usedAtMs: archive.createdAt.getTime(),
        isQueued: false,
        hasBegun: false,
        isCancelled: false,
      })
      return archive
    },
    start(archive) {
      const entry = entries.get(archive.id)
      if (!entry || stopped) return
      entry.isQueued = true
      const { id } = entry.asked.book
      if (!working.has(id)) working.set(id, work(id, entry))
    },
    async find(ctx, id) {
      forgetOld()
      const entry = entries.get(id)
      if (!entry || !maySee(ctx, entry.asked)) return undefined
      entry.usedAtMs = env.now().getTime()
      return entry.archive
    },
    async cancel(_ctx, { id }) {
      const entry = entries.get(id)
      if (entry) entry.isCancelled = true
      entries.delete(id)
    },
    async stop() {
      stopped = true
      await Promise.all(working.values())
    },
  }
}

/** The exports of a running Sello. */
export function exportsOf(env: AppEnvironment): Exports {
  return runningExports(env, () => createExports(env))
}
