/** What a draft says, in one plain value: the form in which it is composed, checked, hashed, stored and drawn. */
import { createHash } from 'node:crypto'
import type { Mode } from '../ctx.ts'
import { defaultSeriesCode } from '../series/index.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { BusinessDate } from '../core/dates.ts'
import type { BasisPoints } from '../core/money.ts'
import { computeTotals } from '../core/totals.ts'
import type { PriceMode, Totals, TotalsLine } from '../core/totals.ts'
import type { InvoiceKind } from './contract.ts'
import type { PartyFacts } from './parties.ts'

export interface DraftLine extends TotalsLine {
  description: string
  unit: string | null
}

export interface DraftContent {
  kind: InvoiceKind
  /** Null: the default series of its kind and year. */
  seriesCode: string | null
  /** Null: the day of issue. */
  issueDate: BusinessDate | null
  operationDate: BusinessDate | null
  dueDate: BusinessDate | null
  client: PartyFacts
  /** Public id of the contact it was made for. */
  contactId: string | null
  priceMode: PriceMode
  withholdingBp: BasisPoints | null
  lines: DraftLine[]
  simplifiedArt7273: boolean
  notes: string | null
  language: 'es' | 'en'
  paymentMethod: string | null
  externalRef: string | null
}

/** Totals of a draft. */
export function totalsOf(content: DraftContent): Totals {
  return computeTotals(content.lines, {
    priceMode: content.priceMode,
    withholdingRateBp: content.withholdingBp,
  })
}

/** The series an invoice of this content stands in: its own, else the default one of its kind and year. */
export function seriesCodeOf(content: DraftContent, mode: Mode, issueDate: BusinessDate): string {
  const kind = content.kind === 'F2' ? 'simplified' : 'ordinary'
  return content.seriesCode ?? defaultSeriesCode(mode, kind, Number(issueDate.slice(0, 4)))
}

/** What the hash binds besides the content itself; with series and date settled, so that an issued row gives it again. */
export interface HashContext {
  issuer: PartyFacts
  seriesCode: string
  issueDate: BusinessDate
  environment: string
}

/**
 * SHA-256 over everything the registry and the customer will see. A confirmation token is bound to it, and an issued
 * invoice keeps it: any later change of the stored facts would show.
 */
export function contentHash(content: DraftContent, totals: Totals, context: HashContext): Buffer {
  const { contactId: _contactId, ...shown } = content
  return createHash('sha256')
    .update(canonicalJson({ version: 1, ...shown, ...context, totals }))
    .digest()
}
