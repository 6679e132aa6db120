/**
 * Reverses the rows of every select that does not state an order, in this process: a result whose order SQLite happens
 * to give would have another one on PostgreSQL, and after the next change of an index.
 */
import Database from 'better-sqlite3'

const TRIGGER = 'trusted_schema='
const REVERSED = 'reverse_unordered_selects=1'

const { pragma } = Database.prototype
let installed = false

/** Sets the pragma on each connection while the store sets its own. */
export function useReversedRows(): void {
  if (installed) return
  installed = true
  Database.prototype.pragma = function reversing(this: Database.Database, source, options) {
    const value = pragma.call(this, source, options)
    if (source.startsWith(TRIGGER)) pragma.call(this, REVERSED)
    return value
  }
}
