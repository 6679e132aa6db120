/** How the figures name the documents they come from. */

export const SOURCE_CODES = { invoice: 1, received: 2 } as const
export type SourceType = keyof typeof SOURCE_CODES

/** The kind of document a stored code stands for. */
export function sourceType(code: number): SourceType {
  return code === SOURCE_CODES.invoice ? 'invoice' : 'received'
}
