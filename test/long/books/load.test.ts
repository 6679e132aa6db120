/**
 * Thirty-two programs at once for a minute, at a hundred thousand invoices: nothing lost, nothing failed, constant
 * memory.
 */
import { expect, onTestFinished, test } from 'vitest'
import { admissionOf } from '../../support/browser/admission.ts'
import { serveApp } from '../../support/browser/browser.ts'
import { crowd } from '../../support/stages/load.ts'
import { broken, promisedIn } from '../../support/cuts/books.ts'

const CLIENTS = Number(process.env['SELLO_CLIENTS'] ?? 32)
const SECONDS = Number(process.env['SELLO_SECONDS'] ?? 60)
const INVOICES = Number(process.env['SELLO_INVOICES'] ?? 100_000)
/** Growth that the caches of the store alone may cause after the first third. */
const GROWTH = 1.1

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

test.skipIf(process.platform !== 'linux')(
  `${CLIENTS} clients for ${SECONDS} s at ${INVOICES} invoices`,
  async () => {
    const app = await serveApp({ invoices: INVOICES, sandbox: true, measured: true })
    onTestFinished(() => app.stop())
    const { pass, headers } = await admissionOf(app)
    const options = { clients: CLIENTS, forMs: SECONDS * 1000, pid: app.pid, seed: 1 }
    const report = await crowd({ url: app.url, windowToken: pass, cookie: headers.cookie }, options)
    await app.end()
    for (const [kind, waits] of Object.entries(report.waits)) {
      const at = (part: number): string => (waits[Math.floor(waits.length * part)] ?? 0).toFixed(0)
      console.info(`${kind}: ${waits.length}, half in ${at(0.5)} ms, 99 of 100 in ${at(0.99)} ms`)
    }
    const third = Math.floor(report.residentMb.length / 3)
    const [early, late] = [report.residentMb.slice(third, 2 * third), report.residentMb.slice(2 * third)].map(
      middle,
    )
    console.info(
      `${report.answers} answers, ${report.issued} issued, ${early?.toFixed(0)} MB in the second third, ${late?.toFixed(0)} MB in the last`,
    )
    expect(report.wrong).toEqual({})
    expect(report.issued).toBeGreaterThan(SECONDS)
    expect(late).toBeLessThan((early ?? 0) * GROWTH)
    // Everything that was answered is in the books that the server left, and they pass verification.
    expect(await broken(app.folder, promisedIn(report.told), { goOn: false })).toEqual([])
  },
)
