/**
 * Decides what it means that a service already holds something under the key of a record: the record itself, whose answer was
 * lost, or a file of somebody else. The rule of the services without a query is an assumption, said below.
 */
import type { SealedFile } from './outcome.ts'

/** What a query tells about a key. */
export interface HeldRecord {
  /** First 100 characters of the signature of the invoice that is held. */
  signature: string
  state: 'correct' | 'with_errors' | 'cancelled'
  code: string | null
}

type HeldVerdict =
  /** It is this very record. */
  | 'ours'
  /** Something else is held: a person decides. */
  | 'conflict'

interface Attempts {
  /** An earlier message with the same bytes may have arrived: it was begun, and no answer settled it. */
  mayHaveArrived: boolean
}

/**
 * Judges by a service's own words, where it has no query (Araba, Gipuzkoa). The record is ours if an earlier attempt with the same
 * bytes may have arrived and the answer names no other identifier. At a first attempt nothing of ours can be there, so that it is a
 * conflict: the key was used by another program, or by these books before they were restored from a copy.
 *
 * Assumption: between a lost attempt and the next one nobody else registers the same number of the same issuer. The services say
 * "registered", and do not say which bytes; whether the identifier in such an answer is that of the file held or of the file sent is
 * not known, so that an equal one counts as no proof.
 */
export function resolveByAnswer(
  { identifier }: Pick<SealedFile, 'identifier'>,
  heldIdentifier: string | null,
  { mayHaveArrived }: Attempts,
): HeldVerdict {
  if (identifier !== null && heldIdentifier !== null && heldIdentifier !== identifier) return 'conflict'
  return mayHaveArrived ? 'ours' : 'conflict'
}
