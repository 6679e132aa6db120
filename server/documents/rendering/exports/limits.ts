/** Limits of an archive of documents, and reasons for a missing document. */
/** Maximum documents in one archive. */
export const MOST_DOCUMENTS = 10_000
/** Maximum missing documents named in an answer; the archive's own list has all of them. */
export const MOST_NAMED = 200

/** Reasons why a document is missing from an archive. Stable: programs rely on them. */
export const EXPORT_FAULTS = [
  // The invoice cannot have that format: the faults of the electronic invoice.
  'recipient_not_identified',
  'recipient_number_missing',
  'recipient_address_missing',
  'recipient_postal_code_unfit',
  'recipient_country_without_code',
  'issuer_address_missing',
  'issuer_postal_code_unfit',
  'third_party_address_missing',
  'number_too_long',
  'only_disbursements',
  'simplified',
  'customer_outside_spain',
  'customer_number_missing',
  'public_body',
  'customer_address_incomplete',
  'issuer_address_incomplete',
  'foral',
  'third_party_issue',
  'too_large',
  'electronic_address_missing',
  'customer_reference_missing',
  'self_billed',
  // An earlier program made it, and its document is not attached.
  'history',
  // A draft has no stored document.
  'not_issued',
  // A ZIP that every program can read has at most 4 GB.
  'archive_full',
  // Making it failed now; a retry may succeed.
  'not_made',
] as const
export type ExportFault = (typeof EXPORT_FAULTS)[number]
