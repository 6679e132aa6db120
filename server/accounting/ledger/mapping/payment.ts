/** Entry of a payment: bank or cash, the items it settles, and the difference between them. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import {
  ACCOUNTS,
  inputVat,
  outputSurcharge,
  outputVat,
  PENDING_INPUT_VAT,
  PENDING_OUTPUT_VAT,
} from './accounts.ts'
import { entryOf } from './entry.ts'
import type { EntryLine } from './entry.ts'

/** An item that a payment settles, in euros at the document's rate; positive in the usual direction. */
interface Settled {
  /** `invoice` clears a customer, `received` a supplier; an advance stays on the contact's account. */
  kind: 'invoice' | 'received' | 'advance'
  cents: Cents
  contactId: number | null
  /** Overrides the usual account: 410 for services, 523 for assets, 436 for doubtful customers. */
  account?: string
}

/** Reason for a difference between the money and the items it settles. */
interface Difference {
  kind: 'exchange' | 'discount' | 'fee' | 'rounding' | 'interest' | 'bad_debt'
  /** Positive when it is a cost. */
  costCents: Cents
}

/** VAT under cash accounting that becomes due or deductible with this payment. */
export interface ReleasedVat {
  side: 'issued' | 'received'
  vatRateBp: BasisPoints | null
  taxCents: Cents
  surchargeRateBp?: BasisPoints | null
  surchargeCents?: Cents
}

export interface PaymentFacts {
  date: BusinessDate
  direction: 'in' | 'out'
  /** Money received or paid; 0 when only a difference is booked (a write-off). */
  moneyCents: Cents
  /** 572 bank, 570 cash, or a subaccount; default 572. */
  moneyAccount?: string
  settled: readonly Settled[]
  differences?: readonly Difference[]
  released?: readonly ReleasedVat[]
}

function settledAccount({ kind, account }: Settled, direction: 'in' | 'out'): string {
  if (account !== undefined) return account
  if (kind === 'invoice') return ACCOUNTS.customers
  if (kind === 'received') return ACCOUNTS.creditors
  return direction === 'in' ? ACCOUNTS.customerAdvances : ACCOUNTS.supplierAdvances
}

function differenceAccount({ kind, costCents }: Difference, direction: 'in' | 'out'): string {
  const costs = costCents > 0
  switch (kind) {
    case 'exchange':
      return costs ? ACCOUNTS.exchangeLoss : ACCOUNTS.exchangeGain
    case 'discount':
      // A discount granted reduces sales; a discount received reduces purchases.
      return direction === 'in' ? ACCOUNTS.salesDiscounts : ACCOUNTS.purchaseDiscounts
    case 'fee':
      return ACCOUNTS.bankCharges
    case 'interest':
      return costs ? ACCOUNTS.lateInterestCost : ACCOUNTS.lateInterestIncome
    case 'bad_debt':
      return ACCOUNTS.badDebts
    case 'rounding':
      return costs ? ACCOUNTS.roundingLoss : ACCOUNTS.roundingGain
  }
}

function releasedLines({
  side,
  vatRateBp,
  taxCents,
  surchargeRateBp,
  surchargeCents = 0,
}: ReleasedVat): EntryLine[] {
  if (side === 'received')
    return [
      { account: inputVat(vatRateBp), amountCents: taxCents },
      { account: PENDING_INPUT_VAT, amountCents: -taxCents },
    ]
  return [
    { account: PENDING_OUTPUT_VAT, amountCents: taxCents + surchargeCents },
    { account: outputVat(vatRateBp), amountCents: -taxCents },
    { account: outputSurcharge(surchargeRateBp ?? null), amountCents: -surchargeCents },
  ]
}

/** Returns the entry of a payment. Throws when the money, the settled items and the differences do not add up. */
export function entryOfPayment(facts: PaymentFacts): EntryLine[] {
  const sign = facts.direction === 'in' ? 1 : -1
  return entryOf([
    { account: facts.moneyAccount ?? ACCOUNTS.bank, amountCents: sign * facts.moneyCents },
    ...facts.settled.map((one) => ({
      account: settledAccount(one, facts.direction),
      amountCents: -sign * one.cents,
      contactId: one.contactId,
    })),
    ...(facts.differences ?? []).map((one) => ({
      account: differenceAccount(one, facts.direction),
      amountCents: one.costCents,
    })),
    ...(facts.released ?? []).flatMap(releasedLines),
  ])
}
