/** Plans of PostgreSQL beside other companies: the policies take no index and no order from the lists. */
import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { fillBook, fillEveryday, FIRST_DAY } from '../../../../server/app/demo/index.ts'
import { ENGINE } from '../../../support/postgres/databases.ts'
import { copyCompany } from '../../../support/postgres/many-companies.ts'
import { watchStatements } from '../../../support/postgres/statements.ts'
import type { Statement } from '../../../support/postgres/statements.ts'
import { openWorld } from '../../../support/world.ts'

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/** Returns the indexes in which a plan finds rows; one that it only reads in its order finds none. */
function indexesOf({ 'Index Name': name, 'Index Cond': condition, Plans: plans = [] }: Plan): string[] {
  return [...(name === undefined || condition === undefined ? [] : [name]), ...plans.flatMap(indexesOf)]
}

async function planOf(client: PoolClient, { text, values }: Statement): Promise<Plan> {
  const { rows } = await client.query({ text: `explain (format json) ${text}`, values: [...values] })
  const [{ 'QUERY PLAN': plan } = { 'QUERY PLAN': '[]' }] = rows as { 'QUERY PLAN': string }[]
  const [{ Plan: whole } = { Plan: { 'Node Type': '' } }] = (
    typeof plan === 'string' ? JSON.parse(plan) : plan
  ) as { Plan: Plan }[]
  return whole
}

/** Returns true if rows are sorted anywhere: in a page, that is all of a book. */
function isSorted({ 'Node Type': type, Plans: plans = [] }: Plan): boolean {
  return type === 'Sort' || plans.some(isSorted)
}

/** Companies beside the one that reads, all of its size. */
const OTHERS = 40

test.runIf(ENGINE === 'pg')(
  'every list finds its rows by the same indexes with its policies as without them, and a page is not sorted',
  async () => {
    const world = await openWorld()
    const { database, books } = world
    if (!database) throw new Error('This world has no database.')
    await fillBook(world.ctx(), { invoices: 300, contacts: 8, lines: 1 })
    await fillEveryday(world.ctx(), FIRST_DAY)
    const statements = new Map<string, Statement>()
    const pages = new Set<string>()
    let sink: Set<string> | null = null
    const unwatch = watchStatements(database.pools, {
      onAnswer: (statement) => {
        if (!/^\s*(?:select|with)\b/i.test(statement.text) || /set_config|no key update/.test(statement.text))
          return
        statements.set(statement.text, statement)
        if (statement.scope === books.test.companyId && / limit /i.test(statement.text))
          sink?.add(statement.text)
      },
    })
    // No index has the order of numbers, on neither engine.
    await world.run('invoices.list', { sort: 'number' })
    sink = pages
    for (const sort of ['-issueDate', '-total'] as const) await world.run('invoices.list', { sort })
    await world.run('received.list', {})
    await world.run('payments.list', {})
    await world.run('ledger.journal', {})
    await world.run('audit.list', {})
    sink = null
    await world.run('contacts.list', { text: 'Cliente' })
    await world.run('quotes.list', {})
    await world.run('bank.transactions', {})
    await world.run('events.list', {})
    unwatch()
    const { rows: known } = await database.admin.query<{ name: string; table: string }>(
      `select indexname as name, tablename as table from pg_indexes where schemaname = 'public'`,
    )
    const tables = new Map(known.map(({ name, table }) => [name, table]))
    const tableOf = (index: string): string => tables.get(index) ?? ''
    const open = async (pool: typeof database.admin): Promise<PoolClient> => {
      const client = await pool.connect()
      await client.query(`begin; select set_config('sello.company', '${books.test.companyId}', true),
      set_config('sello.scope', 'company', true), set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true)`)
      return client
    }
    const copying = await database.admin.connect()
    try {
      await copyCompany(copying, 1, OTHERS)
    } finally {
      copying.release()
    }
    // No policy holds for the administrator.
    const [free, limited] = [await open(database.admin), await open(database.pools.readers)]
    let initPlans = 0
    let indexes = 0
    const lost: string[] = []
    const sorted: string[] = []
    try {
      for (const statement of statements.values()) {
        const [without, within] = [await planOf(free, statement), await planOf(limited, statement)]
        const kept = indexesOf(within).map(tableOf)
        const found = indexesOf(without).map(tableOf)
        lost.push(
          ...found.filter((table) => !kept.includes(table)).map((table) => `${table}: ${statement.text}`),
        )
        if (pages.has(statement.text) && isSorted(within)) sorted.push(statement.text)
        indexes += found.length
        initPlans += JSON.stringify(within).match(/InitPlan/g)?.length ?? 0
      }
    } finally {
      for (const client of [free, limited]) {
        await client.query('rollback')
        client.release()
      }
    }
    expect(lost).toEqual([])
    expect(sorted).toEqual([])
    expect(pages.size).toBeGreaterThan(5)
    expect(indexes).toBeGreaterThan(statements.size / 2)
    // The company is asked for once for each table of a statement, not for each row.
    expect(initPlans).toBeGreaterThan(statements.size / 2)
  },
)
