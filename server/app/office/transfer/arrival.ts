/** The state of a company in an office while it is moved, and the check of what arrived. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { quoted } from '../../../db/bulk.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { booksOfCompany } from '../../../platform/books/index.ts'
import type { AppEnvironment } from '../../../context.ts'
import { DatabaseBulk } from '../../../db/postgres/bulk.ts'
import { dropWork, takeUpWork } from '../../../db/postgres/tables/due-work.ts'
import type { Bucket } from '../../../db/postgres/objects/bucket.ts'
import { openOffice } from '../application.ts'
import type { OfficeOptions } from '../application.ts'
import { OFFICE_WORK_KINDS } from '../background/index.ts'
import { shapeOfBuild, tablesOf } from '../../company-rows/index.ts'
import { checkBook } from '../../integrity/index.ts'
import { companyRow } from '../../company-copy/index.ts'

/** Steps that moves in all directions have in common. */
export const reached = {
  sourceHeld: (): void => failpoint('transfer.source_held'),
  committed: (): void => failpoint('transfer.committed'),
  verified: (): void => failpoint('transfer.verified'),
  sourceMoved: (): void => failpoint('transfer.source_moved'),
  finished: (): void => failpoint('transfer.finished'),
}

/** An office as a transfer reaches it: with the role that owns the tables. */
export interface OfficeAddress extends Pick<OfficeOptions, 'url' | 'masterKey' | 'inRowAtMost'> {
  /** How people call the place; the mark of what was moved there names it. */
  name: string
  /** Opens the bucket with its large documents; whoever calls it closes the bucket. Undefined: they are in their rows. */
  openBucket?: (() => Promise<Bucket>) | undefined
  /** True in a server, whose connections may be those of a pool: nothing is set outside of transactions. */
  isPooled?: boolean | undefined
}

/** A company as it stands in an office. */
export interface Standing {
  companyId: number
  away: 'arriving' | 'moving' | 'moved' | null
  awayTo: string | null
  arrivedDigest: string | null
}

/** Returns how a company stands in an office; null if it is not there. */
export async function standingOf(office: DatabaseBulk, publicId: string): Promise<Standing | null> {
  const row = await companyRow(office, publicId)
  if (!row) return null
  return {
    companyId: Number(row.id),
    away: row.away as Standing['away'],
    awayTo: row.away_to as string | null,
    arrivedDigest: row.arrived_digest as string | null,
  }
}

/** Work for one company alone. */
const COMPANY_WORK = OFFICE_WORK_KINDS.filter((kind) => kind !== 'pruning')

/**
 * Changes the state of a company in a transaction of its own, which waits for those under way, and for later ones to
 * find it. The background work of a company ends with its leaving, and begins when it is open.
 */
export async function setAway(
  office: DatabaseBulk,
  companyId: number,
  state: {
    away: Standing['away']
    to: string | null
    at: Date
    /** True where a copy elsewhere may issue: the live chain waits for a new installation (ADR 15). */
    holdsChain?: boolean
  },
): Promise<void> {
  const { away, to, at, holdsChain = false } = state
  await office.begin('write')
  try {
    await office.execute('select 1 from companies where id = $1 for no key update', [companyId])
    await office.enter(companyId)
    await office.execute('update companies set away = $1, away_to = $2, away_at = $3 where id = $4', [
      away,
      to,
      away === null ? null : at.getTime(),
      companyId,
    ])
    await office.execute('update books set moved = $1 where company_id = $2', [
      away === 'moved' ? 1 : 0,
      companyId,
    ])
    if (holdsChain)
      await office.execute(
        `update registry_chains set held_for = 'restored_copy'
         where book_id in (select id from books where company_id = $1 and mode = 'live')`,
        [companyId],
      )
    const run = (text: string, values: readonly (string | number)[]): Promise<unknown> =>
      office.execute(text, values)
    if (away === null) await takeUpWork(run, companyId, COMPANY_WORK, at.getTime())
    else await dropWork(run, companyId)
    await office.commit()
  } catch (error) {
    await office.rollback()
    throw error
  }
}

/** Runs the self-check of every book of a company. Throws `transfer_refused` with the checks that failed. */
export async function verifyCompany(
  env: AppEnvironment,
  ctxOf: Parameters<typeof verifyBooks>[1],
  companyId: number,
): Promise<number> {
  return verifyBooks(await booksOfCompany(env.store.readerOf(companyId), companyId), ctxOf)
}

async function verifyBooks(
  books: Awaited<ReturnType<typeof booksOfCompany>>,
  ctxOf: (book: Awaited<ReturnType<typeof booksOfCompany>>[number]) => Parameters<typeof checkBook>[0],
): Promise<number> {
  let count = 0
  for (const book of books) {
    const { ok, checks } = await checkBook(ctxOf(book))
    count += checks.length
    if (!ok)
      throw new AppError('transfer_refused', {
        details: {
          reason: 'verify_failed',
          book: book.publicId,
          checks: checks.filter((check) => !check.ok),
        },
      })
  }
  return count
}

/** Verifies a company that lives in an office. Throws `company_not_here`, or what its checks find. */
export async function verifyInOffice(
  office: OfficeAddress,
  company: string,
  tools: Parameters<typeof verifyArrived>[2],
): Promise<number> {
  const connection = await DatabaseBulk.open(office.url)
  const standing = await standingOf(connection, company)
  await connection.close()
  if (!standing || standing.away !== null) throw new AppError('company_not_here', { details: { company } })
  return verifyArrived(office, standing.companyId, tools)
}

/**
 * Lets the database count what was copied: it plans by its statistics, and by those of empty tables a check of ten thousand
 * invoices takes longer than a statement may. Its own collection of them comes a minute too late.
 */
async function countCopied(url: string): Promise<void> {
  const office = await DatabaseBulk.open(url)
  try {
    const tables = tablesOf(shapeOfBuild()).map(({ name }) => quoted(name))
    await office.execute(`analyze ${tables.join(', ')}`)
  } finally {
    await office.close()
  }
}

/** Runs the self-check of a company that is arriving in an office. Returns the number of checks. */
export async function verifyArrived(
  { url, masterKey, inRowAtMost, openBucket }: OfficeAddress,
  companyId: number,
  { loadContracts, now }: { loadContracts: AppEnvironment['loadContracts']; now: () => Date },
): Promise<number> {
  await countCopied(url)
  const bucket = await openBucket?.()
  const sello = await openOffice(
    { url, masterKey, now, connections: 2, writesAway: true, bucket, inRowAtMost },
    loadContracts,
  ).catch((error: unknown) => {
    bucket?.close()
    throw error
  })
  try {
    return await verifyCompany(sello.env, (book) => sello.ctx(book), companyId)
  } finally {
    await sello.close()
  }
}
