/** Types of the tables of migrations/0001/series.ts. */
import type { Generated } from 'kysely'
import type { Defaulted, Flag, Nullable } from '../columns.ts'

export interface SeriesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  code: string
  kind: 'ordinary' | 'simplified' | 'rectifying' | 'quote'
  start_number: Defaulted<number>
  next_number: number
  last_issue_date: Nullable<string>
  purpose: Defaulted<'general' | 'recipient' | 'third_party' | 'forced_sale' | 'reverse_charge' | 'vat_group'>
  pattern: Nullable<string>
  is_default: Defaulted<Flag>
  note: Nullable<string>
  archived_at: Nullable<number>
  created_at: number
}

export interface SeriesGapsTable {
  series_id: number
  first: number
  last: number
  noted_at: number
}

export interface SeriesTables {
  series: SeriesTable
  series_gaps: SeriesGapsTable
}
