/**
 * The order in which rows are inserted: what a row refers to comes before it, and triggers that run with an insert
 * find what they ask for. Nothing is switched off, so that the target checks each row as if the program had written it.
 */
import type { BulkRow, BulkValue } from '../../db/bulk.ts'
import { tablesOf } from '../company-rows/index.ts'
import type { Shape, Table } from '../company-rows/index.ts'

/** A table whose rows are inserted in an earlier state, and completed once the rows that need that state are there. */
interface Stage {
  /** Values of columns at first; they get their own when the stage ends. */
  first: Readonly<Record<string, BulkValue>>
  /** Columns that triggers change in the meantime, which get their own values as well. */
  also?: readonly string[]
  /** Tables whose rows come before that. */
  until: readonly string[]
  /** A column that all rows get the same value in: with one statement. */
  all?: { column: string; value: null }
}

const STAGES: Readonly<Record<string, Stage>> = {
  // Lines of an issued invoice cannot be added, and an event dates its invoice.
  invoices: {
    first: { state: 'draft', sequence: null, number: null, registry_status: 'not_issued' },
    also: ['updated_at'],
    until: ['invoice_lines', 'invoice_taxes', 'invoice_references', 'events'],
  },
  // Parts are added to a pending transaction, and add up when it is matched.
  bank_transactions: { first: { status: 'pending' }, until: ['bank_parts'] },
  // An entry is open while its lines are added; sealing it checks that it balances.
  journal_entries: { first: { open: 1 }, until: ['journal_lines'], all: { column: 'open', value: null } },
}

/** Tables that triggers have filled: their rows are replaced by those of the source, after the named tables and stages. */
export const REFILLED: Readonly<Record<string, readonly string[]>> = {
  account_months: ['journal_entries!'],
  unsigned_documents: ['documents', 'document_signatures'],
}

/** Further tables and stages (with `!`) that come before a table. */
const AFTER: Readonly<Record<string, readonly string[]>> = {
  // An event dates its invoice by the public identifier.
  events: ['invoices'],
  // An event marks the summary of its company.
  company_summaries: ['events'],
  // A locked period admits no entries.
  period_locks: ['journal_entries!'],
}

/** What is done about each trigger that runs with an insert; a test finds one that is not listed. */
export const INSERT_TRIGGERS: Readonly<Record<string, string>> = {
  bank_parts_settled: 'The transaction is pending until its parts are there.',
  events_mark_summary: 'The summary comes after the events.',
  documents_signed: 'Its rows are replaced by those of the source.',
  documents_unsigned: 'Its rows are replaced by those of the source.',
  invoice_lines_no_insert: 'The invoice is a draft until its lines are there.',
  invoice_references_no_insert: 'The invoice is a draft until its references are there.',
  invoice_taxes_no_insert: 'The invoice is a draft until its taxes are there.',
  invoices_told: 'The invoice gets its own time of change when its stage ends.',
  journal_entries_made: 'The entry is open until its lines are there, and periods are locked afterwards.',
  journal_lines_made: 'The entry is open until its lines are there.',
  journal_unsealed_empty: 'The table has no rows.',
}

export type Step = { do: 'insert'; table: Table } | { do: 'complete'; table: Table; stage: Stage }

/** Returns the tables of a company and the ends of stages in their order. Throws for tables that refer to each other. */
export function stepsOf(shape: Shape): Step[] {
  const tables = tablesOf(shape)
  const names = new Set(tables.map(({ name }) => name))
  const before = new Map<string, string[]>()
  for (const { name, columns } of tables) {
    const referred = columns.flatMap(({ refersTo }) =>
      refersTo !== null && refersTo !== name && names.has(refersTo) ? [refersTo] : [],
    )
    // The row of the company is there before anything of it.
    const company = name === 'companies' ? [] : ['companies']
    before.set(name, [...company, ...referred, ...(AFTER[name] ?? []), ...(REFILLED[name] ?? [])])
  }
  for (const [name, { until }] of Object.entries(STAGES)) before.set(`${name}!`, [name, ...until])
  const done = new Set<string>()
  const steps: Step[] = []
  while (before.size > 0) {
    const ready = [...before].filter(([, needs]) => needs.every((need) => done.has(need)))
    if (ready.length === 0) throw new Error(`Tables refer to each other: ${[...before.keys()].join(', ')}.`)
    for (const [name] of ready) {
      before.delete(name)
      done.add(name)
      const table = tables.find((each) => each.name === name.replace('!', ''))
      const stage = STAGES[name.replace('!', '')]
      if (!table) continue
      if (name.endsWith('!') && stage) steps.push({ do: 'complete', table, stage })
      else steps.push({ do: 'insert', table })
    }
  }
  return steps
}

/** Returns a row as it is inserted: in the first state of its stage, and without references to rows of its own table. */
export function firstState(table: Table): (row: BulkRow) => BulkRow {
  const first = STAGES[table.name]?.first ?? {}
  const values = table.columns.map(({ name, refersTo }): { value: BulkValue } | null =>
    name in first ? { value: first[name] ?? null } : refersTo === table.name ? { value: null } : null,
  )
  return (row) => row.map((value, at) => values[at]?.value ?? (values[at] ? null : value))
}

/** Returns the positions of the columns that get their own values when a stage ends. */
export function completedColumns(table: Table, { first, also = [] }: Stage): number[] {
  return table.columns.flatMap(({ name }, at) => (name in first || also.includes(name) ? [at] : []))
}

/** Returns the positions of the references to rows of the same table. */
export function ownReferences(table: Table): number[] {
  return table.columns.flatMap(({ refersTo }, at) => (refersTo === table.name ? [at] : []))
}
