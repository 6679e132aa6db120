/** What of a company a second person has to confirm. */
import type { Ctx } from '../../../context.ts'

export interface SecondPersonRules {
  /** Invoices whose total is above it, in cents; null: none. */
  issueAboveCents: number | null
  /** Locking periods, closing and reopening years. */
  closing: boolean
  /** The company's account, its bank accounts and the one that collects. */
  bankAccounts: boolean
  version: number
}

export async function readRules(ctx: Ctx): Promise<SecondPersonRules> {
  const row = await ctx.db
    .selectFrom('second_person_rules')
    .selectAll()
    .where('company_id', '=', ctx.book.companyId)
    .executeTakeFirst()
  return {
    issueAboveCents: row?.issue_above_cents ?? null,
    closing: row?.closing === 1,
    bankAccounts: row?.bank_accounts === 1,
    version: row?.version ?? 0,
  }
}

/** Saves the rules within a transaction. */
export async function writeRules(tx: Ctx, rules: SecondPersonRules): Promise<void> {
  const values = {
    issue_above_cents: rules.issueAboveCents,
    closing: rules.closing ? 1 : 0,
    bank_accounts: rules.bankAccounts ? 1 : 0,
    version: rules.version + 1,
    set_at: tx.now().getTime(),
    set_by: tx.actor.id,
  }
  await tx.db
    .insertInto('second_person_rules')
    .values({ company_id: tx.book.companyId, ...values })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
    .execute()
}

/** True if the new rules ask a second person for less than the old ones. */
export function isLooser(before: SecondPersonRules, after: Omit<SecondPersonRules, 'version'>): boolean {
  return (
    (before.closing && !after.closing) ||
    (before.bankAccounts && !after.bankAccounts) ||
    (before.issueAboveCents !== null &&
      (after.issueAboveCents === null || after.issueAboveCents > before.issueAboveCents))
  )
}
