/** Which rows of a company its adviser gets: everything but secrets, what waits to be sent, and drawn documents. */
import { tablesOf } from '../../company-rows/index.ts'
import type { Shape, Table } from '../../company-rows/index.ts'

/** Tables that are not sent, with the reason. Neither are the tables with a required reference to one of them. */
const NOT_SHARED: Readonly<Record<string, string>> = {
  advised_companies: 'Of each installation.',
  api_keys: 'Keys of the client.',
  approvals: 'Steps that the client decides.',
  bulk_files: 'Files that somebody has asked for there.',
  bulk_units: 'Work of each installation, with secrets.',
  bundle_changes: 'Of each installation.',
  bundle_files: 'Of each installation.',
  bundle_pairings: 'Of each installation; with private keys.',
  certificates: 'Private keys: only the client signs.',
  company_care: 'What each office notes of its clients.',
  company_ends: 'Of each installation.',
  company_notes: 'What each office notes of its clients.',
  company_summaries: 'Computed by each installation.',
  confirmations: 'Tokens to issue with.',
  documents: 'Drawn again from the invoice where they are needed, and large.',
  document_queue: 'Work that only the client does.',
  erp_connections: 'Keys of other systems.',
  events: 'The outbox of each installation, whose numbers have no gaps.',
  event_cursors: 'Positions of webhooks.',
  exchange_confirmations: 'Tokens to report with.',
  exchange_flows: 'Positions of each installation at the platform.',
  filing_confirmations: 'Tokens to file with.',
  hand_on_accounts: 'Numbers that the accountant of each installation gives.',
  hand_on_entries: 'What each installation has handed on.',
  hand_on_runs: 'What each installation has handed on.',
  hand_on_settings: 'How each installation hands on.',
  idempotency_keys: 'Answers to requests of the client.',
  incoming_sources: 'Passwords of mailboxes.',
  mail_accounts: 'Passwords of mail.',
  notes: 'What the people of each installation write to each other.',
  proposals: 'Steps that the client decides.',
  reply_secrets: 'The secret that recognizes answers to reply pages.',
  second_person_requests: 'Steps that the client decides.',
  second_person_rules: 'Of each installation.',
  tasks: 'Of the people of each installation.',
  tool_calls: 'What assistants of the client asked.',
  unsigned_documents: 'Work that only the client does.',
  webhooks: 'Secrets of other programs.',
}

/** Returns the tables whose rows are sent, in the order of the schema. */
export function sharedTables(shape: Shape): Table[] {
  const left = new Set(Object.keys(NOT_SHARED))
  const all = tablesOf(shape)
  for (let before = -1; before !== left.size;) {
    before = left.size
    for (const { name, columns } of all)
      if (columns.some(({ refersTo, isRequired }) => isRequired && refersTo !== null && left.has(refersTo)))
        left.add(name)
  }
  return all.filter(({ name }) => !left.has(name))
}

/** Returns the positions of references to rows that are not sent: they become null. */
export function referencesLeft(table: Table, shared: ReadonlySet<string>): number[] {
  return table.columns.flatMap(({ refersTo }, at) =>
    refersTo !== null && refersTo !== 'actors' && !shared.has(refersTo) ? [at] : [],
  )
}
