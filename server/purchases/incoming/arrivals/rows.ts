/** Rows of arrivals: the SQL of this folder. */
import type { Selectable } from 'kysely'
import type { Ctx } from '../../../context.ts'
import type { PurchaseArrivalsTable } from '../../../db/schema.ts'
import type { IncomingSource } from '../contract.ts'
import type { ArrivalFacts } from './compare.ts'
import type { ArrivalChannel, ArrivalDifference, ArrivalForm } from './contract.ts'

export type ArrivalRow = Selectable<PurchaseArrivalsTable>

const CHANNELS: Readonly<Record<IncomingSource, ArrivalChannel>> = {
  window: 'drop',
  phone: 'drop',
  folder: 'folder',
  mailbox: 'mail',
  program: 'program',
  assistant: 'program',
}

export const channelOf = (source: IncomingSource): ArrivalChannel => CHANNELS[source]

export const factsOfArrival = ({ facts }: ArrivalRow): ArrivalFacts | null =>
  facts === null ? null : (JSON.parse(facts) as ArrivalFacts)

interface NewArrival {
  incomingRow: number
  channel: ArrivalChannel
  name: string
  sha256: Uint8Array
  /** Milliseconds since 1970. Default: now. */
  arrivedAt?: number | undefined
}

/**
 * Records that a file came by a channel, once for each. The same file by another channel says what it said by the first
 * one. Call it in a transaction.
 */
export async function recordArrival(tx: Ctx, arrival: NewArrival): Promise<void> {
  const sha256 = Buffer.from(arrival.sha256)
  const same = await tx.db
    .selectFrom('purchase_arrivals')
    .select(['form', 'facts'])
    .where('book_id', '=', tx.book.id)
    .where('sha256', '=', sha256)
    .where('incoming_id', '=', arrival.incomingRow)
    .limit(1)
    .executeTakeFirst()
  await tx.db
    .insertInto('purchase_arrivals')
    .values({
      book_id: tx.book.id,
      public_id: tx.newId('arv'),
      channel: arrival.channel,
      form: same?.form ?? 'document',
      name: arrival.name,
      sha256,
      incoming_id: arrival.incomingRow,
      facts: same?.facts ?? null,
      arrived_at: arrival.arrivedAt ?? tx.now().getTime(),
    })
    // A file that comes again after its document was deleted belongs to the new one.
    .onConflict((conflict) =>
      conflict.columns(['book_id', 'channel', 'sha256']).doUpdateSet({ incoming_id: arrival.incomingRow }),
    )
    .execute()
}

/** Returns the arrivals of documents, in the order in which they came. */
export async function arrivalsOf(ctx: Ctx, incomingRows: readonly number[]): Promise<ArrivalRow[]> {
  if (incomingRows.length === 0) return []
  return ctx.db
    .selectFrom('purchase_arrivals')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('incoming_id', 'in', [...incomingRows])
    .orderBy('arrived_at')
    .orderBy('id')
    .execute()
}

/** Returns the arrivals of a purchase, in the order in which they came. */
export async function arrivalsOfEntry(ctx: Ctx, receivedRow: number): Promise<ArrivalRow[]> {
  const rows = await ctx.db
    .selectFrom('incoming_documents')
    .select('id')
    .where('book_id', '=', ctx.book.id)
    .where('received_id', '=', receivedRow)
    .execute()
  return arrivalsOf(
    ctx,
    rows.map(({ id }) => id),
  )
}

/** Returns the hashes of the files of a purchase that came by a channel. */
export async function filesOfEntry(
  ctx: Ctx,
  receivedRow: number,
  channel: ArrivalChannel,
): Promise<Uint8Array[]> {
  const rows = await arrivalsOfEntry(ctx, receivedRow)
  return rows.filter((row) => row.channel === channel).map(({ sha256 }) => sha256)
}

/** Writes what a document says, for the arrivals of it that nothing is known of yet. */
export async function writeFacts(
  tx: Ctx,
  incomingRow: number,
  read: { form: ArrivalForm; facts: ArrivalFacts; differences: ArrivalDifference[]; isConflict: boolean },
): Promise<void> {
  await tx.db
    .updateTable('purchase_arrivals')
    .set({
      form: read.form,
      facts: JSON.stringify(read.facts),
      differences: JSON.stringify(read.differences),
      is_conflict: read.isConflict ? 1 : 0,
    })
    .where('incoming_id', '=', incomingRow)
    .where('facts', 'is', null)
    .execute()
}

/** Gives the arrivals of one document to another one. */
export async function moveArrivals(tx: Ctx, from: number, to: number): Promise<void> {
  await tx.db
    .updateTable('purchase_arrivals')
    .set({ incoming_id: to })
    .where('incoming_id', '=', from)
    .execute()
}
