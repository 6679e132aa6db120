/** What validating, issuing and drawing read does not grow with what the customer has: rows are counted, not time. */
import { companyOf } from '../../../support/books.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'
import { keyOf } from '../../../support/stages/backups.ts'
import { idsOf } from '../../../../server/platform/jobs/index.ts'
import { waitingDocuments } from '../../../../server/sales/invoices/index.ts'
import { rowsRead, watchQueries } from '../../../support/rows-read.ts'
import { sweptCount } from '../../../support/sweep.ts'
import { openDatabase } from '../../../../server/db/embedded/open.ts'

const MANY = sweptCount(100_000, 10_000)
/** Spellings of one customer that are looked at, and a few rows more. */
const MOST = 60
const TABLES = /^(?:invoices|parties|document_queue|registry_records)$/

/** Copies of one row of a table, each with what has to differ. */
async function multiply(
  world: World,
  table: string,
  id: string | number,
  changes: Record<string, string>,
  count = MANY,
): Promise<void> {
  await world.env.store.transaction(null, async (db) => {
    const info = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db)
    const columns = info.rows.map(({ name }) => name)
    const values = columns.map((name) => changes[name] ?? `"${name}"`)
    await sql
      .raw(
        `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
         insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')})
         select ${values.join(', ')} from ${table} cross join n where ${table}.${table === 'document_queue' ? 'invoice_id' : 'id'} = ${id}`,
      )
      .execute(db)
  })
}

async function tokenOf(world: World, id: string): Promise<string> {
  const { body, raw } = await world.post(`/api/v1/invoices/${id}/validate`, {})
  expect(body.data?.confirmation, raw.body).toBeTruthy()
  return String(body.data.confirmation.confirmationToken)
}

async function rowIdOf(world: World, publicId: string): Promise<number> {
  const row = await world.env.store.reader
    .selectFrom('invoices')
    .select('id')
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
  return row.id
}

/** Drafts and issued invoices of one customer; the issued ones with a total each, unless they are `alike`. */
async function manyOfOneCustomer(alike = false): Promise<{ world: World; draft: { id: string } }> {
  const world = await openWorld()
  const kept = await world.createDraft()
  const issued = await world.issue((await world.createDraft()).id)
  const next = '(select max(id) from invoices) + n.i'
  await multiply(world, 'invoices', await rowIdOf(world, kept.id), { id: next, public_id: "'inv_d' || n.i" })
  await multiply(world, 'invoices', await rowIdOf(world, issued.id), {
    id: next,
    public_id: "'inv_i' || n.i",
    sequence: 'sequence + 10 + n.i',
    number: "number || '-' || n.i",
    ...(alike ? {} : { total_cents: 'total_cents + n.i', base_cents: 'base_cents + n.i' }),
  })
  return { world, draft: await world.createDraft() }
}

function counter(world: World) {
  const connection = openDatabase({
    folder: world.folder,
    masterKey: keyOf(world.folder),
    role: 'reader',
    cacheKib: 8192,
  })
  onTestFinished(() => connection.close())
  return (ran: ReturnType<typeof watchQueries>) =>
    ran
      .map((query) => ({ rows: rowsRead(connection, query, TABLES), sql: query.source }))
      .filter(({ rows }) => rows > MOST)
}

test.each([
  ['of other totals', false],
  ['of the same total', true],
])(
  'validating and issuing one of very many of a customer, %s, reads few rows',
  { timeout: 120_000 },
  async (_which, alike) => {
    const { world, draft } = await manyOfOneCustomer(alike)
    const ran = watchQueries()
    const token = await tokenOf(world, draft.id)
    await world.post(`/api/v1/invoices/${draft.id}/issue`, { confirmationToken: token })
    expect(ran.length).toBeGreaterThan(15)
    expect(counter(world)(ran)).toEqual([])
  },
)

test('100,000 spellings of one tax number do not grow it either', { timeout: 120_000 }, async () => {
  const world = await openWorld()
  const first = await world.createDraft()
  const row = await world.env.store.reader
    .selectFrom('invoices')
    .select('party_id')
    .where('public_id', '=', first.id)
    .executeTakeFirstOrThrow()
  await multiply(world, 'parties', row.party_id, {
    id: '(select max(id) from parties) + n.i',
    digest: "unhex(printf('%032x', n.i))",
  })
  const draft = await world.createDraft()
  const ran = watchQueries()
  await tokenOf(world, draft.id)
  expect(counter(world)(ran)).toEqual([])
})

test('documents that are put off are not read until they are due', { timeout: 120_000 }, async () => {
  const { world } = await manyOfOneCustomer()
  await world.env.store.transaction(null, (db) =>
    db
      .insertInto('document_queue')
      .columns(['invoice_id', 'attempts', 'next_attempt_at'])
      .expression((eb) =>
        eb
          .selectFrom('invoices')
          .select((each) => ['invoices.id', each.lit(3).as('attempts'), each.lit(4e12).as('next_attempt_at')])
          .where('invoices.public_id', 'like', 'inv_i%'),
      )
      .execute(),
  )
  const ran = watchQueries()
  expect(
    (await waitingDocuments(world.env.store.reader, idsOf(companyOf(world)), world.env.now(), 8)).length,
  ).toBeLessThanOrEqual(1)
  expect(ran.some(({ source }) => source.includes('document_queue'))).toBe(true)
  expect(counter(world)(ran)).toEqual([])
})

test('an invoice with the same total to the same customer is still found', async () => {
  const world = await openWorld()
  const first = await world.createDraft(EXAMPLE_DRAFT)
  const issued = await world.issue(first.id)
  const again = await world.createDraft(EXAMPLE_DRAFT)
  const answer = await world.post(`/api/v1/invoices/${again.id}/validate`, {})
  expect(JSON.stringify(answer.body.data.issues)).toContain(String(issued.number))
})
