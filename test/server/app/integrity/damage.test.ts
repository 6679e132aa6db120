/**
 * Damaged files, and files with a foreign log: the self-check names the position, survives everything and writes
 * nothing.
 */
import { embedded } from '../../../../server/db/embedded/port.ts'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSello } from '../../../../server/api/application.ts'
import { proveBooksOf } from '../../../../server/cli/verify.ts'
import { createRollbackGuard } from '../../../../server/registry/index.ts'
import type { TestBooks } from '../../../support/books.ts'
import { livelyBooks } from './books.ts'

const PAGE = 4096
const FILES = /^(sello\.db|sello\.db-wal|high-water\.json)$/

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-damage-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Copies the folder as a crash would leave it now. */
function crashed(world: TestBooks): string {
  const folder = newFolder()
  cpSync(world.folder, folder, { recursive: true, filter: (path) => !/-shm$|store\.lock/.test(path) })
  return folder
}

const sumsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => FILES.test(name))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  )

const prove = (dataDir: string) => proveBooksOf({ dataDir, keyFile: join(dataDir, 'master.key') })

async function mark({ env }: TestBooks): Promise<void> {
  const highWater = createRollbackGuard({ env, keychain: null, log: () => {} })
  await highWater.check()
  await highWater.close()
}

test('a damaged page anywhere is located, and nothing is written', { timeout: 120_000 }, async () => {
  const world = await livelyBooks()
  world.env.store.close()
  const whole = readFileSync(join(world.folder, 'sello.db'))
  const pages = whole.length / PAGE
  const folder = crashed(world)
  expect((await prove(folder)).ok).toBe(true)
  const file = join(folder, 'sello.db')
  for (let place = 0; place < 15; place++) {
    const number = 1 + Math.floor((place * (pages - 1)) / 14)
    const damaged = Buffer.from(whole)
    damaged.fill(0xa5, (number - 1) * PAGE + 1000, (number - 1) * PAGE + 1100)
    writeFileSync(file, damaged)
    rmSync(`${file}-wal`, { force: true })
    const before = sumsOf(folder)
    const { ok, checks } = await prove(folder)
    expect(ok, `page ${number}`).toBe(false)
    expect(checks.map(({ detail }) => detail).join('\n'), `page ${number}`).toContain(
      `sello.db: page ${number} (bytes ${(number - 1) * PAGE} to ${number * PAGE - 1}) is damaged.`,
    )
    expect(sumsOf(folder)).toEqual(before)
  }
})

test('an older file with the log of a crash is detected, and nothing is written', async () => {
  const world = await livelyBooks()
  embedded(world.env.store).checkpoint()
  const older = readFileSync(join(world.folder, 'sello.db'))
  for (let more = 0; more < 30; more++) await world.draft({ clientName: `Cliente ${more}` })
  embedded(world.env.store).checkpoint()
  await world.draft({ clientName: 'El último' })
  const folder = crashed(world)
  writeFileSync(join(folder, 'sello.db'), older)
  const before = sumsOf(folder)
  const { ok, checks } = await prove(folder)
  expect(ok).toBe(false)
  expect(checks[0]?.detail).toMatch(/log that lies beside it|is of another copy/)
  expect(sumsOf(folder)).toEqual(before)
})

test.each([
  { marked: true, name: 'marked books' },
  { marked: false, name: 'books without a mark' },
])('the log of a copy that continued separately is not merged into $name', async ({ marked }) => {
  const world = await livelyBooks()
  await mark(world)
  embedded(world.env.store).checkpoint()
  const fork = crashed(world)
  // The copy continues, and crashes with what it wrote to its log.
  const other = await openSello({
    dataDir: fork,
    keyFile: join(fork, 'master.key'),
    keychain: null,
    now: world.env.now,
  })
  await other.env.store.transaction(null, (db) =>
    db.insertInto('settings').values({ name: 'fork', value: 'true' }).execute(),
  )
  const { recordAudit } = await import('../../../../server/platform/audit/index.ts')
  await other.ctx(world.books.test).transaction((tx) => recordAudit(tx, { action: 'fork.wrote' }))
  const forkLog = join(newFolder(), 'wal')
  copyFileSync(join(fork, 'sello.db-wal'), forkLog)
  await other.close()
  // These books continue too.
  await world.draft({ clientName: 'De verdad' })
  await world.invoice()
  await mark(world)
  // Not by closing: that also writes planner statistics, whose pages would contradict the log.
  embedded(world.env.store).checkpoint()
  const folder = crashed(world)
  if (!marked) rmSync(join(folder, 'high-water.json'))
  copyFileSync(forkLog, join(folder, 'sello.db-wal'))
  const before = sumsOf(folder)
  const open = { dataDir: folder, keyFile: join(folder, 'master.key'), keychain: null, now: world.env.now }
  await expect(openSello(open)).rejects.toMatchObject({ code: 'store_damaged' })
  expect(sumsOf(folder)).toEqual(before)
  const { ok } = await prove(folder)
  expect(ok).toBe(false)
  expect(sumsOf(folder)).toEqual(before)
  expect(existsSync(join(folder, 'without-log'))).toBe(false)
})

test('the own log of a crash is merged, also when a crash interrupted its transfer into the file', async () => {
  const world = await livelyBooks()
  embedded(world.env.store).checkpoint()
  const older = readFileSync(join(world.folder, 'sello.db'))
  await mark(world)
  await world.draft({ clientName: 'El último' })
  const folder = crashed(world)
  embedded(world.env.store).checkpoint()
  const newer = readFileSync(join(world.folder, 'sello.db'))
  // Half of the pages are of the state before the transfer.
  const half = Math.floor(older.length / PAGE / 2) * PAGE
  writeFileSync(join(folder, 'sello.db'), Buffer.concat([older.subarray(0, half), newer.subarray(half)]))
  expect((await prove(folder)).ok).toBe(true)
  const sello = await openSello({
    dataDir: folder,
    keyFile: join(folder, 'master.key'),
    keychain: null,
    now: world.env.now,
  })
  onTestFinished(() => sello.close())
  const invoices = (env: TestBooks['env']) =>
    env.store.reader.selectFrom('invoices').select('public_id').orderBy('id').execute()
  expect(await invoices(sello.env)).toEqual(await invoices(world.env))
})

test('an unreadable journal is reported, and nothing is moved', async () => {
  const world = await livelyBooks()
  world.env.store.close()
  const folder = crashed(world)
  const before = sumsOf(folder)
  for (const text of ['{', 'null', '{}', '']) {
    writeFileSync(join(folder, 'restore.json'), text)
    await expect(prove(folder)).rejects.toMatchObject({
      code: 'store_damaged',
      details: { file: 'restore.json' },
    })
    expect(sumsOf(folder)).toEqual(before)
  }
})
