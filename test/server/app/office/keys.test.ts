/** A key that is revoked on one server is refused on the others, and its open streams end. */
import { expect, test } from 'vitest'
import { openOfficeOf } from '../../../support/postgres/office.ts'
import type { OfficeServer } from '../../../support/postgres/office.ts'
import { modern } from '../../api/mcp/wires.ts'

const LATEST_MS = 5_000

/** Resolves to the time at which the body ends. */
async function endOf(body: ReadableStream<Uint8Array>): Promise<number> {
  const reader = body.getReader()
  for (;;) {
    const { done } = await reader.read().catch(() => ({ done: true }))
    if (done) return performance.now()
  }
}

async function revokeWhileUsed(isNoticeLost: boolean): Promise<Record<'requests' | 'events', number>> {
  const office = await openOfficeOf(2)
  const [first, second] = office.servers as [OfficeServer, OfficeServer]
  const { test: book } = await office.company()
  const { key, id } = await office.key(book)
  const base = await second.listen()
  const authorization = `Bearer ${key}`
  const events = await fetch(`${base}/api/v1/events/stream`, { headers: { authorization } })
  expect(events.status).toBe(200)
  if (isNoticeLost) first.env.servers = { ...first.env.servers!, tell: () => {} }
  let isOver = false
  const ended = endOf(events.body!).finally(() => (isOver = true))
  const statusOf = async (): Promise<number> =>
    (await fetch(`${base}/api/v1/companies/current`, { headers: { authorization } })).status
  // Cached there from now on.
  expect(await statusOf()).toBe(200)
  expect(isOver).toBe(false)
  await first.run('keys.revoke', { id }, book)
  const revokedAt = performance.now()
  while ((await statusOf()) === 200) await new Promise((resolve) => setTimeout(resolve, 20))
  const requests = performance.now() - revokedAt
  const endedAt = await ended
  expect(await statusOf()).toBe(401)
  expect(second.logged.filter((line) => line.includes('"bug"'))).toEqual([])
  return { requests, events: Math.max(0, endedAt - revokedAt) }
}

const shown = (times: object): string =>
  Object.entries(times)
    .map(([what, ms]) => `${what} ${Math.round(ms as number)} ms`)
    .join(', ')

test('within two seconds by a notice', async () => {
  const times = await revokeWhileUsed(false)
  console.info(`A revoked key by a notice: ${shown(times)}.`)
  for (const ms of Object.values(times)) expect(ms).toBeLessThan(2_000)
})

test('within five seconds if the notice is lost', async () => {
  const times = await revokeWhileUsed(true)
  console.info(`A revoked key without a notice: ${shown(times)}.`)
  for (const ms of Object.values(times)) expect(ms).toBeLessThan(LATEST_MS)
})

test('an assistant has no stream that its key could outlive: waiting for changes of lists ends at once', async () => {
  const office = await openOfficeOf(1)
  const { test: book } = await office.company()
  const { key } = await office.key(book)
  const base = await office.servers[0]!.listen()
  const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
  const answer = await fetch(`${base}/api/mcp/svc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...listen.headers },
    body: JSON.stringify(listen.body),
  })
  expect(await answer.text()).toContain('"resultType":"complete"')
})
