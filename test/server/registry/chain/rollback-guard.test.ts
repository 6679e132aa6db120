/**
 * The rollback guard: an older copy of the books is detected, whichever mark survived, and nothing can be issued in
 * it.
 */
import { embedded } from '../../../../server/db/embedded/port.ts'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { openSello } from '../../../../server/api/application.ts'
import { eventsAfter } from '../../../../server/platform/events/index.ts'
import {
  createRollbackGuard,
  fileMarkOf,
  HIGH_WATER_FILE,
} from '../../../../server/registry/chain/rollback-guard.ts'
import { STORE_FILE } from '../../../../server/db/embedded/keys/keyring.ts'
import type { Keychain } from '../../../../server/db/embedded/keys/keyring.ts'
import { openBooks, refusal } from '../../../support/books.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import type { TestBooks } from '../../../support/books.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

interface MemoryKeychain extends Keychain {
  items: Map<string, string>
  locked: boolean
  writes: number
}

function memoryKeychain(): MemoryKeychain {
  const items = new Map<string, string>()
  return {
    items,
    locked: false,
    writes: 0,
    async getPassword(_service, account) {
      return this.locked ? null : (items.get(account) ?? null)
    },
    async setPassword(_service, account, password) {
      if (this.locked) throw new Error('unlock prompt was dismissed')
      this.writes += 1
      items.set(account, password)
    },
    async deletePassword(_service, account) {
      return items.delete(account)
    },
    async findCredentials() {
      return [...items].map(([account, password]) => ({ account, password }))
    },
  }
}

/** Keeps copies of the store and of its mark, which can be restored separately. */
function copies(folder: string) {
  const kept = new Map<string, string>()
  const paths = (name: string) => [join(folder, name), join(folder, `kept-${kept.size}-${name}`)] as const
  return {
    keep(name: string, as: string): void {
      const [from, to] = paths(name)
      copyFileSync(from, to)
      kept.set(as, to)
    },
    putBack(name: string, as: string): void {
      const [file] = paths(name)
      if (name === STORE_FILE)
        for (const beside of ['-wal', '-shm']) rmSync(`${file}${beside}`, { force: true })
      copyFileSync(kept.get(as) ?? '', file)
    },
  }
}

/** Opens books in a folder with marks as in the app: checked when opened, noted after each issue, closed at the end. */
async function marked(options: { keychain?: Keychain | null } = {}) {
  const world = await openBooks()
  const lines: string[] = []
  const keep = copies(world.folder)
  const open = () =>
    createRollbackGuard({
      env: world.env,
      keychain: options.keychain ?? null,
      log: (line) => lines.push(line),
    })
  let highWater = open()
  await highWater.check()
  return {
    ...world,
    world,
    lines,
    get highWater() {
      return highWater
    },
    get test() {
      return world.test
    },
    /** Issues invoices and closes the app. */
    async issue(count: number, unitPrice = 10): Promise<void> {
      for (let made = 0; made < count; made += 1)
        await world.invoice({ lines: [{ description: 'x', quantity: 1, unitPrice }] })
      await highWater.close()
    },
    keep(name: string, as: string): void {
      embedded(world.env.store).checkpoint()
      keep.keep(name, as)
    },
    /** Restores copies and starts again; returns whether the test book is held. */
    async startWith(...what: readonly [name: string, as: string][]): Promise<boolean> {
      world.env.store.close()
      for (const [name, as] of what) keep.putBack(name, as)
      return this.start()
    },
    async start(): Promise<boolean> {
      await world.restart()
      highWater = open()
      await highWater.check()
      return isHeld(world)
    },
  }
}

async function isHeld(world: TestBooks): Promise<boolean> {
  return (await world.run('registry.status', {})).chain.held === 'restored_copy'
}

describe('the mark beside the books', () => {
  test('follows each issue, is readable by its owner only, and does not reveal how much is sold', async () => {
    const books = await marked()
    await books.issue(2)
    const file = join(books.folder, HIGH_WATER_FILE)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    expect(Object.keys(content)).toEqual(['version', 'mark'])
    expect(readFileSync(file, 'utf8')).not.toMatch(/F2026|records/)
    const chain = (await books.run('registry.status', {})).chain
    expect(fileMarkOf(books.env.store, books.books.test)).toEqual({
      installation: (await books.run('registry.status', {})).installation,
      records: 2,
      last: chain.head,
      series: [{ code: 'T-F2026', kind: 'ordinary', next: 3 }],
      audit: { sequence: expect.any(Number), hash: expect.stringMatching(/^[0-9A-F]{64}$/i) },
    })
  })

  test('is written once for a burst of issues, soon after the last one', async () => {
    const books = await marked()
    let sealed = 0
    const { sealer } = books.env.store
    const seal: typeof sealer.seal = (...args) => {
      sealed += 1
      return sealer.seal(...args)
    }
    Object.defineProperty(books.env.store, 'sealer', { value: { ...sealer, seal } })
    for (let made = 0; made < 3; made += 1) await books.invoice()
    for (let noted = 0; noted < 100; noted += 1) books.highWater.note()
    await vi.waitFor(() => expect(fileMarkOf(books.env.store, books.books.test)?.records).toBe(3), 10_000)
    expect(sealed).toBe(1)
    books.highWater.note()
    await books.highWater.close()
    expect(sealed).toBe(1)
  })

  test('does not appear in a folder without books', async () => {
    const folder = (await openBooks()).folder
    const empty = join(folder, 'empty')
    const sello = await openSello({ dataDir: empty, create: true, keychain: null, cacheKib: 1024 })
    await sello.close()
    expect(existsSync(join(empty, STORE_FILE))).toBe(true)
    expect(existsSync(join(empty, HIGH_WATER_FILE))).toBe(false)
  })

  test('never stops other work when it cannot be written, and is retried', async () => {
    const books = await marked()
    const inTheWay = join(books.folder, `${HIGH_WATER_FILE}.new`)
    mkdirSync(inTheWay)
    await books.issue(1)
    expect(books.lines.join('\n')).toMatch(/high-water: /)
    expect(fileMarkOf(books.env.store, books.books.test)?.records).toBe(0)
    rmSync(inTheWay, { recursive: true })
    await books.issue(1)
    expect(fileMarkOf(books.env.store, books.books.test)?.records).toBe(2)
  })
})

describe('at start', () => {
  test('books ahead of their mark continue: a power failure came between the two', async () => {
    const books = await marked()
    await books.issue(1)
    books.keep(HIGH_WATER_FILE, 'old mark')
    await books.issue(2)
    expect(await books.startWith([HIGH_WATER_FILE, 'old mark'])).toBe(false)
    expect(fileMarkOf(books.env.store, books.books.test)?.records).toBe(3)
  })

  test('books without their mark continue, and get another one', async () => {
    const books = await marked()
    await books.issue(1)
    rmSync(join(books.folder, HIGH_WATER_FILE))
    expect(await books.start()).toBe(false)
    expect(fileMarkOf(books.env.store, books.books.test)?.records).toBe(1)
  })

  test('an older copy is held: nothing is issued, and every interface reports it', async () => {
    const books = await marked()
    await books.issue(2)
    books.keep(STORE_FILE, 'old')
    await books.issue(3)
    const draft = await books.draft()
    expect(await books.startWith([STORE_FILE, 'old'])).toBe(true)
    expect((await books.run('registry.status', {})).chain).toMatchObject({
      records: 2,
      held: 'restored_copy',
    })
    const again = await books.draft()
    expect(draft.id).not.toBe(again.id)
    const { confirmation, issues } = await books.run('invoices.validate', { id: again.id })
    expect(confirmation).toBeUndefined()
    expect(issues.map((issue) => issue.code)).toContain('restored_copy')
    const events = await eventsAfter(books.env.store.reader, 0, 1000)
    expect(events.filter((event) => event.type === 'registry.changed').map((event) => event.data)).toEqual([
      { held: 'restored_copy' },
    ])
    const [told] = (await books.run('audit.list', {})).items.filter((item) => item.action === 'registry.held')
    expect(told).toMatchObject({ actor: { kind: 'system' }, outcome: 'refused', code: 'restored_copy' })
    expect(books.lines.join('\n')).toContain('an older copy found')
    // The other book of the store has lost nothing.
    expect((await books.run('registry.status', {}, books.world.live)).chain).not.toHaveProperty('held')
  })

  test('a confirmation token from before the detection is rejected', async () => {
    const books = await marked()
    await books.issue(1)
    const draft = await books.draft()
    const token = await books.token(draft.id)
    books.keep(STORE_FILE, 'old')
    await books.issue(1)
    expect(await books.startWith([STORE_FILE, 'old'])).toBe(true)
    expect(await refusal(books.run('invoices.issue', { id: draft.id, confirmationToken: token }))).toBe(
      'restored_copy',
    )
  })

  test('the same number of records with other content is a copy that continued on its own', async () => {
    const books = await marked()
    await books.issue(1)
    books.keep(STORE_FILE, 'common')
    await books.issue(1, 10)
    books.keep(HIGH_WATER_FILE, 'mark of the first')
    // Without its mark the copy cannot be detected, and continues.
    rmSync(join(books.folder, HIGH_WATER_FILE))
    expect(await books.startWith([STORE_FILE, 'common'])).toBe(false)
    await books.issue(1, 99)
    expect(await books.startWith([HIGH_WATER_FILE, 'mark of the first'])).toBe(true)
  })

  longTest('a larger number of records with other content is such a copy too', async () => {
    const books = await marked()
    await books.issue(1)
    books.keep(STORE_FILE, 'common')
    await books.issue(1, 10)
    books.keep(HIGH_WATER_FILE, 'mark of the first')
    rmSync(join(books.folder, HIGH_WATER_FILE))
    await books.startWith([STORE_FILE, 'common'])
    await books.issue(3, 99)
    expect(await books.startWith([HIGH_WATER_FILE, 'mark of the first'])).toBe(true)
  })

  test('held books keep the mark of what they lack, and are released when the newer ones are restored', async () => {
    const books = await marked()
    await books.issue(1)
    books.keep(STORE_FILE, 'old')
    await books.issue(3)
    books.keep(STORE_FILE, 'new')
    expect(await books.startWith([STORE_FILE, 'old'])).toBe(true)
    await books.highWater.close()
    expect(fileMarkOf(books.env.store, books.books.test)?.records).toBe(4)
    expect(await books.start()).toBe(true)
    expect(fileMarkOf(books.env.store, books.books.test)?.records).toBe(4)
    const events = await eventsAfter(books.env.store.reader, 0, 1000)
    expect(events.filter((event) => event.type === 'registry.changed')).toHaveLength(1)
    expect(await books.startWith([STORE_FILE, 'new'])).toBe(false)
  })

  test.each([
    [
      'changed',
      (text: string) => text.replace(/(.)(.)"\}/, (_, one, last) => `${one === 'A' ? 'B' : 'A'}${last}"}`),
    ],
    ['cut', (text: string) => text.slice(0, 40)],
    ['empty', () => ''],
    ['no mark at all', () => '{"version":1}'],
  ])('a mark that is %s is logged and replaced', async (_name, spoil) => {
    const books = await marked()
    await books.issue(2)
    const file = join(books.folder, HIGH_WATER_FILE)
    writeFileSync(file, spoil(readFileSync(file, 'utf8')))
    expect(await books.start()).toBe(false)
    expect(books.lines).toEqual([`high-water: ${HIGH_WATER_FILE} is not of these books, or was changed`])
    expect(fileMarkOf(books.env.store, books.books.test)?.records).toBe(2)
  })

  test('the mark of another store is ignored', async () => {
    const [books, other] = [await marked(), await marked()]
    await books.issue(1)
    await other.issue(3)
    copyFileSync(join(other.folder, HIGH_WATER_FILE), join(books.folder, HIGH_WATER_FILE))
    expect(await books.start()).toBe(false)
    expect(books.lines).toHaveLength(1)
  })

  test('a newly begun chain is not behind the mark of the old one', async () => {
    const books = await marked()
    await books.issue(2)
    books.keep(STORE_FILE, 'old')
    await books.issue(2)
    books.keep(HIGH_WATER_FILE, 'mark of the old chain')
    expect(await books.startWith([STORE_FILE, 'old'])).toBe(true)
    await books.run('registry.newInstallation', { reason: 'restored_copy' })
    // A power failure came before the mark could follow.
    expect(await books.startWith([HIGH_WATER_FILE, 'mark of the old chain'])).toBe(false)
    await books.issue(1)
    expect(await books.start()).toBe(false)
  })

  test('books from before the new chain are behind', async () => {
    const books = await marked()
    await books.issue(2)
    books.keep(STORE_FILE, 'old')
    await books.run('registry.newInstallation', { reason: 'moved' })
    await books.highWater.close()
    expect(await books.startWith([STORE_FILE, 'old'])).toBe(true)
  })
})

describe('the mark in the keychain', () => {
  test('detects the copy of a whole folder', async () => {
    const keychain = memoryKeychain()
    const books = await marked({ keychain })
    await books.issue(2)
    books.keep(STORE_FILE, 'old')
    books.keep(HIGH_WATER_FILE, 'old mark')
    await books.issue(2)
    expect(await books.startWith([STORE_FILE, 'old'], [HIGH_WATER_FILE, 'old mark'])).toBe(true)
    // Facts that only the keychain had are written to the file beside the books.
    expect(fileMarkOf(books.env.store, books.books.test)).toMatchObject({
      records: 4,
      series: [{ code: 'T-F2026', next: 5 }],
    })
  })

  test('changes nothing when it is locked, or empty on another computer', async () => {
    const keychain = memoryKeychain()
    const books = await marked({ keychain })
    await books.issue(1)
    books.keep(STORE_FILE, 'old')
    books.keep(HIGH_WATER_FILE, 'old mark')
    await books.issue(1)
    keychain.locked = true
    expect(await books.startWith([STORE_FILE, 'old'], [HIGH_WATER_FILE, 'old mark'])).toBe(false)
    await books.issue(1)
    expect(books.lines.join('\n')).toContain('unlock prompt was dismissed')
    expect(fileMarkOf(books.env.store, books.books.test)?.records).toBe(2)
  })

  test('cannot be exchanged for that of another book', async () => {
    const keychain = memoryKeychain()
    const books = await marked({ keychain })
    await books.issue(1)
    const names = [...keychain.items.keys()].toSorted()
    const [one = '', two = ''] = names
    expect(names).toHaveLength(2)
    expect(names.every((name) => name.startsWith(`${books.env.store.storeId}.`))).toBe(true)
    const [first = '', second = ''] = [keychain.items.get(one), keychain.items.get(two)]
    keychain.items.set(one, second).set(two, first)
    expect(await books.start()).toBe(false)
    expect(books.lines.filter((line) => line.includes('is not ours, or was changed'))).toHaveLength(2)
  })

  test('is written only after a change, and fits into a small item', async () => {
    const keychain = memoryKeychain()
    const books = await marked({ keychain })
    await books.issue(1)
    const { writes } = keychain
    expect(writes).toBeGreaterThan(0)
    await books.start()
    await books.highWater.close()
    expect(keychain.writes).toBe(writes)
    for (let made = 0; made < 60; made += 1) {
      const code = `LARGO-CODIGO${String(made).padStart(2, '0')}`
      await books.run('series.create', { code, kind: 'ordinary' })
      await books.invoice({ series: `T-${code}` })
    }
    await books.highWater.close()
    expect(fileMarkOf(books.env.store, books.books.test)?.series).toHaveLength(61)
    expect(Math.max(...[...keychain.items.values()].map((item) => item.length))).toBeLessThanOrEqual(1200)
    expect(await books.start()).toBe(false)
  })
})

describe('in the app', () => {
  async function issued(world: World, count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) await world.issue((await world.createDraft()).id)
  }

  test('the mark exists after closing, and an older copy is refused over REST from the first request on', async () => {
    const world = await openWorld()
    const file = join(world.folder, STORE_FILE)
    await issued(world, 1)
    await vi.waitFor(() => expect(fileMarkOf(world.env.store, world.books.test)?.records).toBe(1), 10_000)
    await issued(world, 1)
    await world.restart()
    expect(fileMarkOf(world.env.store, world.books.test)?.records).toBe(2)
    embedded(world.env.store).checkpoint()
    copyFileSync(file, join(world.folder, 'old'))
    await issued(world, 1)
    await world.restart()
    world.env.store.close()
    for (const beside of ['-wal', '-shm']) rmSync(`${file}${beside}`, { force: true })
    copyFileSync(join(world.folder, 'old'), file)
    await world.restart()
    expect((await world.get('/api/v1/registry/status')).body.data.chain.held).toBe('restored_copy')
    const draft = await world.createDraft()
    const validated = await world.post(`/api/v1/invoices/${draft.id}/validate`, {})
    expect(validated.body.data.issues.map((issue: { code: string }) => issue.code)).toContain('restored_copy')
    const begun = await world.call('registry.newInstallation', { reason: 'restored_copy' })
    expect(begun.body.data).toMatchObject({
      findings: [],
      series: [{ code: 'T-F2026', nextNumber: 4 }],
    })
    expect((await world.issue(draft.id)).number).toBe('T-F2026-0004')
    await world.restart()
    expect((await world.get('/api/v1/registry/status')).body.data.chain).not.toHaveProperty('held')
  })
})

/** Gives the live book a certificate, without which it issues nothing. */
async function certificate(books: TestBooks): Promise<void> {
  const { p12 } = makeP12({
    kind: 'seal',
    nif: EXAMPLE_COMPANY.nif,
    name: 'Sello',
    organization: EXAMPLE_COMPANY.legalName,
    organizationNif: EXAMPLE_COMPANY.nif,
    keyType: 'ec',
    from: '2026-01-01T00:00:00Z',
    to: '2030-01-01T00:00:00Z',
    password: 'clave',
  })
  await books.run('certificates.import', { file: p12.toString('base64'), password: 'clave' }, books.live)
}

describe('without any mark', () => {
  /** Creates a live book of a sandbox with an issued invoice, closed, with an older copy of its file. */
  async function closedBooks() {
    const books = await openBooks({ environment: { sandbox: true } })
    const open = () => createRollbackGuard({ env: books.env, keychain: null, log: () => {} })
    const first = open()
    await first.check()
    await first.close()
    return { books, open }
  }

  const held = async (books: TestBooks): Promise<boolean> =>
    (await books.run('registry.status', {}, books.live)).chain.held === 'restored_copy'

  test('a live book with records is held, because it may be an older copy', async () => {
    for (const spoil of ['deleted', 'changed'] as const) {
      const { books, open } = await closedBooks()
      await certificate(books)
      await books.invoice({}, books.live)
      const file = join(books.folder, HIGH_WATER_FILE)
      embedded(books.env.store).checkpoint()
      copyFileSync(join(books.folder, STORE_FILE), join(books.folder, 'old'))
      await books.invoice({}, books.live)
      books.env.store.close()
      for (const beside of ['-wal', '-shm'])
        rmSync(join(books.folder, `${STORE_FILE}${beside}`), { force: true })
      copyFileSync(join(books.folder, 'old'), join(books.folder, STORE_FILE))
      if (spoil === 'deleted') rmSync(file)
      else writeFileSync(file, '{"version":1,"mark":"v1.AAAA.AAAA.AAAA"}')
      await books.restart()
      await open().check()
      expect(await held(books), spoil).toBe(true)
      const { id } = await books.draft({}, books.live)
      const { issues } = await books.run('invoices.validate', { id }, books.live)
      expect(
        issues.map(({ code }) => code),
        spoil,
      ).toContain('restored_copy')
    }
  })

  longTest(
    'a live book without records is not held, nor is one whose mark predates its first record',
    async () => {
      const { books, open } = await closedBooks()
      rmSync(join(books.folder, HIGH_WATER_FILE), { force: true })
      await open().check()
      expect(await held(books)).toBe(false)
      await certificate(books)
      await books.invoice({}, books.live)
      await books.restart()
      await open().check()
      expect(await held(books)).toBe(false)
    },
  )
})
