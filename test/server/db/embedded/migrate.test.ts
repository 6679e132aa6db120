/** Migrations: once each, all or nothing, and never on a store of a later version or of another program. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { Connection } from '../../../../server/db/embedded/connection.ts'
import { APPLICATION_ID, migrate } from '../../../../server/db/embedded/migrate.ts'
import { migrations } from '../../../../server/db/migrations/list.ts'
import type { Migration } from '../../../../server/db/migrations/list.ts'
import { SCHEMA_VERSION } from '../../../../server/db/migrations/version.ts'
import { openStore } from '../../../../server/db/embedded/store.ts'
import { openBooks, refused } from '../../../support/books.ts'

const inMemory = () => new Connection(new Database(':memory:'))
const pragma = (connection: Connection, name: string) => connection.handle.pragma(name, { simple: true })
const step = (number: number, sql: string): Migration => ({ number, name: `step ${number}`, sql })

describe('running', () => {
  test('the first one marks an empty file as a store', () => {
    const connection = inMemory()
    migrate(connection, migrations)
    expect([pragma(connection, 'application_id'), pragma(connection, 'user_version')]).toEqual([
      APPLICATION_ID,
      migrations.length,
    ])
    migrate(connection, migrations)
  })

  test('they are numbered from one without gaps up to the version of this build', () => {
    expect(migrations.map((migration) => migration.number)).toEqual(migrations.map((_, index) => index + 1))
    expect(migrations.at(-1)?.number).toBe(SCHEMA_VERSION)
  })

  test('each runs once, in order, also over several starts', () => {
    const connection = inMemory()
    const list = [
      step(1, 'create table done (n integer) strict; insert into done values (1)'),
      step(2, 'insert into done select max(n) + 1 from done'),
      step(3, 'insert into done select max(n) * 10 from done'),
    ]
    migrate(connection, list.slice(0, 1))
    migrate(connection, list)
    migrate(connection, list)
    expect(connection.all('select n from done order by n', [])).toEqual([{ n: 1 }, { n: 2 }, { n: 20 }])
  })

  test('one that fails leaves everything unchanged', () => {
    const connection = inMemory()
    const good = step(1, 'create table kept (n integer) strict')
    migrate(connection, [good])
    expect(() =>
      migrate(connection, [
        good,
        step(2, 'create table half (n integer) strict'),
        step(3, 'insert into nowhere values (1)'),
      ]),
    ).toThrow(/nowhere/)
    expect(pragma(connection, 'user_version')).toBe(1)
    expect(connection.all("select name from sqlite_master where type = 'table'", [])).toEqual([
      { name: 'kept' },
    ])
    expect(connection.handle.inTransaction).toBe(false)
  })

  test('one that leaves dangling references is rolled back', () => {
    const connection = inMemory()
    const first = step(
      1,
      'create table a (id integer primary key) strict; create table b (a integer references a) strict',
    )
    migrate(connection, [first])
    connection.handle.pragma('foreign_keys = 0')
    expect(() => migrate(connection, [first, step(2, 'insert into b values (7)')])).toThrow(/dangling/)
    expect(connection.all('select * from b', [])).toEqual([])
  })
})

describe('refusing', () => {
  test('a store written by a newer program is rejected and unchanged byte by byte', async () => {
    const world = await openBooks()
    await world.tamper(`pragma user_version = ${migrations.length + 1}`)
    world.env.store.close()
    const file = join(world.folder, 'sello.db')
    const before = readFileSync(file)
    const error = await refused(
      openStore({ folder: world.folder, keychain: null, now: world.env.now, create: true, cacheKib: 1024 }),
    )
    expect(error.toBody()).toMatchObject({
      code: 'store_newer',
      details: { storeVersion: migrations.length + 1, knownVersion: migrations.length },
    })
    expect(readFileSync(file).equals(before)).toBe(true)
    // Rejected and released: a second attempt gives the same error, not `store_in_use`.
    expect(
      (await refused(openStore({ folder: world.folder, keychain: null, now: world.env.now }))).code,
    ).toBe('store_newer')
  })

  test('a file of another program is not migrated', () => {
    const connection = inMemory()
    connection.handle.pragma('application_id = 1234')
    connection.handle.exec('create table theirs (n integer)')
    expect(() => migrate(connection, migrations)).toThrow(expect.objectContaining({ code: 'store_damaged' }))
    expect(connection.all("select name from sqlite_master where type = 'table'", [])).toEqual([
      { name: 'theirs' },
    ])
  })
})
