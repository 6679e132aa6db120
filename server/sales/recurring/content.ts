/** Contents without dates: taken from an invoice, completed for a day, composed to check them. */
import {
  assertFiguresGiven,
  composeDraft,
  contentOf,
  documentTotals,
  inputOf,
  isRectifying,
  NOT_IN_RECURRING,
  readInvoice,
  mapTextFields,
} from '../invoices/index.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { addDays, daysBetween } from '../../domain/dates.ts'
import { without } from '../../domain/document-fields.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import { percentFromBasisPoints } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { areTerms, instalmentsOfTerms, MAX_TERM } from '../../domain/tax/instalments.ts'
import { exactTerms } from '../../catalog/contacts/index.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type { createDraftContract } from '../invoices/contract.ts'
import type { Ctx } from '../../context.ts'
import { kindReservedBy } from '../../company/series/index.ts'
import type { RecurrenceRule, RecurringContent } from './contract.ts'
import { priceAt } from './prices.ts'
import type { PriceStep } from './prices.ts'
import { filledText } from './placeholders.ts'

type DraftInput = ContractInput<typeof createDraftContract>

/** Removes a default series: it belongs to one year, and the next year's is found again. */
export function withoutDefaultSeries<Content extends { series?: string | null | undefined }>(
  content: Content,
): Content {
  const { series } = content
  return series && kindReservedBy(series) !== null ? { ...content, series: null } : content
}

/**
 * Returns the content of an invoice, without the fields of that one alone. A rectifying invoice gives an ordinary
 * one.
 */
function contentFromInvoice(ctx: Ctx, idOrNumber: string): Promise<RecurringContent> {
  return readInvoice(ctx, idOrNumber, async (row) => {
    const content = await contentOf(ctx.db, row)
    const { kind, ...rest } = without(inputOf(content), NOT_IN_RECURRING)
    const plain = kind !== undefined && (isRectifying(kind) || kind === 'F3') ? 'F1' : kind
    const lastingContent: RecurringContent = { ...rest, kind: plain === 'F2' ? 'F2' : 'F1' }
    return withoutDefaultSeries(lastingContent)
  })
}

/** Removes references to deleted items; the lines hold all other data themselves. */
export async function withoutDeletedItems<Line extends { itemId?: string | undefined }>(
  ctx: Ctx,
  lines: readonly Line[],
): Promise<Line[]> {
  const wanted = [...new Set(lines.flatMap(({ itemId }) => (itemId === undefined ? [] : [itemId])))]
  if (wanted.length === 0) return [...lines]
  const rows = await ctx.db
    .selectFrom('items')
    .select('public_id')
    .where('book_id', '=', ctx.book.id)
    .where('public_id', 'in', wanted)
    .execute()
  const there = new Set(rows.map(({ public_id: id }) => id))
  return lines.map((line) =>
    line.itemId === undefined || there.has(line.itemId) ? line : { ...line, itemId: undefined },
  )
}

const MAX_DESCRIPTION = 500

type Terms = NonNullable<RecurringContent['paymentTerms']>

/** Returns the instalments of a draft as its input has them. Throws `validation_failed` for terms that divide nothing. */
function instalmentsFor(terms: Terms, from: BusinessDate): NonNullable<DraftInput['instalments']> {
  return instalmentsOfTerms(exactTerms(terms, 'paymentTerms'), from).map(({ dueDate, percentBp }) => ({
    dueDate,
    ...(percentBp === null ? {} : { percent: percentFromBasisPoints(percentBp) }),
  }))
}

/** Returns the terms by which an invoice is paid in instalments; null for fixed amounts, which fit no other total. */
export function termsOfInvoice(ctx: Ctx, idOrNumber: string): Promise<Terms | null> {
  return readInvoice(ctx, idOrNumber, async (row) => {
    const { instalments, issueDate } = await contentOf(ctx.db, row)
    const terms = (instalments ?? []).map(({ dueDate, percentBp }) => ({
      days: daysBetween(issueDate ?? ctx.today(), dueDate),
      percentBp,
    }))
    const isByPercent = instalments?.every(({ cents }) => cents === null) ?? false
    if (!isByPercent || terms.some(({ days }) => days < 0 || days > MAX_TERM) || !areTerms(terms)) return null
    return terms.map(({ days, percentBp }) => ({
      days,
      ...(percentBp === null ? {} : { percent: percentFromBasisPoints(percentBp) }),
    }))
  })
}

export interface DraftOfDay {
  content: RecurringContent
  /** Contact as it is now, whose data are used; null for a customer that is no contact. */
  contact: { id: string; name: string } | null
  date: BusinessDate
  rule: RecurrenceRule
  prices: readonly PriceStep[]
  dueDays: number | null
  language: DocumentLanguage
}

/** Returns the draft of a day: texts filled in, prices of the day, the customer's present data. */
export async function draftOfDay(ctx: Ctx, facts: DraftOfDay): Promise<DraftInput> {
  const { content, contact, date, rule, prices, dueDays, language } = facts
  const filled = (text: string, max: number) => filledText(text, { date, rule, language }).slice(0, max)
  const lines = await withoutDeletedItems(ctx, content.lines)
  const { clientNif, client, clientName, clientId: _clientId, paymentTerms, ...rest } = content
  const today = ctx.today()
  const from = date > today ? date : today
  return {
    ...rest,
    ...(contact
      ? { clientId: contact.id, clientName: contact.name }
      : {
          clientName,
          clientId: null,
          ...(clientNif === undefined ? {} : { clientNif }),
          ...(client === undefined ? {} : { client }),
        }),
    lines: lines.map((line) => ({
      ...line,
      description: filled(line.description, MAX_DESCRIPTION),
      // Disbursements keep their price.
      unitPrice: line.isDisbursement ? line.unitPrice : priceAt(line.unitPrice, prices, date),
    })),
    ...mapTextFields(content, filled),
    ...(paymentTerms
      ? { instalments: instalmentsFor(paymentTerms, from) }
      : dueDays === null
        ? {}
        : { dueDate: addDays(from, dueDays) }),
  }
}

export interface Weighed {
  totalCents: Cents
  currency: string
  language: DocumentLanguage
  clientName: string
  contactRowId: number | null
  contactId: string | null
}

/**
 * Composes a draft without storing it and returns its sums. Throws `validation_failed` with paths below `invoice`;
 * also for figures left for later, unless the content is a template's, which a person completes.
 */
export async function validateContent(
  ctx: Ctx,
  input: DraftInput,
  date: BusinessDate,
  options: { isTemplate?: boolean } = {},
): Promise<Weighed> {
  const { content, references } = await composeDraft(ctx, { ...input, issueDate: date })
  if (!options.isTemplate) assertFiguresGiven(content)
  return {
    totalCents: documentTotals(content).totalCents,
    currency: content.currency?.code ?? 'EUR',
    language: content.language,
    clientName: content.client.name,
    contactRowId: references.contactRowId,
    contactId: content.contactId,
  }
}

/** Returns the content from one of its two sources. */
export async function chosenContent<Content>(
  ctx: Ctx,
  given: Content | undefined,
  fromInvoice: string | undefined,
): Promise<Content | RecurringContent> {
  if ((given === undefined) === (fromInvoice === undefined))
    throw validationFailed([
      {
        code: 'choose_one',
        field: 'invoice',
        severity: 'error',
        message: 'Either invoice or fromInvoice is needed, not both.',
        fix: 'Give the content, or name the invoice it is taken from.',
      },
    ])
  return given ?? contentFromInvoice(ctx, fromInvoice as string)
}
