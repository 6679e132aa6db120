/** Returns mails in the form of the contract, and the lists of mails. */
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { resolveInvoice } from '../../sales/invoices/index.ts'
import { getQuote } from '../../sales/quotes/index.ts'
import type {
  invoiceMailsContract,
  listMailsContract,
  Mail,
  MailReason,
  quoteMailsContract,
} from './contract.ts'
import { attachmentFacts, countMails, documentFacts, mailsAbout, newestMails, openCounts } from './rows.ts'
import type { MailRow } from './rows.ts'

/** Returns the decisions that a person may make about a mail. */
export function actionsOf(row: Pick<MailRow, 'state'>): Mail['actions'] {
  switch (row.state) {
    case 'queued':
      return ['again', 'discard']
    case 'failed':
      return ['again', 'discard']
    case 'unknown':
      return ['again', 'delivered', 'discard']
    default:
      return []
  }
}

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

async function mailViews(ctx: Ctx, rows: readonly MailRow[]): Promise<Mail[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const attachments = await attachmentFacts(ctx, ids)
  const documents = await documentFacts(ctx, ids)
  return rows.map((row) => ({
    id: row.public_id,
    kind: row.kind,
    channel: row.channel,
    state: row.state,
    language: row.language,
    from: row.from_address,
    to: JSON.parse(row.recipients) as string[],
    cc: JSON.parse(row.copies) as string[],
    subject: row.subject,
    body: row.body,
    attachments: attachments
      .filter((one) => one.mail_id === row.id)
      .map((one) => ({
        name: one.name,
        mediaType: one.media_type,
        size: one.size,
        sha256: Buffer.from(one.sha256).toString('hex'),
      })),
    documents: documents
      .filter((one) => one.mail_id === row.id)
      .flatMap(({ invoice, quote, label }): Mail['documents'] => {
        if (invoice !== null) return [{ type: 'invoice', id: invoice, number: label }]
        return quote === null ? [] : [{ type: 'quote', id: quote, number: label }]
      }),
    refused: JSON.parse(row.refused) as string[],
    attempts: row.attempts,
    nextAttemptAt: instant(row.next_attempt_at),
    reason: row.reason as MailReason | null,
    detail: row.detail,
    by: row.made_by,
    createdAt: new Date(row.created_at).toISOString(),
    settledAt: instant(row.settled_at),
    actions: actionsOf(row),
  }))
}

export async function mailView(ctx: Ctx, row: MailRow): Promise<Mail> {
  const [view] = await mailViews(ctx, [row])
  return orNotFound(view, 'internal')
}

const LIST_LENGTH = 50

export const listMails: UseCase<typeof listMailsContract> = async (
  ctx,
  { open = false, offset = 0, limit = LIST_LENGTH },
) => {
  const counts = await openCounts(ctx)
  const of = (state: string): number => counts.get(state) ?? 0
  return {
    items: await mailViews(ctx, await newestMails(ctx, { open, offset, limit })),
    count: open ? [...counts.values()].reduce((sum, count) => sum + count, 0) : await countMails(ctx),
    counts: { waiting: of('queued') + of('sending'), failed: of('failed'), unknown: of('unknown') },
  }
}

export const invoiceMails: UseCase<typeof invoiceMailsContract> = async (ctx, { id }) => {
  const { id: invoiceId } = await resolveInvoice(ctx, id)
  return { items: await mailViews(ctx, await mailsAbout(ctx, { invoiceId })) }
}

export const quoteMails: UseCase<typeof quoteMailsContract> = async (ctx, { id }) => {
  const { id: publicId } = await getQuote(ctx, { id })
  const row = await ctx.db
    .selectFrom('quotes')
    .select('id')
    .where('book_id', '=', ctx.book.id)
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  return { items: await mailViews(ctx, await mailsAbout(ctx, { quoteId: orNotFound(row).id })) }
}

/** Returns the number of mails that failed or whose outcome is unknown. */
export async function failedMails(ctx: Ctx): Promise<number> {
  const counts = await openCounts(ctx)
  return (counts.get('failed') ?? 0) + (counts.get('unknown') ?? 0)
}
