/** Work that runs again from its start leaves what one run leaves, also in the memory of the process. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { fillBook } from '../../../../server/app/demo/index.ts'
import { openBooks } from '../../../support/books.ts'
import { runTwice } from '../../../support/postgres/again.ts'
import { ENGINE } from '../../../support/postgres/databases.ts'

describe.runIf(ENGINE === 'pg')('everything runs twice', () => {
  test('records are numbered, sent and counted once', async () => {
    const books = await openBooks()
    runTwice(books.env.store)
    for (let made = 1; made <= 3; made += 1) expect((await books.invoice()).number).toBe(`T-F2026-000${made}`)
    expect(await books.send()).toBe(3)
    const { rows } = await sql`
      select attempts, (select count(*) from registry_attempts as one where one.record_id = s.record_id) as kept
      from registry_submissions as s order by record_id`.execute(books.test.db)
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ attempts: 1, kept: 1 })))
  })

  test('a file is read once, and copies are counted once', async () => {
    const books = await openBooks()
    runTwice(books.env.store)
    const content = Buffer.from('Nombre;NIF\nAna Ruiz Gil;12345678Z\n').toString('base64')
    const { run } = await books.run('imports.upload', { kind: 'contacts', fileName: 'a.csv', content })
    expect(run).toMatchObject({ state: 'draft', rows: 1 })
    await books.run('contacts.create', { name: 'Cliente Primero, S.L.', nif: 'B87654323' })
    const copied = await books.run(
      'goingLive.carry',
      { contacts: true, items: true, invoices: [] },
      books.live,
    )
    expect(copied).toMatchObject({ contacts: 1, items: 0 })
  })

  test('a book that is filled names the customers that it has', async () => {
    const books = await openBooks()
    runTwice(books.env.store)
    expect(await fillBook(books.test, { invoices: 6, contacts: 3, drafts: 1 })).toMatchObject({ contacts: 3 })
    const { rows } = await sql`select count(*) as count from contacts`.execute(books.test.db)
    expect(rows).toEqual([{ count: 3 }])
  })
})
