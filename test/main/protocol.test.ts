/** The page's requests reach the server without a socket, with the window's credential; others are rejected. */
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { appProtocolHandler } from '../../main/protocol.ts'

const TOKEN = 'window-token-of-this-start'
let server: FastifyInstance
let handle: (request: Request) => Promise<Response>
let streamClosed: Promise<void>

/** `fetch` forbids some of these headers; the page's browser sets them, so that a test must be able to. */
function request(path: string, init: RequestInit = {}, headers: Record<string, string> = {}): Request {
  const made = new Request(`app://app${path}`, init)
  for (const [name, value] of Object.entries(headers)) made.headers.set(name, value)
  return made
}

beforeEach(async () => {
  server = Fastify()
  server.all('/app/call/echo', (incoming, reply) =>
    reply.header('x-seen', 'yes').send({ headers: incoming.headers, body: incoming.body, url: incoming.url }),
  )
  server.get('/', (incoming, reply) =>
    reply.type('text/html').send(`<p>${incoming.headers.authorization}</p>`),
  )
  server.get('/cookies', (_incoming, reply) =>
    reply.header('set-cookie', ['a=1', 'b=2']).header('connection', 'keep-alive').send('x'),
  )
  server.delete('/nothing', (_incoming, reply) => reply.code(204).send())
  streamClosed = new Promise((resolve) => {
    server.get('/app/events', (_incoming, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.raw.write('data: first\n\n')
      const timer = setInterval(() => reply.raw.write('data: later\n\n'), 20)
      reply.raw.on('close', () => {
        clearInterval(timer)
        resolve()
      })
    })
  })
  await server.ready()
  handle = appProtocolHandler({
    url: 'http://127.0.0.1:4545',
    windowToken: TOKEN,
    inject: (options) => server.inject(options),
  })
})
afterEach(() => server.close())

describe('a request of the page', () => {
  test('is answered by the server with the credential added and the body intact', async () => {
    const answer = await handle(
      request('/app/call/echo?a=1', {
        method: 'POST',
        body: JSON.stringify({ name: 'Peña' }),
        headers: { 'content-type': 'application/json' },
      }),
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-seen')).toBe('yes')
    const { headers, body, url } = await answer.json()
    expect(headers.authorization).toBe(`Bearer ${TOKEN}`)
    expect(headers.host).toBe('127.0.0.1:4545')
    expect(body).toEqual({ name: 'Peña' })
    expect(url).toBe('/app/call/echo?a=1')
  })

  test('cannot choose its own credential, host or cookies', async () => {
    const answer = await handle(
      request(
        '/app/call/echo',
        {},
        { authorization: 'Bearer svc_live_x', host: 'evil.example', cookie: 'a=b' },
      ),
    )
    const { headers } = await answer.json()
    expect(headers.authorization).toBe(`Bearer ${TOKEN}`)
    expect(headers.host).toBe('127.0.0.1:4545')
    expect(headers.cookie).toBeUndefined()
  })

  test("gets no credential outside the window's API", async () => {
    const answer = await handle(request('/', {}, { authorization: 'Bearer svc_live_x' }))
    expect(await answer.text()).toBe('<p>undefined</p>')
    expect(answer.headers.get('content-type')).toContain('text/html')
  })

  test("from the page's origin appears to the server as its own", async () => {
    const answer = await handle(
      request('/app/call/echo', { method: 'POST' }, { origin: 'app://app', referer: 'app://app/facturas' }),
    )
    const { headers } = await answer.json()
    expect(headers.origin).toBe('http://127.0.0.1:4545')
    expect(headers.referer).toBeUndefined()
  })
})

describe('a foreign request', () => {
  test.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['an origin that begins like ours', { origin: 'app://app.evil.example' }],
    ['a foreign referer', { referer: 'https://evil.example/app://app/' }],
    ['a referer that begins like ours', { referer: 'app://application/' }],
  ])('with %s is rejected before the server sees it', async (_name, headers) => {
    const answer = await handle(request('/app/call/echo', {}, headers))
    expect(answer.status).toBe(403)
    expect(answer.headers.get('x-seen')).toBeNull()
  })

  test('to another host of the scheme finds nothing', async () => {
    expect((await handle(new Request('app://other/app/call/echo'))).status).toBe(404)
  })
})

describe('an answer', () => {
  test('keeps every cookie and drops headers of a connection', async () => {
    const answer = await handle(request('/cookies'))
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(answer.headers.get('connection')).toBeNull()
  })

  test('without content has no body', async () => {
    const answer = await handle(request('/nothing', { method: 'DELETE' }))
    expect(answer.status).toBe(204)
    expect(answer.body).toBeNull()
  })

  test('to HEAD has the headers only', async () => {
    const answer = await handle(request('/cookies', { method: 'HEAD' }))
    expect(answer.status).toBe(200)
    expect(answer.body).toBeNull()
  })

  test('that streams arrives as it is written, and ends at the server when the page is gone', async () => {
    const answer = await handle(request('/app/events'))
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    const reader = answer.body!.getReader()
    const first = await reader.read()
    expect(new TextDecoder().decode(first.value)).toContain('data: first')
    await reader.cancel()
    await streamClosed
  })

  test('that streams ends at the server when the page aborts', async () => {
    const abort = new AbortController()
    const answer = await handle(request('/app/events', { signal: abort.signal }))
    const reader = answer.body!.getReader()
    await reader.read()
    abort.abort()
    await streamClosed
    await expect(reader.read().then(async () => reader.read())).rejects.toThrow()
  })
})
