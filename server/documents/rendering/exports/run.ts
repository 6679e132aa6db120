/**
 * Exports in progress, in memory only: each book prepares one at a time, document by document, outside every request.
 * Finished documents stay in the store; the export itself is forgotten.
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

const MOST_PER_BOOK = 3
const KEPT_MS = 30 * 60_000
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
  /** Invoices processed so far. */
  done: number
  made: Wanted[]
  failed: Missing[]
}

interface Entry {
  archive: Archive
  asked: Omit<CtxParts, 'env'>
  /** Bytes of the finished documents. */
  size: number
  usedAtMs: number
  /** Its transaction is committed, so it may run. */
  isQueued: boolean
  hasBegun: boolean
  isCancelled: boolean
}

export interface Exports {
  /** Reserves a slot for an archive, which `start` begins. Throws `exports_busy`. */
  place(ctx: Ctx, order: ArchiveOrder): Archive
  start(archive: Archive): void
  /** Returns the archive if the caller may see it: a person sees all of the book's, a key only its own. */
  find(ctx: Ctx, id: string): Archive | undefined
  /** Stops an archive at its next document and removes it. */
  cancel(archive: Archive): void
  /** Stops all archives; resolves when the current document is done. */
  stop(): Promise<void>
}

function reasonOf(error: unknown, env: AppEnvironment): ExportFault {
  if (error instanceof AppError && error.code === 'format_unavailable') {
    const why = EXPORT_FAULTS.find((one) => one === error.details?.why)
    if (why) return why
  }
  env.report('exports', error)
  return 'not_made'
}

function createExports(env: AppEnvironment): Exports {
  const entries = new Map<string, Entry>()
  /** The current work by book. */
  const working = new Map<number, Promise<void>>()
  let stopped = false

  function forgetOld(): void {
    const oldest = env.now().getTime() - KEPT_MS
    for (const [id, { archive, hasBegun, usedAtMs }] of entries) {
      const isUnderWay = hasBegun && archive.state !== 'ready'
      if (!isUnderWay && usedAtMs <= oldest) entries.delete(id)
    }
  }

  async function prepareOne(ctx: Ctx, entry: Entry, wanted: Wanted): Promise<void> {
    const { archive } = entry
    try {
      const document = await issuedDocument(ctx, await resolveInvoice(ctx, wanted.id), archive)
      const size = entry.size + document.bytes.byteLength + ENTRY_BYTES
      if (size > MOST_ZIP_BYTES) archive.failed.push({ ...wanted, why: 'archive_full' })
      else {
        entry.size = size
        archive.made.push(wanted)
      }
    } catch (error) {
      // The store and the worker threads are being closed: that is not the document's fault.
      if (stopped) return
      archive.failed.push({ ...wanted, why: reasonOf(error, env) })
    }
  }

  async function prepare(entry: Entry): Promise<void> {
    const { archive, asked } = entry
    entry.hasBegun = true
    archive.state = 'preparing'
    const ctx = createCtx({ env, ...asked })
    for (const wanted of archive.invoices) {
      if (entry.isCancelled || stopped) return
      await prepareOne(ctx, entry, wanted)
      archive.done += 1
      // A document that is kept is read at once: between two of them everybody else has a turn.
      await nextTurn()
    }
    entry.usedAtMs = env.now().getTime()
    archive.state = 'ready'
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
    place(ctx, order) {
      forgetOld()
      const { book, actor, channel, requestId } = ctx
      const ofBook = [...entries.values()].filter(({ asked }) => asked.book.id === book.id)
      if (ofBook.length >= MOST_PER_BOOK) {
        const [longestUnused] = ofBook
          .filter(({ archive }) => archive.state === 'ready')
          .toSorted((one, other) => one.usedAtMs - other.usedAtMs)
        if (!longestUnused) throw new AppError('exports_busy', { details: { most: MOST_PER_BOOK } })
        entries.delete(longestUnused.archive.id)
      }
      const archive: Archive = {
        ...order,
        id: ctx.newId('exp'),
        createdAt: ctx.now(),
        state: working.has(book.id) ? 'waiting' : 'preparing',
        done: order.missing.length,
        made: [],
        failed: [...order.missing],
      }
      const asked = { book, actor, channel, requestId }
      entries.set(archive.id, {
        archive,
        asked,
        size: 0,
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
    find({ book, actor }, id) {
      forgetOld()
      const entry = entries.get(id)
      if (entry?.asked.book.id !== book.id) return undefined
      if (actor.kind === 'key' && entry.asked.actor.id !== actor.id) return undefined
      entry.usedAtMs = env.now().getTime()
      return entry.archive
    },
    cancel({ id }) {
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
