/** SQL of lookups: evidence of checks, and exchange rates by day. */
import type { Insertable, Selectable } from 'kysely'
import type { BusinessDate } from '../../domain/dates.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { CensusChecksTable, ExchangeRatesTable, VatNumberChecksTable } from '../../db/schema.ts'
import type { DayRate } from './ports.ts'

export type VatNumberCheckRow = Selectable<VatNumberChecksTable> & { contact_public_id: string | null }

const contactByPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db.selectFrom('contacts').select('id').where('book_id', '=', p.bookId).where('public_id', '=', p.publicId),
)

/** Returns the row of the contact that a check is about; throws `not_found` when the book has none. */
export async function contactRowId(ctx: Ctx, publicId: string): Promise<number> {
  return orNotFound(await contactByPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })).id
}

/** Returns the row of a contact that existed before the request; null when it was deleted meanwhile. */
export async function remainingContact(tx: Ctx, publicId: string | undefined): Promise<number | null> {
  if (publicId === undefined) return null
  return (await contactByPublicId.first(tx.db, { bookId: tx.book.id, publicId }))?.id ?? null
}

export async function insertVatNumberCheck(tx: Ctx, row: Insertable<VatNumberChecksTable>): Promise<void> {
  await tx.db.insertInto('vat_number_checks').values(row).execute()
}

export async function insertCensusCheck(tx: Ctx, row: Insertable<CensusChecksTable>): Promise<void> {
  await tx.db.insertInto('census_checks').values(row).execute()
}

/** Returns checks of a number, of a contact, or all, newest first. */
export async function vatNumberChecksOf(
  ctx: Ctx,
  filter: { vatNumber: string | null; contactId: string | null; before: number | null; limit: number },
): Promise<VatNumberCheckRow[]> {
  let query = ctx.db
    .selectFrom('vat_number_checks')
    .leftJoin('contacts', 'contacts.id', 'vat_number_checks.contact_id')
    .selectAll('vat_number_checks')
    .select('contacts.public_id as contact_public_id')
    .where('vat_number_checks.book_id', '=', ctx.book.id)
  if (filter.vatNumber !== null) query = query.where('vat_number', '=', filter.vatNumber)
  if (filter.contactId !== null) query = query.where('contacts.public_id', '=', filter.contactId)
  if (filter.before !== null) query = query.where('vat_number_checks.id', '<', filter.before)
  return query.orderBy('vat_number_checks.id', 'desc').limit(filter.limit).execute()
}

export type RateRow = Selectable<ExchangeRatesTable>

const lastRate = prepare((db, p: { bookId: number; currency: string; day: BusinessDate }) =>
  db
    .selectFrom('exchange_rates')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('currency', '=', p.currency)
    .where('day', '<=', p.day)
    .orderBy('day', 'desc')
    .limit(1),
)
const anyLater = prepare((db, p: { bookId: number; day: BusinessDate }) =>
  db
    .selectFrom('exchange_rates')
    .select('day')
    .where('book_id', '=', p.bookId)
    .where('day', '>', p.day)
    .limit(1),
)

/** Returns the last stored rate published up to a day. */
export async function rateUpTo(ctx: Ctx, currency: string, day: BusinessDate): Promise<RateRow | null> {
  return (await lastRate.first(ctx.db, { bookId: ctx.book.id, currency, day })) ?? null
}

/** Returns true if rates of a later day are stored: then everything published up to this day is known. */
export async function hasLaterRates(ctx: Ctx, day: BusinessDate): Promise<boolean> {
  return (await anyLater.first(ctx.db, { bookId: ctx.book.id, day })) !== undefined
}

/** Stores rates; those of a day that is already stored stay unchanged. */
export async function saveRates(
  tx: Ctx,
  rates: readonly DayRate[],
  facts: { source: string; simulated: boolean },
): Promise<void> {
  const fetchedAt = tx.now().getTime()
  for (const { day, currency, rateMicro } of rates)
    await tx.db
      .insertInto('exchange_rates')
      .values({
        book_id: tx.book.id,
        currency,
        day,
        rate_micro: rateMicro,
        source: facts.source,
        simulated: facts.simulated ? 1 : 0,
        fetched_at: fetchedAt,
      })
      .onConflict((conflict) => conflict.columns(['book_id', 'currency', 'day']).doNothing())
      .execute()
}
