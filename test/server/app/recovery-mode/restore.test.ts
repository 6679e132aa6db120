/**
 * Damaged or missing books are restored from the window: from an available backup, or from a portable file and the
 * code.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSelloWithRecovery } from '../../../../server/api/application.ts'
import { makeBackup } from '../../../../server/app/backups/make/make.ts'
import type { UploadPath } from '../../../../server/app/recovery-mode/contract.ts'
import { saveUpload } from '../../../../server/api/recovery-mode/upload.ts'
import { exportOf, keepCode, keyOf, portableOf } from '../../../support/stages/backups.ts'
import { refusal } from '../../../support/books.ts'
import { damage, makeBooks, newFolder } from '../../../support/stages/unopenable-books.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { openWorld } from '../../../support/world.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const UPLOAD_PATH: UploadPath = '/app/restore-file'

async function start(dataDir: string) {
  const running = await startSelloWithRecovery({
    dataDir,
    port: 0,
    uiDir: null,
    keychain: null,
    cacheKib: 1024,
  })
  onTestFinished(() => running.close())
  const send = async (path: string, type: string, body: BodyInit, token = running.windowToken) => {
    const response = await fetch(running.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body,
    })
    return { status: response.status, body: (await response.json()) as any }
  }
  const ask = (name: string, input: unknown = {}) =>
    send(`/app/call/${name}`, 'application/json', JSON.stringify(input))
  return {
    running,
    ask,
    upload: (bytes: Uint8Array<ArrayBuffer>, token?: string) =>
      send(UPLOAD_PATH, 'application/octet-stream', bytes, token),
    opened: () => vi.waitFor(async () => expect((await ask('session.get')).status).toBe(200), 5_000),
  }
}

async function backUp(folder: string): Promise<string> {
  const to = join(folder, 'backups')
  return makeBackup({
    folder,
    to,
    masterKey: keyOf(folder),
    reason: 'daily',
    at: Date.parse('2026-07-01T08:00:00Z'),
  })
}

test.for(swept(['damaged', 'missing'] as const, (how) => how === 'damaged'))(
  'for books that are %s the available backups are listed, and one is restored',
  async (how) => {
    const { folder } = await makeBooks()
    const name = await backUp(folder)
    const backedUp = exportOf(folder)
    // A start keeps the port that it took.
    const restored = (): string => exportOf(folder).replace(/"served_port" "\d+"\n/, '')
    if (how === 'damaged') damage(folder)
    else rmSync(join(folder, 'sello.db'))
    const { running, ask, opened } = await start(folder)
    expect(running.trouble()?.kind).toBe(`store_${how}`)
    const { items } = (await ask('trouble.backups')).body.data
    expect(items).toEqual([
      { name, at: '2026-07-01T08:00:00.000Z', reason: 'daily', bytes: expect.any(Number) as number },
    ])
    const unknown = await ask('trouble.restore', { name: '../sello.db', code: null, replaceOther: false })
    expect(unknown.body.error.code).toBe('not_found')
    const answer = await ask('trouble.restore', { name, code: null, replaceOther: false })
    expect(answer.body.data).toEqual({ trouble: null })
    await opened()
    await running.close()
    expect(restored() === backedUp).toBe(true)
    expect(readdirSync(folder).filter((file) => file.startsWith('replaced-'))).toHaveLength(1)
  },
)

test('a portable file is uploaded and opened with the code; a wrong code or a damaged file changes nothing', async () => {
  const world = await openWorld()
  const code = keepCode(world)
  await world.issue((await world.createDraft()).id)
  const file = readFileSync(await portableOf(world))
  const wanted = exportOf(world.folder)
  const { folder } = await makeBooks()
  damage(folder)
  const damaged = readFileSync(join(folder, 'sello.db'))
  const { running, ask, upload, opened } = await start(folder)
  expect((await upload(file, 'x'.repeat(43))).status).toBe(401)
  const restore = (given: string | null, replaceOther = true) =>
    ask('trouble.restore', { name: null, code: given, replaceOther })
  expect((await restore(code)).body.error.code).toBe('backup_unknown')
  const spoiled = new Uint8Array(file)
  spoiled[spoiled.length - 1]! ^= 1
  await upload(spoiled)
  expect((await restore(code)).body.error.code).toBe('backup_damaged')
  expect((await upload(new Uint8Array(file))).body.data).toEqual({ bytes: file.length })
  expect((await restore('AAAA-BBBB')).body.error.code).toBe('recovery_code_wrong')
  expect((await restore(code, false)).body.error.code).toBe('backup_of_other_books')
  expect(readFileSync(join(folder, 'sello.db')).equals(damaged)).toBe(true)
  // The uploaded file is still there on a second attempt: a mistyped code does not require another upload.
  expect((await restore(code)).body.data).toEqual({ trouble: null })
  await opened()
  expect(existsSync(join(folder, 'restoring.upload'))).toBe(false)
  await running.close()
  expect(existsSync(join(folder, 'restoring'))).toBe(false)
  // The books continue: the record may have been sent meanwhile, and the audit log records the restore and the code.
  const kept = (text: string): string[] =>
    text
      .split('\n')
      .filter((line) => /^\d+ \d+ "inv_/.test(line) && line.includes('"T-F2026-0001"'))
      .map((line) => line.split(' ')[2] ?? '')
  expect(kept(wanted)).toHaveLength(1)
  expect(kept(exportOf(folder))).toEqual(kept(wanted))
})

test('an upload above the size limit is not stored', async () => {
  const folder = newFolder()
  const body = Readable.from([Buffer.alloc(600), Buffer.alloc(600)])
  expect(await refusal(saveUpload(body, folder, 1_000))).toBe('payload_too_large')
  expect(readdirSync(folder)).toEqual([])
})

test('open books close for a restore, and open again as they were or as in the backup', async () => {
  const { folder } = await makeBooks()
  const { running, ask, opened } = await start(folder)
  expect((await ask('company.create', EXAMPLE_COMPANY)).status).toBe(200)
  const shut = async (): Promise<void> => {
    expect((await ask('backups.beginRestore')).status).toBe(200)
    await vi.waitFor(async () => {
      const { body } = await ask('trouble.get')
      expect(body.data.trouble.kind).toBe('shut_to_restore')
    }, 5_000)
  }
  await shut()
  // Other callers receive the reason why the books are closed.
  const told = await fetch(`${running.url}/api/v1/companies/current`)
  expect([told.status, ((await told.json()) as any).error.code]).toEqual([503, 'books_shut'])
  expect((await ask('trouble.retry')).body.data).toEqual({ trouble: null })
  await opened()
  // No backup was chosen for the restore, so the only effect was a new backup.
  await ask('backups.make')
  await shut()
  const { items } = (await ask('trouble.backups')).body.data
  const answer = await ask('trouble.restore', { name: items[0].name, code: null, replaceOther: false })
  expect(answer.body.data).toEqual({ trouble: null })
  await opened()
  expect(readdirSync(folder).filter((file) => file.startsWith('replaced-'))).toHaveLength(1)
})

longTest(
  'books without a company are replaced by those of a portable file without confirmation',
  async () => {
    const world = await openWorld()
    const code = keepCode(world)
    const file = await portableOf(world)
    const folder = newFolder()
    const { ask, upload, opened } = await start(folder)
    expect((await ask('session.get')).body.data.companies).toEqual([])
    expect((await ask('backups.beginRestore')).status).toBe(200)
    await vi.waitFor(async () => expect((await ask('trouble.get')).status).toBe(200), 5_000)
    await upload(new Uint8Array(readFileSync(file)))
    const answer = await ask('trouble.restore', { name: null, code, replaceOther: false })
    expect([answer.body.error, answer.body.data]).toEqual([undefined, { trouble: null }])
    await opened()
    expect((await ask('session.get')).body.data.companies).toHaveLength(1)
  },
)

test('a Sello without a window does not close for a restore', async () => {
  const world = await openWorld()
  const { status, body } = await world.call('backups.beginRestore', {}, { book: null })
  expect([status, body.error?.code]).toEqual([409, 'restore_elsewhere'])
})
