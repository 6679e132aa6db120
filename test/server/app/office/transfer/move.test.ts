/** Companies between two cells, and what a folder or an office refuses to take. */
import { describe, expect, test } from 'vitest'
import { Directory, forgetCompany, verifyInOffice } from '../../../../../server/app/office/transfer/index.ts'
import { setAway, standingOf } from '../../../../../server/app/office/transfer/arrival.ts'
import { loadContracts } from '../../../../../server/api/operations.ts'
import { officeOperations, openOfficeSello } from '../../../../../server/api/office.ts'
import { serverOver } from '../../../../../server/api/application.ts'
import { OwnAddress } from '../../../../../server/api/http/index.ts'
import { openDatabase } from '../../../../../server/db/embedded/open.ts'
import { DatabaseBulk } from '../../../../../server/db/postgres/bulk.ts'
import { keyOf } from '../../../../support/key-of.ts'
import {
  createFolder,
  databaseForTest,
  digestOfFolder,
  folderForTest,
  forServers,
  issueIn,
  now,
  NOW,
} from '../../../../support/office/folders.ts'
import {
  cellsForTest,
  faultsOf,
  moveBetween,
  moveIn,
  refusal,
  withOffice,
} from '../../../../support/office/moves.ts'
import { ENGINE, testKey } from '../../../../support/postgres/databases.ts'
import { openTestStore } from '../../../../support/store.ts'

/** Runs statements on the file of a folder, without triggers and conditions. */
function tamper(folder: string, table: string, ...statements: string[]): void {
  const { handle, ...connection } = openDatabase({
    folder,
    masterKey: keyOf(folder),
    role: 'writer',
    cacheKib: 1024,
  })
  void connection
  const triggers = handle
    .prepare("select name, sql from sqlite_master where type = 'trigger' and tbl_name = ?")
    .all(table) as {
    name: string
    sql: string
  }[]
  for (const { name } of triggers) handle.exec(`drop trigger ${name}`)
  for (const statement of statements) handle.exec(statement)
  for (const { sql } of triggers) handle.exec(sql)
  handle.close()
}

describe.runIf(ENGINE === 'pg')('a company', () => {
  test('moves to another cell, where it goes on; the old one answers where it is, and forgets it', async () => {
    const folder = folderForTest()
    const { company } = await createFolder(folder, { invoices: 2 })
    const other = folderForTest()
    await createFolder(other, { invoices: 1, nif: 'B65410011' })
    const cells = await cellsForTest()
    await moveIn(folder, cells.one.url)
    await moveIn(other, cells.two.url)
    const sello = await openOfficeSello({
      url: forServers(cells.one.url),
      masterKey: testKey(),
      now,
      connections: 3,
    })
    const server = await serverOver(sello, {
      address: new OwnAddress(4545),
      windowToken: 'token',
      uiDir: null,
      operations: officeOperations,
    })
    const { url } = cells.one
    const office = await DatabaseBulk.open(url)
    try {
      const [{ id: book } = { id: '' }] = await office.select<{ id: string }>(
        "select public_id as id from books where mode = 'test'",
      )
      const ask = (name: string, input: object) =>
        server.inject({
          method: 'POST',
          url: `/app/call/${name}`,
          headers: {
            host: '127.0.0.1:4545',
            authorization: 'Bearer token',
            'content-type': 'application/json',
            'sello-book': book,
          },
          payload: JSON.stringify(input),
        })
      expect((await ask('invoices.list', {})).statusCode).toBe(200)
      // While it is moved, it is read and not written.
      const standing = await standingOf(office, company)
      await setAway(office, standing?.companyId ?? 0, { away: 'moving', to: cells.two.address, at: NOW })
      expect((await ask('invoices.list', {})).statusCode).toBe(200)
      const refused = await ask('contacts.create', { name: 'Zoe' })
      expect([refused.statusCode, refused.json().error.code, refused.headers['retry-after']]).toEqual([
        503,
        'company_moving',
        '10',
      ])
      const started = performance.now()
      const result = await moveBetween(cells, company)
      console.log(
        `moved: ${result.rows} rows, ${((performance.now() - started) / 1000).toFixed(1)} s, ${result.sha256}`,
      )
      expect(result.left).toEqual([])
      for (const [name, input] of [
        ['invoices.list', {}],
        ['contacts.create', { name: 'Zoe' }],
      ] as const) {
        const answer = await ask(name, input)
        expect([answer.statusCode, answer.json().error.code, answer.json().error.details]).toEqual([
          421,
          'company_moved',
          { to: 'https://two.example' },
        ])
      }
      await withOffice(cells.two.url, async (there) => {
        expect([await issueIn(there, 'test', 0), await issueIn(there, 'test', 1)]).toEqual([
          'T-F2026-0002',
          'T-F2026-0003',
        ])
        expect(await faultsOf(there)).toEqual([])
      })
      // It is removed once the directory and the other cell agree.
      const directory = await Directory.open(cells.directory)
      const prove = async (): Promise<void> => {
        expect(await directory.placeOf(company)).toMatchObject({ cell: 'two', state: 'here' })
        await verifyInOffice(cells.two, company, { loadContracts, now })
      }
      expect(await refusal(forgetCompany({ office: cells.two, company, prove }))).toMatchObject([
        'company_here',
        { state: 'open' },
      ])
      expect(await forgetCompany({ office: cells.one, company, prove })).toBeGreaterThan(result.rows - 1)
      await directory.close()
      // No policy hides a row from the administrator.
      const { rows: left } = await cells.database.admin.query<{ name: string }>(
        `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
         and (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]::text <> '0' order by 1`,
      )
      expect(left.map(({ name }) => name)).toEqual([
        'installation',
        'office_master_key',
        'office_migrations',
        'schema_migrations',
        'settings',
      ])
      const [trigger] = await office.select<{ off: number }>(
        "select count(*) as off from pg_trigger where tgenabled = 'D'",
      )
      expect(trigger).toEqual({ off: 0 })
    } finally {
      await office.close()
      await server.close()
      await sello.close()
    }
  })

  test('with text that PostgreSQL refuses is refused with its place, or moved with it replaced', async () => {
    const folder = folderForTest()
    const { company } = await createFolder(folder, { invoices: 1 })
    tamper(
      folder,
      'contacts',
      "update contacts set notes = 'a' || char(0) || 'b', metadata = '{\"k\":\"\\ud83d\"}'",
    )
    const { url, database } = await databaseForTest()
    const refused = (await refusal(moveIn(folder, url))) as [string, { texts: object[] }]
    expect(refused[0]).toBe('transfer_refused')
    expect(refused[1].texts).toMatchObject([
      { table: 'contacts', column: 'notes', has: 'nul', replaceable: true },
      { table: 'contacts', column: 'metadata', has: 'surrogate', replaceable: true },
    ])
    const office = await DatabaseBulk.open(url)
    expect(await office.select('select 1 from companies')).toEqual([])
    const { replaced } = await moveIn(folder, url, { replaceTexts: true })
    expect(replaced).toHaveLength(2)
    const { rows } = await database.admin.query('select notes, metadata from contacts')
    expect(rows[0]).toEqual({ notes: 'a\u{FFFD}b', metadata: '{"k":"\u{FFFD}"}' })
    await office.close()
    expect(company).toMatch(/^com_/)
  })

  test('with such text in what is hashed is refused in any case', async () => {
    const folder = folderForTest()
    await createFolder(folder, { invoices: 1 })
    tamper(folder, 'invoice_lines', "update invoice_lines set description = 'a' || char(0)")
    const { url } = await databaseForTest()
    expect(await refusal(moveIn(folder, url, { replaceTexts: true }))).toMatchObject([
      'transfer_refused',
      { texts: [{ table: 'invoice_lines', column: 'description', replaceable: false }] },
    ])
  })

  test('with the largest exact numbers is moved; with larger ones it is refused', async () => {
    const folder = folderForTest()
    await createFolder(folder, { invoices: 1 })
    const most = Number.MAX_SAFE_INTEGER
    tamper(
      folder,
      'items',
      `insert into items (book_id, public_id, name, unit_price_micro, price_mode, tax_treatment, search, name_key, created_at, updated_at)
      select id, 'itm_' || id, 'Mucho', ${most}, 'net', 'S1', 'mucho', 'mucho', ${-most}, 0 from books`,
    )
    const before = await digestOfFolder(folder)
    const { url } = await databaseForTest()
    expect((await moveIn(folder, url)).companies[0]?.sha256).toBe(before.sha256)
    const larger = folderForTest()
    await createFolder(larger, { invoices: 1, nif: 'B65410011' })
    tamper(larger, 'contacts', 'update contacts set used_at = 9007199254740992')
    expect(await refusal(moveIn(larger, url))).toMatchObject([
      'transfer_refused',
      { reason: 'number_too_large', table: 'contacts', column: 'used_at', value: '9007199254740992' },
    ])
    const office = await DatabaseBulk.open(url)
    expect(await office.select('select id from companies')).toHaveLength(1)
    await office.close()
  })

  test('whose deleted highest rows had ids keeps them taken', async () => {
    const folder = folderForTest()
    await createFolder(folder, { invoices: 1 })
    tamper(folder, 'events', "update sqlite_sequence set seq = 900 where name = 'journal_entries'")
    const { url } = await databaseForTest()
    await moveIn(folder, url)
    const office = await DatabaseBulk.open(url)
    const [row] = await office.select<{ last: number }>(
      "select pg_sequence_last_value('journal_entries_id_seq') as last",
    )
    expect(row).toEqual({ last: 900 })
    await office.close()
  })
})

test('a store opens without being in a cell', async () => {
  const { env } = await openTestStore()
  expect(env.store.engine).toBe(ENGINE)
})
