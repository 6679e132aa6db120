/** What is usable of a mail: its attachments by their bytes, or its own words. Pure; runs in the parser's process. */
import PostalMime from 'postal-mime'
import type { Address, Attachment, Email } from 'postal-mime'
import type { MediaType } from '../../../platform/attachments/contract.ts'
import { MAX_FILE_BYTES, mediaTypeOf } from '../../../domain/media-types.ts'
import { sanitizeLine, sanitizeText } from '../../../domain/text.ts'
import { UnreadableZip } from '../../../platform/spreadsheets/unzip.ts'
import { pictureFormatOf, statedSize } from '../pictures/header.ts'
import { DOCUMENT_TYPES } from '../document-types.ts'
import { isZip } from '../../../domain/formats/zip-magic.ts'
import { readArchive } from './archive-parts.ts'
import { fileNameOf, LONGEST_NAME } from './file-name.ts'
import { findCodes } from '../../../domain/replies/code.ts'
import type { Code } from '../../../domain/replies/code.ts'

/** An attachment, or the words of a mail without any. */
export interface MailItem {
  name: string
  mediaType: MediaType
  bytes: Uint8Array<ArrayBuffer>
}

export interface MailSummary {
  subject: string
  /** As the mail says: nothing proves it. */
  sender: string
  /** Attachments that are of a usable kind and cannot be taken, by name. */
  left: { name: string; why: 'too_large' | 'too_many' | 'unreadable' | 'reply_refused' }[]
  /** Codes of customers' answers in its words and text files, as they stand: nothing says that they are authentic. */
  codes: Code[]
}

export interface MailContent extends MailSummary {
  items: MailItem[]
}

/** Text in which answers of customers are searched for, in characters. */
const LONGEST_CODES_TEXT = 400_000

const MOST_ATTACHMENTS = 20
/** Pictures in the text below one of these are logos. */
const LOGO_BYTES = 30 * 1024
const LOGO_PIXELS = 600
const LONGEST_TEXT = 200_000

const OPTIONS = {
  attachmentEncoding: 'arraybuffer',
  forceRfc822Attachments: true,
  maxNestingDepth: 30,
  maxHeadersSize: 1024 * 1024,
} as const

/** Words of mails about invoices, in the languages of Spain and its neighbours. */
const ABOUT_INVOICES =
  /\b(?:e-?)?(?:factur\w*|fatura\w*|invoic\w*|receipts?|recibos?|rebuts?|abono|fakturak?\w*|rechnung\w*|fattur\w*)\b/iu

function senderOf(from: Address | undefined): string {
  const one = from?.group?.[0] ?? from
  if (!one) return ''
  const { name, address = '' } = one
  return sanitizeLine(name === '' || name === address ? address : `${name} <${address}>`).slice(0, 200)
}

function bytesOf({ content }: Attachment): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  return new Uint8Array(content)
}

const codesIn = (text: string): Code[] => findCodes(text.slice(0, LONGEST_CODES_TEXT))

/** Returns true for a picture of the text itself that is too small to be a paper. */
function isLogo({ disposition, related, contentId }: Attachment, bytes: Uint8Array): boolean {
  if (disposition !== 'inline' && related !== true && contentId === undefined) return false
  if (bytes.length < LOGO_BYTES) return true
  const format = pictureFormatOf(bytes)
  if (format === null || format === 'tiff') return false
  const size = statedSize(bytes, format)
  return size !== null && Math.max(size.width, size.height) < LOGO_PIXELS
}

/** Returns the attachments of a mail, and of mails attached to it, but not of those within them. */
async function attachmentsOf({ attachments }: Email): Promise<Attachment[]> {
  const all: Attachment[] = []
  for (const attachment of attachments) {
    if (attachment.mimeType !== 'message/rfc822') {
      all.push(attachment)
      continue
    }
    try {
      all.push(...(await PostalMime.parse(bytesOf(attachment), OPTIONS)).attachments)
    } catch {
      // A broken mail within a mail leaves the others usable.
    }
  }
  return all
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  euro: '€',
}

/** Returns the words of HTML, with the addresses of links as text. Nothing of it is run or fetched. */
function textOfHtml(html: string): string {
  return html
    .slice(0, 4 * LONGEST_TEXT)
    .replace(/<(script|style|head|title)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<a\b[^>]*?\bhref\s*=\s*["']?(https?:[^"'\s>]{1,500})[^>]*>/gi, ' [$1] ')
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6]|\/table)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0x10ffff ? ' ' : String.fromCodePoint(code)
    })
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
}

function textOf({ text, html }: Email): string {
  const plain = sanitizeText((text ?? '').slice(0, LONGEST_TEXT))
  return plain === '' ? sanitizeText(textOfHtml(html ?? '')).slice(0, LONGEST_TEXT) : plain
}

/**
 * Reads a mail. Attachments count by their bytes: names and declared types prove nothing. A mail without a usable one is a
 * document of its own if it speaks of an invoice. Throws if it is no mail that can be read.
 */
export async function readMail(bytes: Uint8Array): Promise<MailContent> {
  const mail = await PostalMime.parse(bytes, OPTIONS)
  const subject = sanitizeLine(mail.subject ?? '').slice(0, 200)
  const sender = senderOf(mail.from)
  const left: MailSummary['left'] = []
  const items: MailItem[] = []
  const names: string[] = []
  const body = textOf(mail)
  const codes = new Map(codesIn(`${mail.text ?? ''}\n${body}`).map((code) => [code.payload + code.tag, code]))
  for (const attachment of await attachmentsOf(mail)) {
    const content = bytesOf(attachment)
    const name = fileNameOf(attachment.filename, `${subject || 'documento'}`.slice(0, LONGEST_NAME))
    names.push(name)
    const mediaType = mediaTypeOf(content, name)
    if (mediaType === null && isZip(content)) {
      const packed = await archiveOf(content, name)
      left.push(...packed.left)
      for (const item of packed.items)
        if (items.length === MOST_ATTACHMENTS) left.push({ name: item.name, why: 'too_many' })
        else items.push(item)
      continue
    }
    if (mediaType === 'text/plain' || mediaType === null) {
      const own = codesIn(new TextDecoder().decode(content.subarray(0, LONGEST_CODES_TEXT)))
      for (const code of own) codes.set(code.payload + code.tag, code)
      // The file of an answer is no invoice.
      if (own.length > 0) continue
    }
    if (mediaType === null || !DOCUMENT_TYPES.includes(mediaType)) continue
    if (mediaType.startsWith('image/') && isLogo(attachment, content)) continue
    if (content.length > MAX_FILE_BYTES) left.push({ name, why: 'too_large' })
    else if (items.length === MOST_ATTACHMENTS) left.push({ name, why: 'too_many' })
    else items.push({ name, mediaType, bytes: content })
  }
  const found = { subject, sender, left, codes: [...codes.values()] }
  if (items.length > 0 || codes.size > 0) return { ...found, items }
  if (left.length === 0 && !ABOUT_INVOICES.test(`${subject}\n${body}\n${names.join('\n')}`))
    return { ...found, items }
  return { ...found, items: [textDocument({ subject, sender, body, names })] }
}

/** Returns the documents in a packed attachment, which may be broken or protected. */
async function archiveOf(bytes: Uint8Array, name: string): Promise<Pick<MailContent, 'items' | 'left'>> {
  try {
    return await readArchive(bytes)
  } catch (error) {
    if (error instanceof UnreadableZip) return { items: [], left: [{ name, why: 'unreadable' }] }
    throw error
  }
}

/** Returns the words of a mail as a document. */
function textDocument(mail: { subject: string; sender: string; body: string; names: string[] }): MailItem {
  const { subject, sender, body, names } = mail
  const parts = [subject, sender, ...names.map((name) => `[${name}]`), '', body]
  const bytes = new TextEncoder().encode(`${parts.join('\n').trim()}\n`)
  return { name: fileNameOf(`${subject || 'Correo'}.txt`, 'Correo.txt'), mediaType: 'text/plain', bytes }
}
