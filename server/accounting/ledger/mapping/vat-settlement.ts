/**
 * VAT settlement of a period: output VAT, less deductible input VAT, less amounts carried forward from earlier
 * periods.
 */
import type { Cents } from '../../../domain/money.ts'
import { ACCOUNTS, ONE_STOP_SHOP_VAT, PENDING_INPUT_VAT, PENDING_OUTPUT_VAT } from './accounts.ts'
import { entryOf, reversed } from './entry.ts'
import type { EntryLine } from './entry.ts'

const LEFT_OUT = [PENDING_INPUT_VAT, PENDING_OUTPUT_VAT, ONE_STOP_SHOP_VAT]

interface VatSettlement {
  lines: EntryLine[]
  outputCents: Cents
  inputCents: Cents
  /** Positive: to pay, after offsetting earlier refunds due. */
  resultCents: Cents
}

/** Returns true for an account whose amounts the periodic VAT return declares. */
export function isVatOfReturn(account: string): boolean {
  return /^47[27]/.test(account) && !LEFT_OUT.includes(account)
}

/** Returns the entry that clears 477 and 472 to 4750 or 4700. `balances`: of all accounts, debits less credits. */
export function settlementOf(balances: readonly EntryLine[]): VatSettlement {
  const settled = balances.filter(({ account }) => isVatOfReturn(account))
  const sum = (prefix: string) =>
    settled.reduce((total, line) => (line.account.startsWith(prefix) ? total + line.amountCents : total), 0)
  const outputCents = 0 - sum('477')
  const inputCents = sum('472')
  const dueCents = outputCents - inputCents
  const leftOver = balances.reduce(
    (total, line) => (line.account === ACCOUNTS.vatRefundable ? total + line.amountCents : total),
    0,
  )
  const used = dueCents > 0 ? Math.min(dueCents, Math.max(leftOver, 0)) : 0
  const lines = entryOf([
    ...reversed(settled),
    { account: ACCOUNTS.vatRefundable, amountCents: dueCents < 0 ? -dueCents : -used },
    { account: ACCOUNTS.vatPayable, amountCents: dueCents > 0 ? used - dueCents : 0 },
  ])
  return { lines, outputCents, inputCents, resultCents: dueCents - used }
}

/**
 * Returns the entry that clears 477 and 472 of several months whose returns pay an amount together: that goes to 4750, and the
 * rest to 4700, in favour of the business or taken off what it had.
 */
export function settlementOfMonths(balances: readonly EntryLine[], payableCents: Cents): VatSettlement {
  const { outputCents, inputCents } = settlementOf(balances)
  const dueCents = outputCents - inputCents
  const lines = entryOf([
    ...reversed(balances.filter(({ account }) => isVatOfReturn(account))),
    { account: ACCOUNTS.vatRefundable, amountCents: payableCents - dueCents },
    { account: ACCOUNTS.vatPayable, amountCents: -payableCents },
  ])
  return { lines, outputCents, inputCents, resultCents: dueCents }
}
