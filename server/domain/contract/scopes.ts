/** Scopes: the permissions that a key can have. */
export const SCOPES = [
  'company.read',
  'invoices.read',
  'invoices.write',
  'invoices.issue',
  'registry.read',
  'audit.read',
  'keys.read',
  'keys.write',
  'integrations.read',
  'integrations.write',
  'fiscal.read',
  'webhooks.read',
  'webhooks.write',
] as const
export type Scope = (typeof SCOPES)[number]
