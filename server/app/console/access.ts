/** Which companies a person may open: the one place that decides it for the console. */
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import { companyColour, companyMark } from '../../domain/company-mark.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Capability } from '../../domain/people.ts'
import { listBooks } from '../../platform/books/index.ts'
import { readSample } from '../demo/start.ts'

/** Identifier of the owner, who signs in to nothing. */
export const OWNER = 'user'

/**
 * Returns the rows of the companies whose books the caller may read; null: all of them, as on a desk. Who only sells for a
 * company does not see its returns and its bank here either.
 */
async function mayOpen(
  { env, actor }: Ctx,
  capability: Capability = 'ledger.read',
): Promise<ReadonlySet<number> | null> {
  // The owner of a desk, and of the command line, is no person of an office.
  return env.people && actor.id !== OWNER ? env.people.companiesOf(actor.id, capability) : null
}

/** A company as the console knows it: its row, and its live book. */
export interface ConsoleCompany {
  rowId: number
  id: string
  name: string
  legalName: string
  nif: string
  colour: number
  mark: string
  bookId: string
  isArchived: boolean
}

/**
 * Returns the companies of the console: those that the caller may open, or in which they have another capability, without the
 * sample, by row.
 */
export async function consoleCompanies(
  ctx: Ctx,
  capability?: Capability,
): Promise<Map<number, ConsoleCompany>> {
  const allowed = await mayOpen(ctx, capability)
  const sample = await readSample(ctx.db)
  // Books of a company that was moved elsewhere are not listed.
  const live = (await listBooks(ctx.db)).filter(({ mode }) => mode === 'live')
  const books = new Map(live.map((book) => [book.companyId, book]))
  const rows = await ctx.db
    .selectFrom('companies')
    .select(['id', 'public_id', 'legal_name', 'trade_name', 'nif', 'colour', 'mark'])
    .orderBy('id')
    .execute()
  const companies = new Map<number, ConsoleCompany>()
  for (const { id, public_id, legal_name, trade_name, nif, colour, mark } of rows) {
    const book = books.get(id)
    if (book === undefined || public_id === sample?.company || allowed?.has(id) === false) continue
    companies.set(id, {
      rowId: id,
      id: public_id,
      name: trade_name ?? legal_name,
      legalName: legal_name,
      nif,
      colour: companyColour(public_id, colour),
      mark: companyMark(trade_name ?? legal_name, mark),
      bookId: book.publicId,
      isArchived: book.archived === true,
    })
  }
  return companies
}

/** Returns a company that the caller may open. Throws `not_found`. */
export async function findConsoleCompany(ctx: Ctx, id: string, db: Db = ctx.db): Promise<{ rowId: number }> {
  const row = await db.selectFrom('companies').select('id').where('public_id', '=', id).executeTakeFirst()
  const allowed = await mayOpen(ctx)
  if (!row || allowed?.has(row.id) === false) throw new AppError('not_found')
  return { rowId: row.id }
}
