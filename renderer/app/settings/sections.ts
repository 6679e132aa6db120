/** Which sections of the settings the person may see: an office lacks some, and has others. */
import { inOffice, may } from '../../stores/person.ts'
import type { Capability } from '../../../server/domain/people.ts'

interface SectionAccess {
  /** What somebody needs for it in an office. */
  needs?: Capability
  /** The edition that has it; without one both have. */
  only?: 'desk' | 'office'
}

/** By the name in the address; the company has none. */
const ACCESS: Readonly<Record<string, SectionAccess>> = {
  '': { needs: 'company.write' },
  team: { needs: 'people.read', only: 'office' },
  series: { needs: 'company.write' },
  design: { needs: 'company.write' },
  certificate: { needs: 'registry.read' },
  mail: { needs: 'mail.manage' },
  portal: { needs: 'connections.manage' },
  backups: { only: 'desk' },
  security: { only: 'desk' },
  privacy: { needs: 'privacy.manage' },
  archive: { needs: 'company.end' },
  account: { only: 'office' },
}

/** Returns whether the person has a section, by its name. */
export function hasSection(name: string): boolean {
  const { needs, only } = ACCESS[name] ?? {}
  return (only === undefined || (only === 'office') === inOffice()) && (needs === undefined || may(needs))
}

/** Returns whether the person has what an address leads to, which may be a section. */
export function hasDestination(to: string): boolean {
  const [, name = ''] = /^\/settings(?:\/(\w+))?(?:#|$)/.exec(to) ?? [null, null]
  return !to.startsWith('/settings') || hasSection(name ?? '')
}
