/** REST features for kinds of operations that the program does not have today, or that would make a test too slow. */
import { once } from 'node:events'
import { request } from 'node:http'
import type { ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { onTestFinished, expect, test } from 'vitest'
import { z } from 'zod'
import { findKey } from '../../../../server/api/application.ts'
import { defineContract } from '../../../../server/domain/contract/define-contract.ts'
import { BytesAnswer, StreamAnswer } from '../../../../server/domain/contract/fields.ts'
import type { AnyContract } from '../../../../server/domain/contract/define-contract.ts'
import { createServer, EventFeed, OwnAddress } from '../../../../server/api/http/index.ts'
import { limitsOf } from '../../../../server/api/rate-limits/index.ts'
import { openApiDocument } from '../../../../server/api/openapi/openapi.ts'
import { loadedEntry } from '../../../../server/api/operations.ts'
import type { Operation } from '../../../../server/context.ts'
import { openWorld, PORT } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

async function serverWith(
  world: World,
  operations: readonly Operation[],
  address = new OwnAddress(PORT),
): Promise<FastifyInstance> {
  const app = await createServer({
    env: world.env,
    operations: operations.map(loadedEntry),
    address,
    windowToken: world.windowToken,
    uiDir: null,
    findKey,
    findBook: async () => world.books.test,
    feed: new EventFeed(),
    log: (entry) => world.logged.push(JSON.stringify(entry)),
    openApiJson: async () => '{}',
  })
  onTestFinished(() => app.close())
  return app
}

const nothing = { access: 'company.read', effect: 'read', input: z.strictObject({}), errors: [] } as const

const keyed = async (world: World) => ({
  host: `127.0.0.1:${PORT}`,
  authorization: `Bearer ${await world.key()}`,
})

test('an internal error reports the limits', async () => {
  const world = await openWorld()
  const contract = defineContract({
    ...nothing,
    name: 'company.broken',
    summary: 'Breaks.',
    rest: { method: 'GET', path: '/broken' },
    output: z.strictObject({}),
  })
  const app = await serverWith(world, [
    {
      contract,
      run: async () => {
        throw new Error('broken')
      },
    },
  ])
  const answer = await app.inject({ url: '/api/v1/broken', headers: await keyed(world) })
  expect(answer.statusCode).toBe(500)
  expect(answer.headers.ratelimit).toMatch(/^"beta-read";r=\d+;t=\d+$/)
  expect(answer.headers['ratelimit-policy']).toBe('"beta-read";q=1000000;w=60')
})

const OLD: AnyContract = defineContract({
  ...nothing,
  name: 'company.old',
  summary: 'Is being retired.',
  rest: { method: 'GET', path: '/old' },
  output: z.strictObject({}),
  deprecated: { since: '2026-07-01', sunset: '2027-01-15', replacedBy: 'company.new' },
} as const)
const NEW: AnyContract = defineContract({
  ...nothing,
  name: 'company.new',
  summary: 'Takes its place.',
  rest: { method: 'GET', path: '/new' },
  output: z.strictObject({}),
})

test('a deprecated operation says so in every answer and in the reference', async () => {
  const world = await openWorld()
  const app = await serverWith(world, [
    { contract: OLD, run: async () => ({}) },
    { contract: NEW, run: async () => ({}) },
  ])
  const headers = await keyed(world)
  const fine = await app.inject({ url: '/api/v1/old', headers })
  const refused = await app.inject({ url: '/api/v1/old?nonsense=1', headers })
  expect([fine.statusCode, refused.statusCode]).toEqual([200, 422])
  for (const { headers: told } of [fine, refused]) {
    // Midnight in Spain, in summer and in winter.
    expect(told.deprecation).toBe(`@${Date.parse('2026-07-01T00:00:00+02:00') / 1000}`)
    expect(told.sunset).toBe('Thu, 14 Jan 2027 23:00:00 GMT')
    expect(told.link).toBe(
      '</docs/versioning>; rel="deprecation"; type="text/html", </api/v1/new>; rel="successor-version"',
    )
  }
  const stays = await app.inject({ url: '/api/v1/new', headers })
  for (const name of ['deprecation', 'sunset', 'link']) expect(stays.headers).not.toHaveProperty(name)

  const { paths } = openApiDocument('1', [OLD, NEW]) as { paths: Record<string, { get: any }> }
  expect(paths['/api/v1/old']?.get).toMatchObject({
    deprecated: true,
    description: expect.stringContaining('it may be gone from 2027-01-15 on. Use `company_new` instead.'),
  })
  expect(Object.keys(paths['/api/v1/old']?.get.responses['200'].headers)).toEqual(
    expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
  )
  expect(paths['/api/v1/new']?.get).not.toHaveProperty('deprecated')
})

test('a missing successor prevents the server from starting', async () => {
  const world = await openWorld()
  await expect(serverWith(world, [{ contract: OLD, run: async () => ({}) }])).rejects.toThrow(
    'company.old is replaced by company.new, which is not there.',
  )
})

test('a notice that is too short prevents the server from starting', async () => {
  const world = await openWorld()
  const hasty = { ...OLD, deprecated: { since: '2026-07-01', sunset: '2026-12-27' } } as AnyContract
  const start = serverWith(world, [{ contract: hasty, run: async () => ({}) }])
  await expect(start).rejects.toThrow('company.old goes less than 180 days after it says so.')
})

/** Returns an operation that produces a file on a signal. */
function slowFile() {
  let begun = 0
  const waiting: (() => void)[] = []
  const contract = defineContract({
    ...nothing,
    name: 'company.slow',
    summary: 'Answers when it is told to.',
    rest: { method: 'GET', path: '/slow' },
    media: 'text/plain',
    output: BytesAnswer,
  })
  const operation: Operation = {
    contract,
    run: async () => {
      begun += 1
      await new Promise<void>((resolve) => waiting.push(resolve))
      return { bytes: Buffer.from('x'), sha256: 'ab', fileName: 'x.txt' }
    },
  }
  return { operation, begun: () => begun, finish: () => waiting.shift()?.() }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) {
    if (isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
  throw new Error('It never came to that.')
}

test('two files are produced at once, sixteen requests wait, the next is rejected, the window never waits', async () => {
  const world = await openWorld()
  const slow = slowFile()
  const app = await serverWith(world, [slow.operation])
  const { documents } = limitsOf(world.env).places
  const headers = await keyed(world)
  const ask = (): Promise<{ statusCode: number }> => app.inject({ url: '/api/v1/slow', headers })
  const asked = Array.from({ length: 18 }, ask)
  await until(() => documents.counts.waiting === 16)
  expect(slow.begun()).toBe(2)

  const over = await app.inject({ url: '/api/v1/slow', headers })
  expect([over.statusCode, over.json().error.code, over.headers['retry-after']]).toEqual([
    503,
    'too_busy',
    '5',
  ])
  expect(over.headers.ratelimit).toMatch(/^"beta-documents";/)
  // A request that is rejected anyway needs no slot.
  expect((await app.inject({ url: '/api/v1/slow?nonsense=1', headers })).statusCode).toBe(422)
  const inWindow = app.inject({
    method: 'POST',
    url: '/app/call/company.slow',
    headers: {
      host: headers.host,
      authorization: `Bearer ${world.windowToken}`,
      'sello-book': world.books.test.publicId,
    },
  })
  await until(() => slow.begun() === 3)

  await until(() => {
    expect(documents.counts.atWork).toBeLessThanOrEqual(2)
    slow.finish()
    return documents.counts.atWork === 0
  })
  expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual(Array(18).fill(200))
  expect((await inWindow).statusCode).toBe(200)
  expect(documents.counts).toEqual({ atWork: 0, waiting: 0 })
})

async function listening(world: World, operations: readonly Operation[]): Promise<number> {
  const address = new OwnAddress(0)
  const app = await serverWith(world, operations, address)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  address.setPort(port)
  return port
}

async function open(world: World, port: number, path: string): Promise<ClientRequest> {
  const asking = request({
    host: '127.0.0.1',
    port,
    path,
    headers: { authorization: `Bearer ${await world.key()}` },
  })
  asking.on('error', () => undefined)
  asking.end()
  return asking
}

test('a caller that disconnects while waiting leaves the queue', async () => {
  const world = await openWorld()
  const slow = slowFile()
  const port = await listening(world, [slow.operation])
  const { documents } = limitsOf(world.env).places
  const first = [await open(world, port, '/api/v1/slow'), await open(world, port, '/api/v1/slow')]
  await until(() => slow.begun() === 2)
  const third = await open(world, port, '/api/v1/slow')
  await until(() => documents.counts.waiting === 1)
  third.destroy()
  await until(() => documents.counts.waiting === 0)
  // Running work holds its slot until it is done, as otherwise disconnecting would circumvent the limit.
  first[0]?.destroy()
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(documents.counts).toEqual({ atWork: 2, waiting: 0 })
  slow.finish()
  slow.finish()
  await until(() => documents.counts.atWork === 0)
  expect(slow.begun()).toBe(2)
})

test('a streamed answer holds its slot until it is sent, or until the caller disconnects', async () => {
  const world = await openWorld()
  let pieces = 0
  let isEndless = false
  const contract = defineContract({
    ...nothing,
    name: 'company.stream',
    summary: 'Is made while it is sent.',
    rest: { method: 'GET', path: '/stream' },
    media: 'text/plain',
    output: StreamAnswer,
  })
  async function* made(): AsyncGenerator<Uint8Array> {
    do {
      pieces += 1
      yield Buffer.alloc(64 * 1024)
    } while (isEndless)
  }
  const run = async (): Promise<StreamAnswer> => ({ stream: made(), fileName: 'x.txt' })
  const port = await listening(world, [{ contract, run }])
  const { documents } = limitsOf(world.env).places

  const whole = await open(world, port, '/api/v1/stream')
  const [answer] = await once(whole, 'response')
  expect(answer.headers.ratelimit).toMatch(/^"beta-documents";/)
  answer.resume()
  await once(answer, 'end')
  await until(() => documents.counts.atWork === 0)
  expect(pieces).toBe(1)

  isEndless = true
  const endless = await open(world, port, '/api/v1/stream')
  await once(endless, 'response')
  expect(documents.counts.atWork).toBe(1)
  endless.destroy()
  await until(() => documents.counts.atWork === 0)
})
