/** Content of an invoice as one plain value: it is composed, checked, hashed, stored and rendered in this form. */
import { createHash } from 'node:crypto'
import type { Mode } from '../../context.ts'
import { defaultSeriesCode } from '../../company/series/index.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { instalmentAmounts, instalmentsInEuros } from '../../domain/tax/instalments.ts'
import type { Instalment, InstalmentAmount } from '../../domain/tax/instalments.ts'
import type { LineSupply } from '../../domain/tax/line-supply.ts'
import { divideRounded } from '../../domain/money.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import { computeTotals, inEuros } from '../../domain/tax/totals.ts'
import type { PriceMode, Totals, TotalsLine } from '../../domain/tax/totals.ts'
import { legalMentions, thirdPartyMention } from '../../tax/rules/index.ts'
import { taxSystemOfCode } from '../../tax/systems/index.ts'
import type { TaxCode } from '../../tax/systems/index.ts'
import type { InvoiceKind, RectificationCause } from './contract.ts'
import { header } from './fields.ts'
import type { HeaderValues } from './fields.ts'
import { isRectifying, seriesKindOf } from './kinds.ts'
import type { LaterFigure } from './draft/draft-input.ts'
import type { PartyFacts } from './draft/parties.ts'

export interface DraftLine extends TotalsLine {
  description: string
  unit: string | null
  /**
   * Reason why it is exempt, not subject or under reverse charge (a cause of the tax slice); null when the treatment
   * is enough.
   */
  cause: string | null
  /** Public id of the item the line comes from. */
  itemId: string | null
  /** Ledger account of the sale; null for the usual one. */
  account: string | null
  /** Absent where nobody has said it: the hash of an issued content has no such field. */
  supply?: LineSupply
  /**
   * Figures left for later, which count as 0. Absent when there are none: the hash of an issued content has no such
   * field.
   */
  missing?: readonly LaterFigure[]
}

/** Invoice named by this one: rectified by it, or a simplified one that it replaces. */
export interface InvoiceReferenceFacts {
  role: 'rectifies' | 'substitutes'
  /** Row of this book; null for an invoice of another program. */
  targetId: number | null
  /** As printed. */
  number: string
  issueDate: BusinessDate
}

export interface RectificationFacts {
  method: 'S' | 'I'
  cause: RectificationCause | null
  reason: string | null
  /** With S: sums of the rectified invoices; null with I. */
  rectified: { baseCents: Cents; taxCents: Cents; surchargeCents: Cents | null } | null
}

/** Tax of an invoice, by the registry's list. */
export type InvoiceTaxCode = TaxCode

/** Currency other than the euro, with the rate that converts its amounts to euros (RD 1619/2012 art. 12.1). */
export interface Currency {
  code: string
  /** Units for one euro, in millionths. */
  fxMicro: Micro
  fxDate: BusinessDate | null
  fxSource: string | null
}

export interface DraftContent extends HeaderValues {
  kind: InvoiceKind
  tax: InvoiceTaxCode
  /** Null: the default series of its kind and year. */
  seriesCode: string | null
  /** Null: the day of issue. */
  issueDate: BusinessDate | null
  client: PartyFacts
  /** Public id of the contact it is addressed to. */
  contactId: string | null
  priceMode: PriceMode
  /** Of the whole document. */
  discountBp: BasisPoints
  discountCents: Cents
  /** Null: euros. */
  currency: Currency | null
  withholdingBp: BasisPoints | null
  /** Several due dates; null for one, or none. `dueDate` is then the first of them. */
  instalments: readonly Instalment[] | null
  /**
   * True for an invoice issued by an earlier build, whose stored withholding base follows that build's rounding (see
   * `TotalsOptions`).
   */
  roundsWithholdingOnce?: true
  lines: DraftLine[]
  /** Required for R1 to R5, null for other kinds. */
  rectification: RectificationFacts | null
  references: readonly InvoiceReferenceFacts[]
  /** Euros already requested by the invoices that this one replaces: they reduce the amount due. */
  replacedCents: Cents
  /** For a rent of business premises. */
  property: { situation: '1' | '2' | '3' | '4'; cadastralRef: string | null } | null
}

/** Values of the fields that most invoices leave empty. */
export const PLAIN_CONTENT = {
  ...header.empty,
  tax: '01',
  seriesCode: null,
  contactId: null,
  priceMode: 'net',
  discountBp: 0,
  discountCents: 0,
  currency: null,
  withholdingBp: null,
  instalments: null,
  rectification: null,
  references: [],
  replacedCents: 0,
  property: null,
} as const satisfies Partial<DraftContent>

/** The same of a line: one unit, taxed, without discount. */
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

/** Computes the totals in the document's own currency, as its paper shows them. */
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

/** Computes the totals in euros, as they are registered, booked and owed. */
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

/** Converts euros to the currency of the document. */
function inDocumentCurrency({ currency }: Pick<DraftContent, 'currency'>, cents: Cents): Cents {
  if (currency === null) return cents
  return Number(divideRounded(BigInt(cents) * BigInt(currency.fxMicro), 1_000_000n))
}

/** Returns what is to be paid of an invoice, in its own currency and in euros. */
export function payableOf(content: DraftContent, totals: Totals): { shown: Cents; euros: Cents } {
  const shown = content.currency ? documentTotals(content) : totals
  return {
    shown: shown.amountDueCents - inDocumentCurrency(content, content.replacedCents),
    euros: totals.amountDueCents - content.replacedCents,
  }
}

/** Returns the instalments in the currency of the document, as its paper shows them; empty for one due date. */
export function shownInstalments(content: DraftContent, totals: Totals): InstalmentAmount[] {
  return content.instalments === null
    ? []
    : instalmentAmounts(content.instalments, payableOf(content, totals).shown)
}

/** Returns the instalments in euros, as they are owed; empty for one due date. */
export function owedInstalments(content: DraftContent, totals: Totals): InstalmentAmount[] {
  const amounts = shownInstalments(content, totals)
  const { shown, euros } = payableOf(content, totals)
  return content.currency ? instalmentsInEuros(amounts, shown, euros) : amounts
}

/** Returns the series of an invoice: its own, else the default one of its kind and year. */
export function seriesCodeOf(content: DraftContent, mode: Mode, issueDate: BusinessDate): string {
  return (
    content.seriesCode ?? defaultSeriesCode(mode, seriesKindOf(content.kind), Number(issueDate.slice(0, 4)))
  )
}

/**
 * Facts that the hash binds besides the content; series and date are settled, so that an issued row gives the same
 * hash.
 */
interface HashContext {
  issuer: PartyFacts
  seriesCode: string
  issueDate: BusinessDate
  environment: string
}

/**
 * Returns the SHA-256 of everything that the registry and the customer see. A confirmation token is bound to it, and
 * an issued invoice stores it: any later change of the stored facts becomes visible.
 */
export function contentHash(content: DraftContent, totals: Totals, context: HashContext): Buffer {
  const {
    contactId: _contactId,
    roundsWithholdingOnce: _rule,
    instalments,
    lines,
    references,
    ...hashed
  } = content
  const shown: Partial<typeof hashed> = hashed
  for (const name of header.unhashed(content)) delete shown[name]
  // Facts known to these books alone (contact, item, account, row) are not part of what the customer sees.
  const shownLines = lines.map(({ itemId: _itemId, account: _account, ...line }) => line)
  const shownReferences = references.map(({ targetId: _targetId, ...reference }) => reference)
  return createHash('sha256')
    .update(
      canonicalJson({
        version: 1,
        ...shown,
        lines: shownLines,
        references: shownReferences,
        // Absent without instalments, as in the hash of older documents.
        ...(instalments === null ? {} : { instalments }),
        ...context,
        totals,
      }),
    )
    .digest()
}

/**
 * Returns the legal mentions that the tax of the operations requires (RD 1619/2012 art. 6.1), in the order of the breakdown, each once; a line's own cause is more specific than its
 * treatment. After them: who issued the invoice, when it was not the company.
 */
export function mentionsOf(content: DraftContent, totals: Totals): string[] {
  const inOrder: DraftLine[] = []
  for (const { taxTreatment, regimeKey } of totals.taxes)
    for (const line of content.lines)
      if (!line.isDisbursement && line.taxTreatment === taxTreatment && line.regimeKey === regimeKey)
        inOrder.push(line)
  const { issuedBy, language, client } = content
  const day = content.operationDate ?? content.issueDate
  const mentions = legalMentions(inOrder, {
    language,
    customerCountry: client.country,
    selfBilled: issuedBy?.kind === 'recipient',
    system: taxSystemOfCode(content.tax),
    ...(day === null ? {} : { date: day }),
  })
  if (issuedBy?.kind === 'third_party' && issuedBy.name !== null)
    mentions.push(thirdPartyMention({ name: issuedBy.name, nif: issuedBy.nif }, language))
  return mentions
}

/**
 * Returns the day of the operation, else that of the issue (LIVA art. 75): the invoice counts in its month. The
 * changes of a rectifying invoice count in the period of its own issue (LIVA arts. 89.Cinco and 114.Dos), whatever
 * operation date it states.
 */
export function accrualDateOf(invoice: {
  kind: InvoiceKind
  operationDate: BusinessDate | null
  issueDate: BusinessDate
}): BusinessDate {
  if (isRectifying(invoice.kind)) return invoice.issueDate
  return invoice.operationDate ?? invoice.issueDate
}
