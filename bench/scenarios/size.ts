/** T13: disk space of an invoice of 3 lines, including everything but its PDF, which both sides omit. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Group } from '../bench.ts'
import { sizeName } from '../bench.ts'
import { openDatabase } from '../limits/database.ts'
import type { Handle } from '../limits/database.ts'
import { writeTightly } from '../limits/size.ts'
import { context, judge } from '../method.ts'
import type { Bar, Turn } from '../method.ts'

const BAR: Bar = { better: 'less', floor: 1.6, goal: 1.25 }
/** Sending more takes minutes. */
const SENT_UP_TO = 10_000

const turn = (bytes: number): Turn => ({ operations: 1, elapsedMs: bytes, cpuUs: null })

/** Neither PDFs nor the state of the simulated authority belong to the books. */
function assertEmpty(handle: Handle, tables: readonly string[]): void {
  for (const table of tables)
    if (handle.prepare(`select count(*) from "${table}"`).pluck().get() !== 0)
      throw new Error(`The rows of ${table} would be counted.`)
}

async function sizeFile(bench: Bench): Promise<void> {
  // One customer per twenty invoices, as in an old book; most are accepted, so that few are in the index of waiting
  // ones.
  const master = await bench.workplace.master(bench.size, 'marked', bench.size / 20)
  const place = bench.workplace.copy(master)
  const handle = openDatabase(place)
  assertEmpty(handle, ['documents', 'simulator_records'])
  const tight = writeTightly(handle, bench.workplace.empty('tight'))
  handle.pragma('wal_checkpoint(TRUNCATE)')
  handle.close()
  const race = {
    subject: [turn(statSync(join(place.folder, 'sello.db')).size / bench.size)],
    limit: [turn(statSync(tight).size / bench.size)],
    loadBefore: 0,
    loadAfter: 0,
  }
  bench.report(
    judge(race, {
      target: 'T13',
      name: 'size.file',
      size: sizeName(bench.size),
      unit: 'B',
      bar: BAR,
      note: 'bytes an invoice with its customers; PDFs left out on both sides',
    }),
  )
}

/** Measures the same after every record was sent: with the answers, but without the state of the simulated authority. */
async function sizeSent(bench: Bench): Promise<void> {
  if (bench.size > SENT_UP_TO) return
  const master = await bench.workplace.master(bench.size, 'sent', bench.size / 20)
  const handle = openDatabase(bench.workplace.copy(master))
  assertEmpty(handle, ['documents'])
  handle.pragma('wal_checkpoint(TRUNCATE)')
  const bytesOf = (where: string): number =>
    handle.prepare(`select coalesce(sum(pgsize), 0) from dbstat ${where}`).pluck().get() as number
  const all = bytesOf('')
  const remembered = bytesOf("where name like '%simulator_records%'")
  handle.close()
  if (remembered === 0) throw new Error('The authority remembers nothing: nothing was sent.')
  bench.report(
    context([turn((all - remembered) / bench.size)], {
      name: 'size.sent',
      size: sizeName(bench.size),
      unit: 'B',
      note: `the same with the authority's answers; in a test book the simulated one's memory takes ${Math.round(remembered / bench.size)} more`,
    }),
  )
}

export const sizeGroup: Group = {
  names: ['size.file', 'size.sent'],
  async run(bench, wanted) {
    if (wanted.has('size.file')) await sizeFile(bench)
    if (wanted.has('size.sent')) await sizeSent(bench)
  },
}
