/**
 * Writes mails to the queue: the row is stored first with everything that will be sent, and only then does anything
 * leave.
 */
import { createHash } from 'node:crypto'
import { recordAudit } from '../../platform/audit/index.ts'
import { keepContent } from '../../platform/contents/index.ts'
import { findCompany } from '../../company/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import type {
  mailFileContract,
  resolveMailContract,
  sendMailContract,
  sendManyMailsContract,
} from './contract.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { english } from '../../domain/errors/messages/en.ts'
import { normalizeText } from '../../domain/text.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { createReminder } from '../../accounting/payments/index.ts'
import { assertRecipients, messageIdOf, serverOf } from './account.ts'
import { compose, usualRecipients, filledTemplateOf } from './compose.ts'
import type { Composed } from './compose.ts'
import { messageBytes, messageOf } from './message.ts'
import {
  changeMail,
  documentFacts,
  findAccount,
  findMail,
  insertMail,
  subjectsExist,
  mailByRow,
} from './rows.ts'
import type { MailRow, NewAttachment } from './rows.ts'
import { actionsOf, mailView } from './view.ts'

/** The limit of most servers, less the overhead of base64. */
const ATTACHMENTS_AT_MOST = 15 * 1024 * 1024

/** Time during which a mail just written can still be cancelled. */
const CALL_BACK_MS = 5_000

type MailAction =
  | 'mail.queued'
  | 'mail.handed'
  | 'mail.sent'
  | 'mail.failed'
  | 'mail.unknown'
  | 'mail.delivered'
  | 'mail.discarded'

/** Records the action in the history and notifies the window: of each document, else of the mail itself. */
export async function recordMailChange(tx: Ctx, row: MailRow, action: MailAction): Promise<void> {
  const documents = await documentFacts(tx, [row.id])
  const outcome = action === 'mail.failed' || action === 'mail.unknown' ? 'failed' : 'ok'
  const targets = documents.flatMap(({ invoice, quote, label }) => {
    const id = invoice ?? quote
    return id === null ? [] : [{ type: invoice === null ? 'quote' : 'invoice', id, label }]
  })
  if (targets.length === 0) targets.push({ type: 'mail', id: row.public_id, label: row.subject })
  for (const target of targets) {
    await recordAudit(tx, { action, target, outcome })
    await emitEvent(tx, 'mail.changed', {
      mailId: row.public_id,
      ...(target.type === 'invoice' ? { invoiceId: target.id } : {}),
      ...(target.type === 'quote' ? { quoteId: target.id } : {}),
    })
  }
}

/** Records a sent reminder on its invoices. Invoices paid meanwhile are skipped, which is not a failure of the mail. */
export async function recordReminder(tx: Ctx, row: MailRow): Promise<void> {
  if (row.consequence === null) return
  const { invoiceIds, instalment, level, claimInterest } = JSON.parse(row.consequence) as NonNullable<
    Composed['consequence']
  >
  try {
    const { language } = row
    await createReminder(tx, { invoiceIds, instalment, level, claimInterest, language, channel: 'email' })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

function wantedNames(composed: Composed, names: readonly string[] | undefined): Set<string> {
  const known = new Set(composed.enclosures.map(({ name }) => name))
  for (const [index, name] of (names ?? []).entries())
    if (!known.has(name))
      throw validationFailed([
        {
          code: 'not_allowed',
          field: `attachments[${index}]`,
          severity: 'error',
          message: 'That document does not belong to this mail.',
          fix: `Choose among: ${[...known].join(', ')}.`,
        },
      ])
  // Half of what the customer wants is no usual mail: a person can name what goes.
  const [lacking] = names === undefined ? (composed.lacking ?? []) : []
  if (lacking) throw new AppError('format_unavailable', { field: 'attachments', details: { ...lacking } })
  const usual = composed.enclosures.filter(({ isExtra }) => !isExtra).map(({ name }) => name)
  return new Set(names ?? usual)
}

async function bringAttachments(
  ctx: Ctx,
  composed: Composed,
  wanted: ReadonlySet<string>,
): Promise<NewAttachment[]> {
  const attachments: NewAttachment[] = []
  let size = 0
  for (const enclosure of composed.enclosures) {
    if (!wanted.has(enclosure.name)) continue
    const { name, mediaType, bytes, invoice } = await enclosure.bring()
    size += bytes.byteLength
    if (size > ATTACHMENTS_AT_MOST)
      throw new AppError('mail_too_large', { details: { mostBytes: ATTACHMENTS_AT_MOST } })
    const sha256 = createHash('sha256').update(bytes).digest()
    attachments.push({
      name,
      media_type: mediaType,
      size: bytes.byteLength,
      sha256,
      invoice_id: invoice?.rowId ?? null,
      document_language: invoice?.language ?? null,
      bytes: invoice ? null : await keepContent(ctx, bytes, sha256),
    })
  }
  return attachments
}

interface Wanted {
  to: readonly string[]
  cc?: readonly string[] | undefined
  subject: string
  body: string
  attachments?: readonly string[] | undefined
}

function unique(addresses: readonly string[], except: readonly string[] = []): string[] {
  const seen = new Set(except.map((one) => one.toLowerCase()))
  return addresses.filter((one) => {
    const known = seen.has(one.toLowerCase())
    seen.add(one.toLowerCase())
    return !known
  })
}

/** Puts a mail into the queue; the writes of `also` commit with it or not at all. */
export function writeMail(
  ctx: Ctx,
  composed: Composed,
  wanted: Wanted,
  also: (tx: Ctx, row: MailRow) => Promise<void>,
): Promise<MailRow> {
  return write(ctx, composed, wanted, 'smtp', also)
}

async function write(
  ctx: Ctx,
  composed: Composed,
  wanted: Wanted,
  channel: 'smtp' | 'program',
  also: (tx: Ctx, row: MailRow) => Promise<void> = async () => undefined,
): Promise<MailRow> {
  const to = unique(wanted.to)
  const cc = unique(wanted.cc ?? [], to)
  const assertSendable = (within: Ctx, { company, account }: Pick<Composed, 'company' | 'account'>): void => {
    assertRecipients(within, company, account, [...to, ...cc])
    // Checked here too, so that a mail that cannot be sent fails immediately.
    if (channel === 'smtp') serverOf(within, account)
  }
  assertSendable(ctx, composed)
  const wantedHere = wantedNames(composed, wanted.attachments)
  const suggested = await filledTemplateOf(ctx, composed)
  const ready = await composed.before()
  // Unedited text is filled again, with the number that the document has only now.
  const now =
    ready.documents[0]?.label === composed.documents[0]?.label
      ? suggested
      : await filledTemplateOf(ctx, ready)
  const subject = wanted.subject.trim() === suggested.subject ? now.subject : wanted.subject.trim()
  const body = normalizeText(wanted.body) === normalizeText(suggested.body) ? now.body : wanted.body
  const names = new Set(
    ready.enclosures
      .filter((_, index) => wantedHere.has(composed.enclosures[index]?.name ?? ''))
      .map(({ name }) => name),
  )
  const attachments = await bringAttachments(ctx, { ...composed, ...ready }, names)
  const id = ctx.newId('mai')
  return ctx.transaction(async (tx) => {
    // Drawing documents takes time: sender and subject may have changed or been deleted meanwhile.
    const [account, company] = [await findAccount(tx), await findCompany(tx)]
    assertSendable(tx, { account, company })
    if (!(await subjectsExist(tx, ready))) throw new AppError('not_found')
    const from = account?.from_address ?? company.email
    const at = tx.now().getTime()
    const row = await insertMail(
      tx,
      {
        book_id: tx.book.id,
        public_id: id,
        kind: ready.kind,
        channel,
        state: channel === 'smtp' ? 'queued' : 'handed',
        language: ready.language,
        contact_id: ready.contactId,
        from_name: from === null ? null : (account?.from_name ?? company.trade_name ?? company.legal_name),
        from_address: from,
        reply_to: account?.reply_to ?? null,
        recipients: JSON.stringify(to),
        copies: JSON.stringify(cc),
        blind_copy: account?.copy_to_self === 1 ? from : null,
        subject,
        body: normalizeText(body),
        message_id: messageIdOf(id, from),
        consequence: ready.consequence ? JSON.stringify(ready.consequence) : null,
        next_attempt_at: channel === 'smtp' ? at + CALL_BACK_MS : null,
        made_by: tx.actor.name,
        created_at: at,
        settled_at: channel === 'smtp' ? null : at,
      },
      ready.documents,
      attachments,
    )
    await also(tx, row)
    await recordMailChange(tx, row, channel === 'smtp' ? 'mail.queued' : 'mail.handed')
    if (channel === 'program') await recordReminder(tx, row)
    else tx.wake('mail')
    return row
  })
}

/** Puts a mail into the queue. */
export const sendMail: UseCase<typeof sendMailContract> = async (ctx, input) =>
  mailView(ctx, await write(ctx, await compose(ctx, input), input, 'smtp'))

/** Returns the mail as a file for the mail program. */
export const mailFile: UseCase<typeof mailFileContract> = async (ctx, input) => {
  const row = await write(ctx, await compose(ctx, input), input, 'program')
  const bytes = await messageBytes(await messageOf(ctx, row), true)
  const [label = row.kind] = (await documentFacts(ctx, [row.id])).map((one) => one.label)
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fileName: `${label.replace(/[^A-Za-z0-9._-]/g, '-') || row.kind}.eml`,
  }
}

type Refused = ContractOutput<typeof sendManyMailsContract>['refused'][number]

/** Puts one mail for each invoice into the queue. Reports the ones that cannot be sent, and sends all others. */
export const sendManyMails: UseCase<typeof sendManyMailsContract> = async (ctx, { ids }) => {
  serverOf(ctx, await findAccount(ctx))
  const queued: ContractOutput<typeof sendManyMailsContract>['queued'] = []
  const refused: Refused[] = []
  for (const invoiceId of new Set(ids)) {
    try {
      const composed = await compose(ctx, { kind: 'invoice', ids: [invoiceId] })
      const to = await usualRecipients(ctx, composed)
      if (to.length === 0) {
        refused.push({ invoiceId, code: 'mail_no_address', message: 'The customer has no e-mail address.' })
        continue
      }
      const row = await write(ctx, composed, { to, ...(await filledTemplateOf(ctx, composed)) }, 'smtp')
      queued.push({ id: row.public_id, invoiceId, to })
    } catch (error) {
      if (error instanceof AppError)
        refused.push({
          invoiceId,
          code: error.code,
          message: english[error.code].message,
          ...(error.code === 'format_unavailable' ? { why: String(error.details?.['why']) } : {}),
        })
      else if (error instanceof Error && error.name === 'DocumentPending')
        refused.push({ invoiceId, code: 'mail_not_ready', message: 'The PDF is still being drawn.' })
      else throw error
    }
  }
  return { queued, refused }
}

/** Applies a person's decision about a mail that failed or has an unknown outcome. */
export const resolveMail: UseCase<typeof resolveMailContract> = (ctx, { id, decision }) =>
  ctx.transaction(async (tx) => {
    const row = await findMail(tx, id)
    if (!actionsOf(row).includes(decision))
      throw new AppError('mail_not_open', { details: { state: row.state } })
    const at = tx.now().getTime()
    if (decision === 'again') {
      const account = await findAccount(tx)
      serverOf(tx, account)
      assertRecipients(tx, await findCompany(tx), account, [
        ...(JSON.parse(row.recipients) as string[]),
        ...(JSON.parse(row.copies) as string[]),
      ])
      await changeMail(tx, row.id, {
        state: 'queued',
        attempts: 0,
        next_attempt_at: at,
        reason: null,
        detail: null,
        settled_at: null,
      })
      tx.wake('mail')
    } else
      await changeMail(tx, row.id, {
        state: decision === 'delivered' ? 'sent' : 'discarded',
        next_attempt_at: null,
        settled_at: at,
      })
    if (decision === 'delivered') await recordReminder(tx, row)
    await recordMailChange(
      tx,
      row,
      decision === 'again' ? 'mail.queued' : decision === 'delivered' ? 'mail.delivered' : 'mail.discarded',
    )
    return mailView(tx, await mailByRow(tx.db, row.id))
  })
