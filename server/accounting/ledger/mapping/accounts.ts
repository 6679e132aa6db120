/** Accounts of the Plan General Contable that automatic entries use, with VAT accounts by rate. */
import type { BasisPoints } from '../../../domain/money.ts'

/** Accounts of automatic entries. Source: Plan General de Contabilidad de PYMES (RD 1515/2007). */
export const ACCOUNTS = {
  customers: '430',
  doubtfulCustomers: '436',
  customerAdvances: '438',
  suppliers: '400',
  supplierAdvances: '407',
  creditors: '410',
  goodsSales: '700',
  services: '705',
  salesReturns: '708',
  salesDiscounts: '706',
  rentIncome: '752',
  purchases: '600',
  purchaseDiscounts: '606',
  otherExpenses: '629',
  bankCharges: '626',
  /** Paid on behalf of the customer. */
  disbursements: '555',
  withheldFromUs: '473',
  withheldByUs: '4751',
  vatPayable: '4750',
  vatRefundable: '4700',
  bank: '572',
  cash: '570',
  exchangeLoss: '668',
  exchangeGain: '768',
  badDebts: '650',
  roundingLoss: '659',
  roundingGain: '759',
  lateInterestIncome: '769',
  lateInterestCost: '669',
  result: '129',
  toBeClassified: '555',
} as const

function fourDigits(rateBp: BasisPoints): string {
  return String(rateBp).padStart(4, '0')
}

/** Returns the output VAT account of a rate: 4772100 for 21 %. */
export function outputVat(rateBp: BasisPoints | null): string {
  return `477${fourDigits(rateBp ?? 0)}`
}

/**
 * Returns the output VAT account of an equivalence surcharge: 4779520 for 5.2 %. No VAT rate reaches 90 %, so the
 * codes never collide.
 */
export function outputSurcharge(rateBp: BasisPoints | null): string {
  return `4779${String(rateBp ?? 0).padStart(3, '0')}`
}

/** Output VAT under cash accounting that is not due before payment; not part of the VAT to pay. */
export const PENDING_OUTPUT_VAT = '4778'
/** Input VAT under cash accounting that is not deductible before payment. */
export const PENDING_INPUT_VAT = '4728'
/** VAT of other member states, declared through the one-stop shop. */
export const ONE_STOP_SHOP_VAT = '4777'

/** Returns the account of deductible input VAT of a rate: 4722100 for 21 %. */
export function inputVat(rateBp: BasisPoints | null): string {
  return `472${fourDigits(rateBp ?? 0)}`
}
