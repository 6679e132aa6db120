/**
 * The simulated service of one test book: its state is in the book's store, so that a restart loses nothing. It uses the table of the
 * simulated authority; a book has one registry, so that the rows of two never meet.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Ctx } from '../../../../context.ts'
import { prepare } from '../../../../db/query.ts'
import type { Transport } from '../client/transport.ts'
import type { Province } from '../wire/services.ts'
import { transportTo } from './in-process.ts'
import { createProvinceService } from './provinces.ts'
import type { ProvinceOptions } from './provinces.ts'
import type { ChainHead, HeldFile, HeldReceived, ServiceState } from './state.ts'

interface RowKey {
  bookId: number
  issuerNif: string
  number: string
  issueDate: string
}

const byKey = prepare((db, p: RowKey) =>
  db
    .selectFrom('simulator_records')
    .select('entry')
    .where('book_id', '=', p.bookId)
    .where('issuer_nif', '=', p.issuerNif)
    .where('number', '=', p.number)
    .where('issue_date', '=', p.issueDate),
)

const latest = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('simulator_records')
    .select('arrival')
    .where('book_id', '=', p.bookId)
    .orderBy('arrival', 'desc')
    .limit(1),
)

const keep = prepare((db, p: RowKey & { arrival: number; entry: Uint8Array }) =>
  db
    .insertInto('simulator_records')
    .values({
      book_id: p.bookId,
      issuer_nif: p.issuerNif,
      number: p.number,
      issue_date: p.issueDate,
      arrival: p.arrival,
      entry: p.entry,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['book_id', 'issuer_nif', 'number', 'issue_date'])
        .doUpdateSet({ arrival: p.arrival, entry: p.entry }),
    ),
)

/** What a row holds stands at the beginning of its number. Only files have an arrival. */
const FILE = 'file '
const HEAD = 'head '
const RECEIVED = 'received '
const NO_ARRIVAL = 0
const MOST_BYTES = 8 * 1024 * 1024
const PACKED_AT_ONCE = 50

const pack = (value: unknown): Buffer => deflateRawSync(JSON.stringify(value), { level: 3 })

/** Throws when the row is damaged. */
function unpack<T>(stored: Uint8Array): T {
  return JSON.parse(inflateRawSync(stored, { maxOutputLength: MOST_BYTES }).toString('utf8')) as T
}

const fileNumber = ({ series, number }: HeldFile['key']): string => FILE + JSON.stringify([series, number])

/** Implements the state port over the table of one book. */
export function storedServiceState(ctx: Ctx): ServiceState {
  const bookId = ctx.book.id
  const read = async <T>(issuerNif: string, number: string, issueDate: string): Promise<T | null> => {
    const row = await byKey.first(ctx.db, { bookId, issuerNif, number, issueDate })
    return row ? unpack<T>(row.entry) : null
  }
  return {
    find: (key) => read<HeldFile>(key.issuerNif, fileNumber(key), key.issueDate),
    head: (chain) => read<ChainHead>('', HEAD + chain, ''),
    lastSequence: async () => (await latest.first(ctx.db, { bookId }))?.arrival ?? 0,
    page: async ({ issuerNif, year, after, limit }) => {
      const rows = await ctx.db
        .selectFrom('simulator_records')
        .select('entry')
        .where('book_id', '=', bookId)
        .where('issuer_nif', '=', issuerNif)
        .where('number', 'like', `${FILE}%`)
        .where('issue_date', 'like', `%-${year}`)
        .where('arrival', '>', after)
        .orderBy('arrival')
        .limit(limit)
        .execute()
      return rows.map(({ entry }) => unpack<HeldFile>(entry))
    },
    findReceived: (taxpayerNif, key) => read<HeldReceived>(taxpayerNif, RECEIVED + key, ''),
    write: async (files, received) => {
      const rows: (RowKey & { arrival: number; entry: Uint8Array })[] = []
      // Packing takes longer than writing, and inside the transaction it would block all other writers.
      const add = async (row: Omit<RowKey, 'bookId'>, arrival: number, value: unknown): Promise<void> => {
        rows.push({ bookId, ...row, arrival, entry: pack(value) })
        if (rows.length % PACKED_AT_ONCE === 0) await nextTurn()
      }
      const heads = new Map<string, ChainHead & { sequence: number }>()
      for (const held of files) {
        const { issuerNif, issueDate } = held.key
        await add({ issuerNif, number: fileNumber(held.key), issueDate }, held.sequence, held)
        // A file that only changed is never after the head that is stored: its sequence is an earlier one.
        const head = heads.get(held.chain)
        if (held.chain !== '' && (head === undefined || head.sequence < held.sequence))
          heads.set(held.chain, { key: held.key, signature: held.signature, sequence: held.sequence })
      }
      for (const held of received)
        await add(
          { issuerNif: held.taxpayerNif, number: RECEIVED + held.key, issueDate: '' },
          NO_ARRIVAL,
          held,
        )
      await ctx.transaction(async (tx) => {
        for (const row of rows) await keep.run(tx.db, row)
        for (const [chain, head] of heads) {
          const key = { bookId, issuerNif: '', number: HEAD + chain, issueDate: '' }
          const stored = await byKey.first(tx.db, key)
          const isNewer = !stored || unpack<{ sequence: number }>(stored.entry).sequence < head.sequence
          if (isNewer) await keep.run(tx.db, { ...key, arrival: NO_ARRIVAL, entry: pack(head) })
        }
      })
    },
  }
}

/** Returns the transport of a test book to its own simulated service. No socket is ever opened. */
export function simulatedTransport(
  ctx: Ctx,
  province: Province,
  {
    callers,
    ...options
  }: Omit<ProvinceOptions, 'state' | 'now' | 'newReceipt'> & { callers: readonly string[] },
): Transport {
  const service = createProvinceService(province, {
    ...options,
    state: storedServiceState(ctx),
    now: () => ctx.now(),
    newReceipt: () => ctx.env.newId('req'),
  })
  return transportTo(service, callers)
}
