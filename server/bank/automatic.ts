/** Automatic rules: the only way a movement is booked without a person looking, and only because one said so before. */
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { eurosFromCents } from '../core/money.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import { emitEvent } from '../events/index.ts'
import { lockedUntil } from '../ledger/index.ts'
import { ruleFits } from './match/engine.ts'
import { matchRow } from './match.ts'
import { factsOf } from './rows.ts'
import { allRules } from './rules.ts'

/** Books pending movements by the oldest automatic rule that fits; closed days are left to the person. */
export async function applyAutomaticRules(tx: Ctx, only: { importId?: number } = {}): Promise<number> {
  const rules = (await allRules(tx)).filter((rule) => rule.automatic && rule.ledgerAccount !== null)
  if (rules.length === 0) return 0
  const closed = await lockedUntil(tx)
  let query = tx.db
    .selectFrom('bank_transactions')
    .selectAll()
    .where('book_id', '=', tx.book.id)
    .where('status', '=', 'pending')
    .orderBy('id')
  if (only.importId !== undefined) query = query.where('import_id', '=', only.importId)
  let booked = 0
  for (const row of await query.execute()) {
    if (closed !== null && row.date <= closed) continue
    const facts = factsOf(row)
    const rule = rules.find((each) => ruleFits(each, facts))
    if (!rule || rule.ledgerAccount === null) continue
    await matchRow(
      tx,
      row,
      [
        {
          kind: 'account',
          ledgerAccount: rule.ledgerAccount,
          amount: eurosFromCents(row.amount_cents),
          ...(rule.contactId === null ? {} : { contactId: rule.contactId }),
        },
      ],
      { ruleId: rule.rowId, remember: false },
    )
    booked++
  }
  return booked
}

/** Books what is pending and an automatic rule knows. */
export const applyBankRules: UseCase<ParsedInputOf<'bank.applyRules'>, OutputOf<'bank.applyRules'>> = (ctx) =>
  ctx.transaction(async (tx) => {
    const booked = await applyAutomaticRules(tx)
    if (booked > 0) await emitEvent(tx, 'bank.changed', { booked })
    return { booked }
  })
