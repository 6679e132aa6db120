/** Many programs at one server at once; `npm run test:long` runs them for a minute with a hundred thousand invoices. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSello } from '../../../../server/api/application.ts'
import { crowd } from '../../../support/stages/load.ts'
import { broken, promisedIn } from '../../../support/cuts/books.ts'

test('thirty-two programs at once all get answers, and every answered write is stored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-crowd-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const options = {
    dataDir: folder,
    create: true,
    sandbox: true,
    keychain: null,
    port: 0,
    uiDir: null,
  } as const
  const running = await startSello({ ...options, environment: {} })
  const report = await crowd(running, { clients: 32, forMs: 2_000, atLeast: 33, pid: null, seed: 1 })
  await running.close()
  expect(report.wrong).toEqual({})
  expect(report.issued).toBeGreaterThan(32)
  expect(await broken(folder, promisedIn(report.told))).toEqual([])
})
