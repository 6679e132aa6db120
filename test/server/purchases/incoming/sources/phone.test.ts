/** Photos from a phone: one address, one token, one phone, uploads only, and an end. */
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ownAddresses } from '../../../../../server/purchases/incoming/sources/phone/addresses.ts'
import { endPhone } from '../../../../../server/purchases/incoming/sources/phone/session.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'
import { pdfOf } from './dovecot.ts'

interface Asked {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: Uint8Array
  from?: string
}

/** Asks the phone's listener. */
function ask(url: string, { method = 'GET', path, headers = {}, body, from }: Asked = {}) {
  const target = new URL(url)
  return new Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      const asking = request(
        {
          host: target.hostname,
          port: target.port,
          path: path ?? target.pathname,
          method,
          headers,
          ...(from ? { localAddress: from } : {}),
        },
        (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              body: Buffer.concat(parts).toString('utf8'),
              headers: answer.headers,
            }),
          )
        },
      )
      asking.on('error', reject)
      asking.end(body)
    },
  )
}

const upload = (url: string, name: string, bytes: Uint8Array, headers: Record<string, string> = {}) =>
  ask(url, {
    method: 'POST',
    path: `${new URL(url).pathname}/files?name=${encodeURIComponent(name)}`,
    headers: { Origin: new URL(url).origin, ...headers },
    body: bytes,
  })

async function open(language: 'es' | 'en' = 'es'): Promise<{ world: World; url: string }> {
  const world = await openWorld()
  world.env.sandbox = true
  world.env.window.pages = 1
  onTestFinished(() => endPhone(world.env, 'person'))
  const { open: opened } = await world.run('incoming.openPhone', { address: '127.0.0.1', language })
  return { world, url: opened!.url }
}

/** Nothing listens, or closes at once what it had accepted. */
const GONE = /ECONNREFUSED|ECONNRESET|hang up/

const state = (world: World) => world.run('incoming.phone', {})

test('a phone hands photos in, and both sides say what became of them', async () => {
  const { world, url } = await open()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}$/)
  expect((await state(world)).open).toMatchObject({ isConnected: false, uploads: [] })
  const page = await ask(url)
  expect(page.status).toBe(200)
  expect(page.body).toContain('Hacer fotos o elegir archivos')
  expect(page.body).not.toMatch(/(?:src|href)\s*=/)
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'sha256-/)
  expect((await state(world)).open).toMatchObject({ isConnected: true })
  expect(JSON.parse((await upload(url, '../../foto.pdf', pdfOf(1))).body)).toEqual({ state: 'added' })
  expect(JSON.parse((await upload(url, 'otra.pdf', pdfOf(1))).body)).toEqual({ state: 'known' })
  expect((await upload(url, 'programa.pdf', Buffer.from('MZ\u0090\0'))).status).toBe(415)
  expect((await state(world)).open!.uploads.map(({ name, state: is }) => [name, is])).toEqual([
    ['programa.pdf', 'refused'],
    ['otra.pdf', 'known'],
    ['foto.pdf', 'added'],
  ])
  expect((await world.run('incoming.list', {})).items).toMatchObject([{ name: 'foto.pdf', source: 'phone' }])
  const english = await open('en')
  expect((await ask(english.url)).body).toContain('Take photos or choose files')
})

test('only uploads of the page itself are answered', async () => {
  const { world, url } = await open()
  const { host, origin, pathname } = new URL(url)
  const early = await upload(url, 'antes.pdf', pdfOf(1))
  expect(early.status).toBe(404)
  expect((await ask(url)).status).toBe(200)
  const refused: Asked[] = [
    { path: '/' },
    { path: `/${'a'.repeat(22)}` },
    { path: `${pathname}/` },
    { path: `${pathname}/files` },
    { path: `${pathname}/files/1` },
    { path: '/api/v1/incoming-documents' },
    { headers: { Host: 'malo.example' } },
    { headers: { Host: `localhost:${host.split(':')[1]}` } },
    { method: 'POST', path: `${pathname}/files?name=a`, body: pdfOf(2) },
    {
      method: 'POST',
      path: `${pathname}/files?name=a`,
      body: pdfOf(2),
      headers: { Origin: 'http://malo.example' },
    },
    { method: 'DELETE', path: `${pathname}/files?name=a`, headers: { Origin: origin } },
  ]
  for (const each of refused) expect([each, (await ask(url, each)).status]).toEqual([each, 404])
  // Another phone does not get in with the same code.
  expect((await ask(url, { from: '127.0.0.2' })).status).toBe(404)
  expect((await upload(url, 'buena.pdf', pdfOf(3))).status).toBe(200)
  expect((await world.run('incoming.list', {})).items).toHaveLength(1)
})

test('whoever guesses gets no answer any more', async () => {
  const { url } = await open()
  const statuses: number[] = []
  for (let index = 0; index < 22; index++)
    statuses.push((await ask(url, { path: `/guess-${index}`, from: '127.0.0.3' })).status)
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 404))
  expect(statuses.slice(20)).toEqual([429, 429])
  expect((await ask(url)).status).toBe(200)
})

test(
  'a file of more than 20 MB is refused, and after 20 files the opening ends',
  { timeout: 60_000 },
  async () => {
    const { world, url } = await open()
    await ask(url)
    const large = await upload(url, 'grande.pdf', new Uint8Array(20 * 1024 * 1024 + 1)).catch(() => ({
      status: 413,
    }))
    expect(large.status).toBe(413)
    for (let index = 0; index < 20; index++)
      expect((await upload(url, `${index}.pdf`, pdfOf(index))).status).toBe(200)
    for (let wait = 0; wait < 50 && (await state(world)).open; wait++) await pause(20)
    expect(await state(world)).toMatchObject({ open: null, closed: 'files' })
    await expect(ask(url)).rejects.toThrow(GONE)
    expect((await world.run('incoming.list', {})).items).toHaveLength(20)
  },
)

test.each([
  ['a person closes it', 'person', (world: World) => world.run('incoming.closePhone', {})],
  ['the time is over', 'time', (world: World) => world.advance(10 * 60_000)],
  [
    'the window is closed or locked',
    'window',
    (world: World) => {
      world.env.window.pages = 0
    },
  ],
])('it ends when %s', { timeout: 20_000 }, async (_name, why, end) => {
  const { world, url } = await open()
  expect((await ask(url)).status).toBe(200)
  await end(world)
  for (let wait = 0; wait < 120 && (await state(world)).open; wait++) await pause(100)
  expect(await state(world)).toMatchObject({ open: null, closed: why })
  await expect(ask(url)).rejects.toThrow(GONE)
})

test('of two openings at the same time one listens', async () => {
  const listening = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
  const before = listening()
  const { world } = await open()
  await Promise.all([
    world.run('incoming.openPhone', { address: '127.0.0.1' }),
    world.run('incoming.openPhone', { address: '127.0.0.1' }),
  ])
  await expect.poll(listening).toBe(before + 1)
  await world.run('incoming.closePhone', {})
  await expect.poll(listening).toBe(before)
})

test('a new opening has another address, and only private addresses can be chosen', async () => {
  const { world, url } = await open()
  const second = (await world.run('incoming.openPhone', { address: '127.0.0.1' })).open!.url
  expect(new URL(second).pathname).not.toBe(new URL(url).pathname)
  await expect(ask(url)).rejects.toThrow(GONE)
  for (const address of ['0.0.0.0', '8.8.8.8', 'localhost'])
    await expect(world.run('incoming.openPhone', { address })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  world.env.sandbox = false
  await expect(world.run('incoming.openPhone', { address: '127.0.0.1' })).rejects.toMatchObject({
    code: 'validation_failed',
  })
  const of = (address: string, internal = false) => ({
    address,
    internal,
    family: 'IPv4' as const,
    netmask: '',
    mac: '',
    cidr: null,
  })
  expect(
    ownAddresses({
      lo: [of('127.0.0.1', true)],
      docker0: [of('172.17.0.1')],
      eth0: [of('203.0.113.5'), of('192.168.1.20')],
    }),
  ).toEqual([
    { address: '192.168.1.20', network: 'eth0' },
    { address: '172.17.0.1', network: 'docker0' },
  ])
})
