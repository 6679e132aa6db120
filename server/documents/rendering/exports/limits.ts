/** What bounds an archive of documents, and why it goes without one of them. */
/** How many documents one archive holds. */
export const MOST_DOCUMENTS = 10_000
/** How many of the missing ones an answer names; the archive's own list has all of them. */
export const MOST_NAMED = 200

/** Why an archive goes without a document. Stable: programs act on them. */
export const EXPORT_FAULTS = [
  // The invoice cannot have that format: the faults of the electronic invoice.
  'recipient_not_identified',
  'recipient_number_missing',
  'recipient_address_missing',
  'recipient_postal_code_unfit',
  'recipient_country_without_code',
  'issuer_address_missing',
  'issuer_postal_code_unfit',
  'number_too_long',
  'only_disbursements',
  // A draft has no document that could be kept.
  'not_issued',
  // A ZIP as every program reads it ends at 4 GB.
  'archive_full',
  // Making it failed now; it may succeed later.
  'not_made',
] as const
export type ExportFault = (typeof EXPORT_FAULTS)[number]
