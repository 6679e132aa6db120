/** Automatic rules: the only way to book a movement without review, enabled by a person beforehand. */
import type { applyBankRulesContract, unapplyBankRulesContract } from './contract.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { lockedUntil } from '../ledger/index.ts'
import { ruleFits } from './match/engine.ts'
import { matchRow, recordTransactionChange, unmatchRow } from './match.ts'
import { factsOf } from './rows.ts'
import { allRules } from './rules.ts'

/**
 * Books pending movements by the oldest automatic rule that matches and returns them. Movements in closed periods are
 * left for manual review.
 */
export async function applyAutomaticRules(tx: Ctx, only: { importId?: number } = {}): Promise<string[]> {
  const rules = (await allRules(tx)).filter((rule) => rule.automatic && rule.ledgerAccount !== null)
  if (rules.length === 0) return []
  const closed = await lockedUntil(tx)
  let query = tx.db
    .selectFrom('bank_transactions')
    .selectAll()
    .where('book_id', '=', tx.book.id)
    .where('status', '=', 'pending')
    .orderBy('id')
  if (only.importId !== undefined) query = query.where('import_id', '=', only.importId)
  const booked: string[] = []
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
    booked.push(row.public_id)
  }
  return booked
}

/** Books the pending movements that match an automatic rule. */
export const applyBankRules: UseCase<typeof applyBankRulesContract> = (ctx) =>
  ctx.transaction(async (tx) => {
    const booked = await applyAutomaticRules(tx)
    if (booked.length > 0) await emitEvent(tx, 'bank.changed', { booked: booked.length })
    return { booked: booked.length, transactionIds: booked }
  })

/** Returns those of the given movements that a rule booked and no person has changed since. */
async function bookedByRule(tx: Ctx, only: { importId: number } | { ids: readonly string[] }) {
  let query = tx.db
    .selectFrom('bank_transactions')
    .selectAll()
    .where('book_id', '=', tx.book.id)
    .where('status', '=', 'matched')
    .where('rule_id', 'is not', null)
    .orderBy('id')
  query =
    'importId' in only
      ? query.where('import_id', '=', only.importId)
      : query.where('public_id', 'in', only.ids)
  return query.execute()
}

/** Undoes the bookings that rules made for the movements of a file. */
export async function unbookImport(tx: Ctx, importId: number): Promise<void> {
  for (const row of await bookedByRule(tx, { importId })) await unmatchRow(tx, row)
}

/** Undoes one application of the rules, all or nothing; movements that a person has changed since stay as they are. */
export const unapplyBankRules: UseCase<typeof unapplyBankRulesContract> = (ctx, { transactionIds }) =>
  ctx.transaction(async (tx) => {
    const rows = await bookedByRule(tx, { ids: transactionIds })
    for (const row of rows) {
      await unmatchRow(tx, row)
      await recordTransactionChange(tx, 'bank_transaction.unmatched', row)
    }
    return { unbooked: rows.length, kept: transactionIds.length - rows.length }
  })
