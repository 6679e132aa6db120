/**
 * Kills a server that reads an accounting system, repeatedly, and checks each time that nothing was lost or
 * duplicated.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { dice } from '../seeded-random.ts'
import { bookLines, contactIds, documentLines, startErpChild } from '../erp/erp-child.ts'
import type { ErpChild } from '../erp/erp-child.ts'
import { startErpServer } from '../erp/erp-server.ts'
import type { ErpCall } from '../erp/erp-server.ts'
import { FACES } from '../erp/erp-stage.ts'

/** Enough pages over every interface for a kill to occur among them. */
const BOOK = { contacts: 230, issued: 1_300, received: 700, items: 150, v1PageSize: 100 }
const PACE_MS = 12

const said = ({ method, path, query, body }: ErpCall): string =>
  [method, path, new URLSearchParams(query).toString(), method === 'POST' ? JSON.stringify(body) : ''].join(
    ' ',
  )

/**
 * Runs rounds of: read from the start, kill -9 somewhere, open, continue, kill again, open, continue to the end,
 * compare everything. Returns how many kills occurred within a reading.
 */
export async function erpKillRounds(rounds: number, seed: number): Promise<number> {
  const die = dice(seed)
  const folder = mkdtempSync(join(tmpdir(), 'sello-erp-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const erp = await startErpServer({ ...BOOK, seed })
  onTestFinished(() => erp.close())
  const options = { folder, erpUrl: erp.base, paceMs: PACE_MS }
  let landed = 0
  let server = await startErpChild(options)
  for (let round = 0; round < rounds; round++) {
    const face = FACES[(round + seed) % FACES.length]!
    const when = `round ${round + 1} of seed ${seed}, ${face}`
    await forgetAll(server)
    await server.connect(face)
    const before = erp.calls.length
    const { runId } = await server.run('erp.sync', { force: true })
    /** Calls in flight at a kill: only these may be repeated. */
    const cutOff: string[] = []
    for (let kill = 0; kill < 2; kill++) {
      const target = erp.calls.length + 1 + die.below(kill === 0 ? 18 : 10)
      await until(async () => erp.calls.length >= target || (await hasEnded(server)))
      await new Promise((resolve) => setTimeout(resolve, die.below(40)))
      await server.child.kill()
      // A page is one step with its taxes and, in Odoo, with its lines.
      cutOff.push(...erp.calls.slice(face === 'odoo' ? -3 : -2).map(said))
      server = await startErpChild(options)
      const [stopped] = (await server.run('erp.runs', { limit: 1 })).items
      expect(stopped!.runId, when).toBe(runId)
      if (stopped!.state === 'completed') break
      expect(stopped, when).toMatchObject({
        state: 'failed',
        resumable: true,
        error: { code: 'erp_interrupted' },
      })
      landed += 1
      // Everything in the books so far is from the mock server, without duplicates.
      for (const side of ['issued', 'received'] as const) {
        const there = new Set(bookLines(erp.book, face, side))
        const here = await documentLines(server, side)
        expect(new Set(here).size, when).toBe(here.length)
        expect(
          here.filter((line) => !there.has(line)),
          when,
        ).toEqual([])
      }
      const gone = await server.run('erp.sync', { force: true })
      expect(gone.runId, when).toBe(runId)
    }
    const run = await server.sync()
    expect(run, when).toMatchObject({ runId, state: 'completed', error: null })
    for (const side of ['issued', 'received'] as const)
      expect(await documentLines(server, side), when).toEqual(bookLines(erp.book, face, side))
    expect((await contactIds(server)).length, when).toBe(BOOK.contacts)
    expect(new Set(await contactIds(server)).size, when).toBe(BOOK.contacts)
    for (const { resource, duplicates, missing } of run.resources) {
      expect(missing, when).toBe(0)
      // The older interface returns all contacts again instead of a second page.
      if (face !== 'v1' || resource !== 'contacts') expect(duplicates, `${when} ${resource}`).toBe(0)
    }
    const calls = erp.calls.slice(before).map(said)
    const twice = calls.filter((call, index) => calls.indexOf(call) !== index)
    for (const call of twice) {
      expect(cutOff, when).toContain(call)
      cutOff.splice(cutOff.indexOf(call), 1)
    }
  }
  return landed
}

/** Resets the books to the state before any reading. */
async function forgetAll({ run }: ErpChild): Promise<void> {
  await run('erp.disconnect', {})
  for (const { connectionId } of (await run('erp.status', {})).integrations)
    if (connectionId !== null) await run('erp.forget', { connectionId })
}

async function hasEnded({ run }: ErpChild): Promise<boolean> {
  return (await run('erp.runs', { limit: 1 })).items[0]?.state !== 'running'
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 3))
}
