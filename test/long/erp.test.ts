/** Fifty thousand documents read by every door, and a dozen ends by kill -9: nothing lost, and memory that does not grow with them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bookLines, documentLines, startErpChild } from '../support/erp-child.ts'
import { erpKillRounds } from '../support/erp-kill.ts'
import { startErpServer } from '../support/erp-server.ts'
import { FACES } from '../support/erp-stage.ts'

const DOCUMENTS = { issued: 30_000, received: 20_000 } as const
/** Beyond what the program takes before it reads: the pages that both connections of the store keep, and one page in work. */
const MOST_GROWTH_BYTES = 150e6
/** What is garbage is cleared away in time: left alone, V8 lets it pile up while there is memory. */
const NODE_OPTIONS = '--max-semi-space-size=2 --max-old-space-size=144'

/** The most memory a process ever held (Linux, proc(5)). */
function peakBytes(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

test.skipIf(process.platform !== 'linux').each(FACES)(
  '50,000 documents by %s, within 150 MB',
  async (face) => {
    const folder = mkdtempSync(join(tmpdir(), 'sello-erp-long-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const erp = await startErpServer({ ...DOCUMENTS, contacts: 2_000, items: 1_000 })
    onTestFinished(() => erp.close())
    const server = await startErpChild({ folder, erpUrl: erp.base, paceMs: 0, nodeOptions: NODE_OPTIONS })
    const pid = server.child.process.pid ?? 0
    const waits = async () => {
      server.child.process.stdin?.write('\n')
      return (await server.child.line()) as { longestMs: number; usualMs: number }
    }
    await server.connect(face)
    const before = peakBytes(pid)
    await waits()
    const said: string[] = []
    for (const mode of ['auto', 'full'] as const) {
      const calls = erp.calls.length
      const started = performance.now()
      const run = await server.sync({ mode, force: true })
      const seconds = (performance.now() - started) / 1000
      const { longestMs, usualMs } = await waits()
      expect(run).toMatchObject({ state: 'completed', mode: 'full', error: null })
      expect(run.calls).toBe(erp.calls.length - calls)
      const sum = (count: 'created' | 'updated' | 'unchanged' | 'missing' | 'rejected') =>
        run.resources
          .filter(({ resource }) => resource === 'issued' || resource === 'received')
          .reduce((total, each) => total + each[count], 0)
      const all = DOCUMENTS.issued + DOCUMENTS.received
      expect([sum('created'), sum('unchanged')]).toEqual(mode === 'auto' ? [all, 0] : [0, all])
      expect([sum('updated'), sum('missing'), sum('rejected')]).toEqual([0, 0, 0])
      said.push(
        `${mode === 'auto' ? 'first' : 'again'} ${run.calls} calls in ${seconds.toFixed(0)} s, longest wait of others ${longestMs.toFixed(0)} ms, of 99 in 100 ${usualMs.toFixed(0)} ms`,
      )
    }
    const peak = peakBytes(pid)
    console.info(
      `${face}: ${said.join('; ')}; resident ${(before / 1e6).toFixed(0)} MB before, ${(peak / 1e6).toFixed(0)} MB at most`,
    )
    expect(peak - before).toBeLessThan(MOST_GROWTH_BYTES)
    for (const side of ['issued', 'received'] as const)
      expect(await documentLines(server, side)).toEqual(bookLines(erp.book, face, side))
  },
)

test('killed two dozen times while reading', async () => {
  const seed = Number(process.env.SELLO_SEED ?? Date.now() % 1_000_000)
  console.log(`SELLO_SEED=${seed}`)
  expect(await erpKillRounds(12, seed)).toBeGreaterThan(10)
})
