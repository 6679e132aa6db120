/** Held names: one holder at a time among all servers, renewed during the work, free soon after its server has died. */
import { expect, onTestFinished, test } from 'vitest'
import { Leases } from '../../../../../server/db/postgres/tables/leases.ts'
import { createTestPool, giveBackDatabase, takeDatabase } from '../../../../support/postgres/databases.ts'

const LEASE_MS = 400
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function twoServers() {
  const database = await takeDatabase()
  onTestFinished(() => giveBackDatabase(database))
  const open = () => {
    const pool = createTestPool({ connectionString: database.url, max: 2 })
    onTestFinished(async () => (pool.ended ? undefined : pool.end()))
    const reported: unknown[] = []
    return {
      pool,
      reported,
      leases: new Leases({ pool, report: (error) => reported.push(error), leaseMs: LEASE_MS }),
    }
  }
  return [open(), open()] as const
}

test('of many calls on two servers one holds the name at a time, and different names do not wait', async () => {
  const [first, second] = await twoServers()
  let inside = 0
  let most = 0
  let done = 0
  const work = async (): Promise<boolean> => {
    most = Math.max(most, (inside += 1))
    await pause(3)
    inside -= 1
    done += 1
    return true
  }
  const all = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const { leases } = at % 2 === 0 ? first : second
      while (!(await leases.hold('one', work, false))) await pause(1)
    }),
  )
  expect([all.length, done, most]).toEqual([40, 40, 1])
  const both = first.leases.hold('two', () => second.leases.hold('three', async () => 'both', 'held'), 'held')
  expect(await both).toBe('both')
})

test('the name stays held while the work lasts, and is free when it fails', async () => {
  const [first, second] = await twoServers()
  let fail: (error: Error) => void = () => {}
  const held = first.leases.hold('one', () => new Promise((_, reject) => (fail = reject)), null)
  await pause(LEASE_MS * 3)
  expect(await second.leases.hold('one', async () => 'taken', 'held')).toBe('held')
  fail(new Error('This failed.'))
  await expect(held).rejects.toThrow('This failed.')
  expect(await second.leases.hold('one', async () => 'taken', 'held')).toBe('taken')
})

test('the name of a dead server is free after its time, and what it does later gives nothing away', async () => {
  const [dead, other] = await twoServers()
  let end: () => void = () => {}
  let begin: () => void = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const work = (): Promise<void> => {
    begin()
    return new Promise((resolve) => (end = resolve))
  }
  const held = dead.leases.hold('one', work, undefined)
  await begun
  // Nothing of it reaches the database any more.
  await dead.pool.end()
  expect(await other.leases.hold('one', async () => 'taken', 'held')).toBe('held')
  const startedAt = performance.now()
  await expect
    .poll(() => other.leases.hold('one', async () => 'taken', 'held'), { interval: 20 })
    .toBe('taken')
  expect(performance.now() - startedAt).toBeLessThan(LEASE_MS * 5)
  const next = other.leases.hold(
    'one',
    async () => {
      end()
      await held
      return other.leases.hold('one', async () => 'twice', 'still held')
    },
    'held',
  )
  expect(await next).toBe('still held')
  expect(dead.reported.length).toBeGreaterThan(0)
})
