/** Answers of quotes: converts rows to the shapes of the contract. */
import { breakdownView, lineViews, partyView, withholdingView } from '../invoices/index.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { eurosFromCents, numberFromMicro, percentFromBasisPoints } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { contentOfRow } from './content.ts'
import type { Quote, QuoteAction, QuoteConversion, QuoteState, QuoteSummary } from './contract.ts'
import { openLines, outstandingDeposits } from './open.ts'
import { conversionsOf, inForce } from './rows.ts'
import type { ConversionRow, QuoteRow } from './rows.ts'

/** Columns of a row that a summary needs. */
export type SummaryRow = Pick<
  QuoteRow,
  | 'public_id'
  | 'kind'
  | 'number'
  | 'state'
  | 'date'
  | 'valid_until'
  | 'client_name'
  | 'client_nif'
  | 'currency'
  | 'base_cents'
  | 'tax_cents'
  | 'total_cents'
  | 'revision'
  | 'version'
  | 'created_at'
> & { is_invoiced: number; invoices: number }

/** Returns the state on a day: an unanswered offer expires, and a fully invoiced quote is invoiced. */
function stateOf(
  row: Pick<SummaryRow, 'state' | 'valid_until' | 'is_invoiced'>,
  today: BusinessDate,
): QuoteState {
  if (row.is_invoiced === 1) return 'invoiced'
  if (row.state === 'sent' && row.valid_until !== null && row.valid_until < today) return 'expired'
  return row.state
}

export function quoteSummary(row: SummaryRow, today: BusinessDate): QuoteSummary {
  return {
    id: row.public_id,
    kind: row.kind,
    number: row.number,
    state: stateOf(row, today),
    date: row.date,
    validUntil: row.valid_until,
    clientName: row.client_name,
    clientNif: row.client_nif,
    currency: row.currency,
    base: eurosFromCents(row.base_cents),
    tax: eurosFromCents(row.tax_cents),
    total: eurosFromCents(row.total_cents),
    invoices: row.invoices,
    revision: row.revision,
    version: row.version,
    createdAt: new Date(row.created_at).toISOString(),
  }
}

function conversionView(row: ConversionRow): QuoteConversion {
  return {
    invoiceId: row.invoiceId,
    number: row.number,
    state: row.isCancelled ? 'cancelled' : row.state,
    kind: row.kind,
    ...(row.percentBp === null ? {} : { percentage: percentFromBasisPoints(row.percentBp) }),
    total: eurosFromCents(row.totalCents),
    at: new Date(row.createdAt).toISOString(),
  }
}

function actionsOf(row: QuoteRow, state: QuoteState, invoiced: boolean): QuoteAction[] {
  const actions: QuoteAction[] = ['pdf', 'duplicate']
  if (!invoiced) actions.push('edit', 'delete')
  if (state === 'invoiced') return actions
  if (state !== 'sent' && !invoiced) actions.push('send')
  if (row.kind !== 'delivery_note' && !invoiced) {
    if (state !== 'accepted') actions.push('accept')
    if (state !== 'rejected') actions.push('reject')
  }
  actions.push('convert')
  if (row.kind !== 'delivery_note') actions.push('deposit')
  return actions
}

async function revisionsOf(ctx: Ctx, quoteId: number): Promise<Quote['revisions']> {
  const rows = await ctx.db
    .selectFrom('quote_revisions')
    .select(['revision', 'date', 'total_cents', 'replaced_at'])
    .where('quote_id', '=', quoteId)
    .orderBy('revision')
    .execute()
  return rows.map((row) => ({
    revision: row.revision,
    date: row.date,
    total: eurosFromCents(row.total_cents),
    replacedAt: new Date(row.replaced_at).toISOString(),
  }))
}

/** Returns one quote with its invoices. */
export async function quoteView(ctx: Ctx, row: QuoteRow, assumptions?: Quote['assumptions']): Promise<Quote> {
  const { input, content, totals } = await contentOfRow(ctx, row)
  const conversions = await conversionsOf(ctx, row.id)
  const counting = inForce(conversions)
  const open = openLines(content, counting)
  const deposits = [...outstandingDeposits(counting).values()].reduce((sum, cents) => sum + cents, 0)
  const isInvoiced = counting.length > 0 && open.every((line) => !line.isOpen) ? 1 : 0
  const withholding = withholdingView(totals)
  const summary = quoteSummary({ ...row, is_invoiced: isInvoiced, invoices: conversions.length }, ctx.today())
  const self = `/api/v1/quotes/${row.public_id}`
  return {
    ...summary,
    hidePrices: row.hide_prices === 1,
    lines: lineViews(content, totals).map((line, position) => {
      const left = open[position]?.quantityMicro ?? 0
      return {
        ...line,
        invoiced: numberFromMicro((content.lines[position]?.quantityMicro ?? 0) - left),
        open: numberFromMicro(left),
      }
    }),
    taxBreakdown: breakdownView(totals),
    surcharge: eurosFromCents(totals.surchargeCents),
    disbursements: eurosFromCents(totals.disbursementsCents),
    ...(withholding ? { withholding } : {}),
    amountDue: eurosFromCents(totals.amountDueCents),
    client: partyView(content.client),
    clientId: row.contact_public_id,
    priceMode: content.priceMode,
    discountPct: content.discountBp === 0 ? null : percentFromBasisPoints(content.discountBp),
    discountAmount: content.discountCents === 0 ? null : eurosFromCents(content.discountCents),
    fxRate: content.currency ? numberFromMicro(content.currency.fxMicro) : null,
    notes: content.notes,
    language: content.language,
    paymentMethod: input.paymentMethod ?? null,
    externalRef: content.externalRef,
    content: input,
    conversions: conversions.map(conversionView),
    deposits: eurosFromCents(deposits),
    revisions: await revisionsOf(ctx, row.id),
    ...(row.sent_at === null ? {} : { sentAt: new Date(row.sent_at).toISOString() }),
    ...(row.decided_at === null ? {} : { decidedAt: new Date(row.decided_at).toISOString() }),
    actions: actionsOf(row, summary.state, counting.length > 0),
    links: { self, pdf: `${self}/pdf` },
    ...(assumptions ? { assumptions } : {}),
  }
}
