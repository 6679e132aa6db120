/** The clock of an office: never ahead of the database's, never back, whatever this computer's clock says. */
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseClock } from '../../../../server/db/postgres/clock.ts'
import { createPools, openOfficeStore } from '../../../../server/db/postgres/store.ts'
import { giveBackDatabase, takeDatabase, testKey } from '../../../support/postgres/databases.ts'
import { dice } from '../../../support/seeded-random.ts'

test('a clock that runs fast or slow, and readings that travel for long, never lead it past the database', () => {
  const { below } = dice(41)
  const random = (): number => below(1_000_000) / 1_000_000
  for (const speed of [1 - 5e-5, 1, 1 + 5e-5]) {
    let real = 1_790_000_000_000
    let own = 123_456
    const pass = (ms: number): void => {
      real += ms
      own += ms * speed
    }
    const clock = new DatabaseClock(() => own)
    let last = 0
    let furthest = 0
    for (let reading = 0; reading < 2_000; reading += 1) {
      const sentAt = clock.tick
      // Most answers come at once; some waited for a lock.
      pass(random() < 0.1 ? random() * 5_000 : random())
      const answer = Math.floor(real)
      pass(random() < 0.1 ? random() * 50 : random())
      clock.observe(answer, sentAt)
      for (let look = 0; look < 3; look += 1) {
        const now = clock.now().getTime()
        expect(now).toBeLessThanOrEqual(real)
        expect(now).toBeGreaterThanOrEqual(last)
        last = now
        furthest = Math.max(furthest, real - now)
        pass(random() * 4_000)
      }
    }
    // Ten seconds of drift, and the way of an answer.
    expect(furthest).toBeLessThan(60)
  }
})

test('it follows a database whose clock was set', () => {
  let own = 0
  const clock = new DatabaseClock(() => own)
  expect(() => clock.now()).toThrow('has not been read')
  clock.observe(1_000_000, 0)
  expect(clock.now().getTime()).toBe(1_000_000)
  own = 10
  clock.observe(400_010, 10)
  expect(clock.now().getTime()).toBe(400_010)
})

test('a transaction that waits for its lock is dated after the one before it', async () => {
  const database = await takeDatabase()
  onTestFinished(() => giveBackDatabase(database))
  const { url } = database
  const open = async (away: number) => {
    const clock = new DatabaseClock(() => performance.now() + away)
    const pools = createPools({ url, connections: 2 })
    const store = await openOfficeStore({ url, pools, masterKey: testKey(), now: () => clock.now(), clock })
    onTestFinished(async () => {
      store.close()
      await Promise.all([pools.readers.end(), pools.writers.end()])
    })
    return { clock, store }
  }
  const [first, second] = [await open(-600_000), await open(600_000)]
  const dates: number[] = []
  const work = ({ clock, store }: typeof first): Promise<void> =>
    store.transaction(null, async () => {
      dates.push(clock.now().getTime())
      // Until the others wait for the lock.
      await new Promise((resolve) => setTimeout(resolve, 30))
      dates.push(clock.now().getTime())
    })
  await Promise.all([first, second, first, second, first, second].map(work))
  expect(dates).toEqual(dates.toSorted((a, b) => a - b))
  expect(Math.abs(dates[0]! - Date.now())).toBeLessThan(30_000)
  // 30 ms each, one after another: the lock held them apart.
  expect(dates.at(-1)! - dates[0]!).toBeGreaterThanOrEqual(90)
})
