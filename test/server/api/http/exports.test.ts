/** Archives over HTTP: produced while they are sent, at the speed of the reader, and only as long as there is one. */
import { ENGINE } from '../../../support/postgres/databases.ts'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { unzipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import type { StreamAnswer } from '../../../../server/domain/contract/fields.ts'
import { createServer, EventFeed, OwnAddress } from '../../../../server/api/http/index.ts'
import type { LogEntry } from '../../../../server/platform/log.ts'
import { loadedEntry, loadOperations } from '../../../../server/api/operations.ts'
import { openWorld, PORT } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const operations = await loadOperations()

async function ready(world: World, path: string): Promise<void> {
  await expect
    .poll(async () => (await world.get(path)).body.data.state, { interval: 20, timeout: 20_000 })
    .toBe('ready')
}

test('an export is prepared, polled, downloaded over REST or the window, and known after a restart to an office alone', async () => {
  const world = await openWorld()
  const issued = [
    await world.issue((await world.createDraft()).id),
    await world.issue((await world.createDraft()).id),
  ]
  const made = await world.post('/api/v1/exports', { filter: { text: 'Ana Ruiz' } })
  expect([made.status, made.body.data.total]).toEqual([201, 2])
  const path = String(made.headers.location)
  expect(path).toBe(`/api/v1/exports/${made.body.data.id}`)
  // It waits for the first export, so that it cannot be ready yet.
  const second = await world.post('/api/v1/exports', { ids: [issued[0]!.id] })
  const early = await world.get(`${second.headers.location}/file`)
  expect([early.status, early.body.error.code]).toEqual([409, 'export_not_ready'])

  await ready(world, path)
  const archive = await world.get(`${path}/file`)
  expect(archive.status).toBe(200)
  expect(archive.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="facturas-pdf-2026-07-01.zip"',
    'cache-control': 'no-store',
  })
  const files = unzipSync(new Uint8Array(archive.raw.rawPayload))
  expect(Object.keys(files)).toEqual([...issued.map(({ number }) => `${number}.pdf`), 'indice.csv'])
  for (const { id, number } of issued) {
    const own = await world.get(`/api/v1/invoices/${id}/pdf`)
    expect(own.raw.rawPayload.equals(Buffer.from(files[`${number}.pdf`]!))).toBe(true)
  }
  const inWindow = await world.call('exports.file', { id: made.body.data.id })
  expect(unzipSync(new Uint8Array(inWindow.raw.rawPayload))).toEqual(files)

  expect((await world.delete(path)).body.data).toEqual({ deleted: true })
  expect((await world.get(path)).status).toBe(404)
  const third = await world.post('/api/v1/exports', { ids: [issued[0]!.id] })
  await world.restart()
  // An office keeps them in rows, for its other servers.
  const after = await world.get(String(third.headers.location))
  if (ENGINE === 'sqlite') expect(after.body.error.code).toBe('not_found')
  else expect(after.body.data).toMatchObject({ total: 1 })
  expect(world.logged).toEqual([])
})

test('a repeated request returns the same export, recorded once in the history', async () => {
  const world = await openWorld()
  const { id } = await world.issue((await world.createDraft()).id)
  const asking = { headers: { 'idempotency-key': 'once' } }
  const send = () => world.post('/api/v1/exports', { ids: [id], format: 'ubl' }, asking)
  const [first, again] = [await send(), await send()]
  expect(again.body.data).toEqual(first.body.data)
  expect(again.headers['idempotency-replayed']).toBe('true')
  await ready(world, String(first.headers.location))
  const { items } = await world.run('audit.list', { limit: 50 })
  expect(items.filter(({ action }) => action === 'documents.exported')).toHaveLength(1)
})

interface Served {
  port: number
  logged: LogEntry[]
}

/** Starts a server on a real port whose archives are the given bytes. */
async function serving(stream: () => AsyncIterable<Uint8Array>): Promise<Served> {
  const world = await openWorld()
  const logged: LogEntry[] = []
  const address = new OwnAddress(PORT)
  const key = await world.makeKey()
  const app: FastifyInstance = await createServer({
    env: world.env,
    operations: operations.map((operation) =>
      loadedEntry(
        operation.contract.name === 'exports.file'
          ? {
              ...operation,
              run: async (): Promise<StreamAnswer> => ({ stream: stream(), fileName: 'a.zip' }),
            }
          : operation,
      ),
    ),
    address,
    windowToken: 'w',
    uiDir: null,
    findKey: async () => ({
      book: world.books.test,
      actor: {
        kind: 'key',
        companyId: 1,
        rowId: 1,
        id: key.id,
        rootId: key.id,
        name: 'k',
        prefix: '',
        scopes: ['invoices.read'],
        approval: 'always',
        assistant: false,
        expiresAt: null,
        perDay: null,
        centsPerDay: null,
      },
    }),
    findBook: async () => null,
    feed: new EventFeed(),
    log: (entry) => logged.push(entry),
    openApiJson: async () => '{}',
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const listening = app.server.address()
  if (listening === null || typeof listening === 'string') throw new Error('The server has no port.')
  address.setPort(listening.port)
  return { port: listening.port, logged }
}

function download({ port }: Served): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer x' }
    request({ host: '127.0.0.1', port, path: '/api/v1/exports/exp_1/file', headers }, resolve)
      .once('error', reject)
      .end()
  })
}

const PIECE = 64 * 1024

test('nothing is produced ahead of a slow reader, nor for one that has disconnected', async () => {
  let made = 0
  let ended = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (; ; made += 1) yield Buffer.alloc(PIECE, made)
    } finally {
      ended = true
    }
  }
  const answer = await download(await serving(endless))
  expect(answer.statusCode).toBe(200)
  // The sockets of both sides buffer some megabytes; then the transfer stalls.
  await expect
    .poll(
      async () => {
        const before = made
        await wait(150)
        return made - before
      },
      { timeout: 10_000 },
    )
    .toBe(0)
  expect(made).toBeGreaterThan(0)
  expect(made).toBeLessThan(1000)
  expect(ended).toBe(false)
  answer.destroy()
  await expect.poll(() => ended).toBe(true)
  const atTheEnd = made
  await wait(50)
  expect(made).toBe(atTheEnd)
})

test('a failure during the download aborts it and is logged, so that a partial file cannot pass for a complete one', async () => {
  async function* breaking(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(PIECE)
    await wait(20)
    throw new Error('the store is gone')
  }
  const served = await serving(breaking)
  const answer = await download(served)
  await expect(
    (async () => {
      for await (const _ of answer) continue
    })(),
  ).rejects.toThrow('aborted')
  expect(served.logged.map(({ event, error }) => [event, (error as Error).message])).toEqual([
    ['bug', 'the store is gone'],
  ])
})

test('a failure before the first byte is a normal error answer', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    throw new Error('nothing there')
    yield Buffer.alloc(1)
  }
  const served = await serving(broken)
  const answer = await download(served)
  let text = ''
  for await (const piece of answer) text += String(piece)
  expect(answer.statusCode).toBe(500)
  expect(JSON.parse(text).error.code).toBe('internal')
  expect(served.logged).toHaveLength(1)
})
