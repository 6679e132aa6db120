/** T13: what an invoice of 3 lines takes on the disk, everything included but its PDF, which both sides leave out. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Group } from '../bench.ts'
import { sizeName } from '../bench.ts'
import { openDatabase } from '../limits/database.ts'
import { writeTightly } from '../limits/size.ts'
import { judge } from '../method.ts'
import type { Bar } from '../method.ts'

const BAR: Bar = { better: 'less', floor: 1.6, goal: 1.25 }

export const sizeGroup: Group = {
  names: ['size.file'],
  async run(bench) {
    // One customer for twenty invoices, as an old book has; most are accepted, so few wait in an index of their own.
    const master = await bench.workplace.master(bench.size, 'marked', bench.size / 20)
    const place = bench.workplace.copy(master)
    const handle = openDatabase(place)
    const documents = handle.prepare('select count(*) from documents').pluck().get() as number
    if (documents > 0) throw new Error('Documents would be counted.')
    const tight = writeTightly(handle, bench.workplace.empty('tight'))
    handle.pragma('wal_checkpoint(TRUNCATE)')
    handle.close()
    const turn = (file: string) => ({
      operations: 1,
      elapsedMs: statSync(file).size / bench.size,
      cpuUs: null,
    })
    const race = {
      subject: [turn(join(place.folder, 'sello.db'))],
      limit: [turn(tight)],
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
  },
}
