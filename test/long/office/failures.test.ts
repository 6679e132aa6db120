/** Load on an office while its database dies, while a replica takes over, and while a connection stands still. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { CLIENTS_PER_SERVER, makeStorm, STORM_SECONDS } from '../../support/office/storm.ts'
import type { Storm } from '../../support/office/storm.ts'
import { TcpProxy } from '../../support/office/tcp-proxy.ts'
import type { Direction } from '../../support/office/tcp-proxy.ts'

const SERVERS = 3
const CLIENTS = SERVERS * CLIENTS_PER_SERVER
const COMPANIES = 6
/** A connection is still for this long: longer than the database lets a transaction stand idle. */
const STILL_MS = 20_000
/** Within the limits: the end of the driver's patience, and then of what the outcome of a commit is asked for. */
const LONGEST_ANSWER_MS = 45_000
const IDLE_MS = 5_000

/** Answers of a database that is away: the work was not done, or the outcome could not be asked. */
const AWAY = /^503 store_readonly|^503 store_busy|^0 |idempotency_in_progress/

function expectOnlyAway(storm: Storm): void {
  for (const [what] of storm.seen.refused) expect(what).toMatch(AWAY)
}

test('the database is killed twice and started again', async () => {
  const storm = await makeStorm(COMPANIES)
  await Promise.all(Array.from({ length: SERVERS }, () => storm.startServer()))
  const backMs: number[] = []
  const seconds = await storm.blow(CLIENTS, async () => {
    for (let time = 0; time < 2; time += 1) {
      await pause(STORM_SECONDS * 300)
      await storm.cluster.kill()
      await pause(1_000)
      await storm.cluster.start()
      const startedAt = performance.now()
      await expect.poll(() => storm.seen.firstAfter(startedAt), { timeout: 60_000 }).toBeLessThan(1e9)
      backMs.push(storm.seen.firstAfter(startedAt))
    }
  })
  console.log(
    `storm with a killed database: ${storm.seen.line(seconds)}; first invoices ${backMs.join(' and ')} ms after its start`,
  )
  expectOnlyAway(storm)
  for (const { child } of storm.servers) expect(child.process.exitCode).toBeNull()
  await storm.whenSent()
  await storm.check({ killed: true })
})

test('a synchronous replica takes over', async () => {
  const storm = await makeStorm(COMPANIES)
  const proxy = new TcpProxy(storm.cluster.port)
  onTestFinished(() => proxy.close())
  const port = await proxy.listen()
  const replica = await storm.cluster.startReplica()
  onTestFinished(() => replica.stop())
  await Promise.all(Array.from({ length: SERVERS }, () => storm.startServer({ port })))
  let killedAt = 0
  const seconds = await storm.blow(CLIENTS, async () => {
    await pause(STORM_SECONDS * 400)
    killedAt = performance.now()
    await storm.cluster.kill()
    await storm.useCluster(replica)
    await storm.admin.query('select pg_promote(true)')
    proxy.leadTo(replica.port)
  })
  console.log(
    `storm with a promoted replica: ${storm.seen.line(seconds)}; first invoice ${storm.seen.firstAfter(killedAt)} ms after the kill`,
  )
  expectOnlyAway(storm)
  await storm.whenSent()
  await storm.check({ killed: true })
})

interface Idle {
  pid: number
  transaction: string
}

test.each<Direction>(['statements', 'answers', 'both'])(
  'a connection stands still: %s',
  async (direction) => {
    const storm = await makeStorm()
    const proxy = new TcpProxy(storm.cluster.port)
    onTestFinished(() => proxy.close())
    const port = await proxy.listen()
    const still = await storm.startServer({ port })
    await storm.startServer()
    // Those of the two servers apart: each client stays with its server.
    storm.stays = true
    let stillAt = 0
    let others = 0
    let held: Idle | undefined
    let answeredMs = 0
    const seconds = await storm.blow(
      16,
      async () => {
        await pause(3_000)
        // Until the one that stands still holds the lock of the company.
        for (let tries = 0; !held && tries < 200; tries += 1) {
          proxy.freeze(direction)
          stillAt = performance.now()
          await pause(300)
          const { rows } = await storm.admin.query<Idle>(
            `select pid, backend_xid::text as transaction from pg_stat_activity
          where state = 'idle in transaction' and backend_xid is not null and state_change < clock_timestamp() - interval '250 ms'`,
          )
          held = rows[0]
          if (held) break
          proxy.thaw()
          await pause(100 + tries)
        }
        await expect.poll(() => storm.confirmedBy(1, stillAt + 1_000), { timeout: 30_000 }).toBeLessThan(1e9)
        others = storm.confirmedBy(1, stillAt + 1_000) + 1_000
        await pause(Math.max(0, STILL_MS - (performance.now() - stillAt)))
        proxy.thaw()
        answeredMs = performance.now()
        await expect.poll(() => storm.confirmedBy(0, answeredMs), { timeout: 60_000 }).toBeLessThan(1e9)
        answeredMs = storm.confirmedBy(0, stillAt)
      },
      10,
    )
    console.log(
      `connection that stands still (${direction}): ${storm.seen.line(seconds)}; others go on after ${Math.round(others)} ms, its own next invoice after ${Math.round(answeredMs)} ms`,
    )
    expect(held).toBeDefined()
    expect(storm.seen.longestCallMs).toBeLessThan(LONGEST_ANSWER_MS)
    expect(others).toBeLessThan(IDLE_MS + 5_000)
    // What it held was not committed.
    const { rows } = await storm.admin.query<{ status: string }>(
      `select pg_xact_status(((pg_current_xact_id()::text::bigint >> 32 << 32) + $1::bigint)::text::xid8) as status`,
      [held?.transaction],
    )
    expect(rows).toEqual([{ status: 'aborted' }])
    expectOnlyAway(storm)
    expect(still.child.process.exitCode).toBeNull()
    await storm.whenSent()
    await storm.check({ killed: true })
  },
)
