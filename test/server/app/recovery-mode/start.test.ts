/** A failed start shows why the books are closed, and accepts the solution, over HTTP at one address. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  addressOfOther,
  openSello,
  startSello,
  startSelloWithRecovery,
} from '../../../../server/api/application.ts'
import type { StartOptions } from '../../../../server/api/application.ts'
import { createCompany } from '../../../../server/company/index.ts'
import { NO_BOOK } from '../../../../server/context.ts'
import type { Keychain } from '../../../../server/db/embedded/keys/keyring.ts'
import type { StartFault } from '../../../../server/app/recovery-mode/contract.ts'
import { companyInput } from '../../../support/store.ts'
import {
  contentOf,
  damage,
  makeBooks,
  makeNewer,
  memoryKeychain,
  newFolder,
} from '../../../support/stages/unopenable-books.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

type Options = Partial<StartOptions> & { dataDir: string; quit?: () => void }

async function start(options: Options) {
  const running = await startSelloWithRecovery({
    port: 0,
    uiDir: null,
    keychain: null,
    cacheKib: 1024,
    ...options,
  })
  onTestFinished(() => running.close())
  const send = async (path: string, body: unknown = {}, token = running.windowToken, book?: string) => {
    const response = await fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(book ? { 'sello-book': book } : {}),
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as any }
  }
  const ask = (name: string, input: unknown = {}, book?: string) =>
    send(`/app/call/${name}`, input, running.windowToken, book)
  return {
    running,
    send,
    ask,
    trouble: async () => (await ask('trouble.get')).body.data.trouble as StartFault,
    /** Returns the session, once the real server has taken over. */
    opened: () =>
      vi.waitFor(async () => {
        const answer = await ask('session.get')
        expect(answer.status).toBe(200)
        return answer.body.data as { store: { keyProtection: string; dataFolder: string } }
      }, 5_000),
  }
}

describe('books without their key', () => {
  test('wait behind the same guard and token; programs receive the reason', async () => {
    const { folder } = await makeBooks()
    rmSync(join(folder, 'master.key'))
    const before = contentOf(folder)
    const { running, send, ask, trouble } = await start({ dataDir: folder })
    expect(running.trouble()?.kind).toBe('key_missing')
    expect(await trouble()).toMatchObject({
      kind: 'key_missing',
      code: 'keychain_locked',
      folder,
      file: join(folder, 'master.key'),
      keep: ['file', 'once'],
      canQuit: false,
    })
    expect((await send('/app/call/trouble.get', {}, 'x'.repeat(43))).status).toBe(401)
    const session = await ask('session.get')
    expect([session.status, session.body.error.code, session.body.error.details]).toEqual([
      503,
      'keychain_locked',
      { trouble: 'key_missing' },
    ])
    expect((await send('/api/v1/invoices')).body.error.code).toBe('keychain_locked')
    const foreign = await fetch(`${running.url}/app/call/trouble.get`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', authorization: `Bearer ${running.windowToken}` },
    })
    expect(foreign.status).toBe(403)
    expect((await fetch(`${running.url}/healthz`)).status).toBe(503)
    expect((await ask('trouble.retry')).body.data.trouble.kind).toBe('key_missing')
    expect(contentOf(folder)).toEqual(before)
  })

  test('open when the key is back, at the same address and without a new process', async () => {
    const { folder } = await makeBooks()
    const key = readFileSync(join(folder, 'master.key'))
    rmSync(join(folder, 'master.key'))
    const { running, ask, opened } = await start({ dataDir: folder })
    writeFileSync(join(folder, 'master.key'), key)
    expect((await ask('trouble.retry')).body.data).toEqual({ trouble: null })
    expect((await opened()).store.keyProtection).toBe('file')
    expect(running.trouble()).toBeNull()
    expect(
      (await running.inject({ url: '/healthz', headers: { host: new URL(running.url).host } })).statusCode,
    ).toBe(200)
    expect((await ask('trouble.get')).status).toBe(404)
  })

  test('open with the recovery code however it is typed, and the audit log records it', async () => {
    const { folder, code } = await makeBooks()
    const sello = await openSello({ dataDir: folder, keychain: null })
    const { books } = await createCompany(sello.ctx(NO_BOOK), companyInput())
    await sello.close()
    rmSync(join(folder, 'master.key'))
    const { running, ask, opened } = await start({ dataDir: folder })
    const wrong = await ask('trouble.recover', { code: 'AAAA-BBBB-CCCC-DDDD-EEEE-FFFF-GGGG', keep: 'file' })
    expect([wrong.status, wrong.body.error.code]).toEqual([422, 'recovery_code_wrong'])
    expect((await ask('trouble.recover', { code, keep: 'pocket' })).status).toBe(422)
    expect(existsSync(join(folder, 'master.key'))).toBe(false)
    const typed = code
      .toLowerCase()
      .replace(/(.{4})/g, '$1 ')
      .replaceAll('0', 'o')
      .replaceAll('1', 'l')
    expect((await ask('trouble.recover', { code: typed, keep: 'file' })).body.data).toEqual({ trouble: null })
    await opened()
    if (process.platform !== 'win32') expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(join(folder, 'keyring.json'), 'utf8'))).not.toHaveProperty('recoveredAt')
    await running.close()
    const again = await start({ dataDir: folder })
    expect(again.running.trouble()).toBeNull()
    for (const { id } of books) {
      const history = await again.ask('audit.list', { action: 'recovery.used' }, id)
      expect(history.body.data.items).toHaveLength(1)
    }
  })

  test('leave no key behind when the code is used once', async () => {
    const { folder, code } = await makeBooks()
    rmSync(join(folder, 'master.key'))
    const { running, ask, opened } = await start({ dataDir: folder })
    expect((await ask('trouble.recover', { code, keep: 'once' })).body.data).toEqual({ trouble: null })
    await opened()
    expect(existsSync(join(folder, 'master.key'))).toBe(false)
    await running.close()
    expect((await start({ dataDir: folder })).running.trouble()?.kind).toBe('key_missing')
  })

  test('detect another key in its place, and do not overwrite it', async () => {
    const { folder, code } = await makeBooks()
    const foreign = `${'0f'.repeat(32)}\n`
    writeFileSync(join(folder, 'master.key'), foreign)
    const { trouble, ask, opened } = await start({ dataDir: folder })
    expect((await trouble()).kind).toBe('key_wrong')
    await ask('trouble.recover', { code, keep: 'file' })
    await opened()
    expect(readFileSync(join(folder, 'master.key.old-1'), 'utf8')).toBe(foreign)
  })

  test('do not offer a code when the keyring is missing', async () => {
    const { folder } = await makeBooks()
    rmSync(join(folder, 'keyring.json'))
    const { trouble } = await start({ dataDir: folder })
    expect(await trouble()).toMatchObject({ kind: 'key_missing', keep: [] })
  })
})

describe('books with their key in a keychain', () => {
  const startWith = (dataDir: string, keychain: Keychain | null) => start({ dataDir, keychain })

  test('report a locked or missing keychain, and open once it is unlocked', async () => {
    const keychain = memoryKeychain()
    const { folder } = await makeBooks(newFolder(), { keychain })
    keychain.locked = true
    const { trouble, ask, opened } = await startWith(folder, keychain)
    expect(await trouble()).toMatchObject({ kind: 'keychain_locked', keep: ['once', 'file'] })
    expect((await ask('trouble.retry')).body.data.trouble.kind).toBe('keychain_locked')
    keychain.locked = false
    expect((await ask('trouble.retry')).body.data.trouble).toBeNull()
    expect((await opened()).store.keyProtection).toBe('keychain')
    expect(
      (await (await startWith((await makeBooks(newFolder(), { keychain })).folder, null)).trouble()).kind,
    ).toBe('keychain_locked')
  })

  test('report that they were copied to another computer, and the code stores the key in that keychain', async () => {
    const { folder, code } = await makeBooks(newFolder(), { keychain: memoryKeychain() })
    const copy = newFolder()
    for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(copy, name))
    const here = memoryKeychain()
    const { trouble, ask, opened } = await startWith(copy, here)
    expect(await trouble()).toMatchObject({ kind: 'key_elsewhere', keep: ['keychain', 'once'] })
    await ask('trouble.recover', { code, keep: 'keychain' })
    expect((await opened()).store.keyProtection).toBe('keychain')
    expect(here.items.size).toBe(1)
    expect(existsSync(join(copy, 'master.key'))).toBe(false)
  })

  longTest('do not store the key in a file when the keychain locks before the code is used', async () => {
    const { folder, code } = await makeBooks(newFolder(), { keychain: memoryKeychain() })
    const here = memoryKeychain()
    const { ask } = await startWith(folder, here)
    here.locked = true
    expect((await ask('trouble.recover', { code, keep: 'keychain' })).body.error.code).toBe('keychain_locked')
    expect(existsSync(join(folder, 'master.key'))).toBe(false)
  })
})

describe('books that are in use, missing, damaged or newer', () => {
  test('name the process that has them open, and open after it closes', async () => {
    const { folder } = await makeBooks()
    const first = await startSello({
      dataDir: folder,
      port: 0,
      uiDir: null,
      keychain: null,
      shareWindow: true,
    })
    expect(await addressOfOther(folder)).toEqual({
      url: first.url,
      uiUrl: `${first.url}/`,
      mcpUrl: first.mcpUrl,
      pid: process.pid,
    })
    expect(existsSync(join(folder, 'window.token'))).toBe(false)
    const { trouble, ask, opened } = await start({ dataDir: folder })
    expect(await trouble()).toMatchObject({
      kind: 'store_in_use',
      other: { pid: process.pid, uiUrl: `${first.url}/` },
    })
    await first.close()
    expect(await addressOfOther(folder)).toBeNull()
    expect((await ask('trouble.retry')).body.data.trouble).toBeNull()
    await opened()
  })

  test('remove the token file of an earlier version, which admits nobody', async () => {
    const { folder } = await makeBooks()
    const token = 'T'.repeat(43)
    writeFileSync(join(folder, 'window.token'), `${token}\n`)
    const { running } = await start({ dataDir: folder, shareWindow: true })
    expect(running.windowToken).not.toBe(token)
    expect(existsSync(join(folder, 'window.token'))).toBe(false)
  })

  test.each<[string, (folder: string) => void, Partial<StartFault>]>([
    ['damaged', damage, { kind: 'store_damaged', code: 'store_damaged' }],
    [
      'with a spoiled keyring',
      (folder) => writeFileSync(join(folder, 'keyring.json'), '{'),
      { kind: 'store_damaged' },
    ],
    ['newer', makeNewer, { kind: 'store_newer' }],
    ['missing', (folder) => rmSync(join(folder, 'sello.db')), { kind: 'store_missing' }],
  ])('are left untouched: %s ones', async (_name, spoil, expected) => {
    const { folder } = await makeBooks()
    spoil(folder)
    const before = contentOf(folder)
    const { trouble, ask } = await start({ dataDir: folder })
    expect(await trouble()).toMatchObject(expected)
    await ask('trouble.retry')
    expect(contentOf(folder)).toEqual(before)
  })

  longTest('are not in a file in place of the folder; those of another folder open from there', async () => {
    const { folder } = await makeBooks()
    const file = join(newFolder(), 'books')
    writeFileSync(file, 'hello')
    const { trouble, ask, opened } = await start({ dataDir: file })
    expect((await trouble()).kind).toBe('folder_unusable')
    const empty = newFolder()
    expect((await ask('trouble.useFolder', { folder: empty })).body.data.trouble.kind).toBe('store_missing')
    expect(readdirSync(empty)).toEqual([])
    expect((await trouble()).folder).toBe(file)
    expect((await ask('trouble.useFolder', { folder })).body.data.trouble).toBeNull()
    expect((await opened()).store.dataFolder).toBe(folder)
  })

  test('in a folder synchronized to several computers are left alone until they are moved', async () => {
    const synced = newFolder()
    mkdirSync(join(synced, '.stfolder'))
    const { folder } = await makeBooks()
    const dataDir = join(synced, 'sello')
    cpSync(folder, dataDir, { recursive: true })
    const before = contentOf(dataDir)
    const { trouble, ask, opened, send, running } = await start({ dataDir })
    expect(await trouble()).toMatchObject({ kind: 'folder_shared', folder: dataDir, sharedBy: 'Syncthing' })
    const refused = await send('/api/v1/invoices', {}, running.windowToken)
    expect([refused.status, refused.body.error.code]).toEqual([503, 'folder_shared'])
    expect((await ask('trouble.retry')).body.data.trouble.kind).toBe('folder_shared')
    expect(contentOf(dataDir)).toEqual(before)
    expect((await ask('trouble.useFolder', { folder })).body.data.trouble).toBeNull()
    expect((await opened()).store.dataFolder).toBe(folder)
  })

  test('in a missing named folder are not created: its disk is connected, or new books are made explicitly', async () => {
    const drive = join(newFolder(), 'drive')
    const dataDir = join(drive, 'books')
    const { trouble, ask, opened } = await start({ dataDir, create: 'in_folder' })
    expect(await trouble()).toMatchObject({ kind: 'folder_missing', code: 'store_missing', folder: dataDir })
    expect((await ask('trouble.retry')).body.data.trouble.kind).toBe('folder_missing')
    expect((await ask('trouble.useFolder', { folder: join(drive, 'other') })).body.data.trouble.kind).toBe(
      'folder_missing',
    )
    expect(existsSync(drive)).toBe(false)
    await makeBooks(dataDir)
    expect((await ask('trouble.retry')).body.data.trouble).toBeNull()
    await opened()
    const fresh = join(newFolder(), 'drive', 'books')
    const other = await start({ dataDir: fresh, create: 'in_folder' })
    expect((await other.ask('trouble.create')).body.data.trouble).toBeNull()
    expect((await other.opened()).store.dataFolder).toBe(fresh)
  })

  longTest('in an empty named folder are created without confirmation', async () => {
    const { running } = await start({ dataDir: newFolder(), create: 'in_folder' })
    expect(running.trouble()).toBeNull()
  })

  test('give a report for support with facts but no content, and quitting ends the program', async () => {
    const { folder } = await makeBooks()
    mkdirSync(join(folder, 'Factura de Ana Ruiz'))
    const key = readFileSync(join(folder, 'master.key'), 'utf8').trim()
    damage(folder)
    const quit = vi.fn()
    const { ask } = await start({ dataDir: folder, quit })
    const { text } = (await ask('trouble.report')).body.data as { text: string }
    expect(text).toMatch(/trouble: store_damaged/)
    expect(text).toMatch(/sello\.db: \d+ bytes/)
    expect(text).not.toContain('Ana')
    expect(text).not.toContain(key)
    await ask('trouble.quit')
    await vi.waitFor(() => expect(quit).toHaveBeenCalledTimes(1))
  })
})
