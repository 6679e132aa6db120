/** What of a company's rows an archive has: all of them, without secrets and without what only this installation uses. */
import type { BulkRow, BulkValue } from '../../db/bulk.ts'
import { tablesOf } from '../company-rows/index.ts'
import type { Shape, Table } from '../company-rows/index.ts'

/**
 * Tables that are left out, with the reason, which the manifest names. So are the tables with a required reference to
 * one of them.
 */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  advised_companies: 'Of each installation.',
  api_keys: 'Keys of programs: they open this installation.',
  approvals: 'Steps that wait for a person here.',
  bulk_files: 'Files of work over many companies.',
  bulk_units: 'Work over many companies, with secrets.',
  bundle_changes: 'Of a pairing by files.',
  bundle_files: 'Of a pairing by files.',
  bundle_pairings: 'Private keys of a pairing by files.',
  company_care: 'What the office notes of its clients.',
  company_ends: 'Of each installation.',
  company_notes: 'What the office notes of its clients.',
  company_summaries: 'Computed by each installation.',
  confirmations: 'Tokens to issue with.',
  erp_connections: 'Keys of other systems.',
  event_cursors: 'Positions of webhooks.',
  events: 'Messages to programs; the history is in audit_events.',
  exchange_confirmations: 'Tokens to report with.',
  exchange_flows: 'Positions of this installation at the platform.',
  filing_confirmations: 'Tokens to file with.',
  idempotency_keys: 'Answers to requests of programs.',
  incoming_sources: 'Passwords of mailboxes.',
  mail_accounts: 'Passwords of mail.',
  portal_directories: 'A public directory, whose file is read again.',
  portal_relations: 'A public directory, whose file is read again.',
  portal_units: 'A public directory, whose file is read again.',
  proposals: 'Steps that wait for a person here.',
  reply_secrets:
    'The secret that recognizes answers to reply pages: pages offered here are not recognized elsewhere.',
  second_person_requests: 'Steps that wait for a person here.',
  tool_calls: 'What assistants asked here.',
  webhooks: 'Secrets of other programs.',
}

/** Columns whose values are left out, with the reason. */
export const BLANKED: Readonly<Record<string, string>> = {
  'certificates.sealed_key': 'Private keys: a certificate is imported again from its file.',
  'exchange_settings.sending_since': 'Two installations must not send: a person turns it on again.',
  'exchange_settings.sending_by': 'Two installations must not send: a person turns it on again.',
}

/** Returns all tables that are left out, with the reason. */
export function leftOut(shape: Shape): Map<string, string> {
  const left = new Map(Object.entries(LEFT_OUT))
  const all = tablesOf(shape)
  for (let before = -1; before !== left.size;) {
    before = left.size
    for (const { name, columns } of all) {
      const to = columns.find(
        ({ refersTo, isRequired }) => isRequired && refersTo !== null && left.has(refersTo),
      )
      if (to && !left.has(name)) left.set(name, `Belongs to ${to.refersTo}.`)
    }
  }
  return left
}

/** Returns the tables whose rows are in an archive, in the order of the schema. */
export function archivedTables(shape: Shape): Table[] {
  const left = leftOut(shape)
  return tablesOf(shape).filter(({ name }) => !left.has(name))
}

/** Returns the function that takes out of a row what is left out: references to other rows become null. */
export function rowCleaning(shape: Shape, table: Table, at: number): (row: BulkRow) => BulkRow {
  const left = leftOut(shape)
  const places = table.columns.flatMap(({ refersTo, name }, place) =>
    (refersTo !== null && left.has(refersTo)) || `${table.name}.${name}` in BLANKED ? [place] : [],
  )
  // A certificate without its key is one that was removed.
  const removed =
    table.name === 'certificates' ? table.columns.findIndex(({ name }) => name === 'removed_at') : -1
  return (row) => {
    const copy = [...row]
    for (const place of places) copy[place] = null
    if (removed >= 0) copy[removed] = (row[removed] ?? at) satisfies BulkValue
    return copy
  }
}
