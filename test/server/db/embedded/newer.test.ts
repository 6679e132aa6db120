/** Books of a later program, or of another one, opened in every way: rejected, and unchanged byte by byte. */
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSello, startSelloWithRecovery } from '../../../../server/api/application.ts'
import { runCommand } from '../../../../server/cli/main.ts'
import { SCHEMA_VERSION } from '../../../../server/db/migrations/version.ts'
import { openDatabase } from '../../../../server/db/embedded/open.ts'
import { openStore } from '../../../../server/db/embedded/store.ts'
import { keyOf } from '../../../support/stages/backups.ts'
import { storedBooks } from '../../../support/stages/upgrade.ts'
import { swept } from '../../../support/sweep.ts'

const NEWER = SCHEMA_VERSION + 3
const OURS = { dataDir: '', port: 0, uiDir: null, keychain: null, cacheKib: 1024 }

/** Creates foreign books: closed, or with the log of a crash, which alone contains the pragma. */
function foreignBooks(pragma: string, how: 'closed' | 'crashed'): string {
  const folder = storedBooks(SCHEMA_VERSION)
  const connection = openDatabase({ folder, masterKey: keyOf(folder), role: 'writer', cacheKib: 1024 })
  connection.handle.pragma(pragma)
  if (how === 'closed') {
    connection.close()
    return folder
  }
  const left = mkdtempSync(join(tmpdir(), 'sello-crashed-'))
  onTestFinished(() => rmSync(left, { recursive: true, force: true }))
  for (const name of readdirSync(folder))
    if (!name.endsWith('-shm')) cpSync(join(folder, name), join(left, name))
  connection.close()
  return left
}

/**
 * Returns every file with the hash of its bytes. `store.lock` shows that a Sello tried, and is empty; `-shm` is
 * recreated at each opening; `cache` contains compiled code.
 */
const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/^(store\.lock$|sello\.db-shm$|cache(\/|$))/.test(name.replaceAll('\\', '/')))
      .map((name) => {
        const path = join(folder, name)
        const bytes = statSync(path).isFile() ? readFileSync(path) : 'a folder'
        return [name, createHash('sha256').update(bytes).digest('hex')]
      }),
  )

/** Every way to open books, and the code of its error. */
const DOORS: readonly [string, (folder: string) => Promise<string>][] = [
  [
    'the store',
    (folder) =>
      openStore({ folder, keychain: null, now: () => new Date(), create: true, cacheKib: 1024 }).then(
        () => 'opened',
        (error: Error) => error.message.split(':')[0] ?? '',
      ),
  ],
  [
    'the start of the app',
    (folder) =>
      startSello({ ...OURS, dataDir: folder }).then(
        () => 'opened',
        (error: Error) => error.message.split(':')[0] ?? '',
      ),
  ],
  [
    'the window that tells of trouble',
    async (folder) => {
      const started = await startSelloWithRecovery({ ...OURS, dataDir: folder, shareWindow: true })
      const code = started.trouble()?.code ?? 'opened'
      await started.close()
      return code
    },
  ],
  ...(['verify', 'backup', 'serve'] as const).map((command): (typeof DOORS)[number] => [
    `sello ${command}`,
    async (folder) => {
      const lines: string[] = []
      await runCommand([command, '--data', folder], {
        env: {},
        answer: (line) => lines.push(line),
        say: () => {},
        untilStopped: async () => {},
      })
      return (JSON.parse(lines.at(-1) ?? '{}') as { error?: { code: string } }).error?.code ?? 'opened'
    },
  ]),
]

/** What only reads, what tells of it, and what writes stand for every door. */
const FEWER = swept(DOORS, ([door]) => /^(the store|the window .*|sello backup)$/.test(door))

// Those of a crash have a log that an opening would write into the file.
describe.each(swept(['closed', 'crashed'] as const, (how) => how === 'crashed'))('%s books', (how) => {
  test.each(FEWER)('of a later program are rejected by %s', async (_door, open) => {
    const folder = foreignBooks(`user_version = ${NEWER}`, how)
    const before = filesOf(folder)
    expect(Object.keys(before).includes('sello.db-wal')).toBe(how === 'crashed')
    expect(await open(folder)).toBe('store_newer')
    expect(filesOf(folder)).toEqual(before)
  })

  test.each(swept(DOORS, ([door]) => door === 'the store'))(
    'of another program are rejected by %s',
    async (_door, open) => {
      const folder = foreignBooks('application_id = 1234', how)
      const before = filesOf(folder)
      expect(await open(folder)).toBe('store_damaged')
      expect(filesOf(folder)).toEqual(before)
    },
  )
})

test('older books of another program are not even backed up', async () => {
  const folder = storedBooks(1)
  const connection = openDatabase({ folder, masterKey: keyOf(folder), role: 'writer', cacheKib: 1024 })
  connection.handle.pragma('application_id = 1234')
  connection.close()
  const before = filesOf(folder)
  await expect(startSello({ ...OURS, dataDir: folder })).rejects.toMatchObject({ code: 'store_damaged' })
  expect(filesOf(folder)).toEqual(before)
})

test('the fault names both versions', async () => {
  const folder = foreignBooks(`user_version = ${NEWER}`, 'crashed')
  const started = await startSelloWithRecovery({ ...OURS, dataDir: folder })
  onTestFinished(() => started.close())
  expect(started.trouble()).toMatchObject({
    kind: 'store_newer',
    versions: { store: NEWER, known: SCHEMA_VERSION },
  })
})
