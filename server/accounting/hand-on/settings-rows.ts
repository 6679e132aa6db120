/** Stored settings of handing on: one row for each book. */
import type { Ctx } from '../../context.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { FORMATS } from './formats/index.ts'
import type { HandOnFormat, HandOnSettings } from './model.ts'

/** Returns the usual settings of a format. */
export function usualSettings(format: HandOnFormat): HandOnSettings {
  const { digits, encodings, recordLengths, journal } = FORMATS[format]
  return {
    format,
    digits: digits.usual,
    firstCustomer: 1,
    firstSupplier: 1,
    companyCode: '',
    encoding: encodings[0],
    recordLength: recordLengths[0] ?? null,
    journal: journal?.usual ?? '',
    closingEntries: true,
    confirmed: false,
  }
}

/** Returns the settings; null while nobody has saved any. */
export async function findSettings(ctx: Ctx): Promise<HandOnSettings | null> {
  const row = await ctx.db
    .selectFrom('hand_on_settings')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirst()
  if (!row) return null
  return {
    format: row.format,
    digits: row.digits,
    firstCustomer: row.first_customer,
    firstSupplier: row.first_supplier,
    companyCode: row.company_code,
    encoding: row.encoding,
    recordLength: row.record_length,
    journal: row.journal,
    closingEntries: row.closing_entries === 1,
    confirmed: row.confirmed === 1,
  }
}

/** Returns the settings. Throws `hand_on_not_set` while nobody has saved any. */
export async function settingsOf(ctx: Ctx): Promise<HandOnSettings> {
  const settings = await findSettings(ctx)
  if (!settings) throw new AppError('hand_on_not_set')
  return settings
}

/** Stores the settings. */
export async function writeSettings(ctx: Ctx, settings: HandOnSettings): Promise<void> {
  const columns = {
    format: settings.format,
    digits: settings.digits,
    first_customer: settings.firstCustomer,
    first_supplier: settings.firstSupplier,
    company_code: settings.companyCode,
    encoding: settings.encoding,
    record_length: settings.recordLength,
    journal: settings.journal,
    closing_entries: settings.closingEntries ? 1 : 0,
    confirmed: settings.confirmed ? 1 : 0,
    updated_at: ctx.now().getTime(),
  } as const
  await ctx.db
    .insertInto('hand_on_settings')
    .values({ book_id: ctx.book.id, ...columns })
    .onConflict((conflict) => conflict.column('book_id').doUpdateSet(columns))
    .execute()
}
