/** Ends a company: previews what the law still keeps, and deletes all of it in one transaction. */
import { sql } from 'kysely'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import { madridInstant } from '../../../domain/dates.ts'
import { highestGiven } from '../../../db/engine-sql.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { EVENTS_OF_OFFICE } from '../../../platform/events/index.ts'
import { enterCompany, enterInstallation } from '../../../db/query.ts'
import { createCtx, inBook, NO_BOOK, purgeSecret } from '../../../context.ts'
import type { Book, Ctx, UseCase } from '../../../context.ts'
import { SAMPLE, sampleCompany } from '../../demo/start.ts'
import { findCompany } from '../../../company/index.ts'
import { booksOfCompany, ENDED } from '../../../platform/books/index.ts'
import { findChainState } from '../../../registry/index.ts'
import type { endCompanyContract, endedCompaniesContract, previewEndContract } from '../contract.ts'
import { changePersonal } from '../../preferences/index.ts'
import { arrange } from '../personal.ts'
import { earliestEnd, heldOf } from './held.ts'
import type { Held } from './held.ts'
import { outsideNoteOf, removeOutside } from './objects.ts'
import { deleteRows } from './rows.ts'

/** What remains of a deleted company: a setting of the installation. */
interface Ended {
  legalName: string
  nif: string
  endedAt: string
  endedBy: string
  lastHash: string | null
  records: number
}

async function heldIn(ctx: Ctx, books: readonly Book[]): Promise<Held[]> {
  const live = books.find(({ mode }) => mode === 'live')
  return live ? heldOf(inBook(ctx, live)) : []
}

function mayEnd(ctx: Ctx, held: readonly Held[]): boolean {
  const earliest = earliestEnd(held)
  return held.every(({ until }) => until !== null) && (earliest === null || earliest <= ctx.today())
}

/** Returns until when the law keeps what the company has, by kind of data. */
export const previewEnd: UseCase<typeof previewEndContract> = async (ctx) => {
  const company = await findCompany(ctx)
  const books = await booksOfCompany(ctx.db, company.id)
  const held = await heldIn(ctx, books)
  return {
    companyId: company.public_id,
    legalName: company.legal_name,
    nif: company.nif,
    archived: books.every(({ archived }) => archived === true),
    mayEnd: mayEnd(ctx, held),
    neverLive: held.length === 0,
    earliest: earliestEnd(held),
    held: held.map((each) => ({ ...each, laws: [...each.laws] })),
  }
}

/** Throws `company_retained` with what holds the company and until when. */
function assertEndable(ctx: Ctx, held: readonly Held[]): void {
  if (mayEnd(ctx, held)) return
  const open = held.filter(({ over }) => !over)
  throw new AppError('company_retained', {
    details: {
      until: earliestEnd(held),
      held: open.map(({ kind, count, until, laws }) => ({ kind, count, until, laws: [...laws] })),
    },
  })
}

/** Saves a setting of the installation. */
async function saveSetting(tx: Ctx, name: string, value: string): Promise<void> {
  await tx.db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Notes up to which event identifiers may be missing now in a file, where a gap is a fault otherwise. */
export async function noteMissingEvents(tx: Ctx): Promise<void> {
  if (tx.env.store.engine !== 'sqlite') return
  const { rows } = await sql<{ given: number }>`select ${highestGiven('events')} as given`.execute(tx.db)
  await saveSetting(tx, EVENTS_OF_OFFICE, String(rows[0]?.given ?? 0))
}

/** Writes what remains of the company, as work for the whole installation. */
async function noteEnded(
  tx: Ctx,
  { companyId, books }: { companyId: string; books: readonly Book[] },
  ended: Ended,
): Promise<void> {
  const { companyId: rowId } = tx.book
  await enterInstallation(tx.db)
  await saveSetting(tx, `${ENDED}${companyId}`, JSON.stringify(ended))
  if (tx.env.store.engine !== 'sqlite') {
    const { name, value } = outsideNoteOf(tx, {
      companyId: rowId,
      books: books.map(({ publicId }) => publicId),
    })
    await saveSetting(tx, name, value)
  }
  await noteMissingEvents(tx)
  const sample = await sampleCompany(tx.db)
  // The sample can be made again.
  if (sample?.company === companyId) await tx.db.deleteFrom('settings').where('name', '=', SAMPLE).execute()
  // What shares the commit may see no more than before.
  await enterCompany(tx.db, rowId)
}

/** Removes a company that is gone from the order of the caller. */
export function forgetPersonal(ctx: Ctx, companyId: string): Promise<unknown> {
  return changePersonal(ctx, (tx) =>
    arrange(tx, ({ favourites, recent, groups }) => ({
      favourites: favourites.filter((each) => each !== companyId),
      recent: recent.filter((each) => each !== companyId),
      groups: Object.fromEntries(Object.entries(groups).filter(([each]) => each !== companyId)),
    })),
  )
}

/**
 * Deletes the company with both its books in one transaction, which checks the periods again. Throws
 * `company_retained`, and `validation_failed` if the typed NIF is not the company's.
 */
export const endCompany: UseCase<typeof endCompanyContract> = async (ctx, { nif }) => {
  const company = await findCompany(ctx)
  const { public_id: companyId } = company
  if (normalizeNif(nif) !== company.nif)
    throw validationFailed([
      {
        code: 'nif_of_other_company',
        field: 'nif',
        severity: 'error',
        message: 'That is not the NIF of this company.',
        fix: 'Type the NIF of the company that is to be deleted.',
      },
    ])
  const { env, actor, channel, requestId } = ctx
  const rows = await purgeSecret(ctx, async (tx) => {
    const books = await booksOfCompany(tx.db, company.id)
    assertEndable(tx, await heldIn(tx, books))
    const live = books.find(({ mode }) => mode === 'live') ?? tx.book
    const { head_hash: hash, records } = await findChainState(inBook(tx, live))
    const count = await deleteRows(tx, company.id)
    const ended = {
      legalName: company.legal_name,
      nif: company.nif,
      endedAt: madridInstant(tx.now()),
      endedBy: actor.name,
      lastHash: hash && Buffer.from(hash).toString('hex').toUpperCase(),
      records,
    }
    await noteEnded(tx, { companyId, books }, ended)
    failpoint('end.rows_deleted')
    return count
  })
  failpoint('end.committed')
  // Not part of the transaction: an installation without them lacks nothing.
  await forgetPersonal(createCtx({ env, actor, channel, requestId, book: NO_BOOK }), companyId)
  if (env.store.engine !== 'sqlite') await removeOutside(env)
  env.servers?.tell('keys', company.id)
  return { rows }
}

/** Returns what remains of the deleted companies, the last one first. */
export const endedCompanies: UseCase<typeof endedCompaniesContract> = async (ctx) => {
  const rows = await ctx.db
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', 'like', `${ENDED}%`)
    .execute()
  return {
    items: rows
      .map(({ name, value }) => ({ companyId: name.slice(ENDED.length), ...(JSON.parse(value) as Ended) }))
      .toSorted((a, b) => (a.endedAt < b.endedAt ? 1 : -1)),
  }
}
