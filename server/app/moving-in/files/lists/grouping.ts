/** Groups the rows of a list by document: one row for each, one for each rate, or one for each line. Pure. */
import type { FileRow } from '../../../../platform/spreadsheets/cells.ts'
import { isBlank } from '../../../../platform/spreadsheets/cells.ts'
import { textOf } from '../../../../platform/spreadsheets/values.ts'
import { normalizeNif } from '../../../../domain/tax/nif.ts'
import type { Grouping } from '../plan.ts'
import { foldedTitle, isRepeatedHeader, isSumRow, isTitleRow } from '../titles.ts'
import type { ListSide } from './fields.ts'

/** States of documents that never were invoices, or no longer are. */
const DRAFT = /^(borrador|draft|proforma|presupuesto|pedido|albaran)\b/
const CANCELLED = /^(anulad[ao]|cancelad[ao]|cancelled|canceled|void|voided|eliminad[ao]|uncollectible)\b/
const NOT_INVOICE =
  /^(presupuesto|proforma|albaran|pedido|quote|estimate|delivery note|entry|recibo salario)\b/

export interface ListRun {
  number: string
}

/** Returns how the rows of a list belong together. */
export function groupList(
  side: ListSide,
  columns: Readonly<Record<string, number>>,
  header: readonly string[],
): Grouping<ListRun> {
  const cell = ({ cells }: FileRow, field: string): string => {
    const column = columns[field]
    return column === undefined ? '' : textOf(cells[column] ?? null)
  }
  let last = ''
  return {
    identify: (row) => {
      if (isRepeatedHeader(row, header)) return 'skipped_repeated_header'
      if (isSumRow(row, columns.number)) return 'skipped_total'
      const [series, sequence, date] = [cell(row, 'series'), cell(row, 'number'), cell(row, 'date')]
      const number = `${series}|${sequence}`
      if (date === '' && isTitleRow(row, header.length)) return 'skipped_title'
      if (sequence === '' && date === '') {
        // Amounts that name no document are sums.
        if (isBlank(cell(row, 'name')) && isBlank(cell(row, 'nif'))) return 'skipped_total'
      }
      const state = foldedTitle(cell(row, 'state'))
      if (DRAFT.test(state)) return 'skipped_draft'
      if (CANCELLED.test(state)) return 'skipped_cancelled'
      if (NOT_INVOICE.test(foldedTitle(cell(row, 'kind')))) return 'skipped_not_invoice'
      const party =
        side === 'received' ? normalizeNif(cell(row, 'nif')) || foldedTitle(cell(row, 'name')) : ''
      // The rows of lines may name date and party in the first one only.
      const key = `${number.toUpperCase()}|${party}|${date}`
      const isContinued = sequence !== '' && date === '' && last.startsWith(`${number.toUpperCase()}|`)
      last = isContinued ? last : key
      return { key: last, info: { number } }
    },
  }
}
