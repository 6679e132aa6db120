/** Rate limits of several servers: one quota for all of them, which a restart does not renew. */
import { expect, test } from 'vitest'
import { limitsOf } from '../../../../server/api/rate-limits/index.ts'
import { openOfficeOf } from '../../../support/postgres/office.ts'
import type { Office, OfficeServer } from '../../../support/postgres/office.ts'

const QUOTA = 60
/** With three servers: a tenth of the quota for each. */
const MOST = QUOTA * 1.3

async function limitedOffice(): Promise<{ office: Office; key: string }> {
  const office = await openOfficeOf(1)
  const { test: book } = await office.company()
  const { key } = await office.key(book)
  const policy = JSON.stringify({ plan: 'standard', overrides: { read: QUOTA } })
  await office.database.admin.query("insert into settings (name, value) values ('limits', $1)", [policy])
  // They read the plan when they start.
  await office.start()
  await office.start()
  await office.servers.shift()!.close()
  await office.start()
  return { office, key }
}

async function statusOf(server: OfficeServer, key: string): Promise<number> {
  return (await server.ask('GET', '/companies/current', key)).statusCode
}

test('three servers together accept one quota, within a tenth for each of them', async () => {
  const { office, key } = await limitedOffice()
  const { servers } = office
  let accepted = 0
  let asked = 0
  // Some hundred requests a second, whichever server answers.
  const client = async (): Promise<void> => {
    while (asked < QUOTA * 3) {
      const server = servers[(asked += 1) % servers.length]!
      if ((await statusOf(server, key)) === 200) accepted += 1
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await Promise.all(Array.from({ length: 6 }, client))
  console.info(`${servers.length} servers: ${accepted} of ${asked} requests accepted, quota ${QUOTA}.`)
  expect(accepted).toBeGreaterThanOrEqual(QUOTA)
  expect(accepted).toBeLessThanOrEqual(MOST)

  // A restart, and a server that is new: both know it with the second request.
  await servers.shift()!.close()
  const fresh = await office.start()
  await statusOf(fresh, key)
  await expect.poll(() => statusOf(fresh, key)).toBe(429)
  const left = await servers[0]!.ask('GET', '/limits', key)
  expect(left.statusCode).toBe(429)
  expect(Number(left.headers['retry-after'])).toBeLessThanOrEqual(60)
})

test('a burst at all servers at once is held to the same', async () => {
  const { office, key } = await limitedOffice()
  const all = office.servers.flatMap((server) => Array.from({ length: QUOTA }, () => statusOf(server, key)))
  const accepted = (await Promise.all(all)).filter((status) => status === 200).length
  console.info(`In one burst: ${accepted} of ${all.length} requests accepted, quota ${QUOTA}.`)
  expect(accepted).toBeGreaterThanOrEqual(QUOTA)
  expect(accepted).toBeLessThanOrEqual(MOST)
})

test('without an answer of the database each server counts by itself, and tells it later', async () => {
  const { office } = await limitedOffice()
  const { writers } = office.database.pools
  const { counters } = limitsOf(office.servers[0]!.env)
  await office.database.admin.query('alter table request_counts rename to request_counts_away')
  const taken = Array.from({ length: QUOTA + 5 }, () => counters.take('key_unknown', 'read'))
  const states = await Promise.all(taken)
  await office.database.admin.query('alter table request_counts_away rename to request_counts')
  const accepted = states.filter(({ retryAfterSeconds }) => retryAfterSeconds === null).length
  expect(accepted).toBe(QUOTA)
  const counted = async (): Promise<unknown> =>
    (await writers.query('select used from request_counts where name = $1', ['read key_unknown'])).rows
  await expect.poll(counted).toEqual([{ used: QUOTA + 5 }])
})

test('invalid keys are counted together', async () => {
  const office = await openOfficeOf(3)
  const statuses = []
  for (let round = 0; round < 8; round += 1)
    for (const server of office.servers) statuses.push(await statusOf(server, 'svc_test_wrong'))
  await expect.poll(() => statusOf(office.servers[2]!, 'svc_test_wrong')).toBe(429)
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(20)
})
