/** Page that resolves an error, if it is another one. Pure. */

interface ErrorLocation {
  to: string
  /** Message key of its name. */
  label: string
}

const REGISTRY: ErrorLocation = { to: '/registry', label: 'nav.registry' }
const INBOX: ErrorLocation = { to: '/inbox', label: 'nav.inbox' }
const KEYS: ErrorLocation = { to: '/connect/keys', label: 'connect.keys.title' }
const ERP: ErrorLocation = { to: '/connect/erp', label: 'erp.place' }
const SERIES: ErrorLocation = { to: '/settings/series', label: 'seriesPage.title' }

const PLACES: Record<string, ErrorLocation> = {
  chain_broken: REGISTRY,
  restored_copy: REGISTRY,
  series_in_conflict: REGISTRY,
  clock_wrong: REGISTRY,
  clock_differs: REGISTRY,
  registry_pending: REGISTRY,
  mail_not_configured: { to: '/settings/mail', label: 'mail.account.title' },
  activity_code_missing: { to: '/settings', label: 'settings.company.title' },
  certificate_missing: { to: '/settings/certificate', label: 'settings.certificate.title' },
  registry_unreachable: REGISTRY,
  record_open: REGISTRY,
  environment_fixed: REGISTRY,
  approval_pending: INBOX,
  approvals_full: INBOX,
  approval_closed: INBOX,
  proposals_full: INBOX,
  scope_missing: KEYS,
  key_name_taken: KEYS,
  webhook_limit: { to: '/connect/webhooks', label: 'webhooks.title' },
  exchange_off: { to: '/exchange/law', label: 'exchange.tab.law' },
  exchange_live_closed: { to: '/exchange/law', label: 'exchange.tab.law' },
  erp_not_connected: ERP,
  erp_needs_reconnection: ERP,
  gone: { to: '/connect/assistants', label: 'connect.assistants.title' },
  series_wrong_kind: SERIES,
  series_needed: SERIES,
  period_locked: { to: '/ledger/periods', label: 'ledger.tabs.periods' },
  year_not_closable: { to: '/ledger/periods', label: 'ledger.tabs.periods' },
  account_unknown: { to: '/ledger/chart', label: 'ledger.tabs.chart' },
  account_in_use: { to: '/ledger/chart', label: 'ledger.tabs.chart' },
  creditor_missing: { to: '/payments/mandates', label: 'payments.tabs.mandates' },
  mail_not_open: { to: '/mails', label: 'mail.list.title' },
  import_state: { to: '/import', label: 'imports.title' },
  moving_state: { to: '/moving', label: 'moving.title' },
  issuer_address_missing: { to: '/settings', label: 'settings.company.title' },
}

/** Every code with a page, for the tests. */
export const PLACED_CODES: readonly string[] = Object.keys(PLACES)

/** Returns the page that resolves a code, or null. */
export function errorLocation(code: string): ErrorLocation | null {
  return PLACES[code] ?? null
}
