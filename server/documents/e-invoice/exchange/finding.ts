/** What a check finds wrong in a document. */

export interface Finding {
  /** Stable name of the rule, such as `SUM-BR-CO-15`. */
  rule: string
  /** Place in the document, such as `Invoice/InvoiceLine[2]/Item`. */
  path: string
  /** For people; in English. */
  message: string
}
