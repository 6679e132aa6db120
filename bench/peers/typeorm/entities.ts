/** The peer's tables as entity schemas: decorators would need a compiler. */
import { EntitySchema } from 'typeorm'
import type { EntitySchemaColumnOptions } from 'typeorm'

export interface ApiKey {
  id: number
  name: string
  secretHash: string
  scopes: string[]
  revokedAt: number | null
}

export interface Customer {
  id: number
  nif: string
  name: string
}

interface Series {
  id: number
  code: string
  nextNumber: number
}

export interface Invoice {
  id: number
  publicId: string
  state: 'draft' | 'issued'
  version: number
  customerId: number
  customer: Customer
  /** Customer data at the time of creation. */
  clientName: string
  clientNif: string
  series: Series | null
  sequence: number | null
  number: string | null
  issueDate: string | null
  baseCents: number
  taxCents: number
  totalCents: number
  contentHash: string | null
  createdAt: number
  issuedAt: number | null
  lines: InvoiceLine[]
  taxes: InvoiceTax[]
}

interface InvoiceLine {
  id: number
  invoice: Invoice
  position: number
  description: string
  quantityMicro: number
  unitPriceMicro: number
  vatRateBp: number
  netCents: number
}

interface InvoiceTax {
  id: number
  invoice: Invoice
  position: number
  vatRateBp: number
  baseCents: number
  taxCents: number
}

interface Confirmation {
  tokenHash: string
  /** A separate column: through the relation it would cause a join. */
  invoiceId: number
  invoice: Invoice
  keyId: number
  draftVersion: number
  contentHash: string
  createdAt: number
  expiresAt: number
  usedAt: number | null
}

export interface RegistryRecord {
  id: number
  sequence: number
  invoice: Invoice
  /** Hashed text; it ends the chain so far. */
  text: string
  hash: string
  status: 'pending' | 'sent'
  generatedAt: string
}

/** Sums per rate and month. */
interface MonthFigure {
  id: number
  month: string
  vatRateBp: number
  baseCents: number
  taxCents: number
  documents: number
}

/** Invoiced amount of a customer in a month, a quarter or a year. */
interface CustomerFigure {
  id: number
  customerId: number
  period: string
  baseCents: number
  totalCents: number
  documents: number
}

interface LedgerEntry {
  id: number
  day: string
  invoice: Invoice
  lines: LedgerLine[]
}

interface LedgerLine {
  id: number
  entry: LedgerEntry
  position: number
  account: string
  day: string
  /** Debit if positive. */
  amountCents: number
  customerId: number | null
}

interface AuditEntry {
  id: number
  sequence: number
  at: number
  keyId: number
  action: string
  target: string
  content: string
  /** Hash over the previous hash and the content. */
  hash: string
}

interface OutboxEvent {
  id: number
  type: string
  data: object
  createdAt: number
  deliveredAt: number | null
}

interface IdempotentAnswer {
  key: string
  keyId: number
  requestHash: string
  status: number
  body: object
  createdAt: number
}

const id: EntitySchemaColumnOptions = { type: 'integer', primary: true, generated: 'increment' }
const whole: EntitySchemaColumnOptions = { type: 'integer' }
const maybeWhole: EntitySchemaColumnOptions = { type: 'integer', nullable: true }
const text: EntitySchemaColumnOptions = { type: 'text' }
const maybeText: EntitySchemaColumnOptions = { type: 'text', nullable: true }
const json: EntitySchemaColumnOptions = { type: 'simple-json' }
const unique = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({ ...column, unique: true })

export const ApiKeys = new EntitySchema<ApiKey>({
  name: 'ApiKey',
  tableName: 'api_keys',
  columns: { id, name: text, secretHash: unique(text), scopes: json, revokedAt: maybeWhole },
})

export const Customers = new EntitySchema<Customer>({
  name: 'Customer',
  tableName: 'customers',
  columns: { id, nif: unique(text), name: text },
})

export const SeriesTable = new EntitySchema<Series>({
  name: 'Series',
  tableName: 'series',
  columns: { id, code: unique(text), nextNumber: whole },
})

export const Invoices = new EntitySchema<Invoice>({
  name: 'Invoice',
  tableName: 'invoices',
  columns: {
    id,
    publicId: unique(text),
    state: text,
    version: whole,
    customerId: whole,
    clientName: text,
    clientNif: text,
    sequence: maybeWhole,
    number: unique(maybeText),
    issueDate: maybeText,
    baseCents: whole,
    taxCents: whole,
    totalCents: whole,
    contentHash: maybeText,
    createdAt: whole,
    issuedAt: maybeWhole,
  },
  relations: {
    customer: {
      type: 'many-to-one',
      target: 'Customer',
      joinColumn: { name: 'customerId' },
      nullable: false,
    },
    series: { type: 'many-to-one', target: 'Series', joinColumn: true, nullable: true },
    lines: { type: 'one-to-many', target: 'InvoiceLine', inverseSide: 'invoice', cascade: ['insert'] },
    taxes: { type: 'one-to-many', target: 'InvoiceTax', inverseSide: 'invoice', cascade: ['insert'] },
  },
  indices: [
    { columns: ['series', 'sequence'], unique: true },
    { columns: ['customerId'] },
    { columns: ['state', 'issueDate'] },
  ],
})

const ofInvoice = { type: 'many-to-one', target: 'Invoice', joinColumn: true, nullable: false } as const

const InvoiceLines = new EntitySchema<InvoiceLine>({
  name: 'InvoiceLine',
  tableName: 'invoice_lines',
  columns: {
    id,
    position: whole,
    description: text,
    quantityMicro: whole,
    unitPriceMicro: whole,
    vatRateBp: whole,
    netCents: whole,
  },
  relations: { invoice: { ...ofInvoice, inverseSide: 'lines', onDelete: 'CASCADE' } },
  indices: [{ columns: ['invoice', 'position'], unique: true }],
})

const InvoiceTaxes = new EntitySchema<InvoiceTax>({
  name: 'InvoiceTax',
  tableName: 'invoice_taxes',
  columns: { id, position: whole, vatRateBp: whole, baseCents: whole, taxCents: whole },
  relations: { invoice: { ...ofInvoice, inverseSide: 'taxes', onDelete: 'CASCADE' } },
  indices: [{ columns: ['invoice', 'position'], unique: true }],
})

export const Confirmations = new EntitySchema<Confirmation>({
  name: 'Confirmation',
  tableName: 'confirmations',
  columns: {
    tokenHash: { ...text, primary: true },
    invoiceId: whole,
    keyId: whole,
    draftVersion: whole,
    contentHash: text,
    createdAt: whole,
    expiresAt: whole,
    usedAt: maybeWhole,
  },
  relations: { invoice: { ...ofInvoice, joinColumn: { name: 'invoiceId' }, onDelete: 'CASCADE' } },
  indices: [{ columns: ['invoiceId'] }],
})

export const RegistryRecords = new EntitySchema<RegistryRecord>({
  name: 'RegistryRecord',
  tableName: 'registry_records',
  columns: { id, sequence: unique(whole), text, hash: text, status: text, generatedAt: text },
  relations: { invoice: ofInvoice },
  indices: [{ columns: ['invoice'], unique: true }, { columns: ['status'] }],
})

const MonthFigures = new EntitySchema<MonthFigure>({
  name: 'MonthFigure',
  tableName: 'month_figures',
  columns: { id, month: text, vatRateBp: whole, baseCents: whole, taxCents: whole, documents: whole },
  indices: [{ columns: ['month', 'vatRateBp'], unique: true }],
})

const CustomerFigures = new EntitySchema<CustomerFigure>({
  name: 'CustomerFigure',
  tableName: 'customer_figures',
  columns: { id, customerId: whole, period: text, baseCents: whole, totalCents: whole, documents: whole },
  indices: [{ columns: ['customerId', 'period'], unique: true }],
})

export const LedgerEntries = new EntitySchema<LedgerEntry>({
  name: 'LedgerEntry',
  tableName: 'ledger_entries',
  columns: { id, day: text },
  relations: {
    invoice: ofInvoice,
    lines: { type: 'one-to-many', target: 'LedgerLine', inverseSide: 'entry', cascade: ['insert'] },
  },
  indices: [{ columns: ['invoice'], unique: true }, { columns: ['day'] }],
})

const LedgerLines = new EntitySchema<LedgerLine>({
  name: 'LedgerLine',
  tableName: 'ledger_lines',
  columns: {
    id,
    position: whole,
    account: text,
    day: text,
    amountCents: whole,
    customerId: maybeWhole,
  },
  relations: {
    entry: {
      type: 'many-to-one',
      target: 'LedgerEntry',
      inverseSide: 'lines',
      joinColumn: true,
      nullable: false,
    },
  },
  indices: [{ columns: ['entry', 'position'], unique: true }, { columns: ['account', 'day'] }],
})

export const AuditEntries = new EntitySchema<AuditEntry>({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  columns: {
    id,
    sequence: unique(whole),
    at: whole,
    keyId: whole,
    action: text,
    target: text,
    content: text,
    hash: text,
  },
  indices: [{ columns: ['target'] }],
})

export const OutboxEvents = new EntitySchema<OutboxEvent>({
  name: 'OutboxEvent',
  tableName: 'outbox_events',
  columns: { id, type: text, data: json, createdAt: whole, deliveredAt: maybeWhole },
  indices: [{ columns: ['deliveredAt'] }],
})

export const IdempotentAnswers = new EntitySchema<IdempotentAnswer>({
  name: 'IdempotentAnswer',
  tableName: 'idempotent_answers',
  columns: {
    key: { ...text, primary: true },
    keyId: { ...whole, primary: true },
    requestHash: text,
    status: whole,
    body: json,
    createdAt: whole,
  },
})

export const ENTITIES = [
  ApiKeys,
  Customers,
  SeriesTable,
  Invoices,
  InvoiceLines,
  InvoiceTaxes,
  Confirmations,
  RegistryRecords,
  MonthFigures,
  CustomerFigures,
  LedgerEntries,
  LedgerLines,
  AuditEntries,
  OutboxEvents,
  IdempotentAnswers,
]
