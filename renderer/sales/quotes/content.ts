/** Conversion between the form of an editor and the content of a quote, template or recurring invoice. Pure. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'
import type { BusinessDate } from '../../../server/domain/dates.ts'
import { without } from '../../../server/domain/document-fields.ts'
import { header, NOT_IN_QUOTES, NOT_IN_RECURRING } from '../../../server/sales/invoices/fields.ts'
import { draftInput, formOf } from '../invoices/editor/draft.ts'
import type { Contact, DraftForm, Invoice } from '../invoices/editor/draft.ts'

export type Quote = OutputOf<'quotes.get'>
export type QuoteKind = Quote['kind']
export type QuoteContent = Quote['content']
type QuoteContentInput = Omit<InputOf<'quotes.create'>, 'kind' | 'date' | 'validUntil' | 'hidePrices'>
type RecurringContent = NonNullable<InputOf<'recurring.create'>['invoice']>
/** Fields that both contents hold, and a template may hold in part. */
export type AnyContent = Pick<QuoteContent, 'lines'> &
  Partial<QuoteContent> & { kind?: 'F1' | 'F2' | undefined }

/** Returns the content as a quote takes it; null while there is too little to save. */
export function quoteContentOf(form: DraftForm): QuoteContentInput | null {
  const input = draftInput(form, '')
  if (input === null) return null
  return without(input, NOT_IN_QUOTES)
}

/** Returns the content as a recurring invoice takes it. */
export function recurringContentOf(form: DraftForm, walkIn: string): RecurringContent | null {
  const input = draftInput(form, walkIn)
  if (input === null) return null
  const { kind, ...content } = without(input, NOT_IN_RECURRING)
  return { ...content, kind: kind === 'F2' ? 'F2' : 'F1' }
}

/** Returns the content as a template takes it: without a customer it fits any. */
export function templateContentOf(form: DraftForm): InputOf<'templates.update'>['invoice'] | null {
  const isForAnybody = form.client.name.trim() === ''
  // Placeholder name for the check only: a content without a name is not complete.
  const whole = isForAnybody ? { ...form, client: { ...form.client, name: '-' } } : form
  const content = recurringContentOf(whole, '-')
  if (content === null || !isForAnybody) return content
  const { clientName: _name, clientNif: _nif, clientId: _id, client: _client, ...rest } = content
  return rest
}

/** Returns the form of a content: omitted fields get the server's defaults. */
export function formOfContent(content: AnyContent, day: BusinessDate, contact: Contact | null): DraftForm {
  const { client } = content
  const withholding = content.withholdingPct
    ? { rate: content.withholdingPct, base: 0, amount: 0 }
    : undefined
  const like = {
    clientId: content.clientId ?? null,
    client: {
      name: content.clientName ?? '',
      nif: content.clientNif ?? null,
      country: client?.country ?? client?.address?.country ?? 'ES',
      ...(client?.idType ? { idType: client.idType } : {}),
      ...(client?.address ? { address: client.address } : {}),
      ...(client?.email ? { email: client.email } : {}),
    },
    kind: content.kind ?? 'F1',
    series: null,
    issueDate: day,
    lines: content.lines.map((line) => ({
      ...line,
      discountPct: line.discountPct ?? 0,
      vatRate: line.vatRate ?? null,
      taxTreatment: line.taxTreatment ?? 'S1',
      // Null lets the server infer it from the company's regime.
      regimeKey: line.regimeKey ?? null,
      surcharge: line.surcharge ? line.surcharge : null,
      withholdable: line.withholdable ?? true,
      isDisbursement: line.isDisbursement ?? false,
      net: 0,
    })),
    ...(withholding ? { withholding } : {}),
    priceMode: content.priceMode ?? 'net',
    ...(content.discountPct || content.discountAmount
      ? { discount: { pct: content.discountPct ?? 0, amount: content.discountAmount ?? 0, base: 0 } }
      : {}),
    ...(content.currency && content.currency !== 'EUR' && content.fxRate
      ? {
          inCurrency: {
            currency: content.currency,
            fxRate: content.fxRate,
            fxDate: content.fxDate ?? null,
            fxSource: content.fxSource ?? null,
          },
        }
      : {}),
    property: content.property,
    // What a kind of content leaves out is not in it, and stays empty.
    ...header.ofInput(content),
  }
  // A content has every field of an invoice that the form reads, and none that only an invoice has.
  return { ...formOf(like as unknown as Invoice, day, contact), issueDate: day }
}
