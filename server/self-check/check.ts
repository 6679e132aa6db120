/** One check and its outcome. */
import type { Proof } from '../core/proof.ts'
import type { Invariant } from './invariants.ts'

export interface Check {
  /** The promise it is about. */
  invariant: Invariant
  name: string
  /** Absent for what belongs to the whole store. */
  book?: string
  ok: boolean
  /** What holds, or where it breaks. */
  detail: string
}

/** A check from a proof; `holds` says what was proved of so many. */
export function checkOf(
  invariant: Invariant,
  name: string,
  { checked, faults }: Proof,
  holds: (checked: number) => string,
): Check {
  const ok = faults.length === 0
  return { invariant, name, ok, detail: ok ? holds(checked) : faults.join(' ') }
}
