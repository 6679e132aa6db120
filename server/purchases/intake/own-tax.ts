/** The tax of the company that reads a document, by the codes of documents: any other tax on it is a cost. Pure. */

export interface OwnTax {
  /** Code of the tax in Facturae (TaxTypeCode), which is that of the registry. */
  code: string
  /** Category of its taxed lines in EN 16931 (BT-118). */
  category: string
  /** As printed, in small letters. */
  name: string
}

/** The tax of most of Spain, for a reader that nobody told anything else. */
export const USUAL_TAX: OwnTax = { code: '01', category: 'S', name: 'iva' }

/** True where suppliers charge the tax with which the readers of words reckon by themselves. */
export function isUsualTax({ code }: OwnTax): boolean {
  return code === USUAL_TAX.code
}
