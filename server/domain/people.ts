/** What people of an office may do: capabilities, and the roles that have them. A desk knows neither: its owner may do all. */

/** What an operation lets a person do. Every operation has one (`server/app/people/roles/capabilities.ts`). */
export const CAPABILITIES = [
  /** The person's own session, preferences, credentials and inbox. Everybody who is signed in has it. */
  'own',
  /** The name, books and set-up of the company. Every member has it. */
  'company.read',
  'company.write',
  /** Ends, hands over or archives the company. */
  'company.end',
  'sales.read',
  'sales.write',
  'sales.issue',
  /** Customers and suppliers. */
  'contacts.write',
  /** Who owes, and what was paid. */
  'payments.read',
  'payments.write',
  'purchases.read',
  'purchases.write',
  'bank.read',
  'bank.write',
  /** Accounts from which and to which money goes: bank accounts and the creditor of direct debits. */
  'bank.accounts',
  'ledger.read',
  'ledger.write',
  /** Locks periods, closes and reopens years. */
  'ledger.close',
  'returns.read',
  'returns.prepare',
  'returns.file',
  'registry.read',
  'registry.manage',
  /** The history: who did what. */
  'history.read',
  /** Whole lists and books as files. */
  'export',
  'import',
  'approve',
  'mail.manage',
  'connections.read',
  'connections.manage',
  'certificates.manage',
  'people.read',
  'people.manage',
  'privacy.manage',
  /** Limits and checks of the whole installation. */
  'installation.manage',
] as const
export type Capability = (typeof CAPABILITIES)[number]

export const ROLES = ['owner', 'administrator', 'bookkeeper', 'sales', 'accountant', 'adviser'] as const
export type Role = (typeof ROLES)[number]

/** Somebody who may open a company. */
export interface Colleague {
  id: string
  name: string
  roles: readonly Role[]
  capabilities: ReadonlySet<Capability>
}

/** The rights of a signed-in person in the company of a request; of no company where the request names none. */
export interface PersonRights {
  capabilities: ReadonlySet<Capability>
  roles: readonly Role[]
  /** The row of the session, which ends everything that was opened with it. */
  sessionId: string
}
