/** Stored codes of the source documents of tax totals. */

export const SOURCE_CODES = { invoice: 1, received: 2 } as const
export type SourceType = keyof typeof SOURCE_CODES

/** Returns the document kind of a stored code. */
export function sourceType(code: number): SourceType {
  return code === SOURCE_CODES.invoice ? 'invoice' : 'received'
}
