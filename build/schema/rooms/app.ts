/** What SQL cannot express of the tables of app/. */
import type { Room } from '../room.ts'

export const app: Room = {
  tables: {
    approvals: {},
    tool_calls: {},
    key_clients: {},
    import_runs: {},
    import_chunks: {},
    import_rows: {},
    second_person_rules: {},
    second_person_requests: {},
    company_summaries: {
      doc: 'What the console shows of a company; derived from the facts of its live book.',
      columns: { facts: { doc: '`SummaryFacts` as JSON.' } },
    },
    company_care: {},
    company_notes: {},
    bulk_units: { columns: { kind: { union: 'BulkKind' }, state: { union: 'UnitState' } } },
    bulk_files: {},
    bundle_pairings: {},
    bundle_files: {},
    bundle_changes: {},
    notes: {
      columns: {
        target_id: { doc: 'Public identifier; of a return its model and period.' },
        text: { doc: 'Empty once the note is removed.' },
      },
    },
    note_mentions: {},
    tasks: {
      columns: {
        assignee_id: { doc: 'Null: whoever has the time.' },
      },
    },
    moving_runs: {
      columns: {
        first_day: { doc: 'YYYY-MM-DD.' },
        settings: { doc: 'JSON: `MovingSettings` of app/moving-in.' },
        proof: { doc: 'JSON list of the totals of filed returns, and why a difference stands.' },
      },
    },
    moving_files: {
      columns: {
        recognition: { doc: 'JSON: what the file is, of which program, and how sure that is.' },
        answers: { doc: 'JSON: columns and questions that a person decided.' },
        summary: { doc: 'JSON: sums by side and month.' },
      },
    },
    moving_rows: {
      columns: { document: { doc: 'JSON: `HistoryDocument`, or a row of another list by `kind`.' } },
    },
    moving_records: {},
  },
}
