/** The chain of records: the hash of each record, and the check that one record follows another. */
import { hash } from 'node:crypto'
import type { ChainLink } from './fields.ts'
import { cancellationText, followFault, hashedText, registrationText } from './hashed.ts'
import type { CancellationText, LinkFault, RegistrationText, SealedRecord } from './hashed.ts'

/** Returns the SHA-256 of the text's UTF-8 bytes as 64 upper-case hex characters. */
export function chainHash(text: string): string {
  return hash('sha256', text, 'hex').toUpperCase()
}

/** Returns the hash of a registration. `previousHash` is empty only for the first record of an installation. */
export function registrationHash(fields: RegistrationText): string {
  return chainHash(registrationText(fields))
}

/** Returns the hash of a cancellation. */
export function cancellationHash(fields: CancellationText): string {
  return chainHash(cancellationText(fields))
}

/**
 * Checks that a record is intact and follows `previous` (null: it is the first of its chain). Returns null when it
 * does.
 */
export function verifyLink(record: SealedRecord, previous: ChainLink | null): LinkFault | null {
  if (chainHash(hashedText(record)) !== record.link.hash) return 'hash_mismatch'
  return followFault(record, previous)
}
