/** Automatic rules: the only way a movement is booked without a person looking, and only because one said so before. */
import type { applyBankRulesContract, unapplyBankRulesContract } from './contract.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { lockedUntil } from '../ledger/index.ts'
import { ruleFits } from './match/engine.ts'
import { matchRow, recordTransactionChange, unmatchRow } from './match.ts'
import { factsOf } from './rows.ts'
import { allRules } from './rules.ts'

/** Books pending movements by the oldest automatic rule that fits; closed days are left to the person. Answers which. */
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

/** Books what is pending and an automatic rule knows. */
export const applyBankRules: UseCase<typeof applyBankRulesContract> = (ctx) =>
  ctx.transaction(async (tx) => {
    const booked = await applyAutomaticRules(tx)
    if (booked.length > 0) await emitEvent(tx, 'bank.changed', { booked: booked.length })
    return { booked: booked.length, transactionIds: booked }
  })

/** Of the movements given, those that a rule booked and nobody has said anything of since. */
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

/** Takes back what rules booked of a file's movements. */
export async function unbookImport(tx: Ctx, importId: number): Promise<void> {
  for (const row of await bookedByRule(tx, { importId })) await unmatchRow(tx, row)
}

/** Takes one application of the rules back, whole or not at all; what a person has changed since stays. */
export const unapplyBankRules: UseCase<typeof unapplyBankRulesContract> = (ctx, { transactionIds }) =>
  ctx.transaction(async (tx) => {
    const rows = await bookedByRule(tx, { ids: transactionIds })
    for (const row of rows) {
      await unmatchRow(tx, row)
      await recordTransactionChange(tx, 'bank_transaction.unmatched', row)
    }
    return { unbooked: rows.length, kept: transactionIds.length - rows.length }
  })
