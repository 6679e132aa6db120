/** Full, read-only or failing disks, at the start and while Sello runs; each a small RAM disk. */
import { cpSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openSello, startSello, startSelloWithRecovery } from '../../../../server/api/application.ts'
import { runCommand } from '../../../../server/cli/main.ts'
import { listBooks } from '../../../../server/platform/books/index.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { PERSON } from '../../../../server/api/http/index.ts'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { SCHEMA_VERSION } from '../../../../server/db/migrations/version.ts'
import { openStore } from '../../../../server/db/embedded/store.ts'
import { embedded } from '../../../../server/db/embedded/port.ts'
import type { WriteFault } from '../../../../server/db/store.ts'
import { refused } from '../../../support/books.ts'
import { storedBooks } from '../../../support/stages/upgrade.ts'
import { openWorld } from '../../../support/world.ts'
import { canMount, makeBooks, newFolder, smallDisk } from '../../../support/stages/unopenable-books.ts'
import { inLongRun } from '../../../support/sweep.ts'

const mounts = canMount()
if (!mounts) console.warn('Tests skipped: no small disk can be mounted here.')
const onDisk = test.skipIf(!mounts)
const now = () => new Date('2026-11-21T09:00:00Z')

async function start(dataDir: string) {
  const running = await startSelloWithRecovery({
    dataDir,
    port: 0,
    uiDir: null,
    keychain: null,
    cacheKib: 1024,
  })
  onTestFinished(() => running.close())
  return {
    running,
    ask: async (name: string, input: unknown = {}) => {
      const response = await fetch(`${running.url}/app/call/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${running.windowToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      })
      return { status: response.status, body: (await response.json()) as any }
    },
  }
}

describe('at the start', () => {
  onDisk('a full disk is reported, and the books open once there is space', async () => {
    const disk = smallDisk()
    const { folder } = await makeBooks(join(disk.folder, 'books'))
    disk.fill()
    const { running, ask } = await start(folder)
    expect(running.trouble()?.kind).toBe('disk_full')
    expect((await ask('trouble.retry')).body.data.trouble.kind).toBe('disk_full')
    disk.free()
    expect((await ask('trouble.retry')).body.data.trouble).toBeNull()
    await vi.waitFor(async () => expect((await ask('session.get')).status).toBe(200), 5_000)
  })

  inLongRun(onDisk)('a read-only disk is reported, and the books open once it is writable', async () => {
    const disk = smallDisk()
    const { folder } = await makeBooks(join(disk.folder, 'books'))
    disk.protect(true)
    const { running, ask } = await start(folder)
    expect(running.trouble()?.kind).toBe('folder_readonly')
    disk.protect(false)
    expect((await ask('trouble.retry')).body.data.trouble).toBeNull()
    await vi.waitFor(async () => expect((await ask('session.get')).status).toBe(200), 5_000)
  })
})

describe('books on read-only media', () => {
  onDisk('open read-only on request: lists and exports answer, and nothing is written or sent', async () => {
    const disk = smallDisk(24 * 1024)
    const folder = join(disk.folder, 'books')
    cpSync(storedBooks(SCHEMA_VERSION), folder, { recursive: true })
    disk.protect(true)
    const before = readdirSync(folder)
    const { running, ask } = await start(folder)
    expect(running.trouble()?.kind).toBe('folder_readonly')
    expect((await ask('trouble.read')).body.data.trouble).toBeNull()
    await vi.waitFor(async () => expect((await ask('session.get')).status).toBe(200), 5_000)
    const session = (await ask('session.get')).body.data
    expect(session.store).toMatchObject({ writeFault: 'read_only_media', dataFolder: folder })
    const inBook = async (name: string, input: unknown = {}) => {
      const response = await fetch(`${running.url}/app/call/${name}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${running.windowToken}`,
          'content-type': 'application/json',
          'sello-book': session.companies[0].books[0].id,
        },
        body: JSON.stringify(input),
      })
      return { status: response.status, text: await response.text() }
    }
    const { items } = JSON.parse((await inBook('invoices.list', { state: 'issued' })).text).data as {
      items: { id: string }[]
    }
    expect(items.length).toBeGreaterThan(0)
    for (const [name, input] of [
      ['company.current', {}],
      ['invoices.get', { id: items[0]?.id }],
      ['invoices.pdf', { id: items[0]?.id }],
      ['fiscal.models', { year: 2026, quarter: 2 }],
      ['ledger.journal', {}],
      ['invoices.export', {}],
      ['books.verification', {}],
    ] as const)
      expect([name, (await inBook(name, input)).status]).toEqual([name, 200])
    for (const [name, input] of [
      ['invoices.create', { clientName: 'Ana', lines: [{ description: 'Obra', quantity: 1, unitPrice: 1 }] }],
      ['contacts.create', { name: 'Ana' }],
      ['session.savePreferences', { theme: 'dark' }],
      ['ledger.lock', { until: '2026-01-31' }],
      // Operations that would contact other servers, or make a copy that disappears with the private one, are not
      // started.
      ['lookups.vatNumber', { vatNumber: 'IE6388047V' }],
      ['webhooks.test', { id: 'whk_0000000000000000' }],
      ['backups.make', {}],
      ['backups.portable', {}],
      ['backups.beginRestore', {}],
    ] as const) {
      const refusal = await inBook(name, input)
      expect([name, refusal.status]).toEqual([name, 503])
      expect(JSON.parse(refusal.text).error).toMatchObject({
        code: 'store_readonly',
        details: { reason: 'read_only_media' },
      })
    }
    expect((await ask('store.check')).body.data).toEqual({ reason: 'read_only_media' })
    await running.close()
    expect(readdirSync(folder)).toEqual(before)
    disk.protect(false)
  })

  inLongRun(onDisk)('answer programs with `--read-only`, and not without', async () => {
    const disk = smallDisk(24 * 1024)
    const folder = join(disk.folder, 'books')
    cpSync(storedBooks(SCHEMA_VERSION), folder, { recursive: true })
    const options = { dataDir: folder, keychain: null, cacheKib: 1024 }
    const sello = await openSello(options)
    const [book] = (await listBooks(sello.env.store.reader)).filter(({ mode }) => mode === 'test')
    const input = { name: 'reader', scopes: ['invoices.read', 'invoices.write'] }
    const made = await runOperation(
      await loadOperation('keys.createByPerson'),
      sello.ctx(book!, PERSON),
      input,
    )
    const { key } = made as { key: string }
    await sello.close()
    disk.protect(true)
    await expect(startSello({ ...options, port: 0, uiDir: null })).rejects.toThrow()
    const running = await startSello({ ...options, port: 0, uiDir: null, mayOnlyRead: true })
    onTestFinished(() => running.close())
    const rest = async (method: string, body?: object) => {
      const answer = await fetch(`${running.url}/api/v1/invoices`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return { status: answer.status, body: (await answer.json()) as any }
    }
    const list = await rest('GET')
    expect([list.status, list.body.data.items.length > 0]).toEqual([200, true])
    const lines = [{ description: 'Obra', quantity: 1, unitPrice: 1 }]
    const refusal = await rest('POST', { clientName: 'Ana', clientNif: '12345678Z', lines })
    expect([refusal.status, refusal.body.error.code]).toEqual([503, 'store_readonly'])
    const tool = async (name: string, args: object) => {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
      const answer = await fetch(running.mcpUrl, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(call),
      })
      return answer.text()
    }
    expect(await tool('svc_list_invoices', {})).toContain('T-F2026-')
    expect(await tool('svc_create_invoice_draft', { clientName: 'Ana', lines })).toContain('store_readonly')
    await running.close()
    disk.protect(false)
  })
})

describe('while Sello runs', () => {
  onDisk('a full disk does not affect reads, and a successful write ends the state', async () => {
    const disk = smallDisk()
    const { folder } = await makeBooks(join(disk.folder, 'books'))
    const { ask } = await start(folder)
    disk.fill()
    // Writing continues until the log has used its allocated space.
    await vi.waitFor(async () => {
      const { reason } = (await ask('store.check')).body.data as { reason: string | null }
      expect(reason).toMatch(/^SQLITE_(FULL|IOERR)/)
    }, 5_000)
    const session = await ask('session.get')
    expect(session.status).toBe(200)
    expect(session.body.data.store.writeFault).toMatch(/^SQLITE_/)
    const refusedWrite = await ask('session.savePreferences', { theme: 'dark' })
    if (refusedWrite.status !== 200) expect(refusedWrite.body.error.code).toBe('store_readonly')
    disk.free()
    expect((await ask('store.check')).body.data).toEqual({ reason: null })
    expect((await ask('session.get')).body.data.store.writeFault).toBeNull()
    expect((await ask('session.savePreferences', { theme: 'dark' })).status).toBe(200)
  })
})

const failing = async (): Promise<never> => {
  throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' })
}

test('the self-check runs while the books cannot be written, and reports its result', async () => {
  const world = await openWorld()
  const { store } = world.env
  await refused(store.transaction(null, failing))
  expect(await world.run('registry.verify', {})).toMatchObject({ ok: true, records: 0 })
  await world.run('books.verify', {})
  const told = () => world.run('books.verification', {})
  await expect.poll(async () => (await told()).last?.checks.length ?? 0).toBeGreaterThan(10)
  const { last, failed } = await told()
  expect(failed).toBe(false)
  expect(last?.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['writable'])
  expect(await store.tryWriting()).toBeNull()
  await world.run('books.verify', {})
  await expect.poll(async () => (await told()).last?.ok).toBe(true)
})

describe('the store', () => {
  test('is checked and written again automatically once the disk works', async () => {
    const { folder } = await makeBooks()
    const running = await startSello({
      dataDir: folder,
      port: 0,
      uiDir: null,
      keychain: null,
      cacheKib: 1024,
    })
    onTestFinished(() => running.close())
    const { store } = running.env
    await refused(store.transaction(null, failing))
    expect(await refused(store.transaction(null, async () => {}))).toBeInstanceOf(AppError)
    await expect.poll(() => store.writeFault).toBeNull()
    expect(await store.transaction(null, async () => 'written')).toBe('written')
  })

  test('writes nothing after an I/O error until the file is checked, and reports when that is over', async () => {
    const folder = newFolder()
    const store = await openStore({ folder, keychain: null, now, create: true, cacheKib: 1024 })
    onTestFinished(() => store.close())
    const told: (WriteFault | null)[] = []
    store.onWriteFault = (fault) => told.push(fault)
    expect((await refused(store.transaction(null, failing))).toBody()).toMatchObject({
      code: 'store_readonly',
      details: { reason: 'SQLITE_IOERR_WRITE' },
    })
    expect(await refused(store.transaction(null, async () => {}))).toBeInstanceOf(AppError)
    expect(store.writeFault).toEqual({ reason: 'SQLITE_IOERR_WRITE', since: now() })
    expect(await store.tryWriting()).toBeNull()
    await store.transaction(null, async (db) => {
      await db.insertInto('settings').values({ name: 'x', value: '1' }).execute()
    })
    expect(await store.reader.selectFrom('settings').select('name').execute()).toEqual([{ name: 'x' }])
    expect(told).toEqual([{ reason: 'SQLITE_IOERR_WRITE', since: now() }, null])
  })
})

inLongRun(describe)('the command line, after a clean stop', () => {
  async function run(folder: string, ...argv: string[]) {
    const lines: string[] = []
    const said: string[] = []
    const code = await runCommand([...argv, '--data', folder], {
      env: {},
      answer: (line) => lines.push(line),
      say: (text) => said.push(text),
      untilStopped: async () => {},
    })
    return { code, answer: JSON.parse(lines.at(-1) ?? 'null') as any, said: said.join('\n') }
  }

  /** Creates closed books with an issued invoice and its document, on their own disk. */
  async function booksOn(folder: string): Promise<void> {
    const world = await openWorld()
    const { id } = await world.issue((await world.createDraft()).id)
    await world.run('invoices.pdf', { id })
    const { folder: made } = world
    await world.restart()
    embedded(world.env.store).checkpoint()
    cpSync(made, folder, { recursive: true, filter: (path) => !/-(wal|shm)$/.test(path) })
  }

  onDisk('reports a full disk, without raw errors', async () => {
    const disk = smallDisk(16 * 1024)
    const folder = join(disk.folder, 'books')
    await booksOn(folder)
    disk.fill()
    for (const argv of [['key', 'list'], ['verify'], ['serve', '--port', '0']]) {
      const ran = await run(folder, ...argv)
      expect([ran.code, ran.answer.error?.code], `${argv.join(' ')}: ${ran.said}`).toEqual([1, 'disk_full'])
      expect(ran.said).not.toMatch(/SqliteError|at .*\.ts/)
    }
    disk.free()
    expect((await run(folder, 'key', 'list')).code).toBe(0)
  })

  onDisk('reads, checks and exports read-only media, and reports why it cannot write', async () => {
    const disk = smallDisk(16 * 1024)
    const folder = join(disk.folder, 'books')
    await booksOn(folder)
    disk.protect(true)
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('sello-reading-'))
    expect((await run(folder, 'key', 'list')).code).toBe(0)
    const verified = await run(folder, 'verify')
    expect([verified.code, verified.answer.ok], verified.said).toEqual([0, true])
    const to = join(newFolder(), 'export')
    expect((await run(folder, 'export', '--to', to)).code).toBe(0)
    expect(readdirSync(join(to, 'documents', 'B12345674-test'))).toEqual(['T-F2026-0001.pdf'])
    const refusedWrite = await run(
      folder,
      'key',
      'create',
      '--mode',
      'test',
      '--name',
      'n',
      '--scopes',
      'all',
    )
    expect([refusedWrite.code, refusedWrite.answer.error.code]).toEqual([1, 'validation_failed'])
    expect(refusedWrite.said).toContain('Name a folder that this user may write')
    // The private copies are gone.
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('sello-reading-'))).toEqual(before)
  })
})
