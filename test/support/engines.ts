/** Which engine the tests of this run use. */
import { ENGINE } from './postgres/databases.ts'

/**
 * Returns what registers a test or a group of tests about the file of the books; a run on PostgreSQL has none.
 * Example: `inEmbedded(test)('is erased from every page of the file', …)`.
 */
export function inEmbedded<Register extends (...args: never[]) => unknown>(register: Register): Register {
  return ENGINE === 'sqlite' ? register : ((() => {}) as unknown as Register)
}
