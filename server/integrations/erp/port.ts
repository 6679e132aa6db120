/**
 * What an accounting system is to Sello: one step at a time, records in Sello's own words, a fixed list of faults. A provider
 * holds no state and knows no database: what it must remember between two steps it hands back as notes.
 */
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import type { ErpHttp } from './connection/http.ts'

/** In the order a run takes them: documents name contacts, and what was billed matters more than the catalogue. */
export const RESOURCES = ['contacts', 'issued', 'received', 'catalogue'] as const
export type Resource = (typeof RESOURCES)[number]

/** Accounting first; other trades' systems can follow as kinds of their own. */
export type ProviderKind = 'accounting' | 'hotel' | 'restaurant' | 'clinic'

export interface CredentialField {
  name: 'erpApiKey' | 'baseUrl' | 'database'
  secret: boolean
  required: boolean
}

export interface ProviderDescription {
  id: string
  kind: ProviderKind
  /** As its maker writes it. */
  label: string
  fields: readonly CredentialField[]
  capabilities: {
    /** `updatedAt`: changes can be asked for; `none`: only reading the days again shows them. */
    incremental: 'none' | 'updatedAt'
    catalogue: boolean
    creditNotes: boolean
    receipts: boolean
    quotaMeter: boolean
    /** `ids`: what is still there can be asked for cheaply. */
    deletes: 'none' | 'ids'
  }
  /** What a key must be allowed to read, in the provider's own words. */
  requiredScopes: readonly string[]
  /** Makes more possible, but nothing fails without it. */
  usefulScopes: readonly string[]
  /** Calls a month of its smallest plan; null where nobody counts. */
  smallestMonthlyQuota: number | null
}

/** What opens the account. `secret` is never logged, stored in the clear or answered. */
export interface Credentials {
  secret: string
  /** Of a self-hosted system, without a slash at the end; null where the provider's address is fixed. */
  baseUrl: string | null
  database: string | null
  /** Which of several companies in the account; null while there is only one. */
  accountId: string | null
}

/** Remembered by the connection for its provider between steps; plain JSON, small. */
export type Notes = Readonly<Record<string, unknown>>

export interface ProviderCtx {
  http: ErpHttp
  credentials: Credentials
  notes: Notes
  today: BusinessDate
}

/** What the system says of the account behind a key, and what the key may read. */
export interface Verified {
  accountName: string | null
  /** Spanish tax number without prefix and separators. */
  accountTaxId: string | null
  apiFlavour: string
  granted: string[]
  missing: string[]
  /** Records seen while asking, by which an account without a name is known again. */
  samples: { externalKind: string; externalId: string }[]
  /** Companies to choose from; empty unless a choice is needed. */
  accounts: { id: string; name: string; taxId: string | null }[]
  notes: Notes
}

/** Which days of documents a pass covers; both belong to it. */
export interface Window {
  from: BusinessDate
  to: BusinessDate
}

export interface Step {
  resource: Resource
  /** What the step before handed back; null to begin. */
  cursor: string | null
  /** Of documents only. */
  window: Window | null
  /** Only what changed since, in the provider's own clock; null for everything in the window. */
  since: string | null
}

export interface Page {
  records: NeutralRecord[]
  rejects: Reject[]
  /** Known to be there although nothing more is said of them. */
  present: { externalKind: string; externalId: string }[]
  /** Null when the resource is complete. */
  nextCursor: string | null
  /**
   * Where to go on when every record of this page was already seen in this run: for lists that repeat themselves instead of
   * ending. Absent where that is a fault of the other side.
   */
  repeatedCursor?: string | null
  /** Kinds of record this account or key does not let be read: their absence from the pass means nothing. */
  unread?: readonly string[]
  /**
   * Why its place in the list cannot be believed: its rows are kept, the resource ends as incomplete, and nothing that was not
   * seen is taken for gone.
   */
  broken?: 'missing_cursor' | 'same_cursor' | 'empty_page'
  /** Rows the other side sent. */
  rawCount: number
  /** Where the next incremental pass begins, by the provider's clock; absent while unknown. */
  mark?: string
  notes?: Notes
}

/** A row that could not be read. It is kept and shown, and the page goes on. */
export interface Reject {
  externalKind: string
  externalId: string | null
  /** Place in the page, from 0. */
  position: number
  reason: RejectReason
  /** Field of the row, as the provider names it. */
  field: string | null
  /** The row, cut to 2,000 characters. */
  raw: string
}

export type RejectReason =
  | 'not_an_object'
  | 'missing_id'
  | 'missing_name'
  | 'impossible_date'
  | 'missing_date'
  | 'unreadable_amount'
  | 'amount_out_of_range'
  | 'wrong_shape'

interface RecordHead {
  externalId: string
  /** The provider's own kind; with the identifier it names the record for ever. */
  externalKind: string
  /** Of the shape below, so that a new reading counts as a change. */
  rawVersion: number
  warnings: RecordWarning[]
}

export type RecordWarning =
  | 'lines_unreconciled'
  | 'totals_unreconciled'
  | 'tax_unknown'
  | 'rate_missing'
  | 'tax_id_invalid'
  | 'text_cut'
  | 'currency_assumed'
  | 'amounts_incomplete'
  | 'party_missing'

export interface NeutralContact extends RecordHead {
  record: 'contact'
  name: string
  tradeName: string | null
  /** Upper case, without separators and without the prefix ES. */
  taxId: string | null
  taxIdRaw: string | null
  taxIdCountry: string | null
  isPerson: boolean | null
  isClient: boolean | null
  isSupplier: boolean | null
  email: string | null
  phone: string | null
  mobile: string | null
  address: {
    line: string | null
    postalCode: string | null
    city: string | null
    province: string | null
    countryCode: string | null
  } | null
  iban: string | null
  archived: boolean
}

export interface NeutralLine {
  description: string
  quantity: Micro
  /** Without tax, in the currency of the document. */
  unitPrice: Micro
  discountBp: BasisPoints
  taxKeys: string[]
  vatBp: BasisPoints | null
  surchargeBp: BasisPoints | null
  withholdingBp: BasisPoints | null
  /** Net of discount; the sign is the document's. */
  netCents: Cents
}

/**
 * A document of the other side. Amounts are minor units of its own currency with two decimals, and the sign is applied: a
 * refund is negative. `total` is what is paid: net + tax + surcharge - withholding.
 */
export interface NeutralDocument extends RecordHead {
  record: 'document'
  side: 'issued' | 'received'
  docKind: 'invoice' | 'simplified' | 'rectifying' | 'refund'
  /** Null while it is a draft. */
  number: string | null
  /** Of a received one: the supplier's own. */
  supplierNumber: string | null
  /** Day in Spain. Null only while it is a draft without one. */
  issueDate: BusinessDate | null
  dueDate: BusinessDate | null
  party: { externalId: string | null; name: string; taxId: string | null }
  description: string | null
  /** ISO 4217. */
  currency: string
  /** Units of the currency for 1 euro, as decimal text; "1" for euros, null when unknown. */
  fxRate: string | null
  netCents: Cents
  /** VAT alone. */
  taxCents: Cents
  surchargeCents: Cents
  withholdingCents: Cents
  totalCents: Cents
  paidCents: Cents | null
  pendingCents: Cents | null
  /** In euros, by the document's own rate; null when that is not known. */
  eur: { netCents: Cents; taxCents: Cents; totalCents: Cents } | null
  state: 'draft' | 'approved' | 'cancelled'
  paymentState: 'unpaid' | 'partial' | 'paid' | 'unknown'
  lines: NeutralLine[]
  amountCheck: 'ok' | 'failed' | 'skipped'
}

export interface NeutralItem extends RecordHead {
  record: 'item'
  kind: 'product' | 'service' | 'variant'
  name: string
  sku: string | null
  barcode: string | null
  description: string | null
  /** Without tax. */
  unitPrice: Micro | null
  cost: Micro | null
  currency: string
  vatBp: BasisPoints | null
  taxKeys: string[]
  archived: boolean
  parentExternalId: string | null
}

export type NeutralRecord = NeutralContact | NeutralDocument | NeutralItem

/** What is known of the calls left. */
export interface Quota {
  monthUsed: number | null
  monthLimit: number | null
}

export interface Provider {
  /** Where it always is; null where each has an address of its own. */
  readonly fixedAddress: string | null
  describe(): ProviderDescription
  /** Calls that reading so many rows of a resource will probably take. */
  estimate(resource: Resource, rows: number): number
  /**
   * Looks at what a key opens, with as few calls as can be. Throws `erp_key_rejected` at the first refusal, `erp_plan_required`,
   * `erp_unavailable`, `erp_rate_limited`, `erp_quota_exhausted`, `erp_protocol_error`. Missing permissions are told, not thrown.
   */
  verify(ctx: ProviderCtx): Promise<Verified>
  /**
   * One page. Throws `erp_key_rejected`, `erp_permission_missing`, `erp_unavailable`, `erp_rate_limited`,
   * `erp_quota_exhausted`, `erp_protocol_error`, `erp_bad_paging`; `CursorRefused` when the resource must begin again.
   */
  pull(step: Step, ctx: ProviderCtx): Promise<Page>
  /** The account's own meter; null where there is none or the key may not read it. One call at most. */
  quota(ctx: ProviderCtx): Promise<Quota | null>
}

/** The other side takes this cursor no more: the resource begins again, once. */
export class CursorRefused extends Error {
  override readonly name = 'CursorRefused'
}
