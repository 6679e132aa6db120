/** Reads the book of investment goods: a row for each good and year. */
import type { HistoryAsset } from '../../../../domain/history.ts'
import type { FileRow } from '../../../../platform/spreadsheets/cells.ts'
import { textOf } from '../../../../platform/spreadsheets/values.ts'
import type { SkipReason } from '../codes.ts'
import { readParty, sourceOf } from '../document.ts'
import type { RowCells } from '../read-row.ts'
import { isSumRow } from '../titles.ts'
import type { HistoryJob } from '../types.ts'

const MAX_NAME = 200

/** Returns why a row below the titles is no good, or null. */
export function goodsRowSkip(row: FileRow, columns: Readonly<Record<string, number>>): SkipReason | null {
  const cell = (field: string): string => {
    const column = columns[field]
    return column === undefined ? '' : textOf(row.cells[column] ?? null)
  }
  if (isSumRow(row, columns.identifier)) return 'skipped_total'
  if (cell('identifier') === '' && cell('description') === '' && cell('inUseFrom') === '')
    return cell('value') === '' ? 'skipped_title' : 'skipped_total'
  return null
}

/** Reads a good; null after an error. */
export function readGood(row: RowCells, job: HistoryJob): HistoryAsset | null {
  const inUseFrom = row.day('inUseFrom')
  const value = row.cents('value')
  const year = /^\d{4}$/.exec(row.text('year'))?.[0] ?? inUseFrom?.slice(0, 4) ?? ''
  if (value === null) row.fault('history_amount_missing', 'value')
  if (year === '') row.fault('history_date_missing', 'year')
  const outOn = row.day('outOn')
  const saleNumber = [row.text('saleSeries'), row.text('saleNumber')].filter(Boolean).join('-')
  const asset: HistoryAsset = {
    source: sourceOf(job, [row.row]),
    year: Number(year),
    type: row.text('type'),
    identifier: row.text('identifier'),
    description: row.limited('description', MAX_NAME),
    inUseFrom,
    valueCents: value ?? 0,
    depreciableCents: row.cents('depreciable'),
    depreciationMethod: row.text('depreciationMethod') || null,
    depreciationRateBp: row.rate('depreciationRate'),
    accumulatedBeforeCents: row.cents('accumulatedBefore'),
    depreciationCents: row.cents('depreciation'),
    accumulatedCents: row.cents('accumulated'),
    pendingCents: row.cents('pending'),
    acquisition: {
      issueDate: row.day('issueDate'),
      number: row.text('number') || null,
      reception: row.text('reception') || null,
      party: readParty(row, { needsNif: false, canBeAnonymous: true }),
      baseCents: row.cents('base') ?? value ?? 0,
      vatRateBp: row.rate('rate'),
    },
    // Written as an amount: 100,00.
    firstProRataBp: row.cents('proRata'),
    firstDeductibleCents: row.cents('deductible'),
    proRataBp: row.cents('proRataNow'),
    deductibleCents: row.cents('deductibleNow'),
    adjustmentCents: row.cents('adjustment'),
    disposal:
      outOn === null
        ? null
        : { date: outOn, cause: row.text('outCause') || null, invoiceNumber: saleNumber || null },
  }
  return row.failed ? null : asset
}
