/** A backup replaces books: verified first, the previous books kept aside, and only by authorized callers. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSello } from '../../../../../server/api/application.ts'
import { makeBackup } from '../../../../../server/app/backups/make/make.ts'
import { migrate } from '../../../../../server/db/embedded/migrate.ts'
import { migrations } from '../../../../../server/db/migrations/list.ts'
import { SCHEMA_VERSION } from '../../../../../server/db/migrations/version.ts'
import { openDatabase } from '../../../../../server/db/embedded/open.ts'
import { openStore } from '../../../../../server/db/embedded/store.ts'
import {
  cleanFolder,
  everythingIn,
  exportOf,
  keepCode,
  keyOf,
  portableOf,
  restoreWith,
} from '../../../../support/stages/backups.ts'
import { refusal } from '../../../../support/books.ts'
import { makeBooks, memoryKeychain, newFolder } from '../../../../support/stages/unopenable-books.ts'
import { openWorld } from '../../../../support/world.ts'
import { inLongRun } from '../../../../support/sweep.ts'

const longTest = inLongRun(test)

const now = () => new Date('2026-07-02T08:00:00Z')

/** Makes a backup in the backup folder and returns its file. */
async function backUp(folder: string): Promise<string> {
  const to = join(folder, 'backups')
  const at = now().getTime()
  return join(to, await makeBackup({ folder, to, masterKey: keyOf(folder), reason: 'manual', at }))
}

async function note(folder: string, name: string): Promise<void> {
  const store = await openStore({ folder, keychain: null, now, cacheKib: 1024 })
  await store.transaction(null, (db) => db.insertInto('settings').values({ name, value: '1' }).execute())
  store.close()
}

describe('existing books', () => {
  test('are kept aside complete, and the backup replaces them; their key and code stay', async () => {
    const { folder, code } = await makeBooks()
    const file = await backUp(folder)
    const backedUp = exportOf(folder)
    await note(folder, 'later')
    const later = exportOf(folder)
    const [keyFile, recovery] = ['master.key', 'recovery.json'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    )
    const { aside } = await restoreWith(folder, file, null)
    expect(exportOf(folder) === backedUp).toBe(true)
    expect(exportOf(String(aside), undefined, keyOf(folder)) === later).toBe(true)
    expect(readFileSync(join(folder, 'master.key'), 'utf8')).toBe(keyFile)
    expect(readFileSync(join(folder, 'recovery.json'), 'utf8')).toBe(recovery)
    expect(readdirSync(folder)).not.toContain('restoring')
    // The way back is the same.
    await restoreWith(folder, file, code)
    expect(exportOf(folder) === backedUp).toBe(true)
  })

  longTest('that are damaged or missing are restored from the backup with the available key', async () => {
    for (const spoil of ['damaged', 'missing'] as const) {
      const { folder } = await makeBooks()
      const file = await backUp(folder)
      const backedUp = exportOf(folder)
      const stored = join(folder, 'sello.db')
      writeFileSync(stored, spoil === 'damaged' ? Buffer.alloc(8_192, 7) : '')
      await restoreWith(folder, file, null)
      expect(exportOf(folder) === backedUp, spoil).toBe(true)
    }
  })

  test('with a lost key accept the code, and this computer stores the key again', async () => {
    const keychain = memoryKeychain()
    const { folder, code } = await makeBooks(newFolder(), { keychain })
    const [[, key] = ['', '']] = [...keychain.items].filter(([account]) => !account.includes('high-water'))
    const masterKey = Buffer.from(key, 'hex')
    const to = join(folder, 'backups')
    const name = await makeBackup({ folder, to, masterKey, reason: 'manual', at: now().getTime() })
    const file = join(to, name)
    const other = memoryKeychain()
    const untouched = everythingIn(folder)
    expect(await refusal(restoreWith(folder, file, null, { keychain: other }))).toBe('recovery_code_wrong')
    expect(everythingIn(folder)).toEqual(untouched)
    await restoreWith(folder, file, code, { keychain: other })
    expect([...other.items.values()]).toContain(key)
    const sello = await openSello({ dataDir: folder, keychain: other, cacheKib: 1024 })
    await sello.close()
  })

  test('of another store are replaced only on request', async () => {
    const world = await openWorld()
    const code = keepCode(world)
    const file = await portableOf(world)
    const { folder } = await makeBooks()
    const theirs = exportOf(folder)
    const theirKey = keyOf(folder)
    const untouched = everythingIn(folder)
    expect(await refusal(restoreWith(folder, file, code))).toBe('backup_of_other_books')
    expect(everythingIn(folder)).toEqual(untouched)
    const { aside } = await restoreWith(folder, file, code, { replaceOther: true })
    expect(exportOf(folder) === exportOf(world.folder)).toBe(true)
    // The folder kept aside is a complete folder of books.
    expect(exportOf(String(aside), undefined, theirKey) === theirs).toBe(true)
    expect(keyOf(String(aside)).equals(theirKey)).toBe(true)
    expect(existsSync(join(String(aside), 'recovery.json'))).toBe(true)
  })

  test('that are open are left unchanged', async () => {
    const world = await openWorld()
    const code = keepCode(world)
    const file = await portableOf(world)
    expect(await refusal(restoreWith(world.folder, file, code))).toBe('store_in_use')
  })
})

describe('a named key file', () => {
  test('receives the key, is used when it has it, and is not touched when it belongs to other books', async () => {
    const world = await openWorld()
    const code = keepCode(world)
    const file = await portableOf(world)
    const keyFile = `${cleanFolder()}.key`
    await restoreWith(cleanFolder(), file, code, { keyFile })
    const key = readFileSync(keyFile, 'utf8')
    expect(key.trim()).toBe(keyOf(world.folder).toString('hex'))
    const folder = cleanFolder()
    await restoreWith(folder, file, code, { keyFile })
    expect(existsSync(join(folder, 'master.key'))).toBe(false)
    const other = `${'ab'.repeat(32)}\n`
    writeFileSync(keyFile, other)
    const third = cleanFolder()
    expect(await refusal(restoreWith(third, file, code, { keyFile }))).toBe('keychain_locked')
    expect(readFileSync(keyFile, 'utf8')).toBe(other)
    expect(existsSync(third)).toBe(false)
  })
})

/** Returns closed books with the schema after so many migrations. */
async function booksOfSchema(version: number): Promise<string> {
  const { folder } = await makeBooks()
  const masterKey = keyOf(folder)
  if (version > SCHEMA_VERSION) {
    const connection = openDatabase({ folder, masterKey, role: 'writer', cacheKib: 1024 })
    connection.handle.pragma(`user_version = ${version}`)
    connection.close()
    return folder
  }
  writeFileSync(join(folder, 'sello.db'), '')
  const connection = openDatabase({ folder, masterKey, role: 'writer', fresh: true, cacheKib: 1024 })
  migrate(connection, migrations.slice(0, version))
  connection.close()
  return folder
}

describe('a backup of another schema', () => {
  longTest('is restored unchanged when older, and migrated by the next start', async () => {
    const folder = await booksOfSchema(SCHEMA_VERSION - 2)
    const file = await backUp(folder)
    const backedUp = exportOf(folder)
    expect(await restoreWith(folder, file, null)).toMatchObject({ older: true })
    expect(exportOf(folder) === backedUp).toBe(true)
    const sello = await openSello({ dataDir: folder, keychain: null, cacheKib: 1024 })
    expect(await sello.env.store.schemaFaults()).toEqual([])
    await sello.close()
  })

  test('is rejected unchanged when newer', async () => {
    const folder = await booksOfSchema(SCHEMA_VERSION + 1)
    const file = await backUp(folder)
    const untouched = everythingIn(folder)
    expect(await refusal(restoreWith(folder, file, null))).toBe('store_newer')
    expect(everythingIn(folder)).toEqual(untouched)
  })
})

test('books that pass the check of SQLite but not the self-check are not restored', async () => {
  const world = await openWorld()
  const code = keepCode(world)
  const { id } = await world.issue((await world.createDraft()).id)
  // Chains and integrity are valid: only the sum of the invoice is wrong.
  const { handle } = openDatabase({ folder: world.folder, masterKey: keyOf(world.folder), role: 'writer' })
  const triggers = handle.prepare("select name, sql from sqlite_schema where type = 'trigger'").all() as {
    name: string
    sql: string
  }[]
  for (const { name } of triggers) handle.exec(`drop trigger "${name}"`)
  handle
    .prepare(
      'update invoices set base_cents = base_cents + 1, total_cents = total_cents + 1 where public_id = ?',
    )
    .run(id)
  for (const { sql } of triggers) handle.exec(sql)
  handle.close()
  const file = await portableOf(world)
  const folder = cleanFolder()
  expect(await refusal(restoreWith(folder, file, code))).toBe('backup_damaged')
  expect(existsSync(folder)).toBe(false)
})
