/** SQL of rented premises, and of the documents of their rents. */
import { sql } from 'kysely'
import type { Selectable, SqlBool } from 'kysely'
import type { Ctx } from '../../../context.ts'
import type { RentedPremisesTable } from '../../../db/schema.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'

export type PremisesRow = Omit<Selectable<RentedPremisesTable>, 'book_id'> & {
  /** Rent of the year asked for; null unless a person divided it. */
  base_cents: number | null
}
/** The columns that a person types. */
export type PremisesColumns = Omit<
  Selectable<RentedPremisesTable>,
  'id' | 'book_id' | 'public_id' | 'typed_at' | 'typed_by'
>

/** Returns the rented premises of all years, by landlord, each with its rent of one year. */
export async function findPremises(ctx: Ctx, year: number): Promise<PremisesRow[]> {
  return ctx.db
    .selectFrom('rented_premises')
    .leftJoin('rent_bases', (join) =>
      join.onRef('rent_bases.premises_id', '=', 'rented_premises.id').on('rent_bases.year', '=', year),
    )
    .selectAll('rented_premises')
    .select('rent_bases.base_cents')
    .where('rented_premises.book_id', '=', ctx.book.id)
    .orderBy('landlord_name')
    .orderBy('landlord_nif')
    .orderBy('rented_premises.id')
    .execute()
}

/** Adds premises, or changes those with a row. Returns the row. */
export async function writePremises(
  tx: Ctx,
  rowId: number | null,
  columns: PremisesColumns,
): Promise<number> {
  const typed = { ...columns, typed_at: tx.now().getTime(), typed_by: tx.actor.name }
  if (rowId !== null) {
    await tx.db.updateTable('rented_premises').set(typed).where('id', '=', rowId).execute()
    return rowId
  }
  const { id } = await tx.db
    .insertInto('rented_premises')
    .values({ ...typed, book_id: tx.book.id, public_id: tx.newId('ren') })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes the rent of a year for premises; null removes it. */
export async function writeRentBase(
  tx: Ctx,
  premisesId: number,
  year: number,
  baseCents: number | null,
): Promise<void> {
  await tx.db
    .deleteFrom('rent_bases')
    .where('premises_id', '=', premisesId)
    .where('year', '=', year)
    .execute()
  if (baseCents === null) return
  await tx.db
    .insertInto('rent_bases')
    .values({
      premises_id: premisesId,
      year,
      base_cents: baseCents,
      typed_at: tx.now().getTime(),
      typed_by: tx.actor.name,
    })
    .execute()
}

/** Removes premises, with their rents of all years. */
export async function removePremises(tx: Ctx, rowIds: readonly number[]): Promise<void> {
  if (rowIds.length === 0) return
  await tx.db.deleteFrom('rent_bases').where('premises_id', 'in', rowIds).execute()
  await tx.db.deleteFrom('rented_premises').where('id', 'in', rowIds).execute()
}

export interface RentDocument {
  nif: string
  rateBp: number
  baseCents: number
}

/** Returns the received invoices of a period with withholding for rent, the earliest first, each with its rate. */
export async function rentDocuments(ctx: Ctx, { from, to }: Pick<ReturnPeriod, 'from' | 'to'>) {
  const rows = await ctx.db
    .selectFrom('received_invoices')
    .select(['supplier_nif', 'withholding_bp', 'withholding_base_cents'])
    .where('book_id', '=', ctx.book.id)
    .where('state', '<>', 'void')
    .where('withholding_reason', '=', 'rent')
    // An operation is never after its invoice, except for advances: the index limits what is read.
    .where('issue_date', '>=', from)
    .where(sql<SqlBool>`coalesce(operation_date, issue_date) between ${from} and ${to}`)
    .orderBy(sql`coalesce(operation_date, issue_date)`)
    .orderBy('id')
    .execute()
  return rows.flatMap((row): RentDocument[] =>
    row.supplier_nif === null || row.withholding_bp === null
      ? []
      : [{ nif: row.supplier_nif, rateBp: row.withholding_bp, baseCents: row.withholding_base_cents }],
  )
}
