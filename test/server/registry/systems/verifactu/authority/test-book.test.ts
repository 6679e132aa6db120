/** A test book never opens a socket: its authority is in this process. */
import dns from 'node:dns'
import net from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { setRegistryStatus } from '../../../../../../server/sales/invoices/index.ts'
import { authorityOf, createRegistryJobs, sendBook } from '../../../../../../server/registry/index.ts'
import { openBooks } from '../../../../../support/books.ts'
import { makeServerCertificate } from '../../../../../support/files/certificates.ts'
import { connectsTried } from '../../../../../support/setup/network-guard.ts'
import { World } from '../../../../../support/world.ts'
import { amend, cancel } from '../../../../sales/invoices/steps.ts'

/** Counts from here on every call that could open a connection. */
function watchSockets(): () => number {
  const before = connectsTried()
  const spies = [
    vi.spyOn(net.Socket.prototype, 'connect'),
    vi.spyOn(dns, 'lookup'),
    vi.spyOn(dns.promises, 'lookup'),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return () => connectsTried() - before + spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

test.each([
  ['of real books', {}],
  [
    'of a sandbox that has a stand-in',
    { sandbox: true, standIn: { url: 'https://127.0.0.1:1/', caPem: makeServerCertificate().caPem } },
  ],
])(
  'a test book issues, sends, amends, annuls and queries without a socket: %s',
  async (_name, environment) => {
    const sockets = watchSockets()
    const world = await openBooks({ environment })
    const send = () => sendBook(world.env, world.books.test, setRegistryStatus)
    let clock = Date.parse('2026-11-21T10:00:00+01:00')
    const later = (): void => world.setTime(new Date((clock += 120_000)).toISOString())

    const kept = await world.invoice()
    const wrong = await world.invoice()
    await send()
    later()
    await amend(world, kept.id, { description: 'Con otra descripción' })
    await cancel(world, wrong.id)
    await send()
    later()
    await world.run('registry.send', {})
    await send()
    await world.run('registry.verify', {})
    const { items } = await world.run('registry.records', {})
    expect(items.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'cancellation accepted',
      'registration accepted',
      'registration accepted',
      'registration accepted',
    ])
    expect((await (await authorityOf(world.test)).query('<a/>')).kind).toBe('answered')
    expect(sockets()).toBe(0)
    // Proves that the count works: a call to a local port without a listener.
    await expect(
      new Promise((_, fail) => net.connect(1, '127.0.0.1').once('error', fail)),
    ).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(sockets()).toBeGreaterThan(0)
  },
)

test('the background jobs send what came over REST without a socket', async () => {
  const sockets = watchSockets()
  const world = new World({})
  onTestFinished(() => world.close())
  await world.open()
  await world.setUp()
  const { id } = await world.issue((await world.createDraft()).id)
  const jobs = createRegistryJobs({
    env: world.env,
    onStatus: setRegistryStatus,
    log: (line) => expect(line).toBe(''),
  })
  jobs.wake()
  await vi.waitFor(
    async () =>
      expect((await world.get(`/api/v1/invoices/${id}`)).body.data.registry.status).toBe('accepted'),
    { timeout: 15_000, interval: 20 },
  )
  await jobs.stop()
  expect(sockets()).toBe(0)
})
