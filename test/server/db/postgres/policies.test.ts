/** Row-level security: which rows a transaction of the servers' role sees and writes. */
import { onTestFinished, describe, expect, test } from 'vitest'
import { ENGINE } from '../../../support/postgres/databases.ts'
import { watchStatements } from '../../../support/postgres/statements.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'
import { NO_BOOK } from '../../../../server/context.ts'

async function neighbours(): Promise<{ own: World; other: World; query: Query; of: Of }> {
  const own = await openWorld()
  const other = await openWorld({ beside: own, company: { nif: 'B87654323' } })
  const { database } = own
  if (!database) throw new Error('This world has no database.')
  const client = await database.pools.writers.connect()
  onTestFinished(() => client.release(true))
  const query: Query = async (text, values = []) => {
    const { rows } = await client.query<Record<string, unknown>>(text, [...values])
    return rows
  }
  const of: Of = async (scope) => {
    await query('rollback')
    await query('begin')
    if (scope === null) return
    const isCompany = typeof scope === 'number'
    await query(`select set_config('sello.company', $1, true), set_config('sello.scope', $2, true)`, [
      isCompany ? String(scope) : '',
      isCompany ? 'company' : scope,
    ])
  }
  return { own, other, query, of }
}

type Query = (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>
/** Begins a transaction for a company, for the whole installation, or for nobody. */
type Of = (scope: number | 'installation' | null) => Promise<void>

describe.runIf(ENGINE === 'pg')('the servers’ role', () => {
  test('sees the rows of the company of the transaction; of the whole installation what finds a company; without either nothing', async () => {
    const { own, other, query, of } = await neighbours()
    for (const world of [own, other]) await world.run('contacts.create', { name: 'Ana Ruiz Gil' })
    const companyId = own.books.test.companyId
    const seen = async (): Promise<unknown> =>
      Promise.all(
        ['companies', 'books', 'contacts', 'series', 'actors'].map(
          async (table) => (await query(`select count(*) as count from ${table}`))[0]?.count,
        ),
      )
    await of(companyId)
    const [companies, books, contacts, , actors] = (await seen()) as number[]
    expect([companies, books, contacts, actors]).toEqual([1, 2, 1, 1])
    await of('installation')
    expect(await seen()).toEqual([2, 4, 0, 0, 0])
    await of(null)
    expect(await seen()).toEqual([0, 0, 0, 0, 0])
    expect(await query('select * from settings')).toEqual([])
  })

  test('writes no row of another company, and no row of its own into the book of another', async () => {
    const { own, other, query, of } = await neighbours()
    const { id } = await other.run('contacts.create', { name: 'Ana Ruiz Gil' })
    await of(own.books.test.companyId)
    expect(await query('update contacts set name = $1 where public_id = $2 returning id', ['x', id])).toEqual(
      [],
    )
    expect(await query('delete from contacts where public_id = $1 returning id', [id])).toEqual([])
    expect(
      await query('update companies set legal_name = $1 where id = $2 returning id', [
        'x',
        other.books.test.companyId,
      ]),
    ).toEqual([])
    const insert = (bookId: number, companyId: number): Promise<unknown> =>
      query(
        `insert into templates (book_id, public_id, name, content, version, created_at, updated_at, company_id)
         values ($1, 'tpl_0', 'Plantilla', '{}', 1, 0, 0, $2)`,
        [bookId, companyId],
      )
    await query('savepoint here')
    await expect(insert(other.books.test.id, other.books.test.companyId)).rejects.toMatchObject({
      code: '42501',
    })
    await query('rollback to here')
    await expect(insert(other.books.test.id, own.books.test.companyId)).rejects.toMatchObject({
      code: '23503',
    })
  })

  test('cannot change the schema, switch a policy off, or empty a table', async () => {
    const { own, query, of } = await neighbours()
    for (const text of [
      'alter table contacts disable row level security',
      'drop policy of_company on contacts',
      'truncate contacts',
      'create table mine (id bigint)',
      "update installation set store_id = 'x'",
      'delete from schema_migrations',
    ]) {
      await of(own.books.test.companyId)
      await expect(query(text), text).rejects.toMatchObject({ code: '42501' })
    }
  })

  test('settings of a company are seen by it alone, those of the installation by all', async () => {
    const { own, other, query, of } = await neighbours()
    await own.run('session.savePreferences', { theme: 'dark' }, { book: NO_BOOK })
    await own.run('views.save', { list: 'invoices', expectedVersion: 0, items: [] })
    const names = async (): Promise<unknown> =>
      (await query('select name from settings order by name')).map(({ name }) => name)
    await of(own.books.test.companyId)
    expect(await names()).toEqual(['preferences', `views/${own.books.test.publicId}/invoices`])
    expect(await query("update settings set value = '{}' where name = 'preferences' returning name")).toEqual(
      [],
    )
    await of(other.books.test.companyId)
    expect(await names()).toEqual(['preferences'])
  })
})

/** Statements of a request that are for the whole installation, each with its reason. */
const BEFORE_THE_COMPANY: readonly RegExp[] = [
  // A key tells its book, and the window names it.
  /^select .* from "api_keys" inner join "books" .* where "api_keys"."lookup" = \$1$/,
  /^select "books"\.\*, .* from "books" left join "advised_companies" .* where "books"."public_id" = \$1$/,
  // The lock of the window is one for all books; it is read once.
  /^select "value" from "settings" where "name" = \$1$/,
]

test.runIf(ENGINE === 'pg')(
  'a request reads for the whole installation only to find its key and its book',
  async () => {
    const world = await openWorld()
    // Work in the background finds its company by a table for all of them.
    await world.sleep()
    const key = await world.key()
    const found: string[] = []
    if (!world.database) throw new Error('This world has no database.')
    onTestFinished(
      watchStatements(world.database.pools, {
        onAnswer: ({ scope, text }) => {
          if (scope === 'installation') found.push(text)
        },
      }),
    )
    expect((await world.get('/api/v1/invoices', { key })).status).toBe(200)
    expect((await world.call('invoices.list')).status).toBe(200)
    await world.issue((await world.createDraft()).id)
    expect(found.length).toBeGreaterThanOrEqual(BEFORE_THE_COMPANY.length)
    expect(found.filter((text) => !BEFORE_THE_COMPANY.some((known) => known.test(text)))).toEqual([])
  },
)
