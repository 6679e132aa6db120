/** An office: one server before PostgreSQL, and what it costs to issue there. */
import manifest from '../../package.json' with { type: 'json' }
import { loadOperation } from '../../server/api/operations.ts'
import { runOperation } from '../../server/api/run.ts'
import type { Book } from '../../server/context.ts'
import { partsUnderLock, watchStatements } from '../../test/support/postgres/sent.ts'
import type { StatementWatch } from '../../test/support/postgres/sent.ts'
import type { Bench, Group } from '../bench.ts'
import { LimitOffice } from '../limits/office.ts'
import { judge, race } from '../method.ts'
import { timeClients } from '../office/clients.ts'
import { addCompany, OfficePlace, openOn, proveOffice, readyDrafts } from '../office/place.ts'
import type { OfficeDatabase, ReadyDraft } from '../office/place.ts'

/** One client waits for each answer: what the product computes adds up with what the database does. */
const ALONE_BAR = { better: 'more', floor: 0.6, goal: 0.7 } as const
const BAR = { better: 'more', floor: 0.7, goal: 0.85 } as const
const COMPANIES = 12
/** Connections of a server that write, as many as it has by default. */
const CONNECTIONS = 8
const CONTENT = { invoices: 300, contacts: 60 }

interface Load {
  name: string
  companies: number
  clients: number
  operationsEach: number
}

const LOADS: readonly Load[] = [
  { name: 'office.issue', companies: 1, clients: 1, operationsEach: 120 },
  { name: 'office.issue.clients', companies: 1, clients: COMPANIES, operationsEach: 15 },
  { name: 'office.issue.companies', companies: COMPANIES, clients: COMPANIES, operationsEach: 15 },
]

/** Measures one load: the same drafts with the same tokens are issued in two copies of one database. */
async function measure(bench: Bench, place: OfficePlace, filled: Filled, load: Load): Promise<void> {
  const subject = await place.create(filled.database)
  const books = filled.books.slice(0, load.companies)
  const each = load.operationsEach * (bench.rounds + 1)
  const preparing = await openOn(subject)
  const drafts: ReadyDraft[][] = []
  try {
    for (let client = 0; client < load.clients; client += 1)
      drafts.push(await readyDrafts(preparing, books[client % books.length] as Book, each))
  } finally {
    await preparing.close()
  }
  // As a database is in use: prepared statements keep the plans of their beginning.
  await place.within(subject, (client) => client.query('vacuum analyze'))
  const copy = await place.create(subject)
  const sello = await openOn(subject, CONNECTIONS)
  const limit = new LimitOffice(copy.url, CONNECTIONS)
  try {
    const year = sello
      .ctx(books[0] as Book)
      .today()
      .slice(0, 4)
    await place.within(copy, async (admin) => {
      for (const book of books) await limit.know(admin, book.id, manifest.version, year)
    })
    const issue = await loadOperation('invoices.issue')
    const at = (round: number, client: number, operation: number): ReadyDraft =>
      drafts[client]?.[round * load.operationsEach + operation] as ReadyDraft
    const watches: StatementWatch[] = []
    const result = await race(
      {
        run: async (round) => {
          const watch = watchStatements('sello-write')
          watches.push(watch)
          try {
            return await timeClients(load.clients, load.operationsEach, (client, operation) => {
              const { id, token } = at(round, client, operation)
              const ctx = sello.ctx(books[client % books.length] as Book)
              return runOperation(issue, ctx, { id, confirmationToken: token })
            })
          } finally {
            watch.stop()
          }
        },
      },
      {
        run: (round) =>
          timeClients(load.clients, load.operationsEach, (client, operation) =>
            limit.issue((books[client % books.length] as Book).id, at(round, client, operation)),
          ),
      },
      bench.rounds,
    )
    const issued = load.clients * load.operationsEach * (bench.rounds + 1)
    const sent = watches.flatMap((watch) => watch.sent)
    const commits = sent.filter(({ text }) => text === 'commit').length
    // The first round also adds what a new month and new connections need.
    const parts = watches.slice(1).flatMap((watch) => partsUnderLock(watch.sent))
    const per = (sum: number, count: number): string => (sum / count).toFixed(1)
    const statements = parts.reduce((sum, part) => sum + part.statements, 0)
    const trips = parts.reduce((sum, part) => sum + part.trips, 0)
    bench.report(
      judge(result, {
        target: 'T14',
        name: load.name,
        size: `${load.clients}x${load.companies}`,
        unit: 'tx/s',
        bar: load.clients === 1 ? ALONE_BAR : BAR,
        note: `${per(issued, commits)} invoices per COMMIT (limit ${per(issued, limit.commits)}), ${per(statements, parts.length)} statements and ${per(trips, parts.length)} round trips under the lock`,
      }),
    )
  } finally {
    await sello.close()
    await limit.close()
  }
  await assertSameRows(place, subject, copy)
  for (const database of [subject, copy]) await proveOffice(database, books, bench.say)
}

/** Checks that the limit has written as many rows in every table. */
async function assertSameRows(
  place: OfficePlace,
  subject: OfficeDatabase,
  limit: OfficeDatabase,
): Promise<void> {
  const [left, right] = await Promise.all(
    [subject, limit].map((database) =>
      place.within(database, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          "select tablename as name from pg_tables where schemaname = 'public' order by 1",
        )
        const counts = new Map<string, string>()
        for (const { name } of rows) {
          const counted = await client.query<{ count: string }>(`select count(*) from "${name}"`)
          counts.set(name, counted.rows[0]?.count ?? '')
        }
        return counts
      }),
    ),
  )
  for (const [table, rows] of left ?? [])
    if (right?.get(table) !== rows)
      throw new Error(
        `The limit left ${right?.get(table)} rows in ${table}, the product ${rows}: they did not do the same.`,
      )
}

interface Filled {
  database: OfficeDatabase
  books: Book[]
}

async function filledOffice(place: OfficePlace, companies: number): Promise<Filled> {
  const database = await place.create()
  const sello = await openOn(database)
  try {
    const books: Book[] = []
    for (let number = 0; number < companies; number += 1) books.push(await addCompany(sello, number, CONTENT))
    return { database, books }
  } finally {
    await sello.close()
  }
}

export const officeGroup: Group = {
  names: LOADS.map(({ name }) => name),
  async run(bench, wanted) {
    const place = await OfficePlace.start()
    if (!place) return void bench.say('office.*: skipped, no PostgreSQL is installed')
    try {
      bench.note('postgres', await place.describe())
      const loads = LOADS.filter(({ name }) => wanted.has(name))
      const filled = await filledOffice(place, Math.max(...loads.map(({ companies }) => companies)))
      for (const load of loads) await measure(bench, place, filled, load)
    } finally {
      await place.stop()
    }
  },
}
