/**
 * Work on the books of one company, apart from what starts it: on a desk a loop over the companies of the file, in an
 * office whoever holds the lease of the company.
 */
import type { AppEnvironment, Book } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import { listBooks } from '../books/index.ts'
import { drainLanes } from './lanes.ts'
import type { DueTime } from './due-time.ts'
import type { Pass, WorkerOptions } from './worker.ts'

/** The books of one company, and how to read its rows. */
export interface CompanyBooks {
  companyId: number
  books: readonly Book[]
  reader: Db
}

/** One kind of work in the background. */
export interface BookWork {
  name: string
  /**
   * Settles or gives back what another process had claimed. `all`: that process has ended; otherwise only what has
   * expired.
   */
  reclaim?: (company: CompanyBooks, all: boolean) => Promise<void>
  /** Works through what is due; returns when more is due. */
  work: (company: CompanyBooks, pass: Pass) => Promise<DueTime>
}

/** Returns books of one company with the reader of their rows. */
export function companyBooks(env: AppEnvironment, companyId: number, books: readonly Book[]): CompanyBooks {
  return { companyId, books, reader: env.store.readerOf(companyId) }
}

/** Returns all books of the store by their companies, without copies of other installations' books. */
export async function allCompanies(env: AppEnvironment): Promise<CompanyBooks[]> {
  const companies = Map.groupBy(await listBooks(env.store.reader), ({ companyId }) => companyId)
  return [...companies]
    .filter(([companyId]) => !env.advised?.has(companyId))
    .map(([companyId, books]) => companyBooks(env, companyId, books))
}

/** Returns the part of a worker's options that does this work in all companies of the store, side by side. */
export function inAllCompanies(
  env: AppEnvironment,
  { name, reclaim, work }: BookWork,
  log: (line: string) => void,
): Pick<WorkerOptions, 'name' | 'log' | 'now' | 'reclaim' | 'work'> {
  return {
    name,
    log,
    now: env.now,
    ...(reclaim
      ? {
          async reclaim(all) {
            for (const company of await allCompanies(env)) await reclaim(company, all)
          },
        }
      : {}),
    work: async (pass) =>
      drainLanes(await allCompanies(env), (company) => work(company, pass), { name, log }),
  }
}

/** Returns the row identifiers of books, for a condition on `book_id`. */
export function idsOf({ books }: Pick<CompanyBooks, 'books'>): number[] {
  return books.map(({ id }) => id)
}
