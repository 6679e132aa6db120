/** The simulated authority of one test book: its state is in the book's store, so that a restart loses nothing. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sha256Hex } from '../../../../domain/sha256.ts'
import type { Ctx } from '../../../../context.ts'
import { prepare } from '../../../../db/query.ts'
import type { Authority, Exchange } from '../../../queue/authority.ts'
import { packXml, unpackXml } from '../../packing.ts'
import { createSimulator } from './index.ts'
import type { Change, Entry, RecordKey, SimulatorState, SystemKey } from './index.ts'

const byKey = prepare((db, p: { bookId: number; issuerNif: string; number: string; issueDate: string }) =>
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
    .select(['entry', 'arrival'])
    .where('book_id', '=', p.bookId)
    .orderBy('arrival', 'desc')
    .limit(1),
)

interface StoredEntry {
  bookId: number
  issuerNif: string
  number: string
  issueDate: string
  arrival: number
  entry: Uint8Array
}

const keep = prepare((db, p: StoredEntry) =>
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

const PACKED_AT_ONCE = 50

/**
 * Packs an entry for the store: a line with the facts, then the record; together, because the record repeats most
 * facts.
 */
function writeEntry({ record, ...facts }: Entry): Uint8Array {
  return packXml(`${JSON.stringify(facts)}\n${record}`, 'quickly')
}

/** Reads an entry of the table. Throws when it is damaged. */
export function readEntry(kept: Uint8Array): Entry {
  const text = unpackXml(kept)
  const end = text.indexOf('\n')
  return { ...(JSON.parse(text.slice(0, end)) as Omit<Entry, 'record'>), record: text.slice(end + 1) }
}

/** Implements the state port over the table of one book. */
function storedState(ctx: Ctx): SimulatorState {
  const bookId = ctx.book.id
  return {
    find: async ({ issuerNif, number, issueDate }) => {
      const row = await byKey.first(ctx.db, { bookId, issuerNif, number, issueDate })
      return row ? readEntry(row.entry) : null
    },
    // A book has one installation at a time, so its newest record decides.
    hasRecords: async (issuerNif: string, system: SystemKey) => {
      const row = await latest.first(ctx.db, { bookId })
      if (!row) return false
      const newest = readEntry(row.entry)
      return (
        newest.issuerNif === issuerNif &&
        newest.system.producer === system.producer &&
        newest.system.id === system.id &&
        newest.system.installation === system.installation
      )
    },
    page: async (issuerNif: string, after: RecordKey | null, limit: number) => {
      let query = ctx.db
        .selectFrom('simulator_records')
        .select('entry')
        .where('book_id', '=', bookId)
        .where('issuer_nif', '=', issuerNif)
      if (after) {
        query = query.where((where) =>
          where(where.refTuple('number', 'issue_date'), '>', where.tuple(after.number, after.issueDate)),
        )
      }
      const rows = await query.orderBy('number').orderBy('issue_date').limit(limit).execute()
      return rows.map((row) => readEntry(row.entry))
    },
    write: async (changes: readonly Change[]) => {
      // Packing takes longer than writing, and inside the transaction it would block all other writers.
      const packed: Omit<StoredEntry, 'arrival'>[] = []
      for (const { entry } of changes) {
        const { issuerNif, number, issueDate } = entry
        packed.push({ bookId, issuerNif, number, issueDate, entry: writeEntry(entry) })
        if (packed.length % PACKED_AT_ONCE === 0) await nextTurn()
      }
      await ctx.transaction(async (tx) => {
        let arrival = (await latest.first(tx.db, { bookId }))?.arrival ?? 0
        for (const entry of packed) {
          arrival += 1
          await keep.run(tx.db, { ...entry, arrival })
        }
      })
    },
  }
}

/** Creates the authority of a test book. No socket is ever opened. */
export function simulatedAuthority(ctx: Ctx): Authority {
  const simulator = createSimulator({
    state: storedState(ctx),
    now: () => ctx.now(),
    // As long as the real one's and as hard to guess: identifiers contain their time.
    newCsv: () => `S-${sha256Hex(ctx.env.newId('req')).slice(0, 14).toUpperCase()}`,
    waitSeconds: 0,
  })
  const answered = (body: string): Exchange => ({
    kind: 'answered',
    status: 200,
    body: Buffer.from(body, 'utf8'),
    serverTime: ctx.now().getTime(),
  })
  return {
    submit: async (envelopeXml) => answered(await simulator.submit(envelopeXml)),
    query: async (envelopeXml) => answered(await simulator.query(envelopeXml)),
  }
}
