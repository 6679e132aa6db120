/** Who looks after a company, notes on it, and the entry of a person into its books. */
import { pageById, lastIdIn } from '../../domain/contract/cursor.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { inBook, orNotFound } from '../../context.ts'
import type { Book, Ctx, UseCase } from '../../context.ts'
import { normalizeText } from '../../domain/text.ts'
import { historyOf, recordAudit } from '../../platform/audit/index.ts'
import { booksOfCompany } from '../../platform/books/index.ts'
import { findConsoleCompany } from './access.ts'
import { assigneeOf, insertNote, notesBefore, writeAssignee } from './care-rows.ts'
import type {
  assignCompanyContract,
  companyNotesContract,
  consoleStaffContract,
  enterCompanyContract,
  noteCompanyContract,
} from './contract.ts'

const DEFAULT_NOTES = 20

/** Returns the live book of a company. */
export async function liveBookOf(ctx: Ctx, companyId: number): Promise<Book> {
  const books = await booksOfCompany(ctx.env.store.readerOf(companyId), companyId)
  return orNotFound(books.find(({ mode }) => mode === 'live'))
}

/** Returns the person to whom a company can be assigned. Throws `colleague_unknown`. */
async function colleagueOf(ctx: Ctx, companyId: number, id: string): Promise<{ id: string; name: string }> {
  const { people } = ctx.env
  const colleague = (await people?.colleagues(companyId))?.find((each) => each.id === id)
  if (!colleague) throw new AppError('colleague_unknown', { field: 'assignee' })
  return { id: colleague.id, name: colleague.name }
}

/**
 * Assigns the company of `ctx` with an entry in its history. Returns false if that person has it already. Throws
 * `colleague_unknown`.
 */
export async function assignTo(ctx: Ctx, assignee: string | null): Promise<boolean> {
  const { companyId } = ctx.book
  const person = assignee === null ? null : await colleagueOf(ctx, companyId, assignee)
  return ctx.transaction(async (tx) => {
    const before = await assigneeOf(tx.db, companyId)
    if (before?.id === person?.id && before?.name === person?.name) return false
    await writeAssignee(tx.db, companyId, person, tx.now().getTime())
    await recordAudit(tx, {
      action: 'company.assigned',
      target: { type: 'company', id: tx.book.publicId, label: person?.name ?? '—' },
    })
    return true
  })
}

export const assignCompany: UseCase<typeof assignCompanyContract> = async (ctx, { company, assignee }) => {
  const { rowId } = await findConsoleCompany(ctx, company)
  const there = inBook(ctx, await liveBookOf(ctx, rowId))
  await assignTo(there, assignee)
  return { assignee: await assigneeOf(there.db, rowId) }
}

export const consoleStaff: UseCase<typeof consoleStaffContract> = async (ctx, { company }) => {
  const { rowId } = await findConsoleCompany(ctx, company)
  const colleagues = (await ctx.env.people?.colleagues(rowId)) ?? []
  return { items: colleagues.map(({ id, name }) => ({ id, name })) }
}

export const noteCompany: UseCase<typeof noteCompanyContract> = async (ctx, { company, text }) => {
  const { rowId } = await findConsoleCompany(ctx, company)
  const there = inBook(ctx, await liveBookOf(ctx, rowId))
  return there.transaction(async (tx) => {
    const at = tx.now()
    const note = { id: tx.newId('note'), text: normalizeText(text), by: tx.actor.name, at: at.toISOString() }
    await insertNote(tx.db, {
      companyId: rowId,
      publicId: note.id,
      text: note.text,
      author: { id: tx.actor.id, name: tx.actor.name },
      at: at.getTime(),
    })
    return note
  })
}

export const companyNotes: UseCase<typeof companyNotesContract> = async (ctx, input) => {
  const { company, limit = DEFAULT_NOTES, cursor } = input
  const { rowId } = await findConsoleCompany(ctx, company)
  const filter = { company }
  const before = cursor === undefined ? null : lastIdIn(cursor, 'console.notes', filter)
  const rows = await notesBefore(ctx.db, rowId, before, limit + 1)
  const { shown, nextCursor } = pageById(rows, limit, 'console.notes', filter)
  return {
    items: shown.map((row) => ({
      id: row.public_id,
      text: row.text,
      by: row.author_name,
      at: new Date(row.created_at).toISOString(),
    })),
    nextCursor,
  }
}

/** Writes the entry of the day and person, and returns the book. */
export const enterCompany: UseCase<typeof enterCompanyContract> = async (ctx, { company }) => {
  const { rowId } = await findConsoleCompany(ctx, company)
  const there = inBook(ctx, await liveBookOf(ctx, rowId))
  // The identifier of the target makes it the only one of the day.
  const target = { type: 'entry', id: `${there.today()}.${there.actor.id}`.slice(0, 80) }
  if ((await historyOf(there, target.id)).length === 0)
    await there.transaction(async (tx) => {
      if ((await historyOf(tx, target.id)).length > 0) return
      await recordAudit(tx, { action: 'books.entered', target: { ...target, label: tx.actor.name } })
    })
  return { bookId: there.book.publicId }
}
