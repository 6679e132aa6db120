/** SQL of mail: accounts, templates, mails with their attachments, and the queue. */
import { sql } from 'kysely'
import type { Insertable, Selectable, SqlBool, Updateable } from 'kysely'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { numberList, unindexed } from '../../db/engine-sql.ts'
import type { Db } from '../../db/query.ts'
import { prepare } from '../../db/query.ts'
import type { ContentColumn } from '../../db/outside/objects.ts'
import type {
  MailAccountsTable,
  MailAttachmentsTable,
  MailDocumentsTable,
  MailsTable,
} from '../../db/schema.ts'

export const MAIL_CONTENTS: ContentColumn = { table: 'mail_attachments', column: 'bytes' }

export type AccountRow = Selectable<MailAccountsTable>
export type MailRow = Selectable<MailsTable>
export type AttachmentRow = Selectable<MailAttachmentsTable>

/** Returns the company's account, or null before the first save. */
export async function findAccount(ctx: Ctx): Promise<AccountRow | null> {
  const row = await ctx.db
    .selectFrom('mail_accounts')
    .selectAll()
    .where('company_id', '=', ctx.book.companyId)
    .executeTakeFirst()
  return row ?? null
}

export async function saveAccount(tx: Ctx, row: Insertable<MailAccountsTable>): Promise<void> {
  await tx.db
    .insertInto('mail_accounts')
    .values(row)
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
    .execute()
}

export async function markTested(tx: Ctx, version: number): Promise<void> {
  await tx.db
    .updateTable('mail_accounts')
    .set({ tested_at: tx.now().getTime() })
    .where('company_id', '=', tx.book.companyId)
    // Only if the tested data are still current.
    .where('version', '=', version)
    .execute()
}

type NewMail = Insertable<MailsTable>
export type NewDocument = Omit<Insertable<MailDocumentsTable>, 'mail_id' | 'position'>
export type NewAttachment = Omit<Insertable<MailAttachmentsTable>, 'mail_id' | 'position'>

/** Returns true if everything that a mail is about still exists: contacts and quotes can be deleted. */
export async function subjectsExist(
  tx: Ctx,
  about: { contactId: number | null; documents: readonly NewDocument[] },
): Promise<boolean> {
  const quotes = about.documents.flatMap(({ quote_id: id }) => id ?? [])
  const contacts = about.contactId === null ? [] : [about.contactId]
  const there = async (table: 'quotes' | 'contacts', ids: readonly number[]): Promise<boolean> => {
    if (ids.length === 0) return true
    const rows = await tx.db.selectFrom(table).select('id').where('id', 'in', ids).execute()
    return rows.length === ids.length
  }
  return (await there('quotes', quotes)) && (await there('contacts', contacts))
}

export async function insertMail(
  tx: Ctx,
  mail: NewMail,
  documents: readonly NewDocument[],
  attachments: readonly NewAttachment[],
): Promise<MailRow> {
  const row = await tx.db.insertInto('mails').values(mail).returningAll().executeTakeFirstOrThrow()
  for (const [position, document] of documents.entries())
    await tx.db
      .insertInto('mail_documents')
      .values({ ...document, mail_id: row.id, position })
      .execute()
  for (const [position, attachment] of attachments.entries())
    await tx.db
      .insertInto('mail_attachments')
      .values({ ...attachment, mail_id: row.id, position })
      .execute()
  return row
}

export async function changeMail(tx: Ctx, id: number, changes: Updateable<MailsTable>): Promise<void> {
  await tx.db.updateTable('mails').set(changes).where('id', '=', id).execute()
}

const byId = prepare((db, p: { id: number }) => db.selectFrom('mails').selectAll().where('id', '=', p.id))

/** Returns a mail of any book by its row. */
export async function mailByRow(db: Db, id: number): Promise<MailRow> {
  return orNotFound(await byId.first(db, { id }), 'internal')
}

/** Returns a mail of the book by its public identifier. Throws `not_found`. */
export async function findMail(ctx: Ctx, publicId: string): Promise<MailRow> {
  return orNotFound(
    await ctx.db
      .selectFrom('mails')
      .selectAll()
      .where('book_id', '=', ctx.book.id)
      .where('public_id', '=', publicId)
      .executeTakeFirst(),
  )
}

export async function attachmentRows(ctx: Ctx, mailId: number): Promise<AttachmentRow[]> {
  return ctx.db
    .selectFrom('mail_attachments')
    .selectAll()
    .where('mail_id', '=', mailId)
    .orderBy('position')
    .execute()
}

/** Returns the attachments of several mails without their bytes. */
export function attachmentFacts(ctx: Ctx, mailIds: readonly number[]) {
  return ctx.db
    .selectFrom('mail_attachments')
    .select(['mail_id', 'name', 'media_type', 'size', 'sha256'])
    .where('mail_id', 'in', mailIds)
    .orderBy('position')
    .execute()
}

/** Returns the documents that several mails are about. */
export function documentFacts(ctx: Ctx, mailIds: readonly number[]) {
  return ctx.db
    .selectFrom('mail_documents')
    .leftJoin('invoices', 'invoices.id', 'mail_documents.invoice_id')
    .leftJoin('quotes', 'quotes.id', 'mail_documents.quote_id')
    .select([
      'mail_documents.mail_id',
      'mail_documents.label',
      'invoices.public_id as invoice',
      'quotes.public_id as quote',
    ])
    .where('mail_documents.mail_id', 'in', mailIds)
    .orderBy('mail_documents.position')
    .execute()
}

const HISTORY_AT_MOST = 200

export function mailsAbout(ctx: Ctx, about: { invoiceId: number } | { quoteId: number }): Promise<MailRow[]> {
  return ctx.db
    .selectFrom('mails')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('id', 'in', (eb) => {
      const ids = eb.selectFrom('mail_documents').select('mail_id')
      return 'invoiceId' in about
        ? ids.where('invoice_id', '=', about.invoiceId)
        : ids.where('quote_id', '=', about.quoteId)
    })
    .orderBy('id', 'desc')
    .limit(HISTORY_AT_MOST)
    .execute()
}

const OPEN_STATES = ['queued', 'sending', 'failed', 'unknown'] as const
/**
 * Condition for the open mails of the book, written for their partial index: SQLite uses it only when the states are
 * literals, not bound, and when the book's index, which holds every mail, is excluded.
 */
const isOpen = sql<SqlBool>`state in (${sql.join(OPEN_STATES.map((state) => sql.lit(state)))})`
const openOf = (ctx: Ctx) => sql<SqlBool>`+book_id = ${ctx.book.id} and ${isOpen}`

/** Returns a page of the mails, newest first. The page is found in the index alone, so that a far page reads no texts. */
export function newestMails(
  ctx: Ctx,
  options: { open: boolean; offset: number; limit: number },
): Promise<MailRow[]> {
  return ctx.db
    .selectFrom('mails')
    .selectAll()
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mails')
        .select('id')
        .where(options.open ? openOf(ctx) : sql<SqlBool>`book_id = ${ctx.book.id}`)
        .orderBy('id', 'desc')
        .limit(options.limit)
        .offset(options.offset),
    )
    .orderBy('id', 'desc')
    .execute()
}

export async function countMails(ctx: Ctx): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the number of the book's mails in each open state. */
export async function openCounts(ctx: Ctx): Promise<Map<string, number>> {
  const rows = await ctx.db
    .selectFrom('mails')
    .select((eb) => ['state', eb.fn.countAll<number>().as('mails')])
    .where(openOf(ctx))
    .groupBy('state')
    .execute()
  return new Map(rows.map((row) => [row.state, row.mails]))
}

/** Condition for mails of any book in a state of the queue: by the index of open mails. */
const waitingIn = (state: 'queued' | 'sending') => sql<SqlBool>`${isOpen} and state = ${state}`

/** Returns the next due mail of some books, with its book's public identifier. */
export function nextDue(db: Db, bookIds: readonly number[], now: number) {
  return db
    .selectFrom('mails')
    .innerJoin('books', 'books.id', 'mails.book_id')
    .select(['mails.id', 'books.public_id as book'])
    .where(waitingIn('queued'))
    .where(unindexed(sql.ref('mails.book_id')), 'in', numberList(bookIds))
    .where('mails.next_attempt_at', '<=', now)
    .orderBy('mails.next_attempt_at')
    .orderBy('mails.id')
    .limit(1)
    .executeTakeFirst()
}

/** Returns when the next waiting mail of some books is due; null when none waits. */
export async function nextDueAt(db: Db, bookIds: readonly number[]): Promise<number | null> {
  const row = await db
    .selectFrom('mails')
    .select((eb) => eb.fn.min('next_attempt_at').as('at'))
    .where(waitingIn('queued'))
    .where(unindexed(sql.ref('book_id')), 'in', numberList(bookIds))
    .executeTakeFirst()
  return row?.at ?? null
}

/** Returns the mails of some books that were in flight when the process that sent them ended. */
export function interruptedMails(db: Db, bookIds: readonly number[]) {
  return db
    .selectFrom('mails')
    .innerJoin('books', 'books.id', 'mails.book_id')
    .select(['mails.id', 'books.public_id as book'])
    .where(waitingIn('sending'))
    .where(unindexed(sql.ref('mails.book_id')), 'in', numberList(bookIds))
    .execute()
}
