/** Checks the rows of the VAT books by their rules, before an export or after reading a file. Pure. */
import { neutralizeFormula } from '../../../domain/formats/csv-writer.ts'
import type { BookFault } from '../contract.ts'
import { HEADER_ROWS, SHEETS, columnLetter } from '../../../domain/formats/vat-book-columns.ts'
import type { BookColumn, SheetName } from '../../../domain/formats/vat-book-columns.ts'
import { centsOf, checkDocument, checkGoods, checkIssued, checkReceived, dayOf } from './rules.ts'
import type { RuleContext, RuleFault } from './rules.ts'
import { isBusinessDate } from '../../../domain/dates.ts'

/** Input of a checker: cells in column order. */
interface CheckedRow {
  sheet: SheetName
  cells: readonly string[]
  documentId?: string
  document?: string
}

export interface BookCheck {
  faults: BookFault[]
  /** All faults, including those beyond the limit. */
  total: number
  errors: number
  rows: Record<SheetName, number>
}

/** Faults of the whole book, reported at its first row only. */
const OTHER_TAX = 'books_of_territory'
const OTHER_TAX_TEXT =
  'The published rules are those of VAT: which books the territory asks for is not known.'
const ONCE: readonly string[] = ['activity_missing', 'activity_unknown', 'iae_missing', OTHER_TAX]

/** Rule numbers of format checks, by sheet. */
const FORMATS: Record<SheetName, { decimal: string; text: string; date: string }> = {
  issued: { decimal: '3', text: '4', date: '5' },
  received: { decimal: '3', text: '4', date: '5' },
  goods: { decimal: '5', text: '6', date: '7' },
}

function formatFault(sheet: SheetName, column: BookColumn, cell: string): Omit<RuleFault, 'column'> | null {
  if (cell === '') return null
  const rules = FORMATS[sheet]
  const fault = (rule: string, code: string, message: string) => ({
    rule,
    code,
    message,
    severity: 'error' as const,
  })
  switch (column.type.kind) {
    case 'year':
      return /^\d{4}$/.test(cell) ? null : fault(rules.decimal, 'year_wrong', 'A year has four digits.')
    case 'date': {
      const day = dayOf(cell)
      return day !== null && isBusinessDate(day)
        ? null
        : fault(rules.date, 'date_wrong', 'A date is written dd/mm/yyyy.')
    }
    case 'decimal': {
      if (centsOf(cell) === null)
        return fault(
          rules.decimal,
          'decimal_wrong',
          'An amount has a comma and two decimals, and no thousands.',
        )
      return cell.replace(/\D/g, '').length <= column.type.digits
        ? null
        : fault(rules.decimal, 'decimal_long', 'The amount has too many digits.')
    }
    case 'text':
      if ([...cell].length > column.type.length)
        return fault(rules.text, 'text_long', `At most ${column.type.length} characters fit.`)
      return neutralizeFormula(cell) !== cell
        ? fault(rules.text, 'formula', 'A spreadsheet could take the text for a formula.')
        : null
  }
}

interface OpenDocument {
  sheet: SheetName
  key: string
  row: number
  kind: string
  totalCents: number
  hasAgreement: boolean
  first: CheckedRow
}

/**
 * Creates a checker that takes rows one at a time; `done` returns the faults. At most `limit` faults are kept; all
 * are counted.
 */
export function createBookChecker(context: RuleContext, limit = 500) {
  const faults: BookFault[] = []
  const rows: Record<SheetName, number> = { issued: 0, received: 0, goods: 0 }
  let total = 0
  let errors = 0
  let open: OpenDocument | null = null
  const told = new Set<string>()

  function keep(row: CheckedRow, at: number, fault: RuleFault): void {
    if (ONCE.includes(fault.code)) {
      if (told.has(fault.code)) return
      told.add(fault.code)
    }
    total += 1
    if (fault.severity === 'error') errors += 1
    if (faults.length >= limit) return
    const columns: readonly BookColumn[] = SHEETS[row.sheet].columns
    faults.push({
      sheet: SHEETS[row.sheet].name,
      row: at,
      column: columnLetter(columns.findIndex(({ id }) => id === fault.column)),
      rule: fault.rule,
      code: fault.code,
      severity: fault.severity,
      message: fault.message,
      document: row.document ?? null,
      documentId: row.documentId ?? null,
    })
  }

  function closeDocument(): void {
    if (!open) return
    const { sheet, kind, totalCents, hasAgreement, first, row } = open
    checkDocument(sheet, kind, totalCents, hasAgreement, (column, rule, code, message, severity = 'error') =>
      keep(first, row, { column, rule, code, message, severity }),
    )
    open = null
  }

  return {
    check(row: CheckedRow): void {
      const columns: readonly BookColumn[] = SHEETS[row.sheet].columns
      rows[row.sheet] += 1
      const at = rows[row.sheet] + HEADER_ROWS
      const index = new Map(columns.map(({ id }, position) => [id, position]))
      const cell = (id: string) => row.cells[index.get(id) ?? -1] ?? ''
      for (const column of columns) {
        const fault = formatFault(row.sheet, column, cell(column.id))
        if (fault) keep(row, at, { ...fault, column: column.id })
      }
      const found = (
        column: string,
        rule: string,
        code: string,
        message: string,
        severity: 'error' | 'warning' = 'error',
      ) => keep(row, at, { column, rule, code, message, severity })
      if (context.otherTax === true) {
        found(columns[0]?.id ?? '', '', OTHER_TAX, OTHER_TAX_TEXT, 'warning')
        return
      }
      if (row.sheet === 'issued') checkIssued(cell, context, found)
      else if (row.sheet === 'received') checkReceived(cell, context, found)
      else {
        checkGoods(cell, context, found)
        return
      }
      const key = `${row.sheet}|${cell('series')}|${cell('number')}|${cell('nif')}`
      if (open?.key !== key) {
        closeDocument()
        open = {
          sheet: row.sheet,
          key,
          row: at,
          kind: cell('kind'),
          totalCents: 0,
          hasAgreement: false,
          first: row,
        }
      }
      open.totalCents += centsOf(cell('total')) ?? 0
      open.hasAgreement ||= cell('agreement') !== ''
    },
    done(): BookCheck {
      closeDocument()
      return { faults, total, errors, rows }
    },
  }
}

/** Checks a whole book. */
export function checkVatBook(rows: Iterable<CheckedRow>, context: RuleContext): BookCheck {
  const checker = createBookChecker(context)
  for (const row of rows) checker.check(row)
  return checker.done()
}
