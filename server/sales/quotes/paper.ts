/** Facts of a quote's document; the PDF slice renders it like an invoice without number, record or QR. */
import type { DraftContent } from '../invoices/index.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Totals } from '../../domain/tax/totals.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type { Ctx } from '../../context.ts'
import { composeQuote, contentOfRow } from './content.ts'
import type { previewQuoteContract, QuoteKind } from './contract.ts'
import { resolveQuote } from './rows.ts'

export interface QuotePaperFacts {
  document: QuoteKind
  id: string
  /** Null until it is first sent. */
  number: string | null
  /** 1 for the first, higher after a sent document was changed. */
  revision: number
  isDraft: boolean
  date: BusinessDate
  validUntil: BusinessDate | null
  /** Of a delivery note: quantities only. */
  hidePrices: boolean
  content: DraftContent
  /** In the document's own currency. */
  totals: Totals
  /** Creation date of the document, so that equal input gives equal bytes. */
  createdAt: string
}

/** Returns the facts of a quote's document, by identifier or number. */
export async function quotePaperFacts(ctx: Ctx, idOrNumber: string): Promise<QuotePaperFacts> {
  const row = await resolveQuote(ctx, idOrNumber)
  const { content, totals } = await contentOfRow(ctx, row)
  return {
    document: row.kind,
    id: row.public_id,
    number: row.number,
    revision: row.revision,
    isDraft: row.state === 'draft',
    date: row.date,
    validUntil: row.valid_until,
    hidePrices: row.hide_prices === 1,
    content,
    totals,
    createdAt: new Date(row.updated_at).toISOString(),
  }
}

/**
 * Returns the facts of a quote that is being edited; its sent version is the previous revision. Throws
 * `validation_failed`.
 */
export async function unsavedPaperFacts(
  ctx: Ctx,
  input: ContractInput<typeof previewQuoteContract>,
): Promise<QuotePaperFacts> {
  const { id, kind, date: day, validUntil = null, hidePrices = false, ...entered } = input
  const row = id === undefined ? null : await resolveQuote(ctx, id)
  const date = day ?? row?.date ?? ctx.today()
  const { content, totals } = await composeQuote(ctx, entered, date)
  return {
    document: row?.kind ?? kind ?? 'quote',
    id: row?.public_id ?? 'quote',
    number: row?.number ?? null,
    revision: row === null ? 1 : row.revision + (row.state === 'draft' ? 0 : 1),
    isDraft: true,
    date,
    validUntil,
    hidePrices,
    content,
    totals,
    createdAt: ctx.now().toISOString(),
  }
}
