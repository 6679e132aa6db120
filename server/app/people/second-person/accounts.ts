/** The accounts to which money goes, as they are before somebody changes them. */
import type { Ctx } from '../../../context.ts'

export interface AccountBefore {
  /** Null where the account has no name of its own. */
  name: string | null
  iban: string | null
}

/** Returns a bank account. */
export async function bankAccountBefore(ctx: Ctx, publicId: string): Promise<AccountBefore> {
  const row = await ctx.db
    .selectFrom('bank_accounts')
    .select(['name', 'iban'])
    .where('book_id', '=', ctx.book.id)
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  return { name: row?.name ?? null, iban: row?.iban ?? null }
}

/** Returns the account that the company's invoices show. */
export async function companyAccountBefore(ctx: Ctx): Promise<AccountBefore> {
  const row = await ctx.db
    .selectFrom('companies')
    .select('iban')
    .where('id', '=', ctx.book.companyId)
    .executeTakeFirst()
  return { name: null, iban: row?.iban ?? null }
}

/** Returns the account to which direct debits are paid. */
export async function creditorAccountBefore(ctx: Ctx): Promise<AccountBefore> {
  const row = await ctx.db
    .selectFrom('debit_creditors')
    .select('iban')
    .where('company_id', '=', ctx.book.companyId)
    .executeTakeFirst()
  return { name: null, iban: row?.iban ?? null }
}
