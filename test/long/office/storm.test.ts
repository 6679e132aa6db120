/** Three servers and 96 clients on one company and on 300, also while a server is killed, and with other clocks. */
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CLIENTS_PER_SERVER, makeStorm, STORM_SECONDS } from '../../support/office/storm.ts'

const SERVERS = 3
const CLIENTS = SERVERS * CLIENTS_PER_SERVER
const MANY = Number(process.env.SELLO_STORM_COMPANIES ?? 300)
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

test.each([1, MANY])('three servers and 96 clients on %i companies', async (companies) => {
  const storm = await makeStorm(companies)
  await Promise.all(Array.from({ length: SERVERS }, () => storm.startServer()))
  const seconds = await storm.blow(CLIENTS)
  console.log(`storm on ${companies} companies: ${storm.seen.line(seconds)}`)
  expect([...storm.seen.refused]).toEqual([])
  await storm.whenSent()
  await storm.check()
})

test('a server is killed in the middle, and a new one takes over', async () => {
  const storm = await makeStorm()
  await Promise.all(Array.from({ length: SERVERS }, () => storm.startServer()))
  let killedAt = 0
  const seconds = await storm.blow(CLIENTS, async () => {
    await pause(STORM_SECONDS * 400)
    killedAt = performance.now()
    await storm.servers[1]!.child.kill()
    await pause(STORM_SECONDS * 200)
    const next = await storm.startServer()
    storm.servers.splice(1, 1)
    expect(storm.servers).toContain(next)
  })
  console.log(
    `storm with a killed server: ${storm.seen.line(seconds)}; next invoice ${storm.seen.firstAfter(killedAt)} ms after the kill`,
  )
  // Who was connected to the dead server; nobody else is refused.
  for (const [what] of storm.seen.refused) expect(what).toMatch(/^0 |idempotency_in_progress/)
  await storm.whenSent()
  await storm.check({ killed: true })
})

test.runIf(existsSync(FAKETIME))('servers whose clocks are ten minutes apart issue in turn', async () => {
  const storm = await makeStorm()
  for (const offset of ['+0', '+10m', '-10m'])
    await storm.startServer({
      env:
        offset === '+0' ? {} : { LD_PRELOAD: FAKETIME, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
    })
  const dates = await Promise.all(
    storm.servers.map(async ({ url }) =>
      Date.parse((await fetch(`${url}/health`)).headers.get('date') ?? ''),
    ),
  )
  const seconds = await storm.blow(CLIENTS)
  console.log(
    `storm with clocks apart by ${dates.map((date) => Math.round((date - Date.now()) / 60_000)).join(', ')} minutes: ${storm.seen.line(seconds)}`,
  )
  expect([...storm.seen.refused]).toEqual([])
  await storm.whenSent()
  await storm.check()
})
