/** A row of the VAT books, and what all rows have in common. Pure. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { FiscalProfile } from '../contract.ts'
import { textCell } from './cells.ts'
import type { BookColumn, SheetName } from '../../../domain/formats/vat-book-columns.ts'

export interface BookRow {
  sheet: SheetName
  cells: string[]
  /** Source document: public id and display name. */
  documentId: string
  document: string
}

export interface BookSpan {
  /** 1 January. */
  from: BusinessDate
  /** Last day of the quarter. */
  to: BusinessDate
}

export interface Holder {
  isLegal: boolean
  profile: FiscalProfile
}

/** Returns the cells of a row in the order of its columns. */
export function cellsOf<Id extends string>(
  columns: readonly BookColumn[],
  values: Partial<Record<Id, string>>,
): string[] {
  return columns.map((column) => {
    const value = values[column.id as Id] ?? ''
    return column.type.kind === 'text' ? textCell(value, column.type.length) : value
  })
}

/** Returns the activity of the business, as every row states it. */
export function activity({ profile }: Holder) {
  return {
    activityCode: profile.activityCode ?? '',
    activityType: profile.activityType ?? '',
    iae: profile.iae ?? '',
  }
}
