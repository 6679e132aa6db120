/**
 * Port of accounting systems: one step at a time, neutral records, a fixed list of errors. A provider has no state
 * and no database: it returns notes with everything that it must remember between two steps.
 */
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import type { ErpHttp } from './connection/http.ts'

/** In the order of a run: documents name contacts, and documents matter more than the catalogue. */
export const RESOURCES = ['contacts', 'issued', 'received', 'catalogue'] as const
export type Resource = (typeof RESOURCES)[number]

/** Accounting comes first; systems of other trades can follow as kinds of their own. */
type ProviderKind = 'accounting' | 'hotel' | 'restaurant' | 'clinic'

interface CredentialField {
  name: 'erpApiKey' | 'baseUrl' | 'database'
  secret: boolean
  required: boolean
}

export interface ProviderDescription {
  id: string
  kind: ProviderKind
  /** Name as its maker writes it. */
  label: string
  fields: readonly CredentialField[]
  capabilities: {
    /** `updatedAt`: changes can be queried; `none`: only reading the days again shows them. */
    incremental: 'none' | 'updatedAt'
    catalogue: boolean
    creditNotes: boolean
    receipts: boolean
    quotaMeter: boolean
    /** `ids`: the remaining records can be queried cheaply. */
    deletes: 'none' | 'ids'
  }
  /** Permissions that a key must have, by the provider's own names. */
  requiredScopes: readonly string[]
  /** Optional permissions: they add features, but nothing fails without them. */
  usefulScopes: readonly string[]
  /** Monthly calls of its smallest plan; null without a limit. */
  smallestMonthlyQuota: number | null
}

/** Credentials of an account. `secret` is never logged, stored in the clear or returned. */
export interface Credentials {
  secret: string
  /** Address of a self-hosted system, without a trailing slash; null where the provider's address is fixed. */
  baseUrl: string | null
  database: string | null
  /** The chosen company of several in the account; null while there is only one. */
  accountId: string | null
}

/** Notes that the connection stores for its provider between steps; plain JSON, small. */
export type Notes = Readonly<Record<string, unknown>>

export interface ProviderCtx {
  http: ErpHttp
  credentials: Credentials
  notes: Notes
  today: BusinessDate
}

/** Facts about the account behind a key, and the key's permissions. */
export interface Verified {
  accountName: string | null
  /** Spanish tax number without prefix and separators. */
  accountTaxId: string | null
  apiFlavour: string
  granted: string[]
  missing: string[]
  /** Records found during the check, by which an account without a name is recognized. */
  samples: { externalKind: string; externalId: string }[]
  /** Companies to choose from; empty unless a choice is needed. */
  accounts: { id: string; name: string; taxId: string | null }[]
  notes: Notes
}

/** Dates of the documents that a pass covers, both included. */
export interface Window {
  from: BusinessDate
  to: BusinessDate
}

export interface Step {
  resource: Resource
  /** Returned by the previous step; null to begin. */
  cursor: string | null
  /** Used for documents only. */
  window: Window | null
  /** Limits the pass to changes since then, by the provider's own clock; null for everything in the window. */
  since: string | null
}

export interface Page {
  records: NeutralRecord[]
  rejects: Reject[]
  /** Records that still exist, without further facts. */
  present: { externalKind: string; externalId: string }[]
  /** Null when the resource is complete. */
  nextCursor: string | null
  /**
   * Position to continue from when every record of this page was already seen in this run: for lists that repeat
   * themselves instead of ending. Absent where a repetition is an error.
   */
  repeatedCursor?: string | null
  /** Kinds of record that this account or key may not read: their absence from the pass means nothing. */
  unread?: readonly string[]
  /**
   * Reason why the paging is not credible: the rows are kept, the resource ends as incomplete, and unseen records do
   * not count as deleted.
   */
  broken?: 'missing_cursor' | 'same_cursor' | 'empty_page'
  /** Number of rows in the answer. */
  rawCount: number
  /** Start of the next incremental pass, by the provider's clock; absent while unknown. */
  mark?: string
  notes?: Notes
}

/** A row that could not be read. It is stored and shown, and the page continues. */
export interface Reject {
  externalKind: string
  externalId: string | null
  /** Position in the page, from 0. */
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
  /** The provider's own kind; with the identifier it names the record permanently. */
  externalKind: string
  /** Version of the record shape, so that a new interpretation counts as a change. */
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
 * An external document. Amounts are minor units of its own currency with two decimals, with the sign applied: a
 * refund is negative. `total` is the amount due: net + tax + surcharge - withholding.
 */
export interface NeutralDocument extends RecordHead {
  record: 'document'
  side: 'issued' | 'received'
  docKind: 'invoice' | 'simplified' | 'rectifying' | 'refund'
  /** Null only for a draft. */
  number: string | null
  /** The supplier's own number, for received documents. */
  supplierNumber: string | null
  /** Date in Spain. Null only for a draft without one. */
  issueDate: BusinessDate | null
  dueDate: BusinessDate | null
  party: { externalId: string | null; name: string; taxId: string | null }
  description: string | null
  /** ISO 4217. */
  currency: string
  /** Units of the currency for 1 euro, as decimal text; "1" for euros, null when unknown. */
  fxRate: string | null
  netCents: Cents
  /** VAT only. */
  taxCents: Cents
  surchargeCents: Cents
  withholdingCents: Cents
  totalCents: Cents
  paidCents: Cents | null
  pendingCents: Cents | null
  /** In euros, by the document's own rate; null when that is unknown. */
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

/** Known facts about the remaining calls. */
export interface Quota {
  monthUsed: number | null
  monthLimit: number | null
}

export interface Provider {
  /** The fixed address of the provider; null where each account has its own. */
  readonly fixedAddress: string | null
  describe(): ProviderDescription
  /** Returns the calls that reading so many rows of a resource will probably take. */
  estimate(resource: Resource, rows: number): number
  /**
   * Checks what a key opens, with as few calls as possible. Throws `erp_key_rejected` at the first refusal,
   * `erp_plan_required`, `erp_unavailable`, `erp_rate_limited`, `erp_quota_exhausted`, `erp_protocol_error`. Missing
   * permissions are returned, not thrown.
   */
  verify(ctx: ProviderCtx): Promise<Verified>
  /**
   * Reads one page. Throws `erp_key_rejected`, `erp_permission_missing`, `erp_unavailable`, `erp_rate_limited`,
   * `erp_quota_exhausted`, `erp_protocol_error`, `erp_bad_paging`; `CursorRefused` when the resource must begin
   * again.
   */
  pull(step: Step, ctx: ProviderCtx): Promise<Page>
  /** Reads the account's own meter with at most one call; null where there is none or the key may not read it. */
  quota(ctx: ProviderCtx): Promise<Quota | null>
}

/** The external system no longer accepts this cursor: the resource begins again, once. */
export class CursorRefused extends Error {
  override readonly name = 'CursorRefused'
}
