/** Rows of reply pages and of the answers to them: the SQL of this folder. */
import type { Insertable, Selectable } from 'kysely'
import type { Ctx } from '../../context.ts'
import type { ReplyAnswersTable, ReplyPagesTable } from '../../db/schema.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { PageFacts } from './facts.ts'

export type PageRow = Selectable<ReplyPagesTable>
type AnswerRow = Selectable<ReplyAnswersTable>

export const factsOf = ({ facts }: PageRow): PageFacts => JSON.parse(facts) as PageFacts

/** Returns a page of the book by its public identifier, or null. */
export async function findPage(ctx: Ctx, publicId: string): Promise<PageRow | null> {
  const row = await ctx.db
    .selectFrom('reply_pages')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  return row ?? null
}

/** Returns the page of an invoice in a language that none has superseded, or null. */
export async function currentPage(
  ctx: Ctx,
  invoiceRow: number,
  language: DocumentLanguage,
): Promise<PageRow | null> {
  const row = await ctx.db
    .selectFrom('reply_pages')
    .selectAll()
    .where('invoice_id', '=', invoiceRow)
    .where('language', '=', language)
    .where('superseded_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Returns the pages of an invoice, newest first. */
export function pagesOf(ctx: Ctx, invoiceRow: number): Promise<PageRow[]> {
  return ctx.db
    .selectFrom('reply_pages')
    .selectAll()
    .where('invoice_id', '=', invoiceRow)
    .orderBy('id', 'desc')
    .execute()
}

export function insertPage(tx: Ctx, values: Insertable<ReplyPagesTable>): Promise<PageRow> {
  return tx.db.insertInto('reply_pages').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Replaces the facts of a page that may change without another page. */
export function rewritePage(tx: Ctx, id: number, facts: PageFacts): Promise<PageRow> {
  return tx.db
    .updateTable('reply_pages')
    .set({ facts: JSON.stringify(facts) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Marks the pages of an invoice that show other facts. */
export async function supersedePages(tx: Ctx, invoiceRow: number, digest: Uint8Array): Promise<void> {
  await tx.db
    .updateTable('reply_pages')
    .set({ superseded_at: tx.now().getTime() })
    .where('invoice_id', '=', invoiceRow)
    .where('superseded_at', 'is', null)
    .where('facts_digest', '<>', Buffer.from(digest))
    .execute()
}

/** Returns an answer to a page by its digest, or null. */
export async function findAnswer(
  ctx: Ctx,
  { pageRow, digest }: { pageRow: number; digest: Uint8Array },
): Promise<AnswerRow | null> {
  const row = await ctx.db
    .selectFrom('reply_answers')
    .selectAll()
    .where('page_id', '=', pageRow)
    .where('digest', '=', Buffer.from(digest))
    .executeTakeFirst()
  return row ?? null
}

export function insertAnswer(tx: Ctx, values: Insertable<ReplyAnswersTable>): Promise<AnswerRow> {
  return tx.db.insertInto('reply_answers').values(values).returningAll().executeTakeFirstOrThrow()
}

/** An answer with what is shown of its invoice and page. */
export interface ShownAnswer extends AnswerRow {
  invoice: string
  number: string | null
  superseded_at: number | null
}

/** Answers of the book with their invoices, in no order. */
export const shownAnswers = (ctx: Ctx) =>
  ctx.db
    .selectFrom('reply_answers')
    .innerJoin('invoices', 'invoices.id', 'reply_answers.invoice_id')
    .innerJoin('reply_pages', 'reply_pages.id', 'reply_answers.page_id')
    .selectAll('reply_answers')
    .select([
      'invoices.public_id as invoice',
      'invoices.number as number',
      'reply_pages.superseded_at as superseded_at',
    ])
    .where('reply_answers.book_id', '=', ctx.book.id)

/** Returns all answers to some invoices, in no order. */
export async function answersOf(ctx: Ctx, invoiceRows: readonly number[]): Promise<ShownAnswer[]> {
  if (invoiceRows.length === 0) return []
  return shownAnswers(ctx)
    .where('reply_answers.invoice_id', 'in', [...invoiceRows])
    .execute()
}
