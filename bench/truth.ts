/** Prints what the comparison of an invoice costs before its issue, by its parts: `node bench/truth.ts`. */
import { contradictionIn, saidOf } from '../server/documents/truth/check.ts'
import { saidByFormats } from '../server/documents/truth/formats.ts'
import { firstContradiction } from '../server/documents/truth/said.ts'
import { ciiXml, eInvoiceOf, facturaeXml, ublXml } from '../server/documents/e-invoice/index.ts'
import { PLAIN_CONTENT, PLAIN_LINE } from '../server/sales/invoices/index.ts'
import type { DraftContent } from '../server/sales/invoices/index.ts'
import { COMPANY } from '../test/server/documents/e-invoice/samples.ts'
import { evidenceOf } from '../test/server/documents/truth/evidence.ts'

function contentOf(lines: number): DraftContent {
  return {
    ...PLAIN_CONTENT,
    kind: 'F1',
    issueDate: '2026-06-03',
    dueDate: '2026-07-03',
    client: COMPANY,
    paymentMethod: 'transfer',
    lines: Array.from({ length: lines }, (_, index) => ({
      ...PLAIN_LINE,
      description: `Mantenimiento mensual de la página ${index}`,
      unitPriceMicro: 12_345_678 + index * 1000,
      quantityMicro: 2_000_000,
      vatRateBp: index % 3 === 0 ? 1000 : 2100,
    })),
  }
}

/** Returns the processor time of one call in microseconds: the smallest of five series, after a warm-up. */
function costOf(work: () => unknown, times: number): number {
  for (let index = 0; index < times; index++) work()
  const series = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    for (let index = 0; index < times; index++) work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / times
  })
  return Math.round(Math.min(...series))
}

for (const count of [3, 300]) {
  const evidence = evidenceOf(contentOf(count))
  const { content, totals, issuer, lines } = evidence
  const times = count === 3 ? 2000 : 40
  const structured = () =>
    eInvoiceOf(content, totals, {
      number: 'F2026-0042',
      seriesCode: 'F2026',
      issueDate: '2026-06-03',
      issuer,
      debit: null,
    })
  const wanted = { isSuplido: lines.map(() => false), mentions: [], regimes: lines.map(() => '01') }
  const said = saidOf(evidence)
  const parts: [string, () => unknown][] = [
    ['whole, without its four queries', () => contradictionIn(evidence)],
    ['structured formats: written', () => [ublXml, ciiXml, facturaeXml].map((write) => write(structured()))],
    ['structured formats: written and read', () => saidByFormats(structured(), wanted)],
    ['comparison', () => firstContradiction(said)],
  ]
  console.log(`${count} lines`)
  for (const [name, work] of parts)
    console.log(`  ${name.padEnd(40)}${String(costOf(work, times)).padStart(7)} µs`)
}
