/** Faults of a whole file that is no table, each with its next step. */
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { AppError, Fault } from '../../../domain/errors/app-error.ts'
import type { SpreadsheetFault } from '../../../platform/spreadsheets/cells.ts'
import { MAX_ROWS } from '../../../platform/spreadsheets/open.ts'
import type { HistoryFault } from './types.ts'

type FileFault = SpreadsheetFault | 'too_slow'

const FAULTS: Record<FileFault, Omit<Fault, 'field' | 'severity'>> = {
  unknown: {
    code: 'import_file_unknown',
    message: 'That is neither CSV nor an Excel file (.xlsx).',
    fix: 'Save it as .xlsx or .csv and choose it again.',
  },
  too_large: {
    code: 'import_file_too_large',
    message: 'The file is too large once it is unpacked.',
    fix: 'Leave only the sheet with the data, or split it.',
  },
  too_slow: {
    code: 'import_file_too_slow',
    message: 'The file takes longer to read than a table may take.',
    fix: 'Leave only the sheet with the data, or split it.',
  },
  too_many_rows: {
    code: 'import_too_many_rows',
    message: `A file holds at most ${MAX_ROWS} rows.`,
    fix: 'Split it into several files.',
    params: { most: MAX_ROWS },
  },
  old_excel: {
    code: 'import_old_excel',
    message: 'That is the old Excel format (.xls).',
    fix: 'Open it in a spreadsheet and save it as .xlsx.',
  },
  protected: {
    code: 'import_file_protected',
    message: 'The file is protected with a password.',
    fix: 'Open it with its password, save it without one, and choose it again.',
  },
}

/** Returns the fault of an entry of an archive. */
export function unreadable(why: FileFault, entry: string | null): HistoryFault {
  return { field: 'content', severity: 'error', ...FAULTS[why], entry, sheet: null, row: null, column: null }
}

/** Returns the failure of a whole file. */
export function unreadableFile(why: FileFault): AppError {
  return validationFailed([{ field: 'content', severity: 'error', ...FAULTS[why] }])
}
