/**
 * The code of an invoice: the supplier's tax number, its number and its day (RD 238/2026, art. 7.5). By it the documents of
 * all channels are recognized as one invoice, and so are those that the public platform names.
 */
import type { BusinessDate } from '../../../domain/dates.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import type { Ctx } from '../../../context.ts'
import { entriesOfSupplier } from '../../invoices/index.ts'
import type { SimilarEntry } from '../../invoices/index.ts'
import { numberKey } from '../related/compare.ts'

/** A code as some document spells it; null for what it does not say. */
export interface PurchaseCode {
  nif: string | null
  number: string | null
  issueDate: BusinessDate | null
}

/** True for two spellings of one code: blanks, case and leading zeros of the number do not count. */
export function isSameCode(one: PurchaseCode, other: PurchaseCode): boolean {
  if (one.nif === null || other.nif === null || one.issueDate === null) return false
  const key = numberKey(one.number)
  return (
    key !== '' &&
    key === numberKey(other.number) &&
    one.issueDate === other.issueDate &&
    normalizeNif(one.nif) === normalizeNif(other.nif)
  )
}

/** Returns what has a code: spelled exactly so, else in another spelling; null if nothing has it. */
export function ofCode<Known>(
  known: readonly Known[],
  code: PurchaseCode,
  codeOf: (one: Known) => PurchaseCode,
): Known | null {
  const same = known.filter((one) => isSameCode(codeOf(one), code))
  return same.find((one) => codeOf(one).number === code.number) ?? same[0] ?? null
}

/** Returns the entered purchase of a code, or null. */
export async function entryOfCode(ctx: Ctx, code: PurchaseCode): Promise<SimilarEntry | null> {
  if (code.nif === null || code.issueDate === null) return null
  const entries = await entriesOfSupplier(ctx, {
    nif: normalizeNif(code.nif),
    from: code.issueDate,
    to: code.issueDate,
  })
  return ofCode(entries, code, ({ supplierNif: nif, supplierNumber: number, issueDate }) => ({
    nif,
    number,
    issueDate,
  }))
}
