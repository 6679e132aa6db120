/** The end of a company: what the law holds and until when, and that nothing is left of it afterwards. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { endCompany, endedCompanies, previewEnd } from '../../../../server/app/companies/end/end.ts'
import { removeOutside } from '../../../../server/app/companies/index.ts'
import { fillBook } from '../../../../server/app/demo/fill.ts'
import { fillEveryday } from '../../../../server/app/demo/everyday.ts'
import { fillSample, getSample } from '../../../../server/app/demo/index.ts'
import { archiveCompany } from '../../../../server/app/companies/archive.ts'
import { setFavourite, setGroup } from '../../../../server/app/companies/arrange.ts'
import { readArrangement } from '../../../../server/app/companies/personal.ts'
import { checkBook } from '../../../../server/app/integrity/index.ts'
import { createReceived } from '../../../../server/purchases/invoices/index.ts'
import { createDraft } from '../../../../server/sales/invoices/index.ts'
import { saveViews } from '../../../../server/app/session/index.ts'
import { listBooks } from '../../../../server/platform/books/index.ts'
import type { Book, Mode } from '../../../../server/context.ts'
import { ENGINE } from '../../../support/postgres/databases.ts'
import { tablesOf } from '../../../support/engines.ts'
import { personalNif } from '../../../support/nif.ts'
import { openTestStore } from '../../../support/store.ts'
import type { TestStore } from '../../../support/store.ts'

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code,
  )

async function idOf(world: TestStore, { companyId }: Book): Promise<string> {
  const { public_id: id } = await world.env.store.reader
    .selectFrom('companies')
    .select('public_id')
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow()
  return id
}

async function fill(world: TestStore, { test: book, live }: Record<Mode, Book>): Promise<void> {
  const there = world.ctx(book)
  await fillBook(there, { invoices: 12, contacts: 5, drafts: 2, from: '2026-05-01' })
  await fillEveryday(there, '2026-09-01')
  await saveViews(there, {
    list: 'invoices',
    expectedVersion: 0,
    items: [{ name: 'Mías', query: { state: 'draft' } }],
  })
  await createDraft(world.ctx(live), { clientName: 'Solo borrador', lines: [] })
}

/** Counts the rows that say to be of a company, in all tables. */
async function rowsOf(
  world: TestStore,
  companyId: number,
  books: readonly number[],
): Promise<Record<string, number>> {
  const db = world.env.store.readerOf(companyId)
  const left: Record<string, number> = {}
  for (const name of await tablesOf(db)) {
    const condition =
      ENGINE === 'pg'
        ? name === 'companies'
          ? sql`id = ${companyId}`
          : sql`to_jsonb(t) ->> 'company_id' = ${String(companyId)}`
        : await columnCondition(world, name, companyId, books)
    if (!condition) continue
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from ${sql.table(name)} as t where ${condition}`.execute(db)
    if (Number(rows[0]?.count) > 0) left[name] = Number(rows[0]?.count)
  }
  return left
}

async function columnCondition(world: TestStore, name: string, companyId: number, books: readonly number[]) {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_xinfo(${name})`.execute(
    world.env.store.reader,
  )
  const has = (column: string): boolean => rows.some((row) => row.name === column)
  if (name === 'companies') return sql`id = ${companyId}`
  if (has('book_id')) return sql`book_id in (${sql.join(books)})`
  return has('company_id') ? sql`company_id = ${companyId}` : null
}

/** Searches every text of the store for a phrase, as far as a reader of the file or of the company sees it. */
async function tablesWith(world: TestStore, companyId: number, phrase: string): Promise<string[]> {
  const db = world.env.store.readerOf(companyId)
  const found: string[] = []
  for (const name of await tablesOf(db)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    if (
      rows.some((row) =>
        Object.values(row).some((value) => typeof value === 'string' && value.includes(phrase)),
      )
    )
      found.push(name)
  }
  return found
}

async function verify(world: TestStore): Promise<string[]> {
  const faults: string[] = []
  for (const book of await listBooks(world.env.store.reader)) {
    const { ok, checks } = await checkBook(world.ctx(book))
    if (!ok) faults.push(book.publicId, JSON.stringify(checks))
  }
  return faults
}

test('a company with invoices and purchases is held by the law until the longest period ends', async () => {
  const world = await openTestStore()
  const books = await world.company()
  const live = world.ctx(books.live)
  const purchase = {
    supplierName: 'Proveedor',
    supplierNif: personalNif(123),
    issueDate: '2026-11-03',
    receptionDate: '2026-11-05',
  }
  await createReceived(live, {
    ...purchase,
    supplierNumber: 'P-1',
    concept: 'G12',
    taxLines: [{ base: 100, vatRate: 21 }],
  })
  const before = await previewEnd(world.ctx(books.live), {})
  expect(before).toMatchObject({ mayEnd: false, neverLive: false, earliest: '2033-01-01' })
  expect(before.held.find(({ kind }) => kind === 'received')).toMatchObject({
    count: 1,
    last: '2026-11-05',
    until: '2032-12-31',
    laws: ['commerce', 'tax', 'invoicing'],
    over: false,
  })
  expect(before.held.map(({ kind }) => kind)).toEqual(['received', 'entries'])
  const refusal = endCompany(world.ctx(books.live), { nif: 'B12345674' })
  await expect(refusal).rejects.toMatchObject({ code: 'company_retained', details: { until: '2033-01-01' } })
  expect(await listBooks(world.env.store.reader)).toHaveLength(2)
  // The last day of the period, and the first one after it.
  world.setTime('2032-12-31T23:30:00+01:00')
  expect(await codeOf(endCompany(world.ctx(books.live), { nif: 'B12345674' }))).toBe('company_retained')
  world.setTime('2033-01-01T00:30:00+01:00')
  expect(await codeOf(endCompany(world.ctx(books.live), { nif: 'B12345674' }))).toBe('done')
}, 60_000)

test('capital goods hold it longer, and land and buildings longest', async () => {
  const world = await openTestStore()
  const books = await world.company()
  const live = world.ctx(books.live)
  const buy = (account: string, supplierNumber: string) =>
    createReceived(live, {
      supplierName: 'Proveedor',
      supplierNif: personalNif(123),
      supplierNumber,
      issueDate: '2026-10-01',
      receptionDate: '2026-10-01',
      concept: 'G12',
      taxLines: [{ base: 9000, vatRate: 21, investmentGood: true, account }],
    })
  await buy('213', 'A-1')
  expect(await previewEnd(world.ctx(books.live), {})).toMatchObject({ earliest: '2036-01-01' })
  await buy('211', 'A-2')
  const preview = await previewEnd(world.ctx(books.live), {})
  expect(preview.earliest).toBe('2041-01-01')
  expect(preview.held.find(({ kind }) => kind === 'capital_goods')).toMatchObject({
    count: 2,
    until: '2040-12-31',
  })
}, 60_000)

test('after the periods nothing of it is left, and the other company is whole', async () => {
  const world = await openTestStore()
  const own = await world.company()
  const other = await world.company({ nif: personalNif(7), legalName: 'La otra, S.L.' })
  for (const books of [own, other]) await fill(world, books)
  await createReceived(world.ctx(own.live), {
    supplierName: 'Proveedor',
    supplierNif: personalNif(123),
    supplierNumber: 'P-1',
    issueDate: '2026-11-03',
    receptionDate: '2026-11-05',
    concept: 'G12',
    taxLines: [{ base: 100, vatRate: 21 }],
  })
  const companyId = await idOf(world, own.live)
  const otherId = await idOf(world, other.live)
  await setFavourite(world.bookless(), { companyId, favourite: true })
  await setGroup(world.bookless(), { companyIds: [companyId, otherId], group: 'Bares' })
  const othersBefore = await rowsOf(world, other.live.companyId, [other.live.id, other.test.id])
  expect(
    Object.keys(await rowsOf(world, own.live.companyId, [own.live.id, own.test.id])).length,
  ).toBeGreaterThan(20)

  world.setTime('2033-11-21T10:00:00+01:00')
  expect(await codeOf(endCompany(world.ctx(own.live), { nif: personalNif(7) }))).toBe('validation_failed')
  const { rows } = await endCompany(world.ctx(own.live), { nif: 'b-12345674' })
  expect(rows).toBeGreaterThan(300)

  expect(await rowsOf(world, own.live.companyId, [own.live.id, own.test.id])).toEqual({})
  // What an office has outside the database is looked for until nobody can store any more.
  world.setTime('2033-11-22T10:01:00+01:00')
  if (ENGINE === 'pg') await removeOutside(world.env)
  for (const id of [own.live.publicId, own.test.publicId])
    expect(await tablesWith(world, own.live.companyId, id), id).toEqual([])
  expect(await tablesWith(world, own.live.companyId, companyId)).toEqual(['settings'])
  expect(await readArrangement(world.bookless())).toMatchObject({
    favourites: [],
    groups: { [otherId]: 'Bares' },
  })
  expect((await endedCompanies(world.bookless(), {})).items).toEqual([
    {
      companyId,
      legalName: 'Talleres Ejemplo, S.L.',
      nif: 'B12345674',
      endedAt: '2033-11-21T10:00:00+01:00',
      endedBy: 'Persona',
      lastHash: null,
      records: 0,
    },
  ])
  expect(await rowsOf(world, other.live.companyId, [other.live.id, other.test.id])).toEqual(othersBefore)
  await world.restart()
  expect(await verify(world)).toEqual([])
  // The number is free again.
  expect(await codeOf(world.company())).toBe('done')
}, 120_000)

test('rows that nothing may delete stay frozen, also for a company that is archived', async () => {
  const world = await openTestStore()
  const books = await world.company()
  await fill(world, books)
  await archiveCompany(world.ctx(books.live), {})
  const remove = (table: 'invoices' | 'audit_events' | 'registry_records'): Promise<unknown> =>
    world
      .ctx(books.test)
      .transaction((tx) => tx.db.deleteFrom(table).where('book_id', '=', books.test.id).execute())
  for (const table of ['invoices', 'audit_events', 'registry_records'] as const)
    await expect(remove(table), table).rejects.toThrow()
}, 60_000)

test('a company that never was live, and the sample, can go at once; a failure in the middle leaves all of it', async () => {
  const world = await openTestStore()
  const books = await world.company()
  await fill(world, books)
  expect(await previewEnd(world.ctx(books.live), {})).toMatchObject({
    mayEnd: true,
    neverLive: true,
    earliest: null,
    held: [],
  })
  const before = await rowsOf(world, books.live.companyId, [books.live.id, books.test.id])
  // What remains of it cannot be written: the last step of the transaction fails.
  const trigger =
    ENGINE === 'pg'
      ? [
          `create function no_end() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
          `create trigger no_end before insert on settings for each row when (new.name like 'ended/%') execute function no_end()`,
        ]
      : [
          `create trigger no_end before insert on settings when new.name like 'ended/%' begin select raise(abort, 'no'); end`,
        ]
  if (ENGINE === 'sqlite') world.env.store.close()
  await world.tamper(...trigger)
  if (ENGINE === 'sqlite') await world.restart()
  await expect(endCompany(world.ctx(books.live), { nif: 'B12345674' })).rejects.toThrow()
  expect(await rowsOf(world, books.live.companyId, [books.live.id, books.test.id])).toEqual(before)
  if (ENGINE === 'sqlite') world.env.store.close()
  await world.tamper(ENGINE === 'pg' ? 'drop trigger no_end on settings' : 'drop trigger no_end')
  if (ENGINE === 'sqlite') await world.restart()
  await endCompany(world.ctx(books.live), { nif: 'B12345674' })

  await fillSample(world.bookless(), {})
  const [sample] = await listBooks(world.env.store.reader)
  if (!sample) throw new Error('There is no sample.')
  await endCompany(world.ctx(sample), { nif: 'B99999997' })
  expect(await getSample(world.bookless(), {})).toMatchObject({ bookId: null, made: 0 })
  expect(await listBooks(world.env.store.reader)).toEqual([])
}, 120_000)
