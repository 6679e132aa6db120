/** What a new key may do, as three choices instead of thirteen boxes. */
import type { InputOf } from '../../server/contracts.ts'

type Scope = InputOf<'keys.createByPerson'>['scopes'][number]

const READ: readonly Scope[] = ['company.read', 'invoices.read', 'registry.read', 'fiscal.read']
const WRITE: readonly Scope[] = [...READ, 'invoices.write']

export const PRESETS = {
  read: READ,
  write: WRITE,
  issue: [...WRITE, 'invoices.issue', 'audit.read'],
} as const satisfies Record<string, readonly Scope[]>

export type Preset = keyof typeof PRESETS
/** In the order of what they allow. */
export const PRESET_NAMES: readonly Preset[] = ['read', 'write', 'issue']
