/** Creates, changes, sends, decides and copies quotes. A quote gets its number once, before anyone else sees it. */
import { recordAudit } from '../../platform/audit/index.ts'
import { softDelete } from '../../platform/trash/index.ts'
import { markContactUsed } from '../../catalog/contacts/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { searchText } from '../../domain/text.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { ensureQuoteSeries, takeNumber } from '../../company/series/index.ts'
import { composeQuote, inputOfRow } from './content.ts'
import type { ComposedQuote } from './content.ts'
import type {
  createQuoteContract,
  deleteQuoteContract,
  duplicateQuoteContract,
  QuoteContentInput,
  QuoteKind,
  setQuoteStateContract,
  updateQuoteContract,
} from './contract.ts'
import { conversionsOf, inForce, quoteToChange, resolveQuote } from './rows.ts'
import type { QuoteRow } from './rows.ts'
import { quoteView } from './view.ts'

/** Writes the history and notifies the window. */
export async function recordQuoteChange(
  tx: Ctx,
  action: string,
  row: Pick<QuoteRow, 'public_id' | 'number' | 'client_name'>,
): Promise<void> {
  await recordAudit(tx, {
    action,
    target: { type: 'quote', id: row.public_id, label: row.number ?? row.client_name },
  })
  await emitEvent(tx, 'quote.changed', { quoteId: row.public_id })
}

function searchOf(content: ComposedQuote['content'], number: string | null): string {
  return searchText([content.client.name, content.client.nif, number].filter(Boolean).join(' '))
}

function columnsOf({ input, content, totals, contactRowId }: ComposedQuote, number: string | null) {
  return {
    contact_id: contactRowId,
    client_name: content.client.name,
    client_nif: content.client.nif,
    search: searchOf(content, number),
    content: JSON.stringify(input),
    currency: content.currency?.code ?? 'EUR',
    base_cents: totals.baseCents,
    tax_cents: totals.taxCents,
    total_cents: totals.totalCents,
  }
}

function assertValidity(date: BusinessDate, validUntil: BusinessDate | null): void {
  if (validUntil !== null && validUntil < date)
    throw validationFailed([
      {
        code: 'valid_until_before_date',
        field: 'validUntil',
        severity: 'error',
        message: 'The last day is before the day of the document.',
        fix: 'Choose a later day, or none.',
      },
    ])
}

interface NewQuote {
  kind: QuoteKind
  date: BusinessDate
  validUntil: BusinessDate | null
  hidePrices: boolean
  content: QuoteContentInput
}

async function addQuote(
  tx: Ctx,
  quote: NewQuote,
  action: string,
): Promise<ContractOutput<typeof createQuoteContract>> {
  assertValidity(quote.date, quote.validUntil)
  const composed = await composeQuote(tx, quote.content, quote.date)
  const now = tx.now().getTime()
  const publicId = tx.newId('quo')
  await tx.db
    .insertInto('quotes')
    .values({
      ...columnsOf(composed, null),
      book_id: tx.book.id,
      public_id: publicId,
      kind: quote.kind,
      state: 'draft',
      date: quote.date,
      valid_until: quote.validUntil,
      hide_prices: quote.hidePrices ? 1 : 0,
      created_at: now,
      updated_at: now,
    })
    .execute()
  if (composed.contactRowId !== null) await markContactUsed(tx, composed.contactRowId)
  const row = await resolveQuote(tx, publicId)
  await recordQuoteChange(tx, action, row)
  return quoteView(tx, row, composed.assumptions)
}

/** Creates a quote; `assumptions` lists what was inferred. */
export const createQuote: UseCase<typeof createQuoteContract> = (ctx, input) =>
  ctx.transaction((tx) => {
    const { kind = 'quote', date = tx.today(), validUntil = null, hidePrices = false, ...content } = input
    return addQuote(tx, { kind, date, validUntil, hidePrices, content }, 'quote.created')
  })

/** Makes a new quote with the same content and today's date, valid for as many days as the other. */
export const duplicateQuote: UseCase<typeof duplicateQuoteContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await resolveQuote(tx, input.id)
    const kind = input.kind ?? row.kind
    const days =
      row.valid_until === null || kind === 'delivery_note'
        ? null
        : Math.round((Date.parse(row.valid_until) - Date.parse(row.date)) / 86_400_000)
    const date = tx.today()
    const validUntil =
      days === null ? null : new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
    const content = await inputOfRow(tx, row)
    return addQuote(
      tx,
      { kind, date, validUntil, hidePrices: row.hide_prices === 1 && kind === 'delivery_note', content },
      'quote.created',
    )
  })

async function assertNotInvoiced(tx: Ctx, row: QuoteRow): Promise<void> {
  const conversions = inForce(await conversionsOf(tx, row.id))
  if (conversions.length > 0)
    throw new AppError('quote_invoiced', {
      details: { invoices: conversions.map(({ invoiceId, number }) => ({ id: invoiceId, number })) },
    })
}

/** Merges changes into the content: a new customer replaces the old one whole. */
function mergedContent(before: QuoteContentInput, given: Partial<QuoteContentInput>): QuoteContentInput {
  const isOther = given.clientId !== undefined && given.clientId !== before.clientId
  const { client, clientNif: _nif, clientId: _id, ...rest } = before
  const merged = { ...(isOther ? rest : before), ...given } as QuoteContentInput
  if (!isOther && given.client && client) merged.client = { ...client, ...given.client }
  // Without this, the rate of the old currency would stay.
  if (given.currency === 'EUR') {
    merged.fxRate = null
    merged.fxDate = null
    merged.fxSource = null
  }
  return merged
}

/** Changes a quote. A version that may have been seen is stored as a revision, and the new one must be sent again. */
export const updateQuote: UseCase<typeof updateQuoteContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { id, expectedVersion, date: newDate, validUntil: newValidUntil, hidePrices, ...changes } = input
    const row = await quoteToChange(tx, id, expectedVersion)
    await assertNotInvoiced(tx, row)
    const date = newDate ?? row.date
    const validUntil = newValidUntil === undefined ? row.valid_until : newValidUntil
    assertValidity(date, validUntil)
    const given = Object.fromEntries(
      Object.entries(changes).filter(([, value]) => value !== undefined),
    ) as Partial<QuoteContentInput>
    const composed = await composeQuote(tx, mergedContent(await inputOfRow(tx, row), given), date)
    const now = tx.now().getTime()
    const wasSeen = row.state !== 'draft'
    if (wasSeen)
      await tx.db
        .insertInto('quote_revisions')
        .values({
          quote_id: row.id,
          revision: row.revision,
          date: row.date,
          valid_until: row.valid_until,
          content: row.content,
          base_cents: row.base_cents,
          tax_cents: row.tax_cents,
          total_cents: row.total_cents,
          replaced_at: now,
        })
        .execute()
    await tx.db
      .updateTable('quotes')
      .set({
        ...columnsOf(composed, row.number),
        date,
        valid_until: validUntil,
        ...(hidePrices === undefined ? {} : { hide_prices: hidePrices ? 1 : 0 }),
        ...(wasSeen
          ? { state: 'draft' as const, revision: row.revision + 1, sent_at: null, decided_at: null }
          : {}),
        version: row.version + 1,
        updated_at: now,
      })
      .where('id', '=', row.id)
      .execute()
    const after = await resolveQuote(tx, row.public_id)
    await recordQuoteChange(tx, 'quote.updated', after)
    return quoteView(tx, after, composed.assumptions)
  })

/** Deletes a quote without invoices. */
export const deleteQuote: UseCase<typeof deleteQuoteContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await quoteToChange(tx, input.id, input.expectedVersion)
    // An annulled invoice keeps its origin, too.
    if ((await conversionsOf(tx, row.id)).length > 0) throw new AppError('quote_invoiced')
    await softDelete(tx, {
      rows: [{ table: 'quotes', id: row.id }],
      action: 'quote.restored',
      target: { type: 'quote', id: row.public_id, label: row.number ?? row.client_name },
      event: { type: 'quote.changed', data: { quoteId: row.public_id } },
    })
    await recordQuoteChange(tx, 'quote.deleted', row)
    return { deleted: true }
  })

/** Returns the row with its number; assigns one if it has none. */
export async function numbered(tx: Ctx, row: QuoteRow): Promise<QuoteRow> {
  if (row.number !== null) return row
  const series = await ensureQuoteSeries(tx, row.kind, Number(row.date.slice(0, 4)))
  const { sequence, number } = await takeNumber(tx, series.id, row.date)
  await tx.db
    .updateTable('quotes')
    .set({
      series_id: series.id,
      sequence,
      number,
      search: searchText([row.client_name, row.client_nif, number].filter(Boolean).join(' ')),
    })
    .where('id', '=', row.id)
    .execute()
  return resolveQuote(tx, row.public_id)
}

/** Marks a quote as sent, accepted or rejected. */
export const setQuoteState: UseCase<typeof setQuoteStateContract> = (ctx, { id, state, expectedVersion }) =>
  ctx.transaction(async (tx) => {
    const row = await quoteToChange(tx, id, expectedVersion)
    if (row.state === state) return quoteView(tx, row)
    if (state !== 'accepted') await assertNotInvoiced(tx, row)
    const { id: rowId, sent_at: sentAt } = await numbered(tx, row)
    const now = tx.now().getTime()
    await tx.db
      .updateTable('quotes')
      .set({
        state,
        sent_at: sentAt ?? now,
        decided_at: state === 'sent' ? null : now,
        version: row.version + 1,
        updated_at: now,
      })
      .where('id', '=', rowId)
      .execute()
    const after = await resolveQuote(tx, row.public_id)
    await recordQuoteChange(
      tx,
      state === 'sent' ? 'quote.sent' : state === 'accepted' ? 'quote.accepted' : 'quote.rejected',
      after,
    )
    return quoteView(tx, after)
  })
