/** Lists the documents in which an invoice arrived. */
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { findReceived } from '../../invoices/index.ts'
import { findIncoming } from '../rows.ts'
import type {
  Arrival,
  ArrivalDifference,
  incomingArrivalsContract,
  receivedArrivalsContract,
} from './contract.ts'
import { arrivalsOf, arrivalsOfEntry } from './rows.ts'
import type { ArrivalRow } from './rows.ts'

async function views(ctx: Ctx, rows: readonly ArrivalRow[]): Promise<Arrival[]> {
  if (rows.length === 0) return []
  const files = await ctx.db
    .selectFrom('files')
    .select(['public_id', 'sha256'])
    .where('book_id', '=', ctx.book.id)
    .where(
      'sha256',
      'in',
      rows.map(({ sha256 }) => sha256),
    )
    .execute()
  const documents = await ctx.db
    .selectFrom('incoming_documents')
    .select(['id', 'public_id'])
    .where('id', 'in', [...new Set(rows.map(({ incoming_id: id }) => id))])
    .execute()
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
  return rows.map((row) => ({
    id: row.public_id,
    channel: row.channel,
    form: row.form,
    name: row.name,
    sha256: hex(row.sha256),
    documentId: documents.find(({ id }) => id === row.incoming_id)?.public_id ?? '',
    attachmentId: files.find((file) => hex(file.sha256) === hex(row.sha256))?.public_id ?? null,
    isRead: row.facts !== null,
    differences: JSON.parse(row.differences) as ArrivalDifference[],
    conflict: row.is_conflict === 1,
    arrivedAt: new Date(row.arrived_at).toISOString(),
  }))
}

export const receivedArrivals: UseCase<typeof receivedArrivalsContract> = async (ctx, { id }) => {
  const entry = orNotFound(await findReceived(ctx, id))
  return { items: await views(ctx, await arrivalsOfEntry(ctx, entry.id)) }
}

export const incomingArrivals: UseCase<typeof incomingArrivalsContract> = async (ctx, { id }) => {
  const row = orNotFound(await findIncoming(ctx, id))
  return { items: await views(ctx, await arrivalsOf(ctx, [row.id])) }
}
