/** What a VAT account of the ledger holds, by its code. Pure. */
import type { BasisPoints } from '../../../domain/money.ts'

export interface VatAccount {
  side: 'output' | 'input'
  kind: 'vat' | 'surcharge'
  rateBp: BasisPoints
}

/** 4777 to 4779 and 4728 are no rates: other states, cash accounting and the surcharge. */
const VAT = /^47([27])([0-6]\d{3})$/
const SURCHARGE = /^4779(\d{3})$/

/** Returns what the account holds; null for one that is not of VAT at a rate. */
export function vatAccountOf(code: string): VatAccount | null {
  const surcharge = SURCHARGE.exec(code)
  if (surcharge) return { side: 'output', kind: 'surcharge', rateBp: Number(surcharge[1]) }
  const vat = VAT.exec(code)
  if (!vat) return null
  return { side: vat[1] === '7' ? 'output' : 'input', kind: 'vat', rateBp: Number(vat[2]) }
}

/** Accounts of what others withheld from the business, and of what it withheld. */
export const isWithholding = (code: string): boolean => code.startsWith('473') || code.startsWith('4751')

/** Accounts of cash accounting and of VAT of other states, which no layout splits by rate. */
export const isPendingVat = (code: string): boolean => ['4778', '4728'].includes(code)
