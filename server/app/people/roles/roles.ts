/** What each role may do: the one table of rights. */
import { CAPABILITIES, ROLES } from '../../../domain/people.ts'
import type { Capability, Role } from '../../../domain/people.ts'

/** Every member of a company has these. */
const MEMBER: readonly Capability[] = ['own', 'company.read']

/** Reads all books, and takes them along. */
const READER: readonly Capability[] = [
  ...MEMBER,
  'sales.read',
  'payments.read',
  'purchases.read',
  'bank.read',
  'ledger.read',
  'returns.read',
  'registry.read',
  'history.read',
  'export',
]

const OF_ROLE: Readonly<Record<Role, readonly Capability[]>> = {
  owner: CAPABILITIES.filter((one) => one !== 'installation.manage'),
  // Administers, and reads what it administers. Who shall also enter books has a second role.
  administrator: [
    ...READER,
    'company.write',
    'registry.manage',
    'connections.read',
    'connections.manage',
    'certificates.manage',
    'mail.manage',
    'people.read',
    'people.manage',
    'privacy.manage',
  ],
  bookkeeper: [
    ...READER,
    'sales.write',
    'sales.issue',
    'contacts.write',
    'payments.write',
    'purchases.write',
    'bank.write',
    'bank.accounts',
    'ledger.write',
    'ledger.close',
    'returns.prepare',
    'returns.file',
    'approve',
    'import',
    'people.read',
  ],
  sales: [...MEMBER, 'sales.read', 'sales.write', 'contacts.write'],
  accountant: [...READER],
  // Enters and closes the books of a client, and files its returns; neither sells for it nor moves its money.
  adviser: [
    ...READER,
    'contacts.write',
    'purchases.write',
    'bank.write',
    'ledger.write',
    'ledger.close',
    'returns.prepare',
    'returns.file',
    'import',
    'people.read',
  ],
}

/** Roles that somebody with a role may give: nobody gives more than an own one, and only owners make owners. */
export function rolesToGive(own: readonly Role[]): readonly Role[] {
  if (own.includes('owner')) return ROLES
  return own.includes('administrator') ? ROLES.filter((role) => role !== 'owner') : []
}

/** Returns the capabilities of several roles together. `mayIssue` adds the right to issue to sales. */
export function capabilitiesOf(roles: readonly Role[], mayIssue: boolean): Set<Capability> {
  const all = new Set(roles.flatMap((role) => OF_ROLE[role]))
  if (mayIssue && roles.includes('sales')) all.add('sales.issue')
  return all
}

/** What somebody may do who names no company: their own affairs, and for an administrator those of the installation. */
export function capabilitiesWithoutCompany(administers: boolean): Set<Capability> {
  return new Set<Capability>(administers ? ['own', 'installation.manage'] : ['own'])
}
