/** Names of the fields of records in the words of an invoice, for the faults of every registry. */

/** Names of the record's fields as the invoice's caller knows them. */
const FIELD_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^recipients\[\d+\]\.name/, 'clientName'],
  [/^recipients/, 'clientNif'],
  [/^breakdown.*/, 'lines'],
  [/^(description|taxTotalCents|totalCents).*/, 'lines'],
  [/^number.*/, 'series'],
]

/** Returns the name of a record's field as whoever made the invoice knows it. `field`: dotted path in RegistryInvoice. */
export function outsideField(field: string): string {
  for (const [pattern, name] of FIELD_NAMES) if (pattern.test(field)) return name
  return field
}
