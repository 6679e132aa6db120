/**
 * Builds a mail as bytes. The same row always gives the same bytes, so that a second attempt sends the same mail as
 * the first.
 */
import type { Ctx } from '../../context.ts'
import { readContent } from '../../platform/contents/index.ts'
import { bytesBySha256 } from '../../sales/invoices/index.ts'
import { attachmentRows } from './rows.ts'
import type { AttachmentRow, MailRow } from './rows.ts'

export interface Part {
  name: string
  mediaType: string
  bytes: Uint8Array
}

interface Message {
  id: string
  messageId: string
  date: Date
  from: { name: string; address: string } | null
  replyTo: string | null
  to: readonly string[]
  cc: readonly string[]
  bcc: string | null
  subject: string
  body: string
  parts: readonly Part[]
}

/** Returns the bytes of a mail. `forProgram`: a draft that the mail program opens for sending, with its Bcc visible. */
export async function messageBytes(message: Message, forProgram: boolean): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const { from, replyTo, bcc } = message
  const node = new MailComposer({
    ...(from ? { from } : {}),
    to: message.to.map((address) => ({ name: '', address })),
    cc: message.cc.map((address) => ({ name: '', address })),
    ...(bcc && forProgram ? { bcc: { name: '', address: bcc } } : {}),
    ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
    subject: message.subject,
    text: message.body,
    textEncoding: 'quoted-printable',
    date: message.date,
    messageId: message.messageId,
    baseBoundary: message.id,
    xMailer: 'Sello',
    headers: forProgram ? { 'X-Unsent': '1' } : {},
    attachments: message.parts.map((part) => ({
      filename: part.name,
      content: Buffer.from(part.bytes.buffer, part.bytes.byteOffset, part.bytes.byteLength),
      contentType: part.mediaType,
      contentTransferEncoding: 'base64',
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  }).compile()
  if (forProgram) node.keepBcc = true
  return node.build()
}

async function bytesOf(ctx: Ctx, row: AttachmentRow): Promise<Uint8Array> {
  if (row.bytes) return readContent(ctx, { cell: row.bytes, sha256: row.sha256 })
  // As it was when the mail was written, even if it has been signed since.
  const bytes = await bytesBySha256(ctx, row.invoice_id ?? -1, row.sha256)
  if (!bytes) throw new Error(`The document ${row.name} is not the one that was to be sent.`)
  return bytes
}

/** Returns the mail of a row, with its attachments. */
export async function messageOf(ctx: Ctx, row: MailRow): Promise<Message> {
  const parts: Part[] = []
  for (const attachment of await attachmentRows(ctx, row.id))
    parts.push({
      name: attachment.name,
      mediaType: attachment.media_type,
      bytes: await bytesOf(ctx, attachment),
    })
  return {
    id: row.public_id,
    messageId: row.message_id,
    date: new Date(row.created_at),
    from: row.from_address === null ? null : { name: row.from_name ?? '', address: row.from_address },
    replyTo: row.reply_to,
    to: JSON.parse(row.recipients) as string[],
    cc: JSON.parse(row.copies) as string[],
    bcc: row.blind_copy,
    subject: row.subject,
    body: row.body,
    parts,
  }
}
