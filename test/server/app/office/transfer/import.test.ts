/** Books of a folder in an office: the same canonical digest there and back, and issuing that goes on at one place. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ENGINE } from '../../../../support/postgres/databases.ts'
import { endCompany } from '../../../../../server/app/companies/end/end.ts'
import {
  bookOf,
  createFolder,
  databaseForTest,
  digestOfFolder,
  folderForTest,
  identifiersOf,
  issueIn,
  openFolder,
} from '../../../../support/office/folders.ts'
import {
  faultsOf,
  moveIn,
  moveOut,
  refusal,
  thereAndBack,
  withOffice,
} from '../../../../support/office/moves.ts'
import { openTestStore } from '../../../../support/store.ts'

const inOffice = describe.runIf(ENGINE === 'pg')
inOffice('books of a folder', () => {
  test('are the same in an office and in a folder again', async () => {
    const folder = folderForTest()
    const { company } = await createFolder(folder, { invoices: 3 })
    const before = await digestOfFolder(folder)
    const { url } = await databaseForTest()
    const [moved] = (await moveIn(folder, url)).companies
    expect(moved).toMatchObject({ id: company, sha256: before.sha256, rows: before.rows })
    // The folder is only read now, and the office goes on.
    expect(await refusal(openFolder(folder))).toMatchObject(['books_moved', { to: 'office.example' }])
    const reading = await openFolder(folder, { mayOnlyRead: true })
    expect(reading.env.store.forReading).toBe(true)
    expect(await faultsOf(reading)).toEqual([])
    await reading.close()
    const numbers = await withOffice(url, async (sello) => {
      const issued = [await issueIn(sello, 'test'), await issueIn(sello, 'test')]
      expect(await faultsOf(sello)).toEqual([])
      return issued
    })
    expect(numbers).toEqual(['T-F2026-0004', 'T-F2026-0005'])
    const back = join(folderForTest(), 'books')
    const out = await moveOut(company, url, back)
    expect(existsSync(join(back, 'sello.db'))).toBe(true)
    // There it is refused, with where it went, for reading too.
    await withOffice(url, async (sello) => {
      const row = await sello.env.store.reader.selectFrom('companies').select('id').executeTakeFirstOrThrow()
      const read = sello.env.store.readerOf(row.id).selectFrom('books').select('id').execute()
      expect(await refusal(read)).toMatchObject(['company_moved', { to: back }])
      expect(await refusal(sello.env.store.transaction(row.id, async () => {}))).toMatchObject([
        'company_moved',
        { to: back },
      ])
    })
    const sello = await openFolder(back)
    expect(await issueIn(sello, 'test')).toBe('T-F2026-0006')
    expect(await faultsOf(sello)).toEqual([])
    await sello.close()
    expect(out.left).toEqual([])
    // An office that has it does not take it again.
    expect(await refusal(moveIn(back, url))).toMatchObject(['company_here', { company, state: 'moved' }])
  })

  test('get other ids among those of others, and both go on without a gap', async () => {
    const { url } = await databaseForTest()
    const [one, other] = [folderForTest(), folderForTest()]
    await createFolder(one, { invoices: 2 })
    const { company, entry, event } = await createFolder(other, { invoices: 3, nif: 'B65410011' })
    const digest = await digestOfFolder(other)
    await moveIn(one, url)
    const [moved] = (await moveIn(other, url)).companies
    expect(moved?.sha256).toBe(digest.sha256)
    await withOffice(url, async (sello) => {
      const { reader } = sello.env.store
      const ids = await reader.selectFrom('companies').select(['id', 'public_id']).orderBy('id').execute()
      expect(ids.map(({ id }) => id > 5_000)).toEqual([false, true])
      const issued: string[] = []
      for (let nth = 0; nth < 2; nth += 1)
        issued.push(await issueIn(sello, 'test', 0), await issueIn(sello, 'test', 1))
      expect(issued).toEqual(['T-F2026-0003', 'T-F2026-0004', 'T-F2026-0004', 'T-F2026-0005'])
      expect(await faultsOf(sello)).toEqual([])
      // Identifiers made of row ids are those of before.
      expect(await identifiersOf(sello, company)).toEqual({ entry, event })
    })
    const back = join(folderForTest(), 'books')
    await moveOut(company, url, back)
    const sello = await openFolder(back)
    expect(await identifiersOf(sello, company)).toEqual({ entry, event })
    expect(await issueIn(sello, 'test')).toBe('T-F2026-0006')
    expect(await faultsOf(sello)).toEqual([])
    await sello.close()
  })

  test('get ids that no deleted company had, and are counted for the planner of the database', async () => {
    const { url, database } = await databaseForTest()
    const [one, other] = [folderForTest(), folderForTest()]
    await createFolder(one, { invoices: 1 })
    const { company } = await createFolder(other, { invoices: 3, nif: 'B65410011' })
    await moveIn(one, url)
    const ended = await withOffice(url, async (sello) => {
      const book = await bookOf(sello, 'test', 0)
      await endCompany(sello.ctx(book, { kind: 'user', id: 'user', name: 'Persona' }), { nif: 'B12345674' })
      return book.companyId
    })
    await moveIn(other, url)
    await withOffice(url, async (sello) => {
      const rows = await sello.env.store.reader.selectFrom('companies').select(['id', 'public_id']).execute()
      expect(rows).toEqual([{ id: expect.any(Number), public_id: company }])
      expect(rows[0]?.id).toBeGreaterThan(ended)
      expect(await faultsOf(sello)).toEqual([])
    })
    const { rows } = await database.admin.query<{ name: string; count: number }>(
      "select relname as name, reltuples as count from pg_class where relname in ('invoices', 'figure_entries')",
    )
    for (const { name, count } of rows) expect(Number(count), name).toBeGreaterThan(0)
  })

  test('of an earlier version are upgraded, moved and verified', () =>
    // The larger one is moved out in the long run.
    thereAndBack(9, (rows) => rows < 100))
})

test('a store that nothing was moved from has no mark', async () => {
  const { env } = await openTestStore()
  expect(
    await env.store.reader.selectFrom('settings').select('name').where('name', '=', 'moved').execute(),
  ).toEqual([])
})
