/** Tax territory of a Spanish postal code, which saves one question at set-up. */
import type { InputOf } from '../../../server/api/contracts.ts'

export type Territory = NonNullable<InputOf<'company.create'>['territory']>

export const TERRITORIES: readonly Territory[] = ['mainland', 'canary', 'ceuta_melilla', 'basque', 'navarre']

const BY_PROVINCE: Record<string, Territory> = {
  '01': 'basque',
  '20': 'basque',
  '48': 'basque',
  '31': 'navarre',
  '35': 'canary',
  '38': 'canary',
  '51': 'ceuta_melilla',
  '52': 'ceuta_melilla',
}

/** Returns the territory by the first two digits (the province); null until the code has five digits. */
export function territoryOf(postalCode: string): Territory | null {
  const code = postalCode.trim()
  return /^\d{5}$/.test(code) ? (BY_PROVINCE[code.slice(0, 2)] ?? 'mainland') : null
}
