/** Archives of documents in an office: kept in rows, and prepared by whichever server takes the work. */
import { createCtx } from '../../context.ts'
import type { AppEnvironment, Book } from '../../context.ts'
import {
  deleteExport,
  exportsOfBooks,
  findExport,
  forgetExports,
  insertExport,
  touchExport,
  updateExport,
} from '../../db/postgres/tables/stored-exports.ts'
import type { StoredExport } from '../../db/postgres/tables/stored-exports.ts'
import {
  UNUSED_MS,
  maySee,
  MOST_PER_BOOK,
  newArchive,
  prepareArchive,
  requestOf,
} from '../../documents/rendering/index.ts'
import type { Archive, ArchiveRequest, Exports } from '../../documents/rendering/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { idsOf } from '../../platform/jobs/index.ts'
import type { BookWork } from '../../platform/jobs/index.ts'

/** How often the progress of an archive is written. */
const KEEP_MS = 500

function archiveOf({ archive }: StoredExport): Archive {
  const kept = JSON.parse(archive) as Omit<Archive, 'createdAt'> & { createdAt: string }
  return { ...kept, createdAt: new Date(kept.createdAt) }
}

const requestIn = ({ asked }: StoredExport): ArchiveRequest => JSON.parse(asked) as ArchiveRequest

/** Archives of documents in rows. */
export const officeExports: Exports = {
  async place(tx, order) {
    const kept = await exportsOfBooks(tx.db, [tx.book.id])
    if (kept.length >= MOST_PER_BOOK) {
      const [longestUnused] = kept
        .filter(({ isReady }) => isReady === 1)
        .toSorted((one, other) => one.usedAt - other.usedAt)
      if (!longestUnused) throw new AppError('exports_busy', { details: { most: MOST_PER_BOOK } })
      await deleteExport(tx.db, longestUnused.publicId)
    }
    const isBusy = kept.some(({ isReady }) => isReady === 0)
    const archive = newArchive(tx, order, isBusy ? 'waiting' : 'preparing')
    await insertExport(tx.db, {
      bookId: tx.book.id,
      publicId: archive.id,
      asked: JSON.stringify(requestOf(tx)),
      archive: JSON.stringify(archive),
      usedAt: archive.createdAt.getTime(),
    })
    return archive
  },
  // The transaction has noted the work.
  start() {},
  async find(ctx, id) {
    const kept = await findExport(ctx.db, ctx.book.id, id)
    if (!kept || !maySee(ctx, requestIn(kept))) return undefined
    const at = ctx.now().getTime()
    await ctx.env.store.transaction(ctx.book.companyId, (db) => touchExport(db, id, at))
    return archiveOf(kept)
  },
  async cancel(ctx, { id }) {
    await ctx.env.store.transaction(ctx.book.companyId, (db) => deleteExport(db, id))
  },
  async stop() {},
}

/** Prepares one archive from where it is, and keeps its progress. */
async function prepare(
  env: AppEnvironment,
  book: Book,
  kept: StoredExport,
  signal: AbortSignal,
): Promise<void> {
  const archive = archiveOf(kept)
  let isRemoved = false
  let keptAt = performance.now()
  const keep = async (): Promise<void> => {
    isRemoved = !(await env.store.transaction(book.companyId, (db) =>
      updateExport(db, {
        publicId: kept.publicId,
        archive: JSON.stringify(archive),
        isReady: archive.state === 'ready' ? 1 : 0,
        usedAt: env.now().getTime(),
      }),
    ))
    keptAt = performance.now()
  }
  await prepareArchive(createCtx({ env, ...requestIn(kept) }), archive, {
    hasEnded: () => isRemoved || signal.aborted,
    keep: async () => {
      if (performance.now() - keptAt >= KEEP_MS) await keep()
    },
  })
  await keep()
}

/** Prepares the archives of the books of a company, one after another. */
export function exportWork(env: AppEnvironment): BookWork {
  return {
    name: 'exports',
    async work(company, { signal }) {
      for (;;) {
        const next = (await exportsOfBooks(company.reader, idsOf(company))).find(
          ({ isReady }) => isReady === 0,
        )
        const book = company.books.find(({ id }) => id === next?.bookId)
        if (!next || !book || signal.aborted) return null
        await prepare(env, book, next, signal)
      }
    },
  }
}

/** Forgets archives that nobody has asked for. */
export async function pruneExports(env: AppEnvironment): Promise<void> {
  await env.store.transaction(null, (db) => forgetExports(db, env.now().getTime() - UNUSED_MS))
}
