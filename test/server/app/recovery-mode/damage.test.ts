/**
 * A file damaged while Sello runs: readable data is read, nothing is written, and writing resumes after a passing
 * self-check.
 */
import { embedded } from '../../../../server/db/embedded/port.ts'
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSello, serverOver } from '../../../../server/api/application.ts'
import { OwnAddress } from '../../../../server/api/http/index.ts'
import { SCHEMA_VERSION } from '../../../../server/db/migrations/version.ts'
import { openDatabase } from '../../../../server/db/embedded/open.ts'
import { keyOf } from '../../../support/stages/backups.ts'
import { PORT } from '../../../support/world.ts'
import { storedBooks } from '../../../support/stages/upgrade.ts'

const PAGE = 4096
const TOKEN = 'window-token-of-this-test'

/** Opens the stored books behind a server without background work, because they contain invented messages for others. */
async function open(folder: string) {
  const sello = await openSello({ dataDir: folder, keychain: null, cacheKib: 512 })
  const server = await serverOver(sello, { address: new OwnAddress(PORT), windowToken: TOKEN, uiDir: null })
  onTestFinished(async () => {
    await server.close()
    await sello.close()
  })
  return {
    store: sello.env.store,
    ask: async (name: string, payload: object = {}) => {
      const answer = await server.inject({
        method: 'POST',
        url: `/app/call/${name}`,
        headers: { authorization: `Bearer ${TOKEN}`, host: `127.0.0.1:${PORT}` },
        payload,
      })
      return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
    },
  }
}

/** Returns the first page of a table. */
function pageOf(folder: string, table: string): number {
  const connection = openDatabase({ folder, masterKey: keyOf(folder), role: 'reader', cacheKib: 512 })
  const row = connection.get('select rootpage from sqlite_schema where name = ?', [table]) as {
    rootpage: number
  }
  connection.close()
  return row.rootpage
}

/** Flips bits of a page; the same call again restores it. */
function flip(folder: string, page: number): void {
  const file = openSync(join(folder, 'sello.db'), 'r+')
  const bytes = Buffer.alloc(64)
  const at = (page - 1) * PAGE + 1000
  readSync(file, bytes, 0, bytes.length, at)
  writeSync(
    file,
    bytes.map((byte) => byte ^ 0x55),
    0,
    bytes.length,
    at,
  )
  closeSync(file)
}

const bytesOf = (folder: string): string =>
  ['sello.db', 'sello.db-wal']
    .map((name) =>
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    )
    .join()

describe('a damaged page', () => {
  test(
    'stops writes but not reads, until the self-check of the file passes',
    { timeout: 60_000 },
    async () => {
      const folder = storedBooks(SCHEMA_VERSION)
      const page = pageOf(folder, 'mail_templates')
      const { store, ask } = await open(folder)
      const theme = (name: string) => ask('session.savePreferences', { theme: name })
      expect((await theme('dark')).status).toBe(200)
      embedded(store).checkpoint()
      flip(folder, page)
      await expect(store.reader.selectFrom('mail_templates').selectAll().execute()).rejects.toMatchObject({
        code: expect.stringMatching(/^SQLITE_(CORRUPT|NOTADB|IOERR)/),
      })
      expect(store.writeFault?.reason).toMatch(/^SQLITE_(CORRUPT|NOTADB|IOERR)/)
      const before = bytesOf(folder)
      const refused = await theme('light')
      expect(refused.status).toBe(503)
      expect(refused.body.error).toMatchObject({ code: 'store_readonly', retry: 'after' })
      expect(refused.body.error.details.reason).toMatch(/^SQLITE_/)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect((await ask('session.get')).body.data.store.writeFault).toMatch(/^SQLITE_/)
      // Repeated checks return the same result.
      expect((await ask('store.check')).body.data.reason).toMatch(/^SQLITE_/)
      expect(bytesOf(folder)).toBe(before)
      flip(folder, page)
      expect((await ask('store.check')).body.data).toEqual({ reason: null })
      expect((await theme('light')).status).toBe(200)
      expect(store.writeFault).toBeNull()
    },
  )

  test('is not the only thing checked: the chains are too', { timeout: 60_000 }, async () => {
    const folder = storedBooks(SCHEMA_VERSION)
    const { store } = await open(folder)
    const failing = async (): Promise<never> => {
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' })
    }
    const tamper = (sql: string): void => {
      const connection = openDatabase({ folder, masterKey: keyOf(folder), role: 'writer', cacheKib: 512 })
      const trigger = connection.get(
        "select name, sql from sqlite_schema where type = 'trigger' and name = 'registry_records_frozen'",
        [],
      ) as { name: string; sql: string }
      connection.handle.exec(`drop trigger ${trigger.name}; ${sql}; ${trigger.sql}`)
      connection.close()
    }
    await expect(store.transaction(null, failing)).rejects.toMatchObject({ code: 'store_readonly' })
    const { hash } = await store.reader
      .selectFrom('registry_records')
      .select('hash')
      .where('id', '=', 2)
      .executeTakeFirstOrThrow()
    tamper('create table aside as select * from registry_records')
    expect((await store.tryWriting())?.reason).toBe('schema_changed')
    tamper('drop table aside; update registry_records set hash = zeroblob(32) where id = 2')
    expect((await store.tryWriting())?.reason).toBe('chain_broken')
    await expect(store.transaction(null, async () => {})).rejects.toMatchObject({ code: 'store_readonly' })
    tamper(`update registry_records set hash = x'${Buffer.from(hash).toString('hex')}' where id = 2`)
    expect(await store.tryWriting()).toBeNull()
  })
})
