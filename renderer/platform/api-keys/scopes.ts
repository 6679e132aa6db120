/** Permissions of a new key: presets, or single scopes. */
import type { InputOf } from '../../../server/api/contracts.ts'

export type Scope = InputOf<'keys.createByPerson'>['scopes'][number]

const READ: readonly Scope[] = ['company.read', 'invoices.read', 'registry.read', 'fiscal.read']
const WRITE: readonly Scope[] = [...READ, 'invoices.write']

export const PRESETS = {
  read: READ,
  write: WRITE,
  issue: [...WRITE, 'invoices.issue', 'audit.read'],
} as const satisfies Record<string, readonly Scope[]>

export type Preset = keyof typeof PRESETS | 'custom'
/** In ascending order of permissions. */
export const PRESET_NAMES: readonly Preset[] = ['read', 'write', 'issue', 'custom']

/** Every scope, read-only ones first. A test compares the list with the server's. */
export const ALL_SCOPES: readonly Scope[] = [
  ...READ,
  'audit.read',
  'keys.read',
  'webhooks.read',
  'integrations.read',
  'invoices.write',
  'invoices.issue',
  'keys.write',
  'webhooks.write',
  'integrations.write',
]

/** Returns the preset that describes the scopes best, and how many scopes go beyond it. */
export function presetOf(scopes: readonly Scope[]): { word: 'read' | 'write' | 'issue'; more: number } {
  const word = scopes.includes('invoices.issue')
    ? 'issue'
    : scopes.includes('invoices.write')
      ? 'write'
      : 'read'
  const known = new Set<Scope>(PRESETS[word])
  return { word, more: scopes.filter((scope) => !known.has(scope)).length }
}
