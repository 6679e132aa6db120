/** Themes to which the server maps the authority's answers; each has texts below `registryPage.theme`. Pure. */

export const THEMES = [
  'technical_failure',
  'sending_suspended',
  'issuer_not_known',
  'certificate_not_entitled',
  'message_unfit',
  'client_not_in_census',
  'client_identification',
  'number_not_taken',
  'issue_date_not_taken',
  'operation_date',
  'invoice_kind',
  'vat_of_lines',
  'regime_or_exemption',
  'total_differs',
  'third_party',
  'record_flags',
  'record_unfit',
  'already_registered',
  'already_cancelled',
  'not_registered',
  'registered_by_hand',
  'hash_differs',
  'chain_restarted',
  'client_not_identified',
  'sent_late',
  'ipsi_without_regime',
  'registry_conflict',
  'other',
] as const
export type Theme = (typeof THEMES)[number]

/** Returns the theme of that name; `other` for one without texts. */
export function themeNamed(name: unknown): Theme {
  return THEMES.find((theme) => theme === name) ?? 'other'
}

/** Part of the amendment form that an action item concerns, so that the dialog opens there. */
export type AmendPart = 'client' | 'description' | 'operationDate' | 'breakdown'

const PARTS: Partial<Record<Theme, AmendPart>> = {
  client_not_in_census: 'client',
  client_identification: 'client',
  operation_date: 'operationDate',
  regime_or_exemption: 'breakdown',
}

/** Returns the part to start with, if the theme determines it. */
export function amendPartOf(theme: Theme): AmendPart | null {
  return PARTS[theme] ?? null
}
