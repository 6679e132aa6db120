/** What a company reads does not grow with the number of companies in the database. */
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openOfficeSello } from '../../../../server/api/office.ts'
import { ENGINE, giveBackDatabase, takeDatabase, testKey } from '../../../support/postgres/databases.ts'
import { copyCompany } from '../../../support/postgres/many-companies.ts'
import { makeCompany, readOperations } from '../../../support/postgres/reading-company.ts'
import { watchStatements } from '../../../support/postgres/sent.ts'

const WALKS = 'all parties'
const FEW = 10
const MANY = 40

interface Statement {
  text: string
  values: readonly unknown[]
}

interface PlanNode {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** Returns the rows that a plan took from tables and indexes, also those that it then left out. */
function rowsOf(node: PlanNode): number {
  const taken =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const own = node['Node Type'].includes('Scan') ? taken * node['Actual Loops'] : 0
  return own + (node.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0)
}

/**
 * Returns the rows that statements of a company read. In small tables the planner rightly reads everything; here it may
 * only follow indexes, as it does in large ones, so that a missing one shows.
 */
async function rowsRead(
  client: pg.Client,
  companyId: number,
  statements: readonly Statement[],
): Promise<number> {
  let rows = 0
  await client.query('begin')
  await client.query(
    `select set_config('sello.company', $1, true), set_config('sello.scope', 'company', true),
      set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true)`,
    [String(companyId)],
  )
  for (const { text, values } of statements) {
    const answer = await client.query<{ 'QUERY PLAN': string }>({
      text: `explain (analyze, buffers off, timing off, format json) ${text}`,
      values: [...values],
      types: { getTypeParser: () => (value: string) => value },
    })
    const [plan] = JSON.parse(answer.rows[0]?.['QUERY PLAN'] ?? '') as [{ Plan: PlanNode }]
    rows += rowsOf(plan.Plan)
  }
  await client.query('rollback')
  return rows
}

test.skipIf(ENGINE !== 'pg')(
  'lists and summaries read as many rows beside forty companies as beside ten',
  async () => {
    const database = await takeDatabase()
    const sello = await openOfficeSello({
      url: database.url,
      pools: database.pools,
      masterKey: testKey(),
      now: () => new Date('2026-07-01T10:00:00+02:00'),
    })
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const admin = await database.admin.connect()
    onTestFinished(async () => {
      admin.release()
      await client.end()
      await sello.close()
      await giveBackDatabase(database)
    })
    const book = await makeCompany(sello)
    const statements = new Map<string, Statement[]>()
    for (const [name, read] of await readOperations(sello, book)) {
      const watch = watchStatements('sello-read')
      await read()
      watch.stop()
      const sent = watch.sent.filter(
        ({ text }) => /^(with|select) /i.test(text) && !text.includes('set_config'),
      )
      if (sent.length > 0) statements.set(name, sent)
    }
    expect(statements.size).toBeGreaterThan(40)

    // What walks all companies must show.
    statements.set(WALKS, [{ text: 'select count(*) from parties', values: [] }])
    await copyCompany(admin, 1, FEW - 1)
    const few = new Map<string, number>()
    for (const [name, sent] of statements) few.set(name, await rowsRead(client, book.companyId, sent))
    await copyCompany(admin, FEW, MANY - 1)
    const grown: string[] = []
    for (const [name, sent] of statements) {
      const before = few.get(name) ?? 0
      const after = await rowsRead(client, book.companyId, sent)
      // A row that several others name is read once for each of them, or once: the planner decides.
      if (after > before * 2 + 20) grown.push(`${name}: ${before} rows beside few, ${after} beside many`)
    }
    expect(grown).toEqual([expect.stringContaining(WALKS)])
  },
)
