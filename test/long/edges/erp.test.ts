/**
 * Fifty thousand documents read through every interface of the built program within its memory limit, and a dozen
 * kills (SIGKILL): nothing lost.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { admissionOf } from '../../support/browser/admission.ts'
import { serveApp } from '../../support/browser/browser.ts'
import { bookLines, documentLines, erpCaller } from '../../support/erp/erp-child.ts'
import { erpKillRounds } from '../../support/crashes/erp-kill.ts'
import { startErpServer } from '../../support/erp/erp-server.ts'
import { FACES } from '../../support/erp/erp-stage.ts'

const DOCUMENTS = { issued: 30_000, received: 20_000 } as const
/** Of the whole process: the program, its libraries and the caches of the store. */
const MOST_BYTES = 200e6
const ASKED_EVERY_MS = 50

/** Peak memory of a process (Linux, proc(5)). */
function peakBytes(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/**
 * Sends a small request repeatedly until `work` is done; returns the waiting times of a user of the window, in
 * milliseconds.
 */
async function waitsDuring<T>(ask: () => Promise<unknown>, work: Promise<T>): Promise<[T, number[]]> {
  const waits: number[] = []
  let isDone = false
  const done = work.finally(() => (isDone = true))
  while (!isDone) {
    const asked = performance.now()
    await ask()
    waits.push(performance.now() - asked)
    await sleep(ASKED_EVERY_MS)
  }
  return [await done, waits.toSorted((a, b) => a - b)]
}

test.skipIf(process.platform !== 'linux').each(FACES)(
  '50,000 documents are read by %s within 200 MB',
  async (face) => {
    const erp = await startErpServer({ ...DOCUMENTS, contacts: 2_000, items: 1_000 })
    onTestFinished(() => erp.close())
    const app = await serveApp({ invoices: 0, sandbox: true, erpUrl: erp.base, measured: true })
    onTestFinished(() => app.stop())
    const { pass, headers } = await admissionOf(app)
    const place = { url: app.url, windowToken: pass, cookie: headers.cookie }
    const window = await erpCaller(place, erp.base)
    await window.connect(face)
    const before = peakBytes(app.pid)
    const said: string[] = []
    for (const mode of ['auto', 'full'] as const) {
      const calls = erp.calls.length
      const started = performance.now()
      const ask = () => window.run('erp.status', {})
      const [run, waits] = await waitsDuring(ask, window.sync({ mode, force: true }))
      const seconds = (performance.now() - started) / 1000
      expect(run).toMatchObject({ state: 'completed', mode: 'full', error: null })
      expect(run.calls).toBe(erp.calls.length - calls)
      const sum = (count: 'created' | 'updated' | 'unchanged' | 'missing' | 'rejected') =>
        run.resources
          .filter(({ resource }) => resource === 'issued' || resource === 'received')
          .reduce((total, each) => total + each[count], 0)
      const all = DOCUMENTS.issued + DOCUMENTS.received
      expect([sum('created'), sum('unchanged')]).toEqual(mode === 'auto' ? [all, 0] : [0, all])
      expect([sum('updated'), sum('missing'), sum('rejected')]).toEqual([0, 0, 0])
      const wait = (share: number) => (waits[Math.ceil(waits.length * share) - 1] ?? 0).toFixed(0)
      said.push(
        `${mode === 'auto' ? 'first' : 'again'} ${run.calls} calls in ${seconds.toFixed(0)} s, the window waits ${wait(0.5)} ms, 99 of 100 times at most ${wait(0.99)}, ever ${wait(1)}`,
      )
    }
    const peak = peakBytes(app.pid)
    console.info(
      `${face}: ${said.join('; ')}; resident ${(before / 1e6).toFixed(0)} MB before, ${(peak / 1e6).toFixed(0)} MB at most`,
    )
    expect(peak).toBeLessThan(MOST_BYTES)
    for (const side of ['issued', 'received'] as const)
      expect(await documentLines(window, side)).toEqual(bookLines(erp.book, face, side))
  },
)

test('two dozen kills while reading lose nothing', async () => {
  const seed = Number(process.env.SELLO_SEED ?? Date.now() % 1_000_000)
  console.log(`SELLO_SEED=${seed}`)
  expect(await erpKillRounds(12, seed)).toBeGreaterThan(10)
})
