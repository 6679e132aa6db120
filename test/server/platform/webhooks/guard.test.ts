/**
 * Messages never reach this computer or its network, whatever the spelling of the address, and whatever its name
 * resolves to the next time.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createRaw } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emitEvent } from '../../../../server/platform/events/index.ts'
import { createWebhookSender } from '../../../../server/platform/webhooks/jobs.ts'
import { BREACH_FILE, breaches } from '../../../support/setup/network-guard.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

/** Starts a server on this computer that nobody outside may reach: it counts connections, not requests. */
async function startVictim(): Promise<{ port: number; hits: () => number }> {
  let hits = 0
  const server = createRaw((socket) => {
    hits += 1
    socket.destroy()
  })
  server.listen(0, '::')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, hits: () => hits }
}

/** Returns spellings of an address of this computer, of its network, or of cloud metadata services. */
const spellings = (port: number): string[] => [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '0x7f.1',
    '127.0.0.1.',
    '１２７．０．０．１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'shop.localhost',
    'ｌｏｃａｌｈｏｓｔ',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    'user:pass@127.0.0.1',
    'hooks.example.com@127.0.0.1',
  ].map((host) => `https://${host}:${port}/hook`),
  `http://127.0.0.1:${port}/`,
  `http://hooks.example.com:${port}/`,
  `//127.0.0.1:${port}/`,
  `https:127.0.0.1:${port}`,
  `https:\\\\127.0.0.1:${port}\\`,
  'file:///etc/passwd',
  `ftp://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/`,
  'javascript:alert(1)',
  'data:text/plain,x',
  'https://hooks.example.com:22/',
  'https://hooks.example.com:25/',
]

const tell = (world: World): Promise<void> =>
  world
    .ctx()
    .transaction((tx) =>
      emitEvent(tx, 'invoice.issued', { invoiceId: tx.newId('inv'), number: 'T-F2026-0001' }),
    )

test('more than forty spellings are rejected when the webhook is created, and when its address changes', async () => {
  const world = await openWorld()
  const victim = await startVictim()
  const events = ['*']
  const made = await world.post('/api/v1/webhooks', { url: 'https://hooks.example.com/', events })
  const path = `/api/v1/webhooks/${made.body.data.id}`
  const urls = spellings(victim.port)
  expect(urls.length).toBeGreaterThan(40)
  for (const url of urls) {
    for (const answer of [
      await world.post('/api/v1/webhooks', { url, events }),
      await world.patch(path, { url }),
    ])
      // Some are not addresses at all by the contract; none is accepted.
      expect([answer.status, answer.body.error?.code], url).toEqual([
        422,
        expect.stringMatching(/^(?:webhook_address_refused|validation_failed)$/),
      ])
  }
  expect((await world.get('/api/v1/webhooks')).body.data.items).toHaveLength(1)
  expect(victim.hits()).toBe(0)
})

test('a forbidden address stored in another way is rejected when a message is sent', async () => {
  const world = await openWorld()
  const victim = await startVictim()
  const asked: string[] = []
  const { id } = await world.run('webhooks.create', { url: 'https://hooks.example.com/', events: ['*'] })
  const sender = createWebhookSender({
    env: world.env,
    log: () => {},
    resolve: async (name) => {
      asked.push(name)
      return ['127.0.0.1']
    },
  })
  for (const url of spellings(victim.port)) {
    await world.env.store.transaction(null, (db) => db.updateTable('webhooks').set({ url }).execute())
    await tell(world)
    await sender.poll()
    await sender.quiet()
    const [newest] = (await world.run('webhooks.deliveries', { id, limit: 1 })).items
    expect(newest, url).toMatchObject({
      state: 'due',
      attempts: 1,
      reason: expect.stringMatching(/^address_/),
    })
  }
  expect(victim.hits()).toBe(0)
  expect(asked.filter((name) => !name.startsWith('hooks.example.com'))).toEqual([])
})

test('a name that changes to this computer after the check is resolved once, and the checked address is used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-rebind-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'breaches')
  const said = execFileSync(process.execPath, [join(import.meta.dirname, 'rebind-child.ts')], {
    // It has its own file of violations, which the test reads.
    env: { ...process.env, [BREACH_FILE]: file },
    encoding: 'utf8',
  })
  expect(JSON.parse(said)).toEqual({
    hits: 0,
    asked: 2,
    faults: ['unavailable connection', 'address private_address'],
  })
  expect(breaches(file)).toEqual([expect.stringContaining('93.184.216.34')])
})

test.each<[string, string[]]>([
  ['is this computer', ['127.0.0.1']],
  ['is this computer by its other address', ['::1']],
  ['is this computer, dressed up', ['::ffff:127.0.0.1']],
  ['has one public address and one of this computer', ['93.184.216.34', '127.0.0.1']],
  ['has a public address and, by IPv6, this computer', ['93.184.216.34', '::1']],
  ['has a public IPv6 address and this computer', ['2606:2800:220:1::1', '127.0.0.1']],
  ['is in the network here', ['192.168.1.20']],
  ['is where clouds keep their secrets', ['169.254.169.254']],
  ['is nowhere', []],
])('a name that %s is not reached', async (_name, addresses) => {
  const world = await openWorld()
  const victim = await startVictim()
  let asked = 0
  const { id } = await world.run('webhooks.create', {
    url: `https://hooks.example.com:${victim.port}/`,
    events: ['*'],
  })
  const sender = createWebhookSender({
    env: world.env,
    log: () => {},
    resolve: async () => {
      asked += 1
      return addresses
    },
  })
  await tell(world)
  for (let times = 0; times < 3; times++) {
    await sender.poll()
    await sender.quiet()
    world.advance(3_600_000)
  }
  const [delivery] = (await world.run('webhooks.deliveries', { id })).items
  expect(delivery).toMatchObject({
    state: 'due',
    attempts: 3,
    reason: addresses.length === 0 ? 'ENOTFOUND' : 'address_private_address',
  })
  expect(asked).toBe(3)
  expect(victim.hits()).toBe(0)
})

test('a redirect to this computer is not followed', async () => {
  const world = await openWorld()
  const victim = await startVictim()
  const locations = [301, 302, 303, 307, 308].map((status) => ({
    status,
    to: `http://127.0.0.1:${victim.port}/`,
  }))
  let nth = 0
  const server = createServer((_request, response) => {
    const { status, to } = locations[nth++ % locations.length]!
    response.writeHead(status, { location: to }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { id } = await world.run('webhooks.createByPerson', {
    url: `http://127.0.0.1:${port}/`,
    events: ['*'],
    allowLocal: true,
  })
  const sender = createWebhookSender({ env: world.env, log: () => {} })
  for (let times = 0; times < locations.length; times++) await tell(world)
  await sender.poll()
  await sender.quiet()
  expect((await world.run('webhooks.deliveries', { id })).items.map(({ reason }) => reason)).toEqual(
    locations.map(() => 'redirect'),
  )
  expect(nth).toBe(locations.length)
  expect(victim.hits()).toBe(0)
})
