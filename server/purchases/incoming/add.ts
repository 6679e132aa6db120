/** Takes documents in: keeps the file once, and has it read. */
import { recordAudit } from '../../platform/audit/index.ts'
import { contentOf, fileOf, keepFile, linkFile, storeFile } from '../../platform/attachments/index.ts'
import type { MediaType } from '../../platform/attachments/contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { mediaTypeOf } from '../../domain/media-types.ts'
import { isZip } from '../../domain/formats/zip-magic.ts'
import { takeCodes } from '../../sales/replies/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { readReceivedContract } from '../intake/contract.ts'
import type { addIncomingContract, IncomingSource } from './contract.ts'
import type { ArrivalChannel } from './arrivals/contract.ts'
import { channelOf, recordArrival } from './arrivals/rows.ts'
import { proposeEntry } from './propose.ts'
import { incomingOfFile, insertIncoming, INCOMING_TARGET, updateIncoming, waiting } from './rows.ts'
import type { IncomingRow } from './rows.ts'
import { keepShown } from './shown.ts'
import { incomingView } from './view.ts'

export interface ArrivingDocument {
  name: string
  mediaType: MediaType
  bytes: Uint8Array<ArrayBuffer>
  source: IncomingSource
  /** Row of the folder or mailbox that it came from. */
  sourceRowId?: number | null
  sender?: string | null
  /** Default: by the source. */
  channel?: ArrivalChannel
  /** When it arrived there, in milliseconds since 1970. Default: now. */
  arrivedAt?: number
  /** What it came in, such as the whole mail, which is stored beside it. */
  original?: { name: string; mediaType: MediaType; bytes: Uint8Array<ArrayBuffer> }
}

/** Writes the history and notifies the window. */
export async function recordIncoming(ctx: Ctx, action: string, row: IncomingRow): Promise<void> {
  const label = row.supplier_name ?? row.name
  await recordAudit(ctx, { action, target: { type: 'incoming', id: row.public_id, label } })
  await emitEvent(ctx, 'incoming.changed', { documentId: row.public_id, state: row.state })
}

/** A person or program hands in again what was rejected: it is brought back. A source does not. */
const BRINGS_BACK: readonly IncomingSource[] = ['window', 'phone', 'program', 'assistant']

/**
 * Takes a document in. The same bytes answer the document there is, which is brought back if it was rejected. `within`
 * runs in the same transaction, so that a source remembers exactly what was taken in.
 */
export async function addDocument(
  ctx: Ctx,
  document: ArrivingDocument,
  within: (tx: Ctx) => Promise<void> = async () => {},
): Promise<{ row: IncomingRow; isNew: boolean }> {
  const { name, source, sourceRowId = null, sender = null, original } = document
  const { channel = channelOf(source), arrivedAt } = document
  for (;;) {
    const kept = await keepFile(ctx, document)
    const keptOriginal = original ? await keepFile(ctx, original) : null
    const added = await ctx.transaction(async (tx) => {
      const file = await storeFile(tx, kept)
      const beside = keptOriginal ? await storeFile(tx, keptOriginal) : null
      // The book had it, and it has been deleted since: its content is not kept yet.
      if (file === null || (keptOriginal !== null && beside === null)) return null
      await within(tx)
      const arrived = (row: IncomingRow): Promise<void> =>
        recordArrival(tx, { incomingRow: row.id, channel, name, sha256: file.sha256, arrivedAt })
      const [known] = file.isNew ? [] : await incomingOfFile(tx, file.id)
      if (known) {
        await arrived(known)
        if (known.state !== 'rejected' || !BRINGS_BACK.includes(source)) return { row: known, isNew: false }
        const row = await updateIncoming(tx, known, waiting(tx))
        tx.wake('incoming')
        await recordIncoming(tx, 'incoming.restored', row)
        return { row, isNew: false }
      }
      const row = await insertIncoming(tx, { name, source, sourceRowId, sender })
      const target = { type: INCOMING_TARGET, id: row.id }
      await linkFile(tx, file.id, target)
      await arrived(row)
      if (beside) await linkFile(tx, beside.id, target)
      await recordIncoming(tx, 'incoming.added', row)
      return { row, isNew: true }
    })
    if (added) return added
  }
}

/** The way a document comes in by an operation. */
const SOURCES: Readonly<Record<Ctx['channel'], IncomingSource>> = {
  ui: 'window',
  rest: 'program',
  mcp: 'assistant',
  system: 'program',
}

/** Returns the way in which a document comes in by a request. */
export const sourceOf = ({ channel }: Ctx): IncomingSource => SOURCES[channel]

/** Reads a file into a proposal; nothing is written. Without waiting, takes it in and has it read in the background. */
export const readReceived: UseCase<typeof readReceivedContract> = async (ctx, { wait = true, ...input }) => {
  const file = fileOf(input)
  if (!wait) {
    const { row } = await addDocument(ctx, { ...file, source: sourceOf(ctx) })
    return { documentId: row.public_id, state: row.state }
  }
  const read = await proposeEntry(ctx, [file])
  keepShown(ctx, file.bytes, read)
  const { proposal, duplicate, warnings } = read
  return { proposal, duplicate, warnings, mediaType: file.mediaType }
}

/** Takes in a document of a request: a file, or those in a mail or ZIP file. */
export const addIncoming: UseCase<typeof addIncomingContract> = async (ctx, input) => {
  const [first, ...others] = await documentsIn(ctx, contentOf(input), sourceOf(ctx))
  const { row } = await addDocument(ctx, first)
  for (const other of others) await addDocument(ctx, other)
  return incomingView(ctx, row)
}

type Documents = [first: ArrivingDocument, ...others: ArrivingDocument[]]

/** Returns the documents of a file: those in a mail, with the mail beside each, those in a ZIP file, or the file itself. */
async function documentsIn(
  ctx: Ctx,
  { name, bytes }: Pick<ArrivingDocument, 'name' | 'bytes'>,
  source: IncomingSource,
): Promise<Documents> {
  const mediaType = mediaTypeOf(bytes, name)
  const packed = mediaType === null && isZip(bytes)
  if (mediaType !== MAIL && !packed) {
    if (mediaType === null) throw new AppError('attachment_type', { field: 'content' })
    return [{ name, mediaType, bytes, source }]
  }
  const { parseMail } = await import('../intake/mail/parse-mail.ts')
  const mail = await parseMail(bytes)
  if (mail && mail.codes.length > 0)
    await takeCodes(ctx, mail.codes, { channel: 'file', sender: mail.sender || null })
  const [first, ...others] = (mail?.items ?? [])
    .filter((item) => item.mediaType !== MAIL)
    .map((item): ArrivingDocument => ({
      ...item,
      source,
      sender: mail?.sender || null,
      ...(packed ? {} : { original: { name, mediaType: MAIL, bytes } }),
    }))
  if (first) return [first, ...others]
  if (packed) throw new AppError('attachment_type', { field: 'content' })
  return [{ name, mediaType: MAIL, bytes, source }]
}

const MAIL: MediaType = 'message/rfc822'
