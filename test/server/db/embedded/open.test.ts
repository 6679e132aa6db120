/** Opening the encrypted file: its required properties, and the error of each kind of damage. */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../../server/db/embedded/open.ts'
import { openStore } from '../../../../server/db/embedded/store.ts'
import { openBooks, refusal } from '../../../support/books.ts'

const now = () => new Date('2026-11-21T09:00:00Z')

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-open-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a folder with closed books of one invoice. */
async function closedBooks() {
  const world = await openBooks()
  await world.invoice()
  world.env.store.close()
  const folder = emptyFolder()
  for (const file of ['sello.db', 'keyring.json', 'master.key'])
    copyFileSync(join(world.folder, file), join(folder, file))
  const masterKey = Buffer.from(readFileSync(join(folder, 'master.key'), 'utf8').trim(), 'hex')
  const reopen = (create = false) => openStore({ folder, keychain: null, now, create, cacheKib: 1024 })
  return { folder, file: join(folder, 'sello.db'), masterKey, reopen }
}

describe('an open store', () => {
  test('has the settings on which its guarantees depend', async () => {
    const { folder, masterKey } = await closedBooks()
    const writer = openDatabase({ folder, masterKey, role: 'writer', cacheKib: 1024 })
    const reader = openDatabase({ folder, masterKey, role: 'reader', cacheKib: 1024 })
    const held = (connection: typeof writer) =>
      Object.fromEntries(
        [
          'journal_mode',
          'synchronous',
          'foreign_keys',
          'trusted_schema',
          'cell_size_check',
          'temp_store',
          'mmap_size',
          'query_only',
          'secure_delete',
          'recursive_triggers',
          'cache_size',
        ].map((name) => [name, connection.handle.pragma(name, { simple: true })]),
      )
    const common = {
      journal_mode: 'wal',
      foreign_keys: 1,
      trusted_schema: 0,
      cell_size_check: 1,
      temp_store: 2,
      mmap_size: 0,
      cache_size: -1024,
    }
    expect(held(writer)).toMatchObject({
      ...common,
      synchronous: 2,
      secure_delete: 1,
      recursive_triggers: 1,
      query_only: 0,
    })
    expect(held(reader)).toMatchObject({ ...common, query_only: 1 })
    expect(() => reader.run('delete from settings', [])).toThrow(
      expect.objectContaining({ code: 'SQLITE_READONLY' }),
    )
    writer.close()
    reader.close()
  })

  test('reveals nothing of its content in any of its files', async () => {
    const world = await openBooks()
    await world.invoice({ clientName: 'Zanahorias Canarias' })
    for (const name of readdirSync(world.folder)) {
      const bytes = readFileSync(join(world.folder, name))
      if (name === 'sello.db') expect(bytes.subarray(0, 15).toString('latin1')).not.toBe('SQLite format 3')
      expect(bytes.includes('Zanahorias'), name).toBe(false)
      expect(bytes.includes('invoices'), name).toBe(false)
    }
    expect(readdirSync(world.folder)).toEqual(
      expect.arrayContaining(['sello.db', 'sello.db-wal', 'keyring.json', 'master.key']),
    )
  })

  test('is accessible to its owner only', async () => {
    const world = await openBooks()
    for (const name of ['master.key', 'keyring.json'])
      expect(statSync(join(world.folder, name)).mode & 0o077, name).toBe(0)
  })
})

describe('books that cannot be opened', () => {
  test('with a wrong key', async () => {
    const { folder, masterKey } = await closedBooks()
    const wrong = Buffer.from(masterKey)
    wrong[31] = (wrong[31] ?? 0) ^ 1
    expect(
      await refusal(Promise.resolve().then(() => openDatabase({ folder, masterKey: wrong, role: 'writer' }))),
    ).toBe('store_damaged')
  })

  test('a key file of another store is distinguished from damage', async () => {
    const { folder, reopen } = await closedBooks()
    writeFileSync(join(folder, 'master.key'), `${'ab'.repeat(32)}\n`)
    expect(await refusal(reopen())).toBe('keychain_locked')
  })

  test('a plain database in their place', async () => {
    const { file, reopen } = await closedBooks()
    rmSync(file)
    const plain = new Database(file)
    plain.exec('create table invoices (id integer); create table other (id integer)')
    plain.close()
    expect(await refusal(reopen())).toBe('store_damaged')
  })

  test('no file, an empty file and half a page are missing books, never new ones', async () => {
    const { file, reopen } = await closedBooks()
    truncateSync(file, 4095)
    expect(await refusal(reopen(true))).toBe('store_missing')
    truncateSync(file, 0)
    expect(await refusal(reopen(true))).toBe('store_missing')
    rmSync(file)
    expect(await refusal(reopen())).toBe('store_missing')
    expect(await refusal(reopen(true))).toBe('store_missing')
    expect(existsSync(file)).toBe(false)
  })

  test('a first start that was interrupted before the first page starts again', async () => {
    const { folder, file, reopen } = await closedBooks()
    const keyring = join(folder, 'keyring.json')
    const { booksMade, ...unmade } = JSON.parse(readFileSync(keyring, 'utf8')) as Record<string, unknown>
    expect(booksMade).toBe(true)
    writeFileSync(keyring, JSON.stringify(unmade))
    truncateSync(file, 0)
    expect(await refusal(reopen())).toBe('store_missing')
    const store = await reopen(true)
    expect(await store.reader.selectFrom('books').select('id').execute()).toEqual([])
    store.close()
  })

  test('a folder without books is not written to', async () => {
    const folder = emptyFolder()
    expect(await refusal(openStore({ folder, keychain: null, now }))).toBe('store_missing')
    expect(await refusal(openStore({ folder: join(folder, 'deeper'), keychain: null, now }))).toBe(
      'store_missing',
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test('a flipped bit anywhere is detected', async () => {
    const { folder, file, masterKey, reopen } = await closedBooks()
    const whole = readFileSync(file)
    let seed = 20261121
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    let atOpening = 0
    for (let flip = 0; flip < 30; flip++) {
      // The first ones in the first page, which opening reads; the rest anywhere.
      const offset = flip < 10 ? random(4096) : random(whole.length)
      const bytes = Buffer.from(whole)
      bytes[offset] = (bytes[offset] ?? 0) ^ (1 << random(8))
      writeFileSync(file, bytes)
      try {
        const connection = openDatabase({ folder, masterKey, role: 'reader', cacheKib: 1024 })
        let noticed = false
        try {
          noticed = connection.handle.pragma('integrity_check', { simple: true }) !== 'ok'
        } catch (error) {
          noticed = String((error as { code?: string }).code).startsWith('SQLITE_')
        }
        connection.close()
        expect(noticed, `bit at ${offset}`).toBe(true)
      } catch (error) {
        expect(error, `bit at ${offset}`).toMatchObject({ code: 'store_damaged' })
        atOpening += 1
        expect(await refusal(reopen())).toBe('store_damaged')
      }
    }
    expect(atOpening).toBeGreaterThanOrEqual(10)
    writeFileSync(file, whole)
    const store = await reopen()
    expect(await store.reader.selectFrom('invoices').select('number').execute()).toEqual([
      { number: 'T-F2026-0001' },
    ])
    store.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
  })
})
