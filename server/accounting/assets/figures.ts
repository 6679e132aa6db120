/** What the returns and the books of a year take from the register. */
import type { Ctx } from '../../context.ts'
import { addDays, quarterPeriod } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import { percentOf } from '../../domain/money.ts'
import { kindFacts, OUT_CAUSES } from './kinds.ts'
import { accumulatedOn, depreciableOf, depreciationOfYear, lastOf } from './plan.ts'
import {
  costOf,
  findAssets,
  findBookings,
  findGoodsWithoutAsset,
  findProratas,
  proratasOf,
  termsOf,
  vatGoodOf,
} from './rows.ts'
import type { AssetRow } from './rows.ts'
import { isVatGood, regularise } from './vat.ts'

/** Depreciation of an asset in a quarter. */
interface QuarterDepreciation {
  assetId: string
  description: string
  /** Concept of expense in the books. */
  concept: string
  quarter: number
  /** Last day of the quarter. */
  day: BusinessDate
  cents: Cents
}

/** Returns the depreciation of each asset in each quarter of a year up to one, by the plan, booked or not. */
export async function quarterDepreciation(
  ctx: Ctx,
  year: number,
  quarter: number,
): Promise<QuarterDepreciation[]> {
  const bookings = await findBookings(ctx)
  const found: QuarterDepreciation[] = []
  for (const row of await findAssets(ctx)) {
    const terms = termsOf(row)
    const own = bookings.get(row.id) ?? []
    let before = 0
    for (let at = 1; at <= quarter; at++) {
      const { to } = quarterPeriod(year, at)
      const sum = depreciationOfYear(terms, own, to)
      if (sum !== before)
        found.push({
          assetId: row.public_id,
          description: row.description,
          concept: kindFacts(row.kind).concept,
          quarter: at,
          day: to,
          cents: sum - before,
        })
      before = sum
    }
  }
  return found
}

/** Figures of the register that the VAT returns of a range of years take. */
interface AssetVat {
  /** Box 43 of the last return of a year, box 63 of the 390. */
  adjustmentOf(year: number): Cents
  /** Sales of investment goods, which are no part of the turnover (LIVA art. 121.Tres). */
  salesOf(year: number): Cents
}

/** Reads the register once for the VAT returns. */
export async function assetVat(ctx: Ctx): Promise<AssetVat> {
  const rows = await findAssets(ctx)
  const proratas = proratasOf(await findProratas(ctx))
  return {
    adjustmentOf: (year) =>
      rows.reduce((sum, row) => {
        const found = regularise(vatGoodOf(row), year, proratas)
        return found === null || 'missingYear' in found ? sum : sum + found.cents
      }, 0),
    // Only what an invoice of these books has in the turnover can be taken off it.
    salesOf: (year) =>
      rows.reduce((sum, row) => {
        const isOfYear = row.sale_invoice_id !== null && row.out_on?.startsWith(String(year))
        return isOfYear && isVatGood(vatGoodOf(row)) ? sum + (row.sale_cents ?? 0) : sum
      }, 0),
  }
}

/**
 * Returns the prices of assets sold with an invoice of these books from January to the end of a quarter. A natural person's
 * gain on them is no income of the business (LIRPF art. 28.2).
 */
export async function soldWithInvoice(ctx: Ctx, year: number, quarter: number): Promise<Cents> {
  const { to } = quarterPeriod(year, quarter)
  return (await findAssets(ctx)).reduce(
    (sum, { out_on: on, sale_invoice_id: invoice, sale_cents: price }) =>
      on !== null && invoice !== null && on.startsWith(String(year)) && on <= to ? sum + (price ?? 0) : sum,
    0,
  )
}

/** Returns how many goods bought until a day have no asset. */
export async function goodsWithoutAsset(ctx: Ctx, until: BusinessDate): Promise<number> {
  return (await findGoodsWithoutAsset(ctx)).filter(({ date }) => date <= until).length
}

/** Returns the lines of received invoices that have an asset, as `invoice row/position`. */
export async function linesWithAsset(ctx: Ctx): Promise<ReadonlySet<string>> {
  return new Set(
    (await findAssets(ctx)).flatMap(({ received_id: id, received_position: at }) =>
      id === null ? [] : [`${id}/${at}`],
    ),
  )
}

/** Returns the years whose percentage the regularisation of a year needs and nobody stated. */
export async function missingProratas(ctx: Ctx, year: number): Promise<number[]> {
  const proratas = proratasOf(await findProratas(ctx))
  const missing = new Set<number>()
  for (const row of await findAssets(ctx)) {
    const found = regularise(vatGoodOf(row), year, proratas)
    if (found !== null && 'missingYear' in found) missing.add(found.missingYear)
  }
  return [...missing]
}

/** An asset as the investment goods book of a year shows it. */
export interface GoodOfBook {
  assetId: string
  receivedId: string | null
  kind: string
  identifier: string | null
  description: string
  inUseOn: BusinessDate
  costCents: Cents
  depreciableCents: Cents
  /** Code of the method (rule 4); null if it is not depreciated. */
  method: string | null
  rateBp: BasisPoints | null
  beforeCents: Cents
  yearCents: Cents
  afterCents: Cents
  invoiceDate: BusinessDate | null
  invoiceNumber: string | null
  reception: number | null
  supplierName: string | null
  supplierNif: string | null
  supplierIdType: string | null
  supplierCountry: string | null
  baseCents: Cents
  vatBp: BasisPoints | null
  firstBp: BasisPoints
  firstCents: Cents
  /** Of the year, where a percentage was stated for it. */
  nowBp: BasisPoints | null
  nowCents: Cents | null
  adjustmentCents: Cents | null
  outOn: BusinessDate | null
  outCause: string | null
  saleNumber: string | null
}

const FULL_BP = 10_000

function methodCode({ method, pace }: Pick<AssetRow, 'method' | 'pace'>): string | null {
  if (method === 'none') return null
  if (method === 'free') return '06'
  return pace === 'used' ? '08' : pace === 'accelerated' ? '07' : '01'
}

/** Returns the percentage of deduction of the first year: as stated, else as it was deducted. */
function firstRate(row: AssetRow, stated: BasisPoints | undefined): BasisPoints {
  if (stated !== undefined) return stated
  return row.vat_cents === 0 ? FULL_BP : Math.round((row.vat_deducted_cents * FULL_BP) / row.vat_cents)
}

/** Returns the assets in use in a year up to a day, for its investment goods book. */
export async function goodsOfBook(ctx: Ctx, year: number, to: BusinessDate): Promise<GoodOfBook[]> {
  const bookings = await findBookings(ctx)
  const proratas = proratasOf(await findProratas(ctx))
  return (await findAssets(ctx))
    .filter(({ in_use_on: from, out_on: out }) => from <= to && (out === null || out >= `${year}-01-01`))
    .map((row) => {
      const terms = termsOf(row)
      const own = bookings.get(row.id) ?? []
      const good = vatGoodOf(row)
      const beforeCents = accumulatedOn(terms, own, addDays(`${year}-01-01`, -1))
      const isNew = row.in_use_on >= `${year}-01-01` && row.prior_cents === 0
      const afterCents = accumulatedOn(terms, own, lastOf(year))
      const now = proratas.get(year)
      const found = regularise(good, year, proratas)
      const firstBp = firstRate(row, proratas.get(good.acquiredYear))
      const isGone = row.out_on !== null && row.out_on <= to
      return {
        assetId: row.public_id,
        receivedId: row.received_public_id,
        kind: row.kind,
        identifier: row.identifier,
        description: row.description,
        inUseOn: row.in_use_on,
        costCents: costOf(row),
        depreciableCents: depreciableOf(terms),
        method: methodCode(row),
        rateBp:
          row.method === 'percent'
            ? row.rate_bp
            : row.years === null
              ? null
              : Math.round(FULL_BP / row.years),
        beforeCents: isNew ? 0 : beforeCents,
        yearCents: afterCents - (isNew ? 0 : beforeCents),
        afterCents,
        invoiceDate: row.received_date ?? row.invoice_date,
        invoiceNumber:
          row.received_number ??
          row.invoice_number ??
          (row.received_sequence === null ? null : String(row.received_sequence)),
        reception: row.received_sequence,
        supplierName: row.received_supplier ?? row.supplier_name,
        supplierNif: row.received_id === null ? row.supplier_nif : row.received_nif,
        supplierIdType: row.received_id === null ? row.supplier_id_type : row.received_id_type,
        supplierCountry: row.received_id === null ? row.supplier_country : row.received_country,
        baseCents: row.base_cents,
        vatBp: row.vat_bp,
        firstBp,
        firstCents: proratas.has(good.acquiredYear)
          ? percentOf(row.vat_cents, firstBp)
          : row.vat_deducted_cents,
        nowBp: now ?? null,
        nowCents: found !== null && !('missingYear' in found) ? found.nowCents : null,
        adjustmentCents: found !== null && !('missingYear' in found) ? found.cents : null,
        outOn: isGone ? row.out_on : null,
        outCause: isGone && row.out_cause !== null ? OUT_CAUSES[row.out_cause] : null,
        saleNumber: isGone ? row.sale_number : null,
      }
    })
}
