/** What a draft says, in one plain value: the form in which it is composed, checked, hashed, stored and drawn. */
import { createHash } from 'node:crypto'
import type { Mode } from '../../context.ts'
import { defaultSeriesCode } from '../../company/series/index.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import { computeTotals, inEuros } from '../../domain/tax/totals.ts'
import type { PriceMode, Totals, TotalsLine } from '../../domain/tax/totals.ts'
import type { InvoiceKind, RectificationCause } from './contract.ts'
import type { LaterFigure } from './draft/draft-input.ts'
import type { PartyFacts } from './draft/parties.ts'

export interface DraftLine extends TotalsLine {
  description: string
  unit: string | null
  /** Why it is exempt, not subject or under reverse charge (a cause of the tax slice); null when the treatment says enough. */
  cause: string | null
  /** Public id of the item it was made from. */
  itemId: string | null
  /** Ledger account of the sale; null for the usual one. */
  account: string | null
  /** Figures still to be given, which count as 0. Absent when none is: the hash of an issued content has no such field. */
  missing?: readonly LaterFigure[]
}

/** An invoice named by this one: rectified by it, or a simplified one it stands for. */
export interface InvoiceReferenceFacts {
  role: 'rectifies' | 'substitutes'
  /** Row of this book; null for an invoice made elsewhere. */
  targetId: number | null
  /** As printed. */
  number: string
  issueDate: BusinessDate
}

export interface RectificationFacts {
  method: 'S' | 'I'
  cause: RectificationCause | null
  reason: string | null
  /** With S: what the rectified invoices said; null with I. */
  rectified: { baseCents: Cents; taxCents: Cents; surchargeCents: Cents | null } | null
}

/** Which tax an invoice bears, in the registry's list: 01 IVA, 02 IPSI, 03 IGIC. */
export type InvoiceTaxCode = '01' | '02' | '03'

/** What the customer calls it by, so that its books find it; at least one is there. */
interface CustomerReferences {
  order: string | null
  contract: string | null
  /** Of a public tender (expediente de contratación). */
  file: string | null
}

/** A currency other than the euro, with the rate its amounts are turned into euros by (RD 1619/2012 art. 12.1). */
export interface Currency {
  code: string
  /** Units for one euro, in millionths. */
  fxMicro: Micro
  fxDate: BusinessDate | null
  fxSource: string | null
}

export interface DraftContent {
  kind: InvoiceKind
  tax: InvoiceTaxCode
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
  /** Of the whole document. */
  discountBp: BasisPoints
  discountCents: Cents
  /** Null: euros. */
  currency: Currency | null
  withholdingBp: BasisPoints | null
  /** Of an invoice that an earlier build issued, whose kept base is rounded by its rule (see `TotalsOptions`). */
  roundsWithholdingOnce?: true
  lines: DraftLine[]
  /** Of R1 to R5 only, and always there. */
  rectification: RectificationFacts | null
  references: readonly InvoiceReferenceFacts[]
  /** Euros that the invoices in whose place it stands asked to be paid already: they are taken off what is due. */
  replacedCents: Cents
  /** Of a rent of business premises. */
  property: { situation: '1' | '2' | '3' | '4'; cadastralRef: string | null } | null
  simplifiedArt7273: boolean
  notes: string | null
  language: DocumentLanguage
  paymentMethod: string | null
  externalRef: string | null
  customerReferences: CustomerReferences | null
}

/** What most invoices have nothing of. */
export const PLAIN_CONTENT = {
  tax: '01',
  seriesCode: null,
  operationDate: null,
  contactId: null,
  priceMode: 'net',
  discountBp: 0,
  discountCents: 0,
  currency: null,
  withholdingBp: null,
  rectification: null,
  references: [],
  replacedCents: 0,
  property: null,
  simplifiedArt7273: false,
  notes: null,
  language: 'es',
  paymentMethod: null,
  externalRef: null,
  customerReferences: null,
} as const satisfies Partial<DraftContent>

/** The same of a line: one thing, taxed, at no discount. */
export const PLAIN_LINE = {
  quantityMicro: 1_000_000,
  unit: null,
  discountBp: 0,
  discountCents: 0,
  taxTreatment: 'S1',
  regimeKey: '01',
  surchargeRateBp: null,
  costCents: null,
  withholdable: true,
  isDisbursement: false,
  cause: null,
  itemId: null,
  account: null,
} as const satisfies Partial<DraftLine>

export function isRectifying(kind: InvoiceKind): boolean {
  return kind.startsWith('R')
}

/**
 * Rectified because the customer does not pay (R2, R3): the VAT is recovered from the Treasury, and the price without it
 * is still owed (LIVA art. 80.Tres, Cuatro and Cinco).
 */
export function keepsClaim(kind: InvoiceKind): boolean {
  return kind === 'R2' || kind === 'R3'
}

/** Kinds that are registered without their customer. */
export function isSimplified(kind: InvoiceKind): boolean {
  return kind === 'F2' || kind === 'R5'
}

/** The kind of series that invoices of a kind stand in (RD 1619/2012 art. 6.1.a: rectifying ones have their own). */
export function seriesKindOf(kind: InvoiceKind): 'ordinary' | 'simplified' | 'rectifying' {
  if (isRectifying(kind)) return 'rectifying'
  return kind === 'F2' ? 'simplified' : 'ordinary'
}

/** Totals of a document in its own currency: what its paper shows. */
export function documentTotals(
  content: Pick<
    DraftContent,
    'lines' | 'priceMode' | 'withholdingBp' | 'discountBp' | 'discountCents' | 'roundsWithholdingOnce'
  >,
): Totals {
  return computeTotals(content.lines, {
    priceMode: content.priceMode,
    withholdingRateBp: content.withholdingBp,
    discountBp: content.discountBp,
    discountCents: content.discountCents,
    roundsWithholdingOnce: content.roundsWithholdingOnce === true,
  })
}

/** Totals in euros: what is registered, booked and owed. */
export function totalsOf(
  content: Pick<
    DraftContent,
    | 'lines'
    | 'priceMode'
    | 'withholdingBp'
    | 'discountBp'
    | 'discountCents'
    | 'currency'
    | 'roundsWithholdingOnce'
  >,
): Totals {
  const totals = documentTotals(content)
  return content.currency ? inEuros(totals, content.currency.fxMicro, content.roundsWithholdingOnce) : totals
}

/** The series an invoice of this content stands in: its own, else the default one of its kind and year. */
export function seriesCodeOf(content: DraftContent, mode: Mode, issueDate: BusinessDate): string {
  return (
    content.seriesCode ?? defaultSeriesCode(mode, seriesKindOf(content.kind), Number(issueDate.slice(0, 4)))
  )
}

/** What the hash binds besides the content itself; with series and date settled, so that an issued row gives it again. */
interface HashContext {
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
  const { contactId: _contactId, roundsWithholdingOnce: _rule, lines, references, ...shown } = content
  // What only these books know (contact, item, account, row) is not part of what was shown.
  const shownLines = lines.map(({ itemId: _itemId, account: _account, ...line }) => line)
  const shownReferences = references.map(({ targetId: _targetId, ...reference }) => reference)
  return createHash('sha256')
    .update(
      canonicalJson({
        version: 1,
        ...shown,
        lines: shownLines,
        references: shownReferences,
        ...context,
        totals,
      }),
    )
    .digest()
}
