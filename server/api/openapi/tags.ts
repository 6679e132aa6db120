/** Sections of the REST reference, with the operations of each. */

/** Sections of the reference in their order: the first word of an operation's name determines its section. */
export const TAGS: readonly { name: string; description: string; of: readonly string[] }[] = [
  { name: 'Company', description: 'Whose books these are, and what the key may do.', of: ['company'] },
  { name: 'Invoices', description: 'Drafts, issue, correction and documents.', of: ['invoices', 'exports'] },
  { name: 'Series', description: 'Where invoice numbers come from.', of: ['series'] },
  { name: 'Quotes', description: 'Quotes, proformas and delivery notes.', of: ['quotes'] },
  {
    name: 'Templates and recurring invoices',
    description: 'What is made again and again.',
    of: ['templates', 'recurring'],
  },
  {
    name: 'Registry',
    description: 'What the tax authority was told and what it answered.',
    of: ['registry'],
  },
  { name: 'Contacts', description: 'Customers and suppliers.', of: ['contacts'] },
  { name: 'Items', description: 'Products and services.', of: ['items'] },
  { name: 'Received invoices', description: 'Purchases and expenses.', of: ['received'] },
  {
    name: 'Incoming documents',
    description: "Suppliers' documents until they are entered: read, assessed, split, joined, decided.",
    of: ['incoming'],
  },
  { name: 'Attachments', description: 'Files of others, kept as they came.', of: ['attachments'] },
  {
    name: 'Payments',
    description: 'What was collected and paid, what is open, and who is late.',
    of: ['payments', 'reminders'],
  },
  {
    name: 'Debits and transfers',
    description: 'Mandates and files for the bank.',
    of: ['debits', 'mandates', 'remittances'],
  },
  { name: 'Bank', description: 'Accounts, movements and reconciliation.', of: ['bank'] },
  {
    name: 'Invoices to public bodies',
    description: 'Their directory of units, what was submitted to their portal and what became of it.',
    of: ['portal'],
  },
  { name: 'Mail', description: 'What was sent about a document.', of: ['mail'] },
  {
    name: 'Replies',
    description: 'The page with which a customer answers an invoice, and what customers answered.',
    of: ['replies'],
  },
  { name: 'Ledger', description: 'The double-entry books.', of: ['ledger'] },
  {
    name: 'Fixed assets',
    description: 'The register, depreciation, and the VAT of investment goods.',
    of: ['assets'],
  },
  {
    name: 'Fiscal',
    description: 'Figures of returns, VAT books, the pack for the accountant.',
    of: ['fiscal'],
  },
  {
    name: 'Handing on',
    description: "The journal in the formats of accountants' programs, and what was handed on.",
    of: ['handOn'],
  },
  {
    name: 'Integrations',
    description: 'The accounting system elsewhere: its key, readings, and what was read.',
    of: ['erp'],
  },
  {
    name: 'Electronic invoices',
    description: 'Invoices between businesses by the public platform, their statuses and terms.',
    of: ['exchange'],
  },
  {
    name: 'Webhooks',
    description: 'Events sent to your program, signed; what was sent, and sending it again.',
    of: ['webhooks'],
  },
  { name: 'Tax', description: 'Rates, causes and how a sale is taxed.', of: ['tax'] },
  { name: 'Look-ups', description: 'Services asked on demand.', of: ['lookups'] },
  { name: 'Imports', description: 'Contacts, items and received invoices from files.', of: ['imports'] },
  { name: 'Events', description: 'What happened, to be read or listened to.', of: ['events'] },
  { name: 'Audit', description: 'Who did what.', of: ['audit'] },
  { name: 'Keys', description: 'API keys.', of: ['keys'] },
  { name: 'Service', description: 'Whether it runs, and how much may be asked of it.', of: ['limits'] },
]
