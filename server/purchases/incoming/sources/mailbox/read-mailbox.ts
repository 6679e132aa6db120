/**
 * Takes the new mails of one mailbox in, in the order of their UIDs. The position is written in the transaction of the
 * last document of each mail: after an interruption at any step no mail comes twice and none is lost.
 */
import { createHash } from 'node:crypto'
import type { ImapFlow } from 'imapflow'
import { AppError } from '../../../../domain/errors/app-error.ts'
import { MAX_FILE_BYTES, mediaTypeOf } from '../../../../domain/media-types.ts'
import { sanitizeLine } from '../../../../domain/text.ts'
import type { Ctx } from '../../../../context.ts'
import { takeCodes } from '../../../../sales/replies/index.ts'
import { addDocument } from '../../index.ts'
import type { ArrivingDocument } from '../../index.ts'
import type { Left } from '../contract.ts'
import { isSeen, mailboxOf, markSeen, positionOf, sourceByRow, writeSource } from '../rows.ts'
import type { Position, SourceRow } from '../rows.ts'
import { faultOf, MailboxFault, MAX_MAIL_BYTES } from './connect.ts'
import type { MailServer, OpenMailbox } from './connect.ts'
import { fileNameOf } from '../../../intake/mail/file-name.ts'
import type { MailContent } from '../../../intake/mail/mail-parts.ts'
import { parseMail } from '../../../intake/mail/parse-mail.ts'

/** A person changed, paused or removed the source while it was read: the pass ends without a trace. */
export class SourceChanged extends Error {}

/** Steps between which an interruption must lose and repeat nothing; tests stop there. */
export type MailStep = 'listed' | 'fetched' | 'parsed' | 'added' | 'finished'

interface ReadingOptions {
  signal: AbortSignal
  onStep?: (step: MailStep) => void
}

/** Mails of one pass, so that other companies get their turn. */
const MOST_OF_PASS = 200
/** Mails whose sizes are asked for at once. */
const HEADS = 50
const MOST_LEFT = 20
/** Passes that may fail at one mail before it is left; of a server that cuts the connection more. */
const OWN_FAILURES = 3
const LOST_CONNECTIONS = 6
/** The clock of a server may be wrong; what comes twice is recognized by its content. */
const CLOCKS_DIFFER_MS = 24 * 60 * 60_000
const LONGEST_SUBJECT = 2_000

interface Head {
  uid: number
  size: number
  arrivedAt: Date | null
}

/** The source as this pass reads it. */
class Reading {
  readonly ctx: Ctx
  readonly row: SourceRow
  readonly mailbox: OpenMailbox & { server: MailServer }
  private readonly options: ReadingOptions
  position: Position

  constructor(
    ctx: Ctx,
    row: SourceRow,
    mailbox: OpenMailbox & { server: MailServer },
    options: ReadingOptions,
  ) {
    this.ctx = ctx
    this.row = row
    this.mailbox = mailbox
    this.options = options
    this.position = startOf(row, mailbox)
  }

  step(step: MailStep): void {
    this.options.onStep?.(step)
    this.options.signal.throwIfAborted()
  }

  get client(): ImapFlow {
    return this.mailbox.client
  }

  /** Runs a command; its errors become `MailboxFault`s. */
  async ask<T>(command: (client: ImapFlow) => Promise<T>): Promise<T> {
    try {
      return await command(this.client)
    } catch (error) {
      this.options.signal.throwIfAborted()
      throw faultOf(error, this.mailbox.server)
    }
  }

  /** Moves on to a position within a transaction. Throws `SourceChanged`. */
  async advance(tx: Ctx, position: Position): Promise<void> {
    await assertUnchanged(tx, this.row)
    await writeSource(tx, this.row.id, { position: JSON.stringify(position) })
  }

  get signal(): AbortSignal {
    return this.options.signal
  }
}

async function assertUnchanged(tx: Ctx, row: SourceRow): Promise<void> {
  const now = await sourceByRow(tx, row.id)
  if (now?.version !== row.version || now.state === 'paused') throw new SourceChanged()
}

/** Returns where to go on. A mailbox with another UIDVALIDITY is read from its beginning: UIDs mean other mails there. */
function startOf(row: SourceRow, { uidValidity, uidNext }: OpenMailbox): Position {
  const { left = [], ...before } = positionOf(row)
  if (before.uidValidity === uidValidity) return { ...before, left }
  if (mailboxOf(row).takes === 'all') return { uidValidity, lastUid: 0, left }
  if (before.uidValidity === undefined) return { uidValidity, lastUid: Math.max(0, uidNext - 1), left }
  return { uidValidity, lastUid: 0, notBefore: row.created_at - CLOCKS_DIFFER_MS, left }
}

/**
 * Takes in what is new in a mailbox, up to 200 mails. Returns true if there is more. Throws `MailboxFault`,
 * `SourceChanged`, or the reason of the signal.
 */
export async function readMailbox(
  ctx: Ctx,
  row: SourceRow,
  mailbox: OpenMailbox & { server: MailServer },
  options: ReadingOptions,
): Promise<boolean> {
  const reading = new Reading(ctx, row, mailbox, options)
  if (positionOf(row).uidValidity !== mailbox.uidValidity)
    await ctx.transaction((tx) => reading.advance(tx, reading.position))
  const uids = await newUids(reading)
  reading.step('listed')
  const now = uids.slice(0, MOST_OF_PASS)
  for (let at = 0; at < now.length; at += HEADS) {
    const heads = await headsOf(reading, now.slice(at, at + HEADS))
    for (const head of heads) await takeMail(reading, head)
  }
  // UIDs without a mail any more.
  const last = now.at(-1)
  if (last !== undefined && last > (reading.position.lastUid ?? 0)) await passOver(reading, last)
  return uids.length > now.length
}

/** Returns the UIDs after the position, ascending. */
async function newUids(reading: Reading): Promise<number[]> {
  const from = (reading.position.lastUid ?? 0) + 1
  // A server may answer from what it saw last; this makes it look.
  await reading.ask((client) => client.noop())
  const found = await reading.ask((client) => client.search({ uid: `${from}:*` }, { uid: true }))
  if (!found) throw new MailboxFault('connection_lost')
  // A range that ends in * always has the last mail, even an earlier one (RFC 9051, 9).
  return (found as number[]).filter((uid) => uid >= from).toSorted((a, b) => a - b)
}

function headsOf(reading: Reading, uids: readonly number[]): Promise<Head[]> {
  return reading.ask(async (client) => {
    const wanted = { uid: true, size: true, internalDate: true }
    const found = await client.fetchAll(uids.join(','), wanted, { uid: true })
    const heads = found.map(({ uid, size = 0, internalDate }) => ({
      uid,
      size,
      arrivedAt: dateOf(internalDate),
    }))
    return heads.toSorted((a, b) => a.uid - b.uid)
  })
}

function dateOf(date: Date | string | undefined): Date | null {
  return date === undefined ? null : new Date(date)
}

/** Writes that a mail needs no more attention, with what could not be taken. */
async function passOver(reading: Reading, uid: number, left: readonly Left[] = []): Promise<void> {
  const position = after(reading.position, uid, left)
  await reading.ctx.transaction((tx) => reading.advance(tx, position))
  reading.position = position
}

function after(position: Position, uid: number, left: readonly Left[]): Position {
  const { failedAt: _failed, left: earlier = [], ...rest } = position
  return { ...rest, lastUid: uid, left: [...left, ...earlier].slice(0, MOST_LEFT) }
}

/** Takes one mail in. An error at it is counted, and a mail that fails again and again is left. */
async function takeMail(reading: Reading, head: Head): Promise<void> {
  try {
    await takeIn(reading, head)
  } catch (error) {
    reading.signal.throwIfAborted()
    if (error instanceof SourceChanged) throw error
    // Of the store or the computer, not of this mail.
    if (error instanceof AppError) throw error
    const isLost = error instanceof MailboxFault
    const { failedAt } = reading.position
    const times = failedAt?.uid === head.uid ? failedAt.times + 1 : 1
    const isTooMuch = isLost && error.isTooMuch
    if (isTooMuch || times >= (isLost ? LOST_CONNECTIONS : OWN_FAILURES))
      await passOver(reading, head.uid, [{ name: `UID ${head.uid}`, why: 'unreadable' }])
    else
      await reading.ctx.transaction((tx) =>
        reading.advance(tx, { ...reading.position, failedAt: { uid: head.uid, times } }),
      )
    throw error
  }
}

async function takeIn(reading: Reading, { uid, size, arrivedAt }: Head): Promise<void> {
  const { row, position } = reading
  if (arrivedAt !== null && arrivedAt.getTime() < (position.notBefore ?? 0)) return passOver(reading, uid)
  const bytes = size > MAX_MAIL_BYTES ? null : await fetchMail(reading, uid)
  reading.step('fetched')
  if (bytes === undefined) return passOver(reading, uid)
  if (bytes === null || bytes.length > MAX_MAIL_BYTES) {
    const name = await subjectOf(reading, uid)
    return passOver(reading, uid, [{ name, why: 'too_large' }])
  }
  const digest = sha256(bytes)
  if (await isSeen(reading.ctx, row.id, digest)) return passOver(reading, uid)
  const content = (await parseMail(bytes, reading.signal)) ?? (await unreadableMail(reading, uid, bytes))
  reading.step('parsed')
  const refused = await takeAnswers(reading, content)
  const left = [...content.left, ...refused].map(({ name, why }) => ({ name: name.slice(0, 200), why }))
  const next = after(position, uid, left)
  const documents = await newDocuments(reading, content, bytes)
  if (documents.length === 0) {
    await reading.ctx.transaction(async (tx) => {
      await reading.advance(tx, next)
      await markSeen(tx, row.id, [digest])
    })
    reading.position = next
    return
  }
  for (const [index, { digest: own, ...document }] of documents.entries()) {
    const isLast = index === documents.length - 1
    await addDocument(reading.ctx, document, async (tx) => {
      await assertUnchanged(tx, row)
      await markSeen(tx, row.id, isLast ? [own, digest] : [own])
      if (isLast) await reading.advance(tx, next)
    })
    reading.step('added')
  }
  reading.position = next
  reading.step('finished')
}

/** Takes in what customers answered; an answer that was taken before an interruption is known by its content. */
async function takeAnswers({ ctx }: Reading, { codes, sender, subject }: MailContent): Promise<Left[]> {
  if (codes.length === 0) return []
  const { refused } = await takeCodes(ctx, codes, { channel: 'mailbox', sender: sender || null })
  return refused.length === 0 ? [] : [{ name: subject, why: 'reply_refused' }]
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Reads a mail without marking it; undefined if it is gone. */
async function fetchMail(reading: Reading, uid: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const source = { maxLength: MAX_MAIL_BYTES + 1 }
  const found = await reading.ask((client) =>
    client.fetchOne(String(uid), { uid: true, source }, { uid: true }),
  )
  return found === false || found.source === undefined ? undefined : new Uint8Array(found.source)
}

async function subjectOf(reading: Reading, uid: number): Promise<string> {
  const found = await reading.ask((client) =>
    client.fetchOne(String(uid), { uid: true, headers: ['subject'] }, { uid: true }),
  )
  const header = found === false ? Buffer.alloc(0) : Buffer.from(found.headers ?? [])
  const text = header.subarray(0, LONGEST_SUBJECT).toString('utf8')
  return sanitizeLine(text.replace(/^subject:\s*/i, '')).slice(0, 200) || `UID ${uid}`
}

/** A mail that the parser gives up on is a document by itself, so that a person sees it. */
async function unreadableMail(
  reading: Reading,
  uid: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<MailContent> {
  const subject = await subjectOf(reading, uid)
  const name = fileNameOf(`${subject}.eml`, 'correo.eml')
  const mediaType = mediaTypeOf(bytes, name)
  const isKept = mediaType === 'message/rfc822' && bytes.length <= MAX_FILE_BYTES
  return {
    subject,
    sender: '',
    left: isKept ? [] : [{ name, why: 'unreadable' }],
    codes: [],
    items: isKept ? [{ name, mediaType, bytes }] : [],
  }
}

/** Returns the documents of a mail that the source has not handed over yet, each content once. */
async function newDocuments(
  { ctx, row }: Reading,
  { subject, sender, items }: MailContent,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<(ArrivingDocument & { digest: Buffer })[]> {
  const original =
    bytes.length > MAX_FILE_BYTES
      ? null
      : {
          name: fileNameOf(`${subject || 'correo'}.eml`, 'correo.eml'),
          mediaType: 'message/rfc822' as const,
          bytes,
        }
  const documents = new Map<string, ArrivingDocument & { digest: Buffer }>()
  for (const item of items) {
    const digest = sha256(item.bytes)
    if (await isSeen(ctx, row.id, digest)) continue
    documents.set(digest.toString('hex'), {
      ...item,
      source: 'mailbox',
      sourceRowId: row.id,
      sender: sender || null,
      digest,
      ...(original && item.mediaType !== 'message/rfc822' ? { original } : {}),
    })
  }
  return [...documents.values()]
}
