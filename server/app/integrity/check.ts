/** One check and its outcome. */
import type { Proof } from '../../domain/proof.ts'
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

/** Whether an error says that the file cannot be read. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(String((error as { code?: unknown }).code ?? ''))
}

/** Whether the check was broken off by whoever asked for it. */
const isBrokenOff = (error: unknown): boolean => (error as { name?: unknown }).name === 'AbortError'

/** A check that damage cannot keep from its outcome: what it cannot read or understand is what it finds. */
export async function despiteDamage(
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
