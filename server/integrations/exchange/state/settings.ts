/** How a book uses the platform, its positions and its pace. */
import type { Insertable, Selectable } from 'kysely'
import { prepare } from '../../../db/query.ts'
import type { ExchangeContactsTable, ExchangeFlowsTable, ExchangeSettingsTable } from '../../../db/schema.ts'
import { newestBookEventId } from '../../../platform/events/index.ts'
import type { Ctx } from '../../../context.ts'

export type SettingsRow = Selectable<ExchangeSettingsTable>
type FlowRow = Selectable<ExchangeFlowsTable>
export type ContactRow = Selectable<ExchangeContactsTable>

const settings = prepare((db, p: { bookId: number }) =>
  db.selectFrom('exchange_settings').selectAll().where('book_id', '=', p.bookId),
)

/** Returns the settings of the book; null if nobody has set any: then nothing is followed. */
export async function findSettings(ctx: Ctx): Promise<SettingsRow | null> {
  return (await settings.first(ctx.db, { bookId: ctx.book.id })) ?? null
}

/** Settings of a book that set none. */
export const NO_SETTINGS: Omit<SettingsRow, 'book_id'> = {
  sending_since: null,
  sending_by: null,
  followed_from: null,
  turnover: null,
  turnover_year: null,
  person_kind: null,
  report_collections: 1,
  representation: null,
  representative_nif: null,
  representative_name: null,
  representative_certificate: null,
  representation_since: null,
  representation_by: null,
  version: 0,
}

/** Writes the settings of the book. */
export async function writeSettings(ctx: Ctx, row: Omit<SettingsRow, 'book_id'>): Promise<void> {
  await ctx.db
    .insertInto('exchange_settings')
    .values({ ...row, book_id: ctx.book.id })
    .onConflict((conflict) => conflict.column('book_id').doUpdateSet(row))
    .execute()
}

const flow = prepare((db, p: { bookId: number }) =>
  db.selectFrom('exchange_flows').selectAll().where('book_id', '=', p.bookId),
)

/** Pace of a book that has not begun. */
const NO_FLOW: Omit<FlowRow, 'book_id'> = {
  event_id: 0,
  position: null,
  next_send_at: 0,
  failures: 0,
  batch_limit: 100,
  fault_code: null,
  fault_detail: null,
  next_poll_at: 0,
  poll_failures: 0,
  polled_at: null,
}

/** Returns positions and pace of the book. */
export async function findFlow(ctx: Ctx): Promise<FlowRow> {
  return (await flow.first(ctx.db, { bookId: ctx.book.id })) ?? { ...NO_FLOW, book_id: ctx.book.id }
}

/** Changes positions or pace; runs in a transaction. */
export async function changeFlow(ctx: Ctx, change: Partial<Insertable<ExchangeFlowsTable>>): Promise<void> {
  await ctx.db
    .insertInto('exchange_flows')
    .values({ ...NO_FLOW, ...change, book_id: ctx.book.id })
    .onConflict((conflict) => conflict.column('book_id').doUpdateSet(change))
    .execute()
}

/** Begins to follow what happens in the book from now on. */
export async function beginFollowing(ctx: Ctx): Promise<void> {
  await changeFlow(ctx, { event_id: await newestBookEventId(ctx.db, ctx.book.id), next_poll_at: 0 })
}

const contact = prepare((db, p: { contactId: number }) =>
  db.selectFrom('exchange_contacts').selectAll().where('contact_id', '=', p.contactId),
)

/** Returns how a customer receives; null if nothing was agreed, so by the public platform. */
export async function findExchangeContact(ctx: Ctx, contactId: number | null): Promise<ContactRow | null> {
  return contactId === null ? null : ((await contact.first(ctx.db, { contactId })) ?? null)
}

/** Writes how a customer receives. */
export async function writeExchangeContact(ctx: Ctx, row: ContactRow): Promise<void> {
  const { contact_id: _id, book_id: _book, ...change } = row
  await ctx.db
    .insertInto('exchange_contacts')
    .values(row)
    .onConflict((conflict) => conflict.column('contact_id').doUpdateSet(change))
    .execute()
}
