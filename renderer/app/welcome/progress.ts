/** Progress of the set-up, stored while the window is open, so that a reload continues where it was. */

import type { NewLogo } from '../settings/design/design.ts'

export type Step = 'company' | 'look' | 'certificate' | 'recovery'

export interface Progress {
  step: Step
  /** True for a further company: it needs no recovery code, which belongs to the installation. */
  another: boolean
  /** Values typed in the steps so far, by field. */
  typed: Readonly<Record<string, string | boolean>>
}

const ENTRY = 'sello.welcome'
/** The chosen logo has its own entry: it is large, and typed text must not be lost when it does not fit. */
const LOGO_ENTRY = 'sello.welcome.logo'
const DATA_URL = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=]+)$/
const STEPS: readonly string[] = ['company', 'look', 'certificate', 'recovery']

/** Returns the stored progress, or null if there is none or it is unreadable. */
export function savedProgress(storage: Pick<Storage, 'getItem'>): Progress | null {
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

export function saveProgress(storage: Pick<Storage, 'setItem'>, progress: Progress): void {
  storage.setItem(ENTRY, JSON.stringify(progress))
}

/** Returns the chosen logo that is not saved yet, or null. */
export function savedLogo(storage: Pick<Storage, 'getItem'>): NewLogo | null {
  try {
    const kept = JSON.parse(storage.getItem(LOGO_ENTRY) ?? 'null') as Partial<NewLogo> | null
    const { url = '', width, height, bytes } = kept ?? {}
    const base64 = DATA_URL.exec(url)?.[1]
    if (base64 === undefined || !Number.isInteger(width) || !Number.isInteger(height)) return null
    return { base64, url, width: Number(width), height: Number(height), bytes: Number(bytes) }
  } catch {
    return null
  }
}

/**
 * Stores the chosen logo, or removes it. A logo over the browser's quota is not stored; a reload then asks for it
 * again.
 */
export function saveLogo(storage: Pick<Storage, 'setItem' | 'removeItem'>, logo: NewLogo | null): void {
  storage.removeItem(LOGO_ENTRY)
  if (logo === null) return
  const { url, width, height, bytes } = logo
  try {
    storage.setItem(LOGO_ENTRY, JSON.stringify({ url, width, height, bytes }))
  } catch {
    // Quota exceeded.
  }
}

export function forgetProgress(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(ENTRY)
  storage.removeItem(LOGO_ENTRY)
}
