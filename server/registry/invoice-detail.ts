/** Facts of an issued invoice for registries that list its lines and customers' addresses, beyond its registration. */
import type { BasisPoints, Cents, Micro } from '../domain/money.ts'
import type { PriceMode, TotalsLine } from '../domain/tax/totals.ts'

/** What the lines of a row of tax sell: their nets before the document's discount; null where there is no such line. */
export interface RowSupplies {
  goodsCents: Cents | null
  servicesCents: Cents | null
  /** Position of the first line of which nobody has said it; null when there is none. */
  unsaidLine: number | null
}

export interface InvoiceDetail {
  lines: readonly (TotalsLine & { description: string })[]
  priceMode: PriceMode
  /** Of the whole document, in its own currency. */
  discountBp: BasisPoints
  discountCents: Cents
  /** Units of the prices' currency for one euro, in millionths; null for prices in euros. */
  fxMicro: Micro | null
  /** In euros; null when the customer withholds nothing. */
  withholdingCents: Cents | null
  /** Of each row of the registration's breakdown, in its order. */
  supplies: readonly RowSupplies[]
  /** Of each customer of the registration, in their order; null where it is not known. */
  addresses: readonly ({ postcode: string; address: string } | null)[]
}
