/** First schema, one file for each area: companies and their books, what they sell, buy, own and owe, the record chain, keys and history. */
import { accessTables } from './0001/access.ts'
import { attachmentsTables } from './0001/attachments.ts'
import { bankTables } from './0001/bank.ts'
import { certificatesTables } from './0001/certificates.ts'
import { companiesTables } from './0001/companies.ts'
import { contactsTables } from './0001/contacts.ts'
import { figuresTables } from './0001/figures.ts'
import { filingsTables } from './0001/filings.ts'
import { importsTables } from './0001/imports.ts'
import { invoicesTables } from './0001/invoices.ts'
import { itemsTables } from './0001/items.ts'
import { ledgerTables } from './0001/ledger.ts'
import { lookupsTables } from './0001/lookups.ts'
import { mailTables } from './0001/mail.ts'
import { paymentsTables } from './0001/payments.ts'
import { quotesTables } from './0001/quotes.ts'
import { receivedTables } from './0001/received.ts'
import { recurringTables } from './0001/recurring.ts'
import { registryTables } from './0001/registry.ts'
import { seriesTables } from './0001/series.ts'

/**
 * Conventions: `id` is an internal integer, `public_id` what the outside sees; amounts in cents, quantities and prices in
 * millionths, rates in basis points, instants in milliseconds since 1970 (`_at`), days as YYYY-MM-DD, flags as 0 or 1.
 */
export const foundation = [
  companiesTables,
  contactsTables,
  seriesTables,
  itemsTables,
  quotesTables,
  recurringTables,
  invoicesTables,
  figuresTables,
  attachmentsTables,
  receivedTables,
  paymentsTables,
  bankTables,
  ledgerTables,
  filingsTables,
  importsTables,
  mailTables,
  lookupsTables,
  registryTables,
  certificatesTables,
  accessTables,
].join('\n')
