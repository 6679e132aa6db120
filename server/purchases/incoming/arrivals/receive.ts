/** Takes a structured document in and reads it at once: for channels that have to answer for what they brought. */
import { createHash } from 'node:crypto'
import { AppError } from '../../../domain/errors/app-error.ts'
import { MAX_FILE_BYTES, mediaTypeOf } from '../../../domain/media-types.ts'
import type { Ctx } from '../../../context.ts'
import { addDocument } from '../add.ts'
import type { DuplicateOf, IncomingSource } from '../contract.ts'
import { readDocument, settleRead, settleUnread, whyUnread } from '../read.ts'
import { duplicateOf, entryOf, findIncoming, incomingByRow, updateIncoming } from '../rows.ts'
import type { IncomingRow } from '../rows.ts'
import type { ArrivalChannel, ArrivalDifference } from './contract.ts'
import { arrivalsOf } from './rows.ts'

interface ArrivingStructured {
  channel: Extract<ArrivalChannel, 'platform' | 'mail' | 'folder' | 'drop'>
  bytes: Uint8Array
  fileName: string
  /** Instant in ISO 8601. */
  receivedAt: string
  /** Who it is from, as the channel says. */
  sender?: string | null
}

/** What became of a document. */
interface ReceivedStructured {
  /** The document as it is kept under the incoming ones. */
  incomingId: string
  /** The purchase that it belongs to, if there is one. */
  purchaseId: string | null
  /** What it repeats. Without a fault its files belong to that now. */
  duplicateOf: Pick<DuplicateOf, 'type' | 'id'> | null
  differences: ArrivalDifference[]
  /**
   * Code of what is wrong: `same_code_other_content` for other amounts, taxes or parties under the code of an invoice that
   * is here; or why it cannot be read. It is kept in either case, and nothing else was changed.
   */
  fault: string | null
}

const SOURCES: Readonly<Record<ArrivingStructured['channel'], IncomingSource>> = {
  platform: 'program',
  mail: 'mailbox',
  folder: 'folder',
  drop: 'window',
}

/** Longer than the limits of the process that reads one document. */
const LEASE_MS = 10 * 60_000

/** Takes a document from the background reader, unless it has begun. */
function claim(ctx: Ctx, id: number): Promise<IncomingRow | null> {
  return ctx.transaction(async (tx) => {
    const row = await incomingByRow(tx, id)
    if (row?.state !== 'queued') return null
    return updateIncoming(tx, row, {
      state: 'reading',
      lease_until: tx.now().getTime() + LEASE_MS,
      attempts: row.attempts + 1,
      pages_read: 0,
    })
  })
}

async function readNow(ctx: Ctx, row: IncomingRow): Promise<void> {
  try {
    const read = await readDocument(ctx, row, {})
    await ctx.transaction((tx) => settleRead(tx, row, read))
  } catch (error) {
    const why = whyUnread(error)
    // What may pass is left to the background reader, which knows how often and when.
    const outcome = why === null ? { dueAt: ctx.now().getTime(), counts: false } : { why }
    await ctx.transaction(async (tx) => {
      await settleUnread(tx, row, outcome)
      tx.wake('incoming')
    })
    if (why === null && !(error instanceof AppError)) throw error
  }
}

async function stateNow(
  ctx: Ctx,
  { id, sha256, knownAs }: { id: number; sha256: Buffer; knownAs: string | null },
): Promise<ReceivedStructured> {
  const row = await incomingByRow(ctx, id)
  if (row === null) throw new AppError('internal')
  const repeats = duplicateOf(row)
  // Put aside because its files went to the document that waits.
  const joined = row.state === 'rejected' && repeats?.type === 'incoming' ? repeats : null
  const belongsTo = joined ? await findIncoming(ctx, joined.id) : row
  const entry = await entryOf(ctx.db, row)
  const arrivals = (await arrivalsOf(ctx, belongsTo ? [belongsTo.id] : [])).filter((each) =>
    sha256.equals(each.sha256),
  )
  const conflict = arrivals.some(({ is_conflict: is }) => is === 1)
  return {
    incomingId: joined?.id ?? row.public_id,
    purchaseId: entry?.public_id ?? null,
    duplicateOf:
      knownAs === null
        ? repeats && { type: repeats.type, id: repeats.id }
        : { type: 'incoming', id: knownAs },
    differences: arrivals.flatMap(({ differences }) => JSON.parse(differences) as ArrivalDifference[]),
    fault: conflict ? 'same_code_other_content' : row.why,
  }
}

/**
 * Takes a document in, reads it and tells what became of it. The same bytes are taken in once, whatever the channel.
 * Throws `attachment_type`, `payload_too_large`, `too_busy` or what the store throws.
 */
export async function receiveStructured(ctx: Ctx, arriving: ArrivingStructured): Promise<ReceivedStructured> {
  const { channel, fileName, receivedAt, sender = null } = arriving
  const bytes = new Uint8Array(arriving.bytes)
  if (bytes.byteLength > MAX_FILE_BYTES) throw new AppError('payload_too_large')
  const mediaType = mediaTypeOf(bytes, fileName)
  if (mediaType === null) throw new AppError('attachment_type', { field: 'bytes' })
  const { row, isNew } = await addDocument(ctx, {
    name: fileName,
    mediaType,
    bytes,
    source: SOURCES[channel],
    channel,
    sender,
    arrivedAt: Date.parse(receivedAt),
  })
  const claimed = isNew ? await claim(ctx, row.id) : null
  if (claimed) await readNow(ctx, claimed)
  const sha256 = createHash('sha256').update(bytes).digest()
  return stateNow(ctx, { id: row.id, sha256, knownAs: isNew ? null : row.public_id })
}
