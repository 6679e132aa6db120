/** Packs of 500 companies: progress, a restart in the middle, cancelling, and one ZIP of all. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSello } from '../../../server/api/application.ts'
import { loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import { createConsoleJobs } from '../../../server/app/console/index.ts'
import type { OpenedSello } from '../../../server/app/environment.ts'
import { createCtx, NO_BOOK } from '../../../server/context.ts'
import { addClients } from '../../support/office/clients.ts'

const COMPANIES = 500
const PACK = { kind: 'pack', year: 2026, quarter: 3 } as const
const LONG = { timeout: 25 * 60_000, interval: 250 }

test(
  '500 packs are made through a restart, each once, and cancelling keeps what is done',
  { timeout: 50 * 60_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sello-console-'))
    let sello: OpenedSello | null = null
    onTestFinished(async () => {
      await sello?.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const open = () => openSello({ dataDir: folder, create: true, keychain: null })
    const actor = { kind: 'user', id: 'user', name: 'Persona' } as const
    const run = async <Name extends OperationName>(
      name: Name,
      input: InputOf<Name>,
    ): Promise<OutputOf<Name>> => {
      const { env } = sello!
      const ctx = createCtx({ env, book: NO_BOOK, actor, channel: 'ui', requestId: env.newId('req') })
      return (await runOperation(await loadOperation(name), ctx, input)) as never
    }
    const jobs = () => createConsoleJobs({ env: sello!.env, log: (line) => expect.fail(line) })

    sello = await open()
    await addClients(sello.env, COMPANIES)
    const companies = (await run('console.list', {})).items.map(({ id }) => id)
    expect(companies).toHaveLength(COMPANIES)
    const { id } = await run('console.startWork', { companies, work: PACK })
    const done = async (work: string) => (await run('console.work', { id: work })).counts.done
    const begun = performance.now()
    let work = jobs()
    work.wake()
    // Progress grows while it goes on.
    await expect.poll(() => done(id), LONG).toBeGreaterThan(COMPANIES / 10)
    await expect.poll(() => done(id), LONG).toBeGreaterThan(COMPANIES / 2)
    await work.stop()
    await sello.close()
    sello = await open()
    const half = await done(id)
    expect(half).toBeLessThan(COMPANIES)
    work = jobs()
    work.wake()
    await expect.poll(() => done(id), LONG).toBe(COMPANIES)
    const seconds = (performance.now() - begun) / 1000
    const { items } = await run('console.work', { id })
    expect(items.every(({ state, fileBytes }) => state === 'done' && (fileBytes ?? 0) > 0)).toBe(true)
    const attempts = await sello.env.store.reader.selectFrom('bulk_units').select('attempts').execute()
    const again = attempts.filter(({ attempts: count }) => count > 1).length
    expect(again).toBeLessThanOrEqual(1)

    const { stream } = await run('console.workFile', { id })
    let bytes = 0
    for await (const part of stream) bytes += part.byteLength
    expect(bytes).toBeGreaterThan(items.reduce((sum, { fileBytes }) => sum + (fileBytes ?? 0), 0))

    const second = await run('console.startWork', { companies, work: PACK })
    await expect.poll(() => done(second.id), LONG).toBeGreaterThan(20)
    await run('console.cancelWork', { id: second.id })
    await expect.poll(async () => (await run('console.work', { id: second.id })).ended, LONG).toBe(true)
    const { counts } = await run('console.work', { id: second.id })
    expect(counts.done + counts.cancelled).toBe(COMPANIES)
    expect(counts.cancelled).toBeGreaterThan(0)
    await work.stop()
    console.log(
      `${COMPANIES} packs in ${seconds.toFixed(0)} s, restarted after ${half}, ${again} begun twice; ZIP of ${(bytes / 1e6).toFixed(1)} MB; cancelled after ${counts.done}`,
    )
  },
)
