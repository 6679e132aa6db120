/** Rows of the books that are no data, and what the issued and the received book read alike. */
import type { BusinessDate } from '../../../../domain/dates.ts'
import type { HistoryPayment, IssuedHistory } from '../../../../domain/history.ts'
import type { FileRow } from '../../../../platform/spreadsheets/cells.ts'
import { textOf } from '../../../../platform/spreadsheets/values.ts'
import type { SkipReason } from '../codes.ts'
import { readPastDay } from '../document.ts'
import type { RowCells } from '../read-row.ts'
import { isSumRow } from '../titles.ts'

/** Row of the template that describes the formats. */
const FORMAT_ROW = /alfanum|^decimal ?\(|^fecha ?\(/i

/** Returns why a row below the titles is no data, or null. */
export function bookRowSkip(row: FileRow, columns: Readonly<Record<string, number>>): SkipReason | null {
  const cell = (field: string): string => {
    const column = columns[field]
    return column === undefined ? '' : textOf(row.cells[column] ?? null)
  }
  if (isSumRow(row, columns.number)) return 'skipped_total'
  if (row.cells.some((each) => typeof each === 'string' && FORMAT_ROW.test(each.trim())))
    return 'skipped_title'
  const [number, date, base, paid] = [cell('number'), cell('issueDate'), cell('base'), cell('paid')]
  if (number === '' && date === '' && base === '' && paid === '') return 'skipped_title'
  // A total without a word: amounts, and nothing that identifies a document.
  if (number === '' && date === '' && cell('kind') === '') return 'skipped_total'
  if (/^fecha/i.test(date) || /^(n[uú]mero|serie)/i.test(number)) return 'skipped_repeated_header'
  return null
}

/** Kinds of the issued book that history has another word for. SF: operations without the duty of an invoice. */
const ISSUED_KINDS: Record<string, IssuedHistory['kind']> = {
  F1: 'F1',
  F2: 'F2',
  F3: 'F3',
  F4: 'F2',
  SF: 'F2',
  R1: 'R1',
  R2: 'R2',
  R3: 'R3',
  R4: 'R4',
  R5: 'R5',
}

const OTHER_METHOD = '04'

/** Returns the kind of an issued document; null after an error. Without the column it is an invoice. */
export function readDocumentKind(row: RowCells): IssuedHistory['kind'] | null {
  const text = row.text('kind').toUpperCase()
  if (text === '' && !row.isMapped('kind')) return 'F1'
  const kind = ISSUED_KINDS[text]
  if (kind === undefined) {
    row.fault('history_kind_unknown', 'kind', { text })
    return null
  }
  if (text === 'SF') row.fault('history_kind_mapped', 'kind', { text })
  return kind
}

/** Reads the payment of a row; null after an error. */
export function readPayment(row: RowCells, today: BusinessDate): HistoryPayment | null {
  const date = readPastDay(row, 'paidOn', today)
  const cents = row.cents('paid')
  if (date === null || cents === null) {
    if (!row.failed) row.fault('history_date_missing', 'paidOn')
    return null
  }
  return {
    date,
    cents,
    method: row.has('method') ? row.text('method').padStart(2, '0').slice(-2) : OTHER_METHOD,
  }
}
