/** What a reply page shows of an invoice. Pure. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { BusinessDate } from '../../domain/dates.ts'

/** What the invoice says; another page with other facts takes the place of the earlier one. */
interface InvoiceFacts {
  seller: { name: string; nif: string }
  buyer: { name: string; nif: string | null }
  number: string
  issueDate: BusinessDate
  /** Null with instalments, or without a due date. */
  dueDate: BusinessDate | null
  instalments: { dueDate: BusinessDate; amount: number }[]
  currency: string
  /** In that currency, before withholding. */
  total: number
  /** In euros, after withholding and what earlier invoices asked for; null if it is the total, or in another currency. */
  payable: number | null
}

/** What may change without another page. */
export interface PageFacts extends InvoiceFacts {
  /** Account to pay to, of an invoice that is paid by transfer. */
  iban: string | null
  /** Where the answer is mailed to; null: it is saved as a file only. */
  replyTo: string | null
}

/** Returns the SHA-256 of what the invoice says. */
export function digestOfFacts({ iban: _iban, replyTo: _replyTo, ...facts }: PageFacts): Buffer {
  return createHash('sha256').update(canonicalJson(facts), 'utf8').digest()
}
