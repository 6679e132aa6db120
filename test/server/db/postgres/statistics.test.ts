/** The statistics of the server itself about what a company reads, beside few companies and beside many. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openOfficeSello } from '../../../../server/api/office.ts'
import { migrateOffice, SERVER_ROLE } from '../../../../server/db/postgres/migrate.ts'
import { copyCompany } from '../../../support/postgres/many-companies.ts'
import { createTestPool, ENGINE, testKey } from '../../../support/postgres/databases.ts'
import { OWNER_ROLE, startCluster } from '../../../support/postgres/cluster.ts'
import { makeCompany, readOperations } from '../../../support/postgres/reading-company.ts'

const WALKS = 'select count(*) from parties'
/** Companies in the database, three times as many at each step. */
const COMPANIES = [40, 120, 360] as const
/** An index gets one level more. */
const SLACK = 5

/** The folder of the programs of a server that counts its statements; null if this computer has none. */
function countingPrograms(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted().toReversed() : []
  const version = versions.find((one) => existsSync(join(debian, one, 'lib/pg_stat_statements.so')))
  return version === undefined ? null : join(debian, version, 'bin')
}

/** Pages that each statement reads in a call, by its text. */
type Pages = Map<string, number>

async function pagesOf(admin: pg.Pool, work: () => Promise<unknown>): Promise<Pages> {
  await admin.query('vacuum analyze')
  // Once before: what connections and catalogs are read for is no statement's own.
  await work()
  await admin.query('select pg_stat_statements_reset()')
  await work()
  const { rows } = await admin.query<{ text: string; pages: number }>(
    `select query as text, ((shared_blks_hit + shared_blks_read) / calls)::float as pages
      from pg_stat_statements join pg_roles on pg_roles.oid = userid where rolname = $1`,
    [SERVER_ROLE],
  )
  return new Map(rows.map(({ text, pages }) => [text, pages]))
}

const programs = countingPrograms()

test.skipIf(ENGINE !== 'pg' || programs === null)(
  'no statement of a company walks the others, as the server counts its pages',
  async () => {
    const cluster = await startCluster({
      settings: ['shared_preload_libraries=pg_stat_statements'],
      programs: programs!,
    })
    if (!cluster) throw new Error('The server did not start.')
    onTestFinished(() => cluster.stop())
    const admin = createTestPool({ connectionString: cluster.url('postgres'), max: 1 })
    onTestFinished(() => admin.end())
    await admin.query(`create extension pg_stat_statements; grant all on schema public to ${OWNER_ROLE}`)
    const owner = createTestPool({ connectionString: cluster.url('postgres', OWNER_ROLE), max: 1 })
    await migrateOffice(owner, randomUUID())
    await owner.end()
    // In small tables the planner rightly reads everything; here it may only follow indexes, as it does in large ones.
    for (const setting of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'])
      await admin.query(`alter role ${SERVER_ROLE} set ${setting} = off`)
    const sello = await openOfficeSello({
      url: cluster.url('postgres', SERVER_ROLE),
      masterKey: testKey(),
      now: () => new Date('2026-07-01T10:00:00+02:00'),
    })
    onTestFinished(() => sello.close())
    const server = createTestPool({ connectionString: cluster.url('postgres', SERVER_ROLE), max: 1 })
    onTestFinished(() => server.end())
    const book = await makeCompany(sello)
    const operations = await readOperations(sello, book)
    expect(operations.size).toBeGreaterThan(40)
    const work = async (): Promise<void> => {
      for (const read of operations.values()) await read()
      // What walks all companies must show.
      await server.query(WALKS)
    }

    const copies = async (from: number, to: number): Promise<void> => {
      const client = await admin.connect()
      try {
        await copyCompany(client, from, to)
      } finally {
        client.release()
      }
    }
    const counted: Pages[] = []
    let there = 1
    for (const companies of COMPANIES) {
      await copies(there, companies - 1)
      there = companies
      counted.push(await pagesOf(admin, work))
    }
    const [few, more, many] = counted as [Pages, Pages, Pages]
    // The planner may turn to another plan once, which reads more pages; what walks the companies grows with them.
    const isGrown = (before = 0, after: number): boolean => after > before * 1.8 + SLACK
    const grown = [...many].filter(
      ([text, pages]) => isGrown(more.get(text), pages) && isGrown(few.get(text), more.get(text) ?? 0),
    )
    console.log(
      `${operations.size} operations, ${many.size} statements beside ${COMPANIES.join(', ')} companies`,
    )
    expect(grown).toEqual([[WALKS, expect.any(Number)]])
    expect(many.size).toBeGreaterThan(100)
  },
)
