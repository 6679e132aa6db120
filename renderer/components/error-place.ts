/** Where the way out of a refusal is, when it is another page. Pure. */

export interface Place {
  to: string
  /** Message key of its name. */
  label: string
}

const REGISTRY: Place = { to: '/registry', label: 'nav.registry' }

const PLACES: Record<string, Place> = {
  chain_broken: REGISTRY,
  restored_copy: REGISTRY,
  series_in_conflict: REGISTRY,
  clock_wrong: REGISTRY,
  clock_differs: REGISTRY,
  registry_pending: REGISTRY,
  mail_not_configured: { to: '/settings/mail', label: 'mail.account.title' },
  certificate_missing: { to: '/settings/certificate', label: 'settings.certificate.title' },
  issuer_address_missing: { to: '/settings', label: 'settings.company.title' },
}

/** The page that mends what a code names, or null. */
export function placeOfError(code: string): Place | null {
  return PLACES[code] ?? null
}
