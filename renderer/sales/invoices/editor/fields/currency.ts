/** Conversion of amounts to a currency other than the euro. Pure. */
import { divideRounded } from '../../../../../server/domain/money.ts'
import type { Cents, Micro } from '../../../../../server/domain/money.ts'

/** Converts euros to the currency of a document. */
export function inCurrency(cents: Cents, fxMicro: Micro | null): Cents {
  return fxMicro === null ? cents : Number(divideRounded(BigInt(cents) * BigInt(fxMicro), 1_000_000n))
}
