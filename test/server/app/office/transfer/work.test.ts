/** Background work of a company that moves: servers take it up where the company is opened, and nowhere else. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { setAway, standingOf } from '../../../../../server/app/office/transfer/arrival.ts'
import { OFFICE_WORK_KINDS, startOfficeWork } from '../../../../../server/app/office/index.ts'
import { openOfficeSello } from '../../../../../server/api/office.ts'
import { DatabaseBulk } from '../../../../../server/db/postgres/bulk.ts'
import {
  createFolder,
  databaseForTest,
  folderForTest,
  forServers,
  now,
  NOW,
} from '../../../../support/office/folders.ts'
import { cellsForTest, moveBetween, moveIn, refusal } from '../../../../support/office/moves.ts'
import { testKey } from '../../../../support/postgres/databases.ts'

const COMPANY_WORK = OFFICE_WORK_KINDS.filter((kind) => kind !== 'pruning').toSorted()

interface WorkRow {
  kind: string
  due_at: number | null
  lease: number | null
}

/** Returns the work of companies in a database, by kind. */
async function workIn(url: string): Promise<WorkRow[]> {
  const office = await DatabaseBulk.open(url)
  try {
    return await office.select<WorkRow>(
      'select kind, due_at, lease from due_work where company_id > 0 order by kind collate "C"',
    )
  } finally {
    await office.close()
  }
}

/** Opens a server of an office for the time of a test. */
async function serverOf(url: string) {
  const sello = await openOfficeSello({ url: forServers(url), masterKey: testKey(), now, connections: 3 })
  onTestFinished(() => sello.close())
  return sello
}

describe('background work', () => {
  test('of a company that has arrived is due, as after a server that vanished, and a server does it', async () => {
    const folder = folderForTest()
    await createFolder(folder, { invoices: 1 })
    const { url } = await databaseForTest()
    await moveIn(folder, url)
    const due = await workIn(url)
    expect(due.map(({ kind, due_at: at }) => [kind, at])).toEqual(
      COMPANY_WORK.map((kind) => [kind, NOW.getTime()]),
    )
    const server = await serverOf(url)
    const taken = await server.dueWork.take(['sender'], {
      now: NOW.getTime(),
      until: NOW.getTime(),
      limit: 1,
    })
    expect(taken).toMatchObject([{ kind: 'sender', isLeftBehind: true }])
    const logged: string[] = []
    const work = await startOfficeWork(server, { log: (line) => void logged.push(line), pollMs: 50 })
    await vi.waitFor(
      async () => {
        const rows = await workIn(url)
        expect(rows.filter(({ lease }) => lease !== null)).toEqual([])
        // The book of tests sends to a simulator, and the calendar comes again.
        expect(rows.find(({ kind }) => kind === 'calendar')?.due_at).toBeGreaterThan(NOW.getTime())
      },
      { timeout: 10_000 },
    )
    await work.stop()
    expect(logged).toEqual([])
  })

  test('of a company that leaves is gone, and a server that starts does not bring it back', async () => {
    const folder = folderForTest()
    const { company } = await createFolder(folder, { invoices: 1 })
    const cells = await cellsForTest()
    await moveIn(folder, cells.one.url)
    const server = await serverOf(cells.one.url)
    const at = NOW.getTime()
    const [held] = await server.dueWork.take(['mail'], { now: at, until: at + 30_000, limit: 1 })
    const office = await DatabaseBulk.open(cells.one.url)
    const standing = await standingOf(office, company)
    await setAway(office, standing?.companyId ?? 0, { away: 'moving', to: cells.two.address, at: NOW })
    await office.close()
    expect(await server.dueWork.renew([held?.lease ?? 0], at + 60_000)).toEqual(new Set())
    await server.dueWork.ensure('calendar', 'all', at)
    expect(await workIn(cells.one.url)).toEqual([])
    await moveBetween(cells, company)
    await server.dueWork.ensure('calendar', 'all', at)
    expect(await workIn(cells.one.url)).toEqual([])
    expect((await workIn(cells.two.url)).map(({ kind }) => kind)).toEqual(COMPANY_WORK)
  })
})

test('a company does not go into an office with a key that is not the office’s', async () => {
  const folder = folderForTest()
  await createFolder(folder, { invoices: 1 })
  const { url } = await databaseForTest()
  await moveIn(folder, url)
  const other = folderForTest()
  await createFolder(other, { invoices: 1, nif: 'B65410011' })
  expect(await refusal(moveIn(other, url, { masterKey: Buffer.alloc(32, 9) }))).toMatchObject([
    'office_key_wrong',
    undefined,
  ])
  const office = await DatabaseBulk.open(url)
  expect(await office.select('select id from companies')).toHaveLength(1)
  await office.close()
})
