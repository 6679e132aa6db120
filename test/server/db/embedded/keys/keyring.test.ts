/** The location of the master key; an existing store never gets another one. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  adoptKey,
  keychainOf,
  keychainWorks,
  openKeyring,
  readKeyring,
} from '../../../../../server/db/embedded/keys/keyring.ts'
import type { Keychain } from '../../../../../server/db/embedded/keys/keyring.ts'
import { openStore } from '../../../../../server/db/embedded/store.ts'
import { refusal, refused } from '../../../../support/books.ts'
import { startChild } from '../../../../support/children/run.ts'
import { needs } from '../../../../support/tools.ts'
import { swept } from '../../../../support/sweep.ts'

const now = () => new Date('2026-11-21T09:00:00Z')

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a keychain in memory that can be locked like real ones: it then looks empty and stores nothing. */
function memoryKeychain(): Keychain & { items: Map<string, string>; locked: boolean } {
  const items = new Map<string, string>()
  return {
    items,
    locked: false,
    async getPassword(_service, account) {
      return this.locked ? null : (items.get(account) ?? null)
    },
    async setPassword(_service, account, password) {
      if (this.locked) throw new Error('unlock prompt was dismissed')
      items.set(account, password)
    },
    async deletePassword(_service, account) {
      return items.delete(account)
    },
    async findCredentials() {
      return this.locked ? [] : [...items].map(([account, password]) => ({ account, password }))
    },
  }
}

async function newStore(options: { folder: string; keychain: Keychain | null; keyFile?: string }) {
  const store = await openStore({ ...options, now, create: true, cacheKib: 1024 })
  store.close()
  return store
}

/** Returns names and bytes of everything but the lock, which every opening changes. */
function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name !== 'store.lock')
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  )
}

test('a keychain that the system forbids is not used, and prevents nothing', async () => {
  const refuse = (): never => {
    throw new Error("Couldn't access platform storage: PermissionDenied")
  }
  const forbidden = keychainOf({
    getPassword: refuse,
    setPassword: refuse,
    deletePassword: refuse,
    findCredentials: refuse,
  })
  expect(await keychainWorks(forbidden)).toBe(false)
  const folder = folderOfTest()
  await newStore({ folder, keychain: forbidden })
  expect(readKeyring(folder)?.protection).toBe('file')
})

describe('beside the books', () => {
  test('the key is a private file, and the same store opens with it', async () => {
    const folder = folderOfTest()
    const { storeId, protection } = await newStore({ folder, keychain: null })
    expect(protection).toBe('file')
    expect(readFileSync(join(folder, 'master.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
    expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600)
    expect(readKeyring(folder)).toMatchObject({
      version: 1,
      storeId,
      protection: 'file',
      createdAt: now().toISOString(),
    })
    expect(readFileSync(join(folder, 'keyring.json'), 'utf8')).not.toContain(
      readFileSync(join(folder, 'master.key'), 'utf8').trim(),
    )
    expect((await newStore({ folder, keychain: null })).storeId).toBe(storeId)
  })

  test("other users' access to a key file is removed", async () => {
    const folder = folderOfTest()
    await newStore({ folder, keychain: null })
    chmodSync(join(folder, 'master.key'), 0o644)
    await newStore({ folder, keychain: null })
    expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600)
  })

  const SPOILT: [string, (file: string) => void][] = [
    ['gone', (file: string) => rmSync(file)],
    ['of another store', (file: string) => writeFileSync(file, `${'0f'.repeat(32)}\n`)],
    ['no key', (file: string) => writeFileSync(file, 'hello\n')],
    ['empty', (file: string) => writeFileSync(file, '')],
  ]
  test.each(swept(SPOILT, ([what]) => what === 'gone' || what === 'of another store'))(
    'a key that is %s locks the books, and nothing is written',
    async (_name, spoil) => {
      const folder = folderOfTest()
      await newStore({ folder, keychain: null })
      spoil(join(folder, 'master.key'))
      const before = contentOf(folder)
      for (const create of [true, false])
        expect(await refusal(openStore({ folder, keychain: memoryKeychain(), now, create }))).toBe(
          'keychain_locked',
        )
      expect(contentOf(folder)).toEqual(before)
    },
  )

  test('books without a keyring file are locked in every case', async () => {
    const folder = folderOfTest()
    await newStore({ folder, keychain: null })
    rmSync(join(folder, 'keyring.json'))
    const before = contentOf(folder)
    for (const create of [true, false])
      expect((await refused(openStore({ folder, keychain: null, now, create }))).toBody()).toMatchObject({
        code: 'keychain_locked',
        details: { why: 'keyring_missing' },
      })
    expect(contentOf(folder)).toEqual(before)
  })

  const DAMAGED = ['', '{', 'null', '[]', '{"version":2,"storeId":"x","keyCheck":"y"}', '{"version":1}']
  test.each(swept(DAMAGED, (text) => text === '{' || text.includes('keyCheck')))(
    'a keyring file with the content %j is damage',
    async (text) => {
      const folder = folderOfTest()
      await newStore({ folder, keychain: null })
      writeFileSync(join(folder, 'keyring.json'), text)
      expect(await refusal(openStore({ folder, keychain: null, now, create: true }))).toBe('store_damaged')
      expect(readFileSync(join(folder, 'keyring.json'), 'utf8')).toBe(text)
    },
  )
})

describe('in a file named by the user', () => {
  test('it is created once, elsewhere, and takes precedence over the keychain', async () => {
    const folder = folderOfTest()
    const keyFile = join(folderOfTest(), 'deep', 'sello.key')
    const keychain = memoryKeychain()
    const { storeId, protection } = await newStore({ folder, keychain, keyFile })
    expect(protection).toBe('external')
    expect(keychain.items.size).toBe(0)
    expect(existsSync(join(folder, 'master.key'))).toBe(false)
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect((await newStore({ folder, keychain, keyFile })).storeId).toBe(storeId)
    expect(await refusal(openStore({ folder, keychain, now, create: true }))).toBe('keychain_locked')
  })

  test('an existing key is used for a new store', async () => {
    const folder = folderOfTest()
    const keyFile = join(folderOfTest(), 'sello.key')
    writeFileSync(keyFile, 'AB'.repeat(32))
    const { masterKey, fresh } = await openKeyring({ folder, keyFile, keychain: null, now })
    expect(fresh).toBe(true)
    expect(masterKey.toString('hex')).toBe('ab'.repeat(32))
  })

  test('a missing or foreign file locks the books and is left unchanged', async () => {
    const folder = folderOfTest()
    const keyFile = join(folderOfTest(), 'sello.key')
    await newStore({ folder, keychain: null, keyFile })
    rmSync(keyFile)
    expect(await refusal(openStore({ folder, keychain: null, now, create: true, keyFile }))).toBe(
      'keychain_locked',
    )
    expect(existsSync(keyFile)).toBe(false)
    writeFileSync(keyFile, `${'11'.repeat(32)}\n`)
    expect(await refusal(openStore({ folder, keychain: null, now, create: true, keyFile }))).toBe(
      'keychain_locked',
    )
    expect(readFileSync(keyFile, 'utf8')).toBe(`${'11'.repeat(32)}\n`)
  })
})

describe('in a keychain', () => {
  test('the key is there and nowhere else, and the probe leaves nothing behind', async () => {
    const folder = folderOfTest()
    const keychain = memoryKeychain()
    const { storeId, protection } = await newStore({ folder, keychain })
    expect(protection).toBe('keychain')
    expect([...keychain.items.keys()]).toEqual([storeId])
    const [key = ''] = keychain.items.values()
    for (const text of Object.values(contentOf(folder)))
      expect(Buffer.from(text, 'base64').includes(key)).toBe(false)
    expect(readdirSync(folder)).not.toContain('master.key')
  })

  test('a locked keychain looks empty: the books stay locked and no new key is created', async () => {
    const folder = folderOfTest()
    const keychain = memoryKeychain()
    await newStore({ folder, keychain })
    const [key] = keychain.items.values()
    const before = contentOf(folder)
    keychain.locked = true
    expect(await refusal(openStore({ folder, keychain, now, create: true }))).toBe('keychain_locked')
    expect(await refusal(openStore({ folder, keychain: null, now, create: true }))).toBe('keychain_locked')
    expect(contentOf(folder)).toEqual(before)
    expect([...keychain.items.values()]).toEqual([key])
    keychain.locked = false
    expect((await newStore({ folder, keychain })).protection).toBe('keychain')
  })

  test('one that forgets, cannot list or only throws is not used', async () => {
    const forgets: Keychain = {
      ...memoryKeychain(),
      setPassword: async () => {},
      findCredentials: async () => [],
    }
    const cannotList = memoryKeychain()
    cannotList.findCredentials = async () => {
      throw new Error('zbus error')
    }
    const throws = memoryKeychain()
    throws.locked = true
    for (const keychain of [forgets, cannotList, throws]) {
      expect(await keychainWorks(keychain)).toBe(false)
      const folder = folderOfTest()
      expect((await newStore({ folder, keychain })).protection).toBe('file')
    }
    expect(cannotList.items.size).toBe(0)
  })

  test('an existing store with a key file does not move to a keychain automatically', async () => {
    const folder = folderOfTest()
    await newStore({ folder, keychain: null })
    const keychain = memoryKeychain()
    expect((await newStore({ folder, keychain })).protection).toBe('file')
    expect(keychain.items.size).toBe(0)
  })
})

describe('storing a recovered key', () => {
  test('works where this computer can store it', async () => {
    const folder = folderOfTest()
    const lost = memoryKeychain()
    const { storeId } = await newStore({ folder, keychain: lost })
    const masterKey = Buffer.from([...lost.items.values()][0] ?? '', 'hex')
    expect(await adoptKey(masterKey, { folder, keychain: null, now })).toBe('file')
    expect((await newStore({ folder, keychain: null })).storeId).toBe(storeId)
    const other = memoryKeychain()
    expect(await adoptKey(masterKey, { folder, keychain: other, now })).toBe('keychain')
    expect((await newStore({ folder, keychain: other })).storeId).toBe(storeId)
    const keyFile = join(folderOfTest(), 'k')
    expect(await adoptKey(masterKey, { folder, keychain: other, keyFile, now })).toBe('external')
    expect((await newStore({ folder, keychain: null, keyFile })).storeId).toBe(storeId)
  })

  test("rejects another store's key, and changes nothing", async () => {
    const folder = folderOfTest()
    await newStore({ folder, keychain: null })
    const before = contentOf(folder)
    expect(await refusal(adoptKey(Buffer.alloc(32, 7), { folder, keychain: memoryKeychain(), now }))).toBe(
      'recovery_code_wrong',
    )
    expect(
      await refusal(adoptKey(Buffer.alloc(32, 7), { folder: folderOfTest(), keychain: null, now })),
    ).toBe('store_missing')
    expect(contentOf(folder)).toEqual(before)
  })
})

describe('the real keychain of a Linux desktop', () => {
  /** Creates a separate home folder, so that no real keychain is used. */
  function desk(): { env: NodeJS.ProcessEnv; home: string } {
    const home = folderOfTest()
    const runtime = join(home, 'run')
    mkdirSync(runtime, { mode: 0o700 })
    mkdirSync(join(home, 'data'), { mode: 0o700 })
    return {
      home,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        XDG_RUNTIME_DIR: runtime,
        XDG_DATA_HOME: join(home, 'data'),
        XDG_CONFIG_HOME: join(home, 'config'),
        XDG_CACHE_HOME: join(home, 'cache'),
      },
    }
  }

  /**
   * Returns a session with the service unlocked by a password, or started without one. The daemon ends with its
   * session.
   */
  const session = (unlocked: boolean) => [
    'dbus-run-session',
    '--',
    'sh',
    '-c',
    `${unlocked ? 'printf "pw\\n" | gnome-keyring-daemon --unlock' : 'gnome-keyring-daemon --start'} --components=secrets >/dev/null; exec "$@"`,
    'sh',
  ]

  async function openIn(folder: string, env: NodeJS.ProcessEnv, through?: readonly string[]) {
    const child = startChild('hold', [folder, 'keychain'], { env, ...(through ? { through } : {}) })
    const line = await child.line()
    child.process.stdin?.end()
    await child.rest()
    return line
  }

  needs('gnome-keyring-daemon', 'dbus-run-session')(
    'keeps the key; locked, the books are locked and keep their key',
    { timeout: 60_000 },
    async () => {
      const { env } = desk()
      const folder = folderOfTest()
      const first = await openIn(folder, env, session(true))
      expect(first).toMatchObject({ open: true, protection: 'keychain' })
      expect(first.accounts).toEqual([first.storeId])
      expect(readdirSync(folder)).not.toContain('master.key')
      const before = contentOf(folder)
      expect(await openIn(folder, env, session(false))).toEqual({
        open: false,
        code: 'keychain_locked',
        keyring: 'keychain',
      })
      expect(contentOf(folder)).toEqual(before)
      expect(await openIn(folder, env, session(true))).toMatchObject({
        open: true,
        protection: 'keychain',
        storeId: first.storeId,
        accounts: [first.storeId],
      })
    },
  )

  test.skipIf(process.platform !== 'linux')(
    "is not confused with the kernel's temporary keyring of a computer without a session",
    { timeout: 60_000 },
    async () => {
      const { env } = desk()
      const folder = folderOfTest()
      expect(await openIn(folder, env)).toMatchObject({ open: true, protection: 'file' })
      expect(readdirSync(folder)).toContain('master.key')
      expect(await openIn(folder, env)).toMatchObject({ open: true, protection: 'file' })
    },
  )
})
