/** How far the set-up has come, kept while the window is open, so that a reload goes on where it was. */

export type Step = 'company' | 'look' | 'certificate' | 'recovery'

export interface Progress {
  step: Step
  /** A further company: it needs no recovery code, which belongs to the installation. */
  another: boolean
  /** What was typed into the steps so far, by field. */
  typed: Readonly<Record<string, string | boolean>>
}

const ENTRY = 'sello.welcome'
const STEPS: readonly string[] = ['company', 'look', 'certificate', 'recovery']

/** What was kept, or null where nothing was or it cannot be read. */
export function keptProgress(storage: Pick<Storage, 'getItem'>): Progress | null {
  try {
    const kept = JSON.parse(storage.getItem(ENTRY) ?? 'null') as Partial<Progress> | null
    if (kept === null || !STEPS.includes(String(kept.step))) return null
    return {
      step: kept.step as Step,
      another: kept.another === true,
      typed: typeof kept.typed === 'object' && kept.typed !== null ? kept.typed : {},
    }
  } catch {
    return null
  }
}

export function keepProgress(storage: Pick<Storage, 'setItem'>, progress: Progress): void {
  storage.setItem(ENTRY, JSON.stringify(progress))
}

export function forgetProgress(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(ENTRY)
}
