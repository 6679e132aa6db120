/**
 * Key change of the books: sealed values follow it, the earlier key and code open nothing current, and no crash loses
 * both.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSello } from '../../../../server/api/application.ts'
import { listFolder } from '../../../../server/app/backups/make/names.ts'
import { runBackup } from '../../../../server/app/backups/make/run.ts'
import { runCommand } from '../../../../server/cli/main.ts'
import { createCompany } from '../../../../server/company/index.ts'
import { NO_BOOK } from '../../../../server/context.ts'
import { FAILPOINTS } from '../../../../server/db/failpoints.ts'
import { createRecoveryCode } from '../../../../server/app/session/index.ts'
import { SEALED_COLUMNS } from '../../../../server/app/maintenance/sealed-values.ts'
import { checkBooks } from '../../../../server/app/integrity/index.ts'
import { readKeyring } from '../../../../server/db/embedded/keys/keyring.ts'
import type { Keychain } from '../../../../server/db/embedded/keys/keyring.ts'
import { keyFromCode } from '../../../../server/db/embedded/keys/recover.ts'
import { openDatabase } from '../../../../server/db/embedded/open.ts'
import { cleanFolder, keepCode, keyOf, restoreWith } from '../../../support/stages/backups.ts'
import { refusal } from '../../../support/books.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { startChild } from '../../../support/children/run.ts'
import { diedAt } from '../../../support/cuts/steps.ts'
import { KEYS, startErpServer } from '../../../support/erp/erp-server.ts'
import { fileKeychain, itemsOf } from '../../../support/stages/file-keychain.ts'
import { makeBooks, memoryKeychain, newFolder } from '../../../support/stages/unopenable-books.ts'
import { companyInput } from '../../../support/store.ts'
import { inLongRun, swept, sweptCount } from '../../../support/sweep.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const longTest = inLongRun(test)

const DAY_MS = 24 * 3_600_000

/** A sealed value, anywhere in a text. */
const SEALED = /v1\.[\w-]{16}\.[\w-]+\.[\w-]{22}/g

/** Returns the number of sealed values in the books, by table and column. */
function sealedIn(folder: string): Record<string, number> {
  const { handle } = openDatabase({ folder, masterKey: keyOf(folder), role: 'reader', cacheKib: 1024 })
  const found: Record<string, number> = {}
  const tables = handle
    .prepare("select name from sqlite_schema where type = 'table'")
    .pluck()
    .all() as string[]
  for (const table of tables)
    for (const row of handle.prepare(`select * from "${table}"`).all() as Record<string, unknown>[])
      for (const [column, value] of Object.entries(row)) {
        const count = typeof value === 'string' ? (value.match(SEALED)?.length ?? 0) : 0
        if (count > 0) found[`${table}.${column}`] = (found[`${table}.${column}`] ?? 0) + count
      }
  handle.close()
  return found
}

/** Plants a secret of each kind, through its operation. */
async function plantSecrets(world: World): Promise<void> {
  const password = 'contraseña'
  const { p12 } = makeP12({ password })
  await world.run('certificates.import', { file: p12.toString('base64'), password })
  const { id } = await world.run('webhooks.create', {
    url: 'https://example.com/hook',
    events: ['invoice.issued'],
  })
  await world.run('webhooks.rotateSecret', { id })
  await world.run('mail.saveAccount', {
    ...{ channel: 'smtp', host: 'smtp.example.com', port: 465, security: 'tls', user: 'ana' },
    ...{ password: 'secreto', fromAddress: 'ana@example.com' },
  })
  await world.run('incoming.addSource', {
    name: 'Correo',
    mailbox: {
      ...{ host: 'imap.example.com', port: 993, user: 'ana' },
      signIn: 'password',
      password: 'secreto',
    },
  })
  // A unit of work that nobody has begun.
  const { items } = await world.run('console.list', {})
  await world.run('console.startWork', {
    companies: items.map((company) => company.id),
    work: { kind: 'certificate', file: p12.toString('base64'), password },
  })
  await world.run('bundles.invite', {})
  await world.run('lock.set', { code: '482915' })
  const headers = { 'idempotency-key': 'once' }
  expect(
    (await world.post('/api/v1/keys', { name: 'k', scopes: ['invoices.read'] }, { headers })).status,
  ).toBe(201)
  const erp = await startErpServer()
  world.standIn(erp)
  await world.run('erp.connect', { erpApiKey: KEYS.v2 })
}

const opensWith = (folder: string, masterKey: Uint8Array, file?: string): boolean => {
  try {
    openDatabase({ folder, masterKey, role: 'reader', cacheKib: 1024, ...(file ? { file } : {}) }).close()
    return true
  } catch {
    return false
  }
}

/** Returns true when a code gives the key of the books in a folder. */
function opensByCode(folder: string, code: string): boolean {
  try {
    return opensWith(folder, keyFromCode(folder, code))
  } catch (error) {
    expect(error).toMatchObject({ code: 'recovery_code_wrong' })
    return false
  }
}

const changeKey = (world: World, options: { deleteBackups?: boolean } = {}) =>
  createRecoveryCode(world.ctx(), { lockCode: '482915', changeKey: true, ...options })

test('every sealed value follows the key, while the books stay open', { timeout: 120_000 }, async () => {
  const world = await openWorld()
  const oldCode = keepCode(world)
  await plantSecrets(world)
  const { id } = await world.issue((await world.createDraft()).id)
  await world.run('replies.page', { id })
  const oldKey = keyOf(world.folder)
  const sealed = sealedIn(world.folder)
  // Each column that receives the new key has a value here, and no other column does.
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted()
  expect(Object.keys(sealed).toSorted()).toEqual(known)
  // A concurrent read and a concurrent write wait, and succeed.
  const changing = changeKey(world)
  const [{ code, keyChanged }, draft, list] = await Promise.all([
    changing,
    world.createDraft(),
    world.get('/api/v1/invoices'),
  ])
  expect(keyChanged).toEqual({ backedUp: true, deletedBackups: 0 })
  expect(list.status).toBe(200)
  const newKey = keyOf(world.folder)
  expect(newKey.equals(oldKey)).toBe(false)
  expect(sealedIn(world.folder)).toEqual(sealed)
  // The files, the keyring and the code belong to the new key only.
  expect([opensWith(world.folder, oldKey), opensWith(world.folder, newKey)]).toEqual([false, true])
  expect(opensByCode(world.folder, oldCode)).toBe(false)
  expect(keyFromCode(world.folder, code).equals(newKey)).toBe(true)
  expect(readKeyring(world.folder)).not.toHaveProperty('keyChange')
  expect(
    readdirSync(world.folder).filter((name) => /^(rekeyed|restoring|replaced)|\.next$/.test(name)),
  ).toEqual([])
  // Nothing given by the old key is in any file of the folder.
  for (const name of readdirSync(world.folder, { recursive: true, encoding: 'utf8' }))
    if (/\.(json|key)/.test(name))
      expect(readFileSync(join(world.folder, name), 'utf8').includes(oldKey.toString('hex')), name).toBe(
        false,
      )
  for (const open of ['now', 'after a restart']) {
    const { checks } = await checkBooks(world.env, (book) => world.ctx({ book }))
    expect(
      checks.filter(({ ok }) => !ok),
      open,
    ).toEqual([])
    expect((await world.get(`/api/v1/invoices/${id}`)).status, open).toBe(200)
    expect((await world.get(`/api/v1/invoices/${draft.id}`)).status, open).toBe(200)
    expect((await world.call('session.unlock', { code: '482915' }, { book: null })).status, open).toBe(200)
    if (open === 'now') await world.restart()
  }
  const events = await world.run('audit.list', { action: 'recovery.key_changed' })
  expect(events.items).toHaveLength(1)
})

longTest(
  'a lock code set or tried during a key change belongs to the new key',
  { timeout: 120_000 },
  async () => {
    const world = await openWorld()
    keepCode(world)
    const code = '482915'
    /** Changes the key as the owner does in the window, while other work runs during the encryption of the copy. */
    const changeWhile = async <T>(work: () => Promise<T>): Promise<T> => {
      const { env } = world
      const changeKey = env.changeKey!
      let begin = (): void => {}
      const encrypting = new Promise<void>((resolve) => (begin = resolve))
      env.changeKey = (change) =>
        changeKey({
          ...change,
          progress: (step) => {
            change.progress?.(step)
            if (step === 'encrypting') begin()
          },
        })
      const shown = await world.run('recovery.reveal', {})
      const groups = [0, 1].map((index) => ({ index, text: shown.groups[index]! }))
      const changing = world.run('recovery.confirm', { groups, changeKey: true })
      await encrypting
      const worked = work()
      await changing
      return worked
    }
    const unlock = () => world.call('session.unlock', { code }, { book: null })
    await changeWhile(() => world.run('lock.set', { code }))
    const { checks } = await checkBooks(world.env, (book) => world.ctx({ book }))
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    await world.restart()
    expect((await unlock()).status).toBe(200)
    expect((await changeWhile(unlock)).status).toBe(200)
  },
)

longTest('books can be verified from the window after a key change', async () => {
  const world = await openWorld()
  keepCode(world)
  await createRecoveryCode(world.ctx(), { lockCode: undefined, changeKey: true })
  await world.run('books.verify', {})
  await expect
    .poll(async () => (await world.run('books.verification', {})).last?.ok, { timeout: 10_000 })
    .toBe(true)
})

test(
  'earlier backups open with the current code, are restored under the current key, and can be deleted',
  { timeout: 120_000 },
  async () => {
    const world = await openWorld()
    const oldCode = keepCode(world)
    await world.issue((await world.createDraft()).id)
    await runBackup(world.env, 'manual')
    const oldKey = keyOf(world.folder)
    const backups = join(world.folder, 'backups')
    const [old] = listFolder(backups)
    world.advance(DAY_MS)
    const codes = [oldCode]
    const changes = sweptCount(2, 1)
    for (let change = 0; change < changes; change += 1) {
      codes.push((await createRecoveryCode(world.ctx(), { lockCode: undefined, changeKey: true })).code)
      world.advance(DAY_MS)
    }
    const today = keyOf(world.folder)
    for (const [into, code] of codes.entries()) {
      const outcome = into === changes ? 'restored' : 'recovery_code_wrong'
      const folder = cleanFolder()
      const restored = restoreWith(folder, join(backups, old!.name), code).then(
        () => 'restored',
        (error: { code?: string }) => error.code,
      )
      expect(await restored, `code ${into}`).toBe(outcome)
      if (outcome !== 'restored') continue
      // The replaced key is not valid again.
      expect([opensWith(folder, oldKey), opensWith(folder, today)]).toEqual([false, true])
      const sello = await openSello({ dataDir: folder, keychain: null, cacheKib: 1024 })
      expect((await checkBooks(sello.env, (book) => sello.ctx(book))).ok).toBe(true)
      await sello.close()
    }
    // The bytes of the old backup are unchanged: a holder of the old key can still read them.
    expect(opensWith(backups, oldKey, old!.name)).toBe(true)
    const last = await createRecoveryCode(world.ctx(), {
      lockCode: undefined,
      changeKey: true,
      deleteBackups: true,
    })
    expect(last.keyChanged).toEqual({ backedUp: true, deletedBackups: changes + 1 })
    expect(listFolder(backups)).toHaveLength(1)
    expect(readdirSync(backups).filter((name) => name.startsWith('key-'))).toHaveLength(1)
  },
)

longTest(
  'a key in the keychain or in a named file is replaced there, and none is left pending next to it',
  { timeout: 120_000 },
  async () => {
    const keychain = memoryKeychain()
    const inKeychain = await makeBooks(newFolder(), { keychain })
    const sello = await openSello({ dataDir: inKeychain.folder, keychain, cacheKib: 1024 })
    const keys = () => [...keychain.items].filter(([account]) => !account.includes('high-water'))
    const [[account, before] = ['', '']] = keys()
    await createRecoveryCode(sello.ctx(NO_BOOK), { lockCode: undefined, changeKey: true })
    expect(keys()).toEqual([[account, expect.not.stringMatching(before)]])
    await sello.close()
    await (await openSello({ dataDir: inKeychain.folder, keychain, cacheKib: 1024 })).close()

    const keyFile = `${cleanFolder()}.key`
    const inFile = await makeBooks(newFolder(), { keyFile })
    const first = readFileSync(keyFile, 'utf8')
    const other = await openSello({ dataDir: inFile.folder, keyFile, cacheKib: 1024 })
    await createRecoveryCode(other.ctx(NO_BOOK), { lockCode: undefined, changeKey: true })
    await other.close()
    expect(readFileSync(keyFile, 'utf8')).not.toBe(first)
    expect([`${keyFile}.next`, `${keyFile}.old-1`].filter(existsSync)).toEqual([])
  },
)

test('a keychain that stops storing leaves the key, the code and the books as they were', async () => {
  const keychain = memoryKeychain()
  const { folder, code } = await makeBooks(newFolder(), { keychain })
  const sello = await openSello({ dataDir: folder, keychain, cacheKib: 1024 })
  keychain.locked = true
  expect(
    await refusal(createRecoveryCode(sello.ctx(NO_BOOK), { lockCode: undefined, changeKey: true })),
  ).toBe('key_change_failed')
  keychain.locked = false
  await sello.env.store.transaction(null, (db) =>
    db.insertInto('settings').values({ name: 'later', value: '1' }).execute(),
  )
  await sello.close()
  expect(keyFromCode(folder, code)).toHaveLength(32)
  await (await openSello({ dataDir: folder, keychain, cacheKib: 1024 })).close()
  expect(readKeyring(folder)).not.toHaveProperty('keyChange')
})

/** Steps of a key change, those of the swap with the files moved out and in. */
const runsOf = (fileMoves: readonly number[]) =>
  FAILPOINTS.filter((step) =>
    /^(rekey\.|restore\.(decided|file_moved|old_aside|new_in_place|finished))/.test(step),
  ).flatMap((step) => (step === 'restore.file_moved' ? fileMoves : [1]).map((nth) => [step, nth] as const))
const BEFORE_SWAP = /^rekey\.(begun|copied|sealed|encrypted|staged)/

/** The last step that leaves the old key stands for the others, and the first file that comes in. */
const BESIDE = swept(
  runsOf([1, 5, 6, 10]),
  ([step, nth]) => step === 'rekey.staged' || (step === 'restore.file_moved' && nth === 6),
)
/** The key's own move stands for the others. */
const OUTSIDE = swept(
  runsOf([8]).filter(([step]) => !/^rekey\.(copied|sealed|encrypted)|finished$|old_aside/.test(step)),
  ([step]) => step === 'rekey.key_in_place',
)

/** A place of the key, in a file when it is outside of the books. */
interface KeyPlace {
  argument: 'key-file' | 'keychain' | null
  options: (file: string) => { keyFile?: string; keychain?: Keychain }
  read: (folder: string, file: string) => string
  /** Returns true when another key is pending next to the one in force. */
  waits: (file: string) => boolean
}

const storeIdOf = (folder: string): string => readKeyring(folder)?.storeId ?? ''
const PLACES: Record<string, KeyPlace> = {
  'beside the books': {
    argument: null,
    options: () => ({}),
    read: (folder) => readFileSync(join(folder, 'master.key'), 'utf8').trim(),
    waits: () => false,
  },
  'in a named file': {
    argument: 'key-file',
    options: (keyFile) => ({ keyFile }),
    read: (_folder, file) => readFileSync(file, 'utf8').trim(),
    waits: (file) => existsSync(`${file}.next`),
  },
  'in the keychain': {
    argument: 'keychain',
    options: (file) => ({ keychain: fileKeychain(file) }),
    read: (folder, file) => itemsOf(file)[storeIdOf(folder)] ?? '',
    waits: (file) => Object.keys(itemsOf(file)).some((account) => account.endsWith('.next')),
  },
}

const CRASHES: [string, typeof BESIDE][] = [
  // Books, keyring, wrapped key, mark and key are moved out and in; a key elsewhere stays there.
  ['beside the books', BESIDE],
  ['in a named file', OUTSIDE],
  ['in the keychain', OUTSIDE],
]
test.each(swept(CRASHES, ([where]) => where !== 'in a named file'))(
  'after a crash at any step of a key change %s, one of both keys is valid and opens the books whole',
  { timeout: 600_000 },
  async (where, runs) => {
    const place = PLACES[where]!
    const kept = `${cleanFolder()}.kept`
    const made = await makeBooks(newFolder(), place.options(kept))
    const optionsFor = (dataDir: string, file: string) => ({
      ...{ dataDir, cacheKib: 1024, computer: 'this-computer', keychain: null },
      ...place.options(file),
    })
    const first = await openSello(optionsFor(made.folder, kept))
    await createCompany(first.ctx(NO_BOOK), companyInput())
    await first.close()
    const outcomes: Record<string, string> = {}
    for (const [step, nth] of runs) {
      const folder = cleanFolder()
      cpSync(made.folder, folder, { recursive: true })
      const file = `${folder}.kept`
      if (place.argument) cpSync(kept, file)
      const before = place.read(folder, file)
      expect(before).toMatch(/^[0-9a-f]{64}$/)
      const when = `${step} ${nth}`
      const elsewhere = place.argument ? [place.argument, file] : []
      await diedAt(startChild('rekey', [folder, step, String(nth), ...elsewhere]), step)
      const sello = await openSello(optionsFor(folder, file))
      const { checks } = await checkBooks(sello.env, (book) => sello.ctx(book))
      expect(
        checks.filter(({ ok }) => !ok),
        when,
      ).toEqual([])
      await sello.close()
      const isOld = place.read(folder, file) === before
      outcomes[when] = isOld ? 'old' : 'new'
      // The earlier code opens the books exactly as long as their key is the earlier one.
      expect(opensByCode(folder, made.code), when).toBe(isOld)
      expect(opensWith(folder, Buffer.from(before, 'hex')), when).toBe(isOld)
      expect(readKeyring(folder), when).not.toHaveProperty('keyChange')
      const left = readdirSync(folder).filter((name) => /^(rekeyed|restoring)|restore\.json/.test(name))
      expect([left, place.waits(file)], when).toEqual([[], false])
      rmSync(folder, { recursive: true, force: true })
    }
    expect(outcomes).toEqual(
      Object.fromEntries(
        runs.map(([step, nth]) => [`${step} ${nth}`, BEFORE_SWAP.test(step) ? 'old' : 'new']),
      ),
    )
  },
)

test('an old code and an old copy of the key files open nothing current', async () => {
  const world = await openWorld()
  const oldCode = keepCode(world)
  const stolen = newFolder()
  for (const name of ['keyring.json', 'recovery.json', 'master.key'])
    cpSync(join(world.folder, name), join(stolen, name))
  await createRecoveryCode(world.ctx(), { lockCode: undefined, changeKey: true })
  const { number } = await world.issue((await world.createDraft()).id)
  expect(number).toBe('T-F2026-0001')
  await runBackup(world.env, 'manual')
  // The thief also has today's file, and everything from before.
  cpSync(join(world.folder, 'sello.db'), join(stolen, 'sello.db'))
  mkdirSync(join(stolen, 'backups'))
  cpSync(join(world.folder, 'backups'), join(stolen, 'backups'), { recursive: true })
  const stolenKey = keyFromCode(stolen, oldCode)
  expect(opensWith(stolen, stolenKey)).toBe(false)
  for (const { name } of listFolder(join(stolen, 'backups')))
    expect(opensWith(join(stolen, 'backups'), stolenKey, name), name).toBe(false)
})

longTest('the command line changes the key, and reports what it does', async () => {
  const { folder, code } = await makeBooks()
  const said: string[] = []
  const lines: string[] = []
  const exit = await runCommand(['recovery-code', 'create', '--change-key', '--data', folder], {
    env: {},
    answer: (line) => lines.push(line),
    say: (text) => said.push(text),
    untilStopped: async () => {},
  })
  expect(exit, said.join('\n')).toBe(0)
  const answer = JSON.parse(lines.at(-1)!) as { code: string; replaced: boolean; keyChanged: unknown }
  expect(answer).toMatchObject({ replaced: true, keyChanged: { backedUp: true } })
  expect(said.join('\n')).toContain('Encrypting the copy with a new key')
  expect(opensByCode(folder, code)).toBe(false)
  expect(keyFromCode(folder, answer.code)).toHaveLength(32)
})
