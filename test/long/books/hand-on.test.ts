/** Fifty thousand entries handed on in each format: time, and how long others wait. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openBooks } from '../../support/books.ts'
import { SETTINGS } from '../../support/examples/hand-on.ts'

const ENTRIES = 50_000
/** As many as a window of the journal writes between two turns. */
const AT_ONCE = 250
/** A run is one transaction, in which others wait. */
const MOST_WAIT_MS = 1_000
const YEAR = { year: 2026 }

test('fifty thousand entries in each format', async () => {
  const world = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  for (let written = 0; written < ENTRIES; written += AT_ONCE) {
    for (let each = written; each < written + AT_ONCE; each++)
      await world.run('ledger.writeEntry', {
        date: `2026-${String((each % 12) + 1).padStart(2, '0')}-15`,
        text: `Comisión ${each}`,
        lines: [
          { account: '626', debit: 10.01 },
          { account: '572', credit: 10.01 },
        ],
      })
    await turn()
  }
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  for (const [format, settings] of Object.entries(SETTINGS)) {
    await world.run('handOn.saveSettings', settings)
    delay.reset()
    const from = performance.now()
    const run = await world.run('handOn.create', YEAR)
    const created = performance.now()
    const { stream } = await world.run('handOn.file', { id: run.id })
    let bytes = 0
    for await (const piece of stream) bytes += piece.byteLength
    const done = performance.now()
    process.stdout.write(
      `${format}: ${run.entries} entries, made in ${((created - from) / 1000).toFixed(1)} s, written in ` +
        `${((done - created) / 1000).toFixed(1)} s, ${(bytes / 1e6).toFixed(1)} MB, wait ${(delay.max / 1e6).toFixed(0)} ms\n`,
    )
    expect(run.entries).toBe(ENTRIES)
    expect(bytes).toBeGreaterThan(ENTRIES)
    expect(delay.max / 1e6).toBeLessThan(MOST_WAIT_MS)
    await world.run('handOn.discard', { id: run.id })
  }
})
