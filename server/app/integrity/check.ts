/** One check and its outcome. */
import { databaseFault } from '../../db/error-kinds.ts'
import type { Proof } from '../../domain/proof.ts'
import type { Invariant } from './invariants.ts'

export interface Check {
  /** Invariant that it verifies. */
  invariant: Invariant
  name: string
  /** Absent for checks of the whole store. */
  book?: string
  ok: boolean
  /** Verified facts, or the position of the fault. */
  detail: string
}

/** Creates a check from a proof; `holds` describes what was verified, given the count. */
export function checkOf(
  invariant: Invariant,
  name: string,
  { checked, faults }: Proof,
  holds: (checked: number) => string,
): Check {
  const ok = faults.length === 0
  return { invariant, name, ok, detail: ok ? holds(checked) : faults.join(' ') }
}

/** Returns true for an error that means the file cannot be read. */
export function isDamage(error: unknown): boolean {
  return databaseFault(error) === 'unreadable'
}

/** Returns true when the caller aborted the check. */
const isBrokenOff = (error: unknown): boolean => (error as { name?: unknown }).name === 'AbortError'

/** Runs a check so that damage becomes its outcome: data it cannot read or parse is the fault it reports. */
export async function reportDamage(
  invariant: Invariant,
  name: string,
  run: () => Promise<Check>,
): Promise<Check> {
  try {
    return await run()
  } catch (error) {
    if (isBrokenOff(error)) throw error
    const { message, code, name: kind } = error as Error & { code?: string }
    return { invariant, name, ok: false, detail: `Cannot be read to its end: ${message} (${code ?? kind}).` }
  }
}
