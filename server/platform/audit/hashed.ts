/** The content covered by the hash of an event. Pure, so that a verifier outside the program uses the same code. */
import { canonicalJson } from '../../domain/canonical-json.ts'

/** The content covered by the hash of an event, in addition to the previous hash. */
export interface HashedEvent {
  book: string
  sequence: number
  at: number
  actor: { kind: string; id: string; name: string }
  channel: string
  action: string
  target: { type: string; id: string; label: string | null } | null
  outcome: string
  code: string | null
  requestId: string
}

/** Returns the text whose bytes are hashed after those of the previous hash. */
export function hashedText(event: HashedEvent): string {
  return canonicalJson(event)
}
