/**
 * The rows that a transaction may see and write: those of one company; or, for the whole installation, those of the
 * few tables that find the company (ADR 43). Set on the server for the transaction alone, so that connections can be
 * shared, and read there by the policies of row-level security. Without it a transaction sees nothing.
 */
import type { PoolClient } from 'pg'
import { runOn } from './connection.ts'
import { STATEMENT_MS, WAIT_MS } from './pool.ts'

const SCOPE = `select set_config('sello.company', $1, true), set_config('sello.scope', $2, true),
  set_config('lock_timeout', '${WAIT_MS}', true), set_config('statement_timeout', '${STATEMENT_MS}', true),
  set_config('idle_in_transaction_session_timeout', '${WAIT_MS}', true)`

/** Sends what limits the open transaction to a company; null: the whole installation. Failures show in the next statement. */
export function sendScope(client: PoolClient, companyId: number | null): void {
  const values = companyId === null ? ['', 'installation'] : [String(companyId), 'company']
  runOn(client, SCOPE, values).catch(() => {})
}
