/** A large company is handed back: how long it takes, how much memory, and that the server goes on answering. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillBook } from '../../../server/app/demo/fill.ts'
import { restoreBooks } from '../../../server/app/maintenance/restore-books.ts'
import { handBackInThread } from '../../../server/app/office/hand-back/thread.ts'
import { newRecoveryCode } from '../../../server/db/embedded/keys/recovery-code.ts'
import {
  bookOf,
  createFolder,
  databaseForTest,
  folderForTest,
  forServers,
  now,
  openFolder,
} from '../../support/office/folders.ts'
import { faultsOf, moveIn } from '../../support/office/moves.ts'
import type { Cluster } from '../../support/postgres/cluster.ts'
import { hasServer, startTestServer, testKey } from '../../support/postgres/databases.ts'

const INVOICES = Number(process.env.SELLO_INVOICES ?? 3_000)
const MB = 1024 * 1024
/** Made in this thread, it stopped the server for one to two seconds; a thread for it leaves what a busy computer adds. */
const LONGEST_STOP_MS = 500
/** Beside what the process has before: pages of rows, caches of the databases, no copy of the whole. */
const MOST_MB = 400

let cluster: Cluster | null = null
beforeAll(async () => {
  if (!hasServer()) cluster = await startTestServer()
})
afterAll(() => cluster?.stop())

test(`a company with ${INVOICES} invoices`, { timeout: 3_600_000 }, async () => {
  const folder = folderForTest()
  const { company } = await createFolder(folder, { invoices: 1 })
  const sello = await openFolder(folder)
  await fillBook(sello.ctx(await bookOf(sello, 'test', 0), { kind: 'user', id: 'user', name: 'Persona' }), {
    invoices: INVOICES,
    contacts: 500,
    drafts: 20,
    from: '2024-01-01',
  })
  await sello.close()
  const { url } = await databaseForTest()
  const movedAt = performance.now()
  await moveIn(folder, url)
  const move = (performance.now() - movedAt) / 1000
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 100)
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const file = join(folderForTest(), 'empresa.sellobak')
  const code = newRecoveryCode()
  const startedAt = performance.now()
  const made = await handBackInThread(
    {
      office: { url: forServers(url), masterKey: testKey(), name: 'office', inRowAtMost: undefined },
      company,
      code,
      to: file,
      version: '1.0.0',
      at: now().getTime(),
    },
    undefined,
  )
  const seconds = (performance.now() - startedAt) / 1000
  delay.disable()
  clearInterval(watch)
  const restoredAt = performance.now()
  const desk = join(folderForTest(), 'books')
  await restoreBooks({ folder: desk, file, code, keychain: null, now })
  const restore = (performance.now() - restoredAt) / 1000
  const opened = await openFolder(desk)
  expect(await faultsOf(opened)).toEqual([])
  await opened.close()
  const stop = delay.max / 1e6
  console.log(
    `moved in: ${INVOICES} invoices in ${move.toFixed(1)} s; handed back: ${made.rows} rows, ${(made.bytes / MB).toFixed(1)} MB in ${seconds.toFixed(1)} s; memory +${((most - before) / MB).toFixed(0)} MB; longest stop ${stop.toFixed(0)} ms; restored in ${restore.toFixed(1)} s`,
  )
  expect(stop).toBeLessThan(LONGEST_STOP_MS)
  expect((most - before) / MB).toBeLessThan(MOST_MB)
})
