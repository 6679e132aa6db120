/** The simulated authority of one test book: its memory lives in the book's store, so that a restart forgets nothing. */
import { randomBytes } from 'node:crypto'
import { registryDate } from '../../core/dates.ts'
import type { Ctx } from '../../ctx.ts'
import { prepare } from '../../store/query.ts'
import type { Authority } from '../queue/authority.ts'
import { createSimulator } from './index.ts'
import type { Entry, RecordKey, SimulatorState } from './index.ts'

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

interface KeptEntry {
  bookId: number
  issuerNif: string
  number: string
  issueDate: string
  arrival: number
  entry: string
}

const keep = prepare((db, p: KeptEntry) =>
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

function keyText(key: RecordKey): string {
  return JSON.stringify([key.issuerNif, key.number, key.issueDate])
}

/** Entries of one submission are gathered and written together when it is answered, as one transaction. */
class StoredState implements SimulatorState {
  private readonly ctx: Ctx
  private gathered = new Map<string, Entry>()
  private newest: Entry | null = null

  constructor(ctx: Ctx) {
    this.ctx = ctx
  }

  async find(key: RecordKey): Promise<Entry | null> {
    const gathered = this.gathered.get(keyText(key))
    if (gathered) return gathered
    const row = await byKey.first(this.ctx.db, {
      bookId: this.ctx.book.id,
      issuerNif: key.issuerNif,
      number: key.number,
      issueDate: key.issueDate,
    })
    return row ? (JSON.parse(row.entry) as Entry) : null
  }

  async put(entry: Entry): Promise<void> {
    this.gathered.set(keyText(entry), entry)
    this.newest = entry
  }

  async last(issuerNif: string, installation: string): Promise<Entry | null> {
    const row = this.newest ? null : await latest.first(this.ctx.db, { bookId: this.ctx.book.id })
    const entry = this.newest ?? (row ? (JSON.parse(row.entry) as Entry) : null)
    return entry && entry.issuerNif === issuerNif && entry.installation === installation ? entry : null
  }

  async flush(): Promise<void> {
    const entries = [...this.gathered.values()]
    if (entries.length === 0) return
    await this.ctx.transaction(async (tx) => {
      let arrival = (await latest.first(tx.db, { bookId: tx.book.id }))?.arrival ?? 0
      for (const entry of entries) {
        arrival += 1
        await keep.run(tx.db, {
          bookId: tx.book.id,
          issuerNif: entry.issuerNif,
          number: entry.number,
          issueDate: entry.issueDate,
          arrival,
          entry: JSON.stringify(entry),
        })
      }
    })
    this.gathered = new Map()
    this.newest = null
  }
}

/** The authority a test book talks to. No socket is ever opened. */
export function simulatedAuthority(ctx: Ctx): Authority {
  const state = new StoredState(ctx)
  const simulator = createSimulator({
    state,
    now: () => ctx.now(),
    newCsv: () => `S-${randomBytes(10).toString('hex').toUpperCase().slice(0, 14)}`,
    waitSeconds: 0,
  })
  return {
    async submit(envelopeXml) {
      const reply = await simulator.submit(envelopeXml)
      await state.flush()
      return reply
    },
    async holds(key) {
      const entry = await state.find({
        issuerNif: key.issuerNif,
        number: key.number,
        issueDate: registryDate(key.issueDate),
      })
      return entry ? { hash: entry.hash } : null
    },
  }
}
