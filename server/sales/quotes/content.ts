/**
 * Content of a quote: the input of an invoice with everything inferred written out, composed and added up by the
 * invoices' own rules.
 */
import { assertFiguresGiven, composeDraft, documentTotals, inputOf } from '../invoices/index.ts'
import type { Composition, DraftContent } from '../invoices/index.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Totals } from '../../domain/tax/totals.ts'
import type { Ctx } from '../../context.ts'
import type { QuoteContentInput } from './contract.ts'
import type { QuoteRow } from './rows.ts'

export interface ComposedQuote {
  /** Stored input. */
  input: QuoteContentInput
  content: DraftContent
  /** In the document's own currency. */
  totals: Totals
  contactRowId: number | null
  assumptions: Composition['assumptions']
}

async function storedContent(content: DraftContent): Promise<QuoteContentInput> {
  const { QUOTE_CONTENT_FIELDS } = await import('./contract.ts')
  const input = inputOf(content)
  return Object.fromEntries(
    QUOTE_CONTENT_FIELDS.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])),
  ) as unknown as QuoteContentInput
}

/** Composes the input; rates are those of the document's day. Throws `validation_failed`. */
export async function composeQuote(
  ctx: Ctx,
  input: QuoteContentInput,
  date: BusinessDate,
): Promise<ComposedQuote> {
  const { content, references, assumptions } = await composeDraft(ctx, {
    ...input,
    issueDate: date,
    // A quote asks for nothing yet: the terms of its customer come with the invoice.
    dueDate: null,
  })
  assertFiguresGiven(content)
  return {
    input: await storedContent(content),
    content,
    totals: documentTotals(content),
    contactRowId: references.contactRowId,
    assumptions,
  }
}

/** Removes references to deleted items; the lines hold all other data themselves. */
async function withoutLostItems(
  ctx: Ctx,
  lines: QuoteContentInput['lines'],
): Promise<QuoteContentInput['lines']> {
  const wanted = [...new Set(lines.flatMap(({ itemId }) => (itemId === undefined ? [] : [itemId])))]
  if (wanted.length === 0) return lines
  const rows = await ctx.db
    .selectFrom('items')
    .select('public_id')
    .where('book_id', '=', ctx.book.id)
    .where('public_id', 'in', wanted)
    .execute()
  const there = new Set(rows.map(({ public_id: id }) => id))
  return lines.map(({ itemId, ...line }) =>
    itemId !== undefined && there.has(itemId) ? { ...line, itemId } : line,
  )
}

/** Returns the stored input without a deleted contact and deleted items. */
export async function inputOfRow(
  ctx: Ctx,
  row: Pick<QuoteRow, 'content' | 'contact_public_id'>,
): Promise<QuoteContentInput> {
  const input = JSON.parse(row.content) as QuoteContentInput
  return { ...input, clientId: row.contact_public_id, lines: await withoutLostItems(ctx, input.lines) }
}

/** Composes a stored quote. */
export async function contentOfRow(ctx: Ctx, row: QuoteRow): Promise<ComposedQuote> {
  return composeQuote(ctx, await inputOfRow(ctx, row), row.date)
}
