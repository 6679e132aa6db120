/** What the hash of an event is made from. Pure, so that whoever proves the history elsewhere uses the same. */
import { canonicalJson } from '../../domain/canonical-json.ts'

/** What the hash of an event covers, besides the hash before it. */
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

/** The text whose bytes are hashed, after those of the hash before. */
export function hashedText(event: HashedEvent): string {
  return canonicalJson(event)
}
