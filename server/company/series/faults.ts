/** Faults of a series that prevent an invoice from taking a number. Pure. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { codeOfYear } from './codes.ts'
import type { SeriesRow } from './rows.ts'

/** Returns the faults of a series for an invoice of a day; none for a series that will be added on demand. */
export function seriesFaults(series: SeriesRow | null, issueDate: BusinessDate): Fault[] {
  if (!series) return []
  if (series.archivedAt !== null)
    return [
      {
        code: 'series_archived',
        field: 'series',
        severity: 'error',
        message: `The series ${series.code} is no longer used.`,
        fix: 'Choose another series, or take it back into use.',
        params: { code: series.code },
      },
    ]
  const year = Number(issueDate.slice(0, 4))
  const ofYear = series.pattern === null ? series.code : codeOfYear(series.pattern, year)
  if (ofYear === series.code) return []
  return [
    {
      code: 'series_other_year',
      field: 'series',
      severity: 'warning',
      message: `The series ${series.code} is of another year.`,
      fix: `Use ${ofYear}.`,
      params: { code: series.code, other: ofYear },
    },
  ]
}
