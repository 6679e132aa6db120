/** Settles the VAT of a period into one account, on its last day. */
import { recordAudit } from '../../../platform/audit/index.ts'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import type { settleVatContract } from '../contract.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { FIRST_MONTH, monthsOf, periodOf, sumsOf } from '../reports/balances.ts'
import { accountNames } from '../chart/own-names.ts'
import { entryIdOf } from '../journal/entry-id.ts'
import { settlementOf } from '../mapping/vat-settlement.ts'
import { postEntry } from '../journal/post.ts'

type Input = ContractInput<typeof settleVatContract>

async function settlement(ctx: Ctx, asked: Omit<Input, 'write'>) {
  const { last } = monthsOf(periodOf(asked))
  const sums = await sumsOf(ctx, FIRST_MONTH, last)
  return settlementOf(
    sums.map(({ code, debitCents, creditCents }) => ({
      account: code,
      amountCents: debitCents - creditCents,
    })),
  )
}

/**
 * Returns the settlement of a quarter or month, and books it with `write`. A second settlement books only what was
 * added since.
 */
export const settleVat: UseCase<typeof settleVatContract> = async (ctx, { write, ...asked }) => {
  const date = periodOf(asked).to
  const work = async (tx: Ctx) => {
    const found = await settlement(tx, asked)
    const named = await accountNames(tx, 'es')
    let row: number | null = null
    if (write && found.lines.length > 0) {
      row = await postEntry(tx, { date, source: { type: 'vat_settlement', id: null }, lines: found.lines })
      const entryId = entryIdOf(tx.book, row ?? 0)
      await recordAudit(tx, {
        action: 'ledger.vat_settled',
        target: { type: 'entry', id: entryId, label: date },
      })
      await emitEvent(tx, 'ledger.changed', { entryId })
    }
    return {
      date,
      output: eurosFromCents(found.outputCents),
      input: eurosFromCents(found.inputCents),
      result: eurosFromCents(found.resultCents),
      lines: found.lines.map(({ account, amountCents }) => ({
        account,
        name: named(account),
        debit: eurosFromCents(Math.max(amountCents, 0)),
        credit: eurosFromCents(Math.max(-amountCents, 0)),
        contact: null,
      })),
      entryId: row === null ? null : entryIdOf(tx.book, row),
      settled: found.lines.length === 0,
    }
  }
  return write ? ctx.transaction(work) : work(ctx)
}
