/** Rows of the books that come from the register of fixed assets: depreciation as an expense, and the investment goods. */
import { goodsOfBook, quarterDepreciation } from '../../assets/index.ts'
import type { GoodOfBook } from '../../assets/index.ts'
import type { Ctx } from '../../../context.ts'
import { quarterOf } from '../../../domain/dates.ts'
import { activity, cellsOf } from './book-row.ts'
import type { BookRow, BookSpan, Holder } from './book-row.ts'
import { amountCell, dateCell, nifCell, quarterCell, rateCell } from './cells.ts'
import { GOODS_COLUMNS, RECEIVED_COLUMNS } from '../../../domain/formats/vat-book-columns.ts'
import type { GoodsColumn, ReceivedColumn } from '../../../domain/formats/vat-book-columns.ts'

/** An expense without an invoice. */
const WITHOUT_INVOICE = 'SF'
const GENERAL_KEY = '01'

/**
 * Returns the depreciation of the quarters that have ended, one row for each asset and quarter: an expense without an invoice
 * (SF), which needs nobody's name, with 0,00 as VAT (rule 15) and a numbering of its own (rule 37). Companies have none.
 */
export async function depreciationRows(ctx: Ctx, span: BookSpan, holder: Holder): Promise<BookRow[]> {
  if (holder.isLegal) return []
  const year = Number(span.from.slice(0, 4))
  const all = await quarterDepreciation(ctx, year, quarterOf(span.to))
  return all
    .filter(({ day }) => day <= ctx.today())
    .toSorted((a, b) => a.quarter - b.quarter)
    .map((each, index) => {
      const number = `AM-${year}-${index + 1}`
      const amount = amountCell(each.cents)
      return {
        sheet: 'received',
        cells: cellsOf<ReceivedColumn>(RECEIVED_COLUMNS, {
          year: String(year),
          period: quarterCell(each.day),
          ...activity(holder),
          kind: WITHOUT_INVOICE,
          concept: each.concept,
          expense: amount,
          issueDate: dateCell(each.day),
          number,
          receptionDate: dateCell(each.day),
          reception: number,
          regimeKey: GENERAL_KEY,
          investment: 'N',
          reverseCharge: 'N',
          deductedLater: 'N',
          total: amount,
          base: amount,
          rate: amountCell(0),
          tax: amountCell(0),
          deductible: amountCell(0),
          externalRef: each.assetId,
        }),
        documentId: each.assetId,
        document: each.description,
      }
    })
}

/** Splits a number into series and sequence, at the last hyphen. */
function saleNumber(number: string | null): Partial<Record<GoodsColumn, string>> {
  if (number === null) return {}
  const at = number.lastIndexOf('-')
  return at < 0
    ? { saleNumber: number }
    : { saleSeries: number.slice(0, at), saleNumber: number.slice(at + 1) }
}

/** Columns of income tax, which companies leave empty (rule 11). */
function depreciationCells(good: GoodOfBook): Partial<Record<GoodsColumn, string>> {
  return {
    depreciable: amountCell(good.depreciableCents),
    depreciationMethod: good.method ?? '',
    depreciationRate: good.rateBp === null ? '' : rateCell(good.rateBp),
    accumulatedBefore: amountCell(good.beforeCents),
    depreciation: amountCell(good.yearCents),
    accumulated: amountCell(good.afterCents),
    pending: amountCell(Math.max(0, good.depreciableCents - good.afterCents)),
  }
}

/** Returns the investment goods of a range from the register, with their depreciation of the whole year. */
export async function assetRows(ctx: Ctx, span: BookSpan, holder: Holder): Promise<BookRow[]> {
  const year = span.from.slice(0, 4)
  return (await goodsOfBook(ctx, Number(year), span.to)).map((good) => {
    const isSpanish = good.supplierIdType === null || good.supplierIdType === '07'
    return {
      sheet: 'goods',
      cells: cellsOf<GoodsColumn>(GOODS_COLUMNS, {
        year,
        period: '0A',
        ...activity(holder),
        type: good.kind,
        identifier: good.identifier ?? good.assetId,
        description: good.description,
        inUseFrom: dateCell(good.inUseOn),
        value: amountCell(good.costCents),
        ...(holder.isLegal ? {} : depreciationCells(good)),
        issueDate: dateCell(good.invoiceDate),
        number: good.invoiceNumber ?? '',
        reception: good.reception === null ? '' : String(good.reception),
        idType: isSpanish ? '' : (good.supplierIdType ?? ''),
        country: isSpanish ? '' : (good.supplierCountry ?? ''),
        nif: nifCell(good.supplierNif),
        name: good.supplierName ?? '',
        base: amountCell(good.baseCents),
        rate: good.vatBp === null ? '' : rateCell(good.vatBp),
        proRata: amountCell(good.firstBp),
        deductible: amountCell(good.firstCents),
        proRataNow: amountCell(good.nowBp),
        deductibleNow: amountCell(good.nowCents),
        adjustment: amountCell(good.adjustmentCents),
        outOn: dateCell(good.outOn),
        outCause: good.outCause ?? '',
        ...saleNumber(good.saleNumber),
        externalRef: good.assetId,
      }),
      documentId: good.receivedId ?? good.assetId,
      document: good.description,
    }
  })
}
