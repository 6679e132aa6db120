/**
 * The schemes of a year as a person has stated them. Sello cannot know them: without a statement they are unknown, and the
 * returns that state them are not written.
 */
import type { Selectable } from 'kysely'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import type { FilingSchemesTable } from '../../../db/schema.ts'

/** How the deduction of input VAT is limited by a pro rata in the year (LIVA arts. 102 to 106). */
export const PRORATA = ['none', 'opts', 'uses', 'revokes'] as const

export interface Schemes {
  /** Inscribed in the register of monthly refunds (REDEME, RIVA art. 30). */
  refundRegister: boolean
  /** Turnover of the year before above 6,010,121.04 euros (RIVA art. 71.3.1; LIVA art. 121). */
  largeCompany: boolean
  /** Keeps the VAT books in the agency's electronic office by its own choice (SII, RIVA art. 68 bis). */
  voluntarySii: boolean
  /** Files jointly: in a group of entities, for several businesses, or to a foral treasury as well. */
  jointReturn: boolean
  /** Declared insolvent in the year. */
  insolvency: boolean
  prorata: (typeof PRORATA)[number]
  /** Excused from the 390 for another reason than the SII (Orden EHA/3111/2009 art. 1). */
  excused390: boolean
  /** Files the 349 by months (RIVA art. 81). */
  monthly349: boolean
  /** Keeper of a depot of fuels, who states payments on account of VAT. */
  fuelDepositary: boolean
}

export interface StatedSchemes extends Schemes {
  /** Milliseconds since 1970. */
  statedAt: number
  statedBy: string
}

const stated = prepare((db, p: { bookId: number }) =>
  db.selectFrom('filing_schemes').selectAll().where('book_id', '=', p.bookId),
)

const schemesOfRow = (row: Selectable<FilingSchemesTable>): StatedSchemes => ({
  refundRegister: row.refund_register === 1,
  largeCompany: row.large_company === 1,
  voluntarySii: row.voluntary_sii === 1,
  jointReturn: row.joint_return === 1,
  insolvency: row.insolvency === 1,
  prorata: row.prorata,
  excused390: row.excused_390 === 1,
  monthly349: row.monthly_349 === 1,
  fuelDepositary: row.fuel_depositary === 1,
  statedAt: row.stated_at,
  statedBy: row.stated_by,
})

/** Returns the schemes of all years that a person has stated, by year. */
export async function findSchemes(ctx: Ctx): Promise<Map<number, StatedSchemes>> {
  const rows = await stated.all(ctx.db, { bookId: ctx.book.id })
  return new Map(rows.map((row) => [row.year, schemesOfRow(row)]))
}

/** Returns the schemes of a year; null while nobody has stated them. */
export async function schemesOf(ctx: Ctx, year: number): Promise<StatedSchemes | null> {
  return (await findSchemes(ctx)).get(year) ?? null
}

const bit = (answer: boolean): 0 | 1 => (answer ? 1 : 0)

/** Replaces the schemes of a year. */
export async function writeSchemes(ctx: Ctx, year: number, schemes: Schemes): Promise<void> {
  await ctx.db
    .deleteFrom('filing_schemes')
    .where('book_id', '=', ctx.book.id)
    .where('year', '=', year)
    .execute()
  await ctx.db
    .insertInto('filing_schemes')
    .values({
      book_id: ctx.book.id,
      year,
      refund_register: bit(schemes.refundRegister),
      large_company: bit(schemes.largeCompany),
      voluntary_sii: bit(schemes.voluntarySii),
      joint_return: bit(schemes.jointReturn),
      insolvency: bit(schemes.insolvency),
      prorata: schemes.prorata,
      excused_390: bit(schemes.excused390),
      monthly_349: bit(schemes.monthly349),
      fuel_depositary: bit(schemes.fuelDepositary),
      stated_at: ctx.now().getTime(),
      stated_by: ctx.actor.name,
    })
    .execute()
}

/** Returns true for a business that files its VAT return by months (RIVA art. 71.3). */
export function isMonthlyVat({ refundRegister, largeCompany }: Schemes): boolean {
  return refundRegister || largeCompany
}

/** Returns true for a business whose VAT books are at the agency: by law if it files by months (RIVA art. 62.6), or by choice. */
export function isInSii(schemes: Schemes): boolean {
  return isMonthlyVat(schemes) || schemes.voluntarySii
}
