/**
 * Calls to an accounting system: rejections, limits, retries, waits and cancellation. Against real servers on this
 * computer.
 */
import { once } from 'node:events'
import { createServer as createPlain } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTls } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../../../server/domain/errors/app-error.ts'
import { createErpHttp, limitOf } from '../../../../../server/integrations/erp/connection/http.ts'
import type {
  CallNote,
  Classify,
  ErpHttpOptions,
  ErpRequest,
} from '../../../../../server/integrations/erp/connection/http.ts'
import { retryAfterOf } from '../../../../../server/platform/http-client/exchange.ts'
import { makeServerCertificate } from '../../../../support/files/certificates.ts'

const NOW = new Date('2026-11-22T10:00:00Z')
const SECRET = 'pat_a-secret-of-the-account'
const REQUEST: ErpRequest = { method: 'GET', path: '/things', resource: 'contacts' }

type Behave = (request: IncomingMessage, response: ServerResponse, nth: number) => void

interface Peer {
  base: string
  asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string; at: number }[]
  caPem: string
}

async function start(behave: Behave, secure = false): Promise<Peer> {
  const asked: Peer['asked'] = []
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const at = performance.now()
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('end', () => {
      asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body, at })
      behave(request, response, asked.length)
    })
  }
  const { certPem, keyPem, caPem } = secure ? makeServerCertificate() : { certPem: '', keyPem: '', caPem: '' }
  const server = secure ? createTls({ cert: certPem, key: keyPem }, answer) : createPlain(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { base: `http${secure ? 's' : ''}://127.0.0.1:${port}`, asked, caPem }
}

const json = (
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Classifies answers as a provider does: its own codes, its own waits. */
const classify: Classify = ({ status, headers, json: body, text }) => {
  if (status >= 500) return new AppError('erp_unavailable', { details: { reason: `status_${status}` } })
  if (status === 401) return new AppError('erp_key_rejected', { details: { said: JSON.stringify(body) } })
  if (status === 403) return new AppError('erp_permission_missing')
  if (status === 429 && headers['x-ratelimit-window'] === 'month') return new AppError('erp_quota_exhausted')
  if (status === 429) return new AppError('erp_rate_limited')
  if (body === undefined)
    return new AppError('erp_protocol_error', { details: { reason: text === '' ? 'empty' : 'html' } })
  return null
}

function open(base: string, more: Partial<ErpHttpOptions> = {}) {
  const notes: CallNote[] = []
  const slept: number[] = []
  const http = createErpHttp({
    base,
    allowPrivate: true,
    paceMs: 0,
    secret: SECRET,
    now: () => NOW,
    onCall: (note) => notes.push(note),
    sleep: async (ms) => void slept.push(ms),
    random: () => 0,
    ...more,
  })
  return {
    http,
    notes,
    slept,
    ask: (request: Partial<ErpRequest> = {}) => http.ask({ ...REQUEST, ...request }, classify),
  }
}

const faultOf = async (asked: Promise<unknown>): Promise<[string, unknown]> => {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(AppError)
  const { code, details } = error as AppError
  return [code, details?.reason]
}

describe('a good call', () => {
  test('sends what was requested and nothing about this computer', async () => {
    const peer = await start((_request, response) =>
      json(response, [{ id: 1 }], 200, {
        'X-RateLimit-Limit': '60',
        'X-RateLimit-Remaining': '41',
        'X-RateLimit-Reset': '1795341660',
        'X-RateLimit-Window': 'minute',
      }),
    )
    const { ask, notes } = open(`${peer.base}/below/`)
    const reply = await ask({
      method: 'POST',
      path: '/json/things',
      query: { limit: 100, cursor: 'a b&c', gone: undefined },
      headers: { Authorization: `Bearer ${SECRET}` },
      body: { domain: [['name', '=', 'Ñíguez']] },
    })
    expect(reply).toMatchObject({ status: 200, json: [{ id: 1 }], text: '' })
    expect(peer.asked).toHaveLength(1)
    expect(peer.asked[0]).toMatchObject({
      method: 'POST',
      url: '/below/json/things?limit=100&cursor=a+b%26c',
    })
    expect(peer.asked[0]?.body).toBe('{"domain":[["name","=","Ñíguez"]]}')
    const { host, authorization, ...headers } = peer.asked[0]?.headers ?? {}
    expect([host, authorization]).toEqual([peer.base.slice(7), `Bearer ${SECRET}`])
    expect(headers).toEqual({
      'user-agent': 'Sello',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'content-length': '36',
      connection: 'close',
    })
    expect(notes).toEqual([
      {
        at: NOW,
        ms: expect.any(Number),
        resource: 'contacts',
        status: 200,
        bytes: 10,
        limit: { window: 'minute', limit: 60, remaining: 41, resetAt: new Date('2026-11-22T10:01:00Z') },
      },
    ])
  })

  test('uses verified TLS, with a name or an IP address', async () => {
    const peer = await start((_request, response) => json(response, { ok: 1 }), true)
    expect((await open(peer.base, { caPem: peer.caPem }).ask()).json).toEqual({ ok: 1 })
    // This server's certificate is not trusted: no byte of the request is sent, and a retry would change nothing.
    const stranger = open(peer.base)
    const [code, reason] = await faultOf(stranger.ask())
    expect([code, peer.asked.length, stranger.slept, stranger.notes.length]).toEqual([
      'erp_unavailable',
      1,
      [],
      1,
    ])
    expect(reason).toMatch(/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/)
    // A name that resolves to this computer but differs from the certificate's.
    const other = peer.base.replace('127.0.0.1', 'erp.example')
    const named = open(other, { caPem: peer.caPem, resolve: async () => ['127.0.0.1'] })
    expect(await faultOf(named.ask())).toEqual(['erp_unavailable', 'ERR_TLS_CERT_ALTNAME_INVALID'])
    expect(peer.asked).toHaveLength(1)
  })

  test('waits for the one before it, and keeps the interval', async () => {
    let under = 0
    let most = 0
    const peer = await start((_request, response) => {
      most = Math.max(most, ++under)
      setTimeout(() => {
        under -= 1
        json(response, {})
      }, 20)
    })
    const { ask, slept } = open(peer.base, { paceMs: 60_000 })
    await Promise.all([ask({ path: '/1' }), ask({ path: '/2' }), ask({ path: '/3' })])
    expect([most, peer.asked.map(({ url }) => url)]).toEqual([1, ['/1', '/2', '/3']])
    expect(slept).toHaveLength(2)
    for (const ms of slept) expect(ms).toBeGreaterThan(50_000)
  })
})

describe('an address is refused', () => {
  test.each([
    ['not an address', 'not_an_address'],
    ['file:///etc/passwd', 'scheme'],
    ['ftp://erp.example', 'scheme'],
    ['https://user:word@erp.example', 'credentials_in_address'],
    ['https://erp.example/?a=1', 'query_in_address'],
    ['https://erp.example:25', 'port'],
    ['http://erp.example', 'plain_http'],
    ['http://8.8.8.8', 'plain_http'],
    ['http://127.0.0.1:8069', 'plain_http'],
    ['https://127.0.0.1', 'private_address'],
    ['https://2130706433', 'private_address'],
    ['https://0x7f.1', 'private_address'],
    ['https://0177.0.0.1', 'private_address'],
    ['https://１２７.0.0.1', 'private_address'],
    ['https://[::1]', 'private_address'],
    ['https://[::ffff:8.8.8.8]', 'private_address'],
    ['https://[64:ff9b::7f00:1]', 'private_address'],
    ['https://10.0.0.1:8443', 'private_address'],
    ['https://169.254.169.254', 'private_address'],
    ['https://[fe80::1]', 'private_address'],
  ])('%s where only public ones are allowed', async (base, reason) => {
    const { ask, notes } = open(base, { allowPrivate: false })
    expect(await faultOf(ask())).toEqual(['erp_address_refused', reason])
    expect(notes).toEqual([])
  })

  test.each([
    ['https://169.254.169.254', 'private_address'],
    ['https://0.0.0.0', 'private_address'],
    ['https://[fe80::1]', 'private_address'],
    ['https://224.0.0.1', 'private_address'],
    ['http://192.168.1.10:8069', 'plain_http'],
    ['http://8.8.8.8', 'plain_http'],
  ])('%s even where the private network is allowed', async (base, reason) => {
    expect(await faultOf(open(base).ask())).toEqual(['erp_address_refused', reason])
  })

  test.each([
    [['127.0.0.1'], false, 'private_address'],
    [['8.8.8.8', '10.0.0.1'], false, 'private_address'],
    [['2600::1', '::1'], false, 'private_address'],
    [['8.8.8.8', '169.254.169.254'], true, 'private_address'],
    [['::ffff:10.0.0.1'], true, 'private_address'],
  ])('when one of the addresses of its name is forbidden: %j', async (addresses, allowPrivate, reason) => {
    const { ask } = open('https://erp.example', { allowPrivate, resolve: async () => addresses })
    expect(await faultOf(ask())).toEqual(['erp_address_refused', reason])
  })

  test('when http leads to anything but this computer', async () => {
    const { ask } = open('http://erp.example:8069', { resolve: async () => ['127.0.0.1', '192.168.1.10'] })
    expect(await faultOf(ask())).toEqual(['erp_address_refused', 'plain_http'])
  })
})

test('a name is resolved once per call, and the connection uses the checked address', async () => {
  const peer = await start((_request, response) => json(response, {}))
  const names: string[] = []
  const base = peer.base.replace('127.0.0.1', 'erp.example')
  const { ask } = open(base, {
    // A second lookup would lead to the private network.
    resolve: async (name) => (names.push(name), names.length > 1 ? ['192.168.1.1'] : ['127.0.0.1']),
  })
  await ask()
  expect([names, peer.asked.length]).toEqual([['erp.example'], 1])
  expect(peer.asked[0]?.headers.host).toBe(base.slice(7))
  expect(await faultOf(ask())).toEqual(['erp_address_refused', 'plain_http'])
})

describe('an answer is rejected and not requested again', () => {
  test('that redirects: the key stays here', async () => {
    const elsewhere = await start((_request, response) => json(response, { stolen: true }))
    const peer = await start((_request, response) => {
      response.writeHead(307, { location: `${elsewhere.base}/things` })
      response.end()
    })
    const { ask, notes } = open(peer.base)
    expect(await faultOf(ask({ headers: { key: SECRET } }))).toEqual(['erp_protocol_error', 'redirect'])
    expect([peer.asked.length, elsewhere.asked.length, notes.map(({ status }) => status)]).toEqual([
      1,
      0,
      [307],
    ])
  })

  test.each<[string, Behave]>([
    [
      'encoding',
      (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
        response.end(gzipSync('{}'))
      },
    ],
    ['too_large', (_request, response) => json(response, 'x'.repeat(300_000))],
    ['too_deep', (_request, response) => response.end('['.repeat(41) + ']'.repeat(41))],
    ['too_many_values', (_request, response) => response.end(`[${'0,'.repeat(1000)}0]`)],
  ])('with the reason %s', async (reason, behave) => {
    const peer = await start(behave)
    const { ask, notes } = open(peer.base, { limits: { bytes: 200_000, values: 1000 } })
    expect(await faultOf(ask())).toEqual(['erp_protocol_error', reason])
    expect([peer.asked.length, notes.length, notes[0]?.status]).toEqual([1, 1, 200])
  })

  test.each([
    [401, 'erp_key_rejected', {}],
    [403, 'erp_permission_missing', {}],
    [429, 'erp_quota_exhausted', { 'x-ratelimit-window': 'month', 'retry-after': '5' }],
  ])('of status %i as %s', async (status, code, headers) => {
    const peer = await start((_request, response) => json(response, {}, status, headers))
    const { ask, slept } = open(peer.base)
    expect((await faultOf(ask()))[0]).toBe(code)
    expect([peer.asked.length, slept]).toEqual([1, []])
  })
})

test('forty levels are read, and brackets within texts do not count', async () => {
  const deep = `${'['.repeat(40)}"${'[{,'.repeat(2000)}\\"]"${']'.repeat(40)}`
  const peer = await start((_request, response) => response.end(deep))
  expect(JSON.stringify((await open(peer.base, { limits: { values: 100 } }).ask()).json)).toBe(deep)
})

describe('a call is retried', () => {
  test('after failures of the external system, three times, each after twice the wait', async () => {
    const peer = await start((_request, response) => json(response, {}, 502))
    const { ask, slept, notes } = open(peer.base)
    expect(await faultOf(ask())).toEqual(['erp_unavailable', 'status_502'])
    expect([slept, notes.map(({ status }) => status)]).toEqual([
      [1000, 2000, 4000],
      [502, 502, 502, 502],
    ])
    const jittered = open(peer.base, { random: () => 0.999 })
    await faultOf(jittered.ask())
    expect(jittered.slept.map((ms) => Math.round(ms))).toEqual([1250, 2500, 4999])
  })

  test.each<[string, Behave]>([
    ['ECONNRESET', (request) => request.socket.destroy()],
    [
      'connection',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('[1')
        setTimeout(() => response.destroy(), 10)
      },
    ],
    ['timeout', () => undefined],
    [
      'timeout',
      (_request, response) => {
        response.write('[')
        const drip = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(drip))
      },
    ],
  ])('when no complete answer comes: %s', async (reason, behave) => {
    const peer = await start((request, response, nth) =>
      nth < 3 ? behave(request, response, nth) : json(response, 7),
    )
    const { ask, slept, notes } = open(peer.base, { limits: { totalMs: 300, headersMs: 200 } })
    expect((await ask()).json).toBe(7)
    expect([slept, notes.length, notes.at(-1)?.status]).toEqual([[1000, 2000], 3, 200])
    const lasting = await start(behave)
    // Each of four calls waits until the limit.
    const limits = reason === 'timeout' ? { totalMs: 60, headersMs: 40 } : { totalMs: 300, headersMs: 200 }
    expect(await faultOf(open(lasting.base, { limits }).ask())).toEqual(['erp_unavailable', reason])
    expect(lasting.asked).toHaveLength(4)
  })

  test('where nothing listens, and where the name is unknown', async () => {
    const peer = await start(() => undefined)
    const closed = createPlain()
    closed.listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    await once(closed, 'close')
    expect(await faultOf(open(`http://127.0.0.1:${port}`).ask())).toEqual(['erp_unavailable', 'ECONNREFUSED'])
    const unknown = open(peer.base.replace('127.0.0.1', 'erp.example'), {
      resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })),
    })
    expect(await faultOf(unknown.ask())).toEqual(['erp_unavailable', 'ENOTFOUND'])
    expect([unknown.slept, unknown.notes.map(({ status }) => status)]).toEqual([
      [1000, 2000, 4000],
      Array(4).fill(null),
    ])
    const silent = open(peer.base.replace('127.0.0.1', 'erp.example'), {
      resolve: () => new Promise(() => undefined),
      limits: { headersMs: 50 },
    })
    expect(await faultOf(silent.ask())).toEqual(['erp_unavailable', 'timeout'])
  })

  test('once after a web page in place of data', async () => {
    const page = '<!DOCTYPE html><title>Mantenimiento</title>'
    const peer = await start((_request, response, nth) =>
      nth === 1 ? response.end(page) : json(response, []),
    )
    const { ask, slept } = open(peer.base)
    expect((await ask()).json).toEqual([])
    expect(slept).toEqual([1000])
    const lasting = await start((_request, response) => response.end(page))
    expect(await faultOf(open(lasting.base).ask())).toEqual(['erp_protocol_error', 'html'])
    expect(lasting.asked).toHaveLength(2)
    // JSON that is broken in another way stays so.
    const broken = await start((_request, response) => response.end('{"a":'))
    expect(await faultOf(open(broken.base).ask())).toEqual(['erp_protocol_error', 'html'])
    expect(broken.asked).toHaveLength(1)
  })

  test('when the minute is over, three times at most', async () => {
    const peer = await start((_request, response, nth) =>
      nth < 4
        ? json(response, {}, 429, { 'retry-after': '17', 'x-ratelimit-window': 'minute' })
        : json(response, 'ok'),
    )
    const { ask, slept, notes } = open(peer.base)
    expect((await ask()).json).toBe('ok')
    expect([slept, notes.map(({ status }) => status)]).toEqual([
      [17_000, 17_000, 17_000],
      [429, 429, 429, 200],
    ])
    const lasting = await start((_request, response) => json(response, {}, 429))
    const quiet = open(lasting.base)
    expect((await faultOf(quiet.ask()))[0]).toBe('erp_rate_limited')
    expect([quiet.slept, lasting.asked.length]).toEqual([[60_000, 60_000, 60_000], 4])
  })

  test('but not after a wait beyond the maximum', async () => {
    const peer = await start((_request, response) => json(response, {}, 429, { 'retry-after': '91' }))
    const { ask, slept } = open(peer.base)
    await expect(ask()).rejects.toMatchObject({ code: 'erp_rate_limited', retryAfterSeconds: 91 })
    expect([slept, peer.asked.length]).toEqual([[], 1])
  })
})

describe('stopping', () => {
  const why = new Error('stopped by the user')

  test('ends a request immediately', async () => {
    const stop = new AbortController()
    const peer = await start(() => stop.abort(why))
    const { ask, notes } = open(peer.base, { signal: stop.signal })
    await expect(ask()).rejects.toBe(why)
    expect(notes.map(({ status }) => status)).toEqual([null])
    await expect(ask()).rejects.toBe(why)
    expect(peer.asked).toHaveLength(1)
  })

  test('ends a wait immediately, also one that ignores the signal', async () => {
    const stop = new AbortController()
    const peer = await start((_request, response) => json(response, {}, 503))
    const { http } = open(peer.base, {
      signal: stop.signal,
      sleep: () => {
        setTimeout(() => stop.abort(why), 10)
        return new Promise(() => undefined)
      },
    })
    await expect(http.ask(REQUEST, classify)).rejects.toBe(why)
    expect(peer.asked).toHaveLength(1)
  })

  test('ends the real wait too', async () => {
    const stop = new AbortController()
    const peer = await start((_request, response) => json(response, {}, 503))
    const http = createErpHttp({
      base: peer.base,
      allowPrivate: true,
      secret: SECRET,
      signal: stop.signal,
      now: () => NOW,
      onCall: () => setTimeout(() => stop.abort(why), 20),
    })
    const begun = performance.now()
    await expect(http.ask(REQUEST, classify)).rejects.toBe(why)
    expect(performance.now() - begun).toBeLessThan(900)
  })
})

test('a key repeated by the external system appears nowhere in the result', async () => {
  const peer = await start((_request, response, nth) =>
    nth === 1 ? json(response, { said: `no such key ${SECRET}` }, 401) : response.end(`<p>${SECRET}</p>`),
  )
  const { ask, http } = open(peer.base)
  const error = await ask().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    code: 'erp_key_rejected',
    details: { said: expect.stringContaining('[secret]') },
  })
  expect(JSON.stringify([error, (error as Error).message, (error as AppError).toBody()])).not.toContain(
    SECRET,
  )
  const page = await http.ask(REQUEST, () => null)
  expect(page.text).toBe('<p>[secret]</p>')
  // A classification that quotes the key is cleaned too.
  const quoting = http.ask(
    REQUEST,
    () => new AppError('erp_protocol_error', { details: { url: `?key=${SECRET}` } }),
  )
  await expect(quoting).rejects.toMatchObject({ details: { url: '?key=[secret]' } })
})

test("an error that is not the external system's is passed on unchanged", async () => {
  const peer = await start((_request, response) => json(response, {}))
  const bug = new TypeError('a bug of the provider')
  const { http } = open(peer.base)
  const asked = http.ask(REQUEST, () => {
    throw bug
  })
  await expect(asked).rejects.toBe(bug)
  // And it does not delay the next one.
  expect((await http.ask(REQUEST, classify)).status).toBe(200)
})

test('waits and limits are read in both formats', () => {
  expect(retryAfterOf({ 'retry-after': '17' }, NOW)).toBe(17)
  expect(retryAfterOf({ 'retry-after': 'Sun, 22 Nov 2026 10:00:30 GMT' }, NOW)).toBe(30)
  expect(retryAfterOf({ 'retry-after': 'Sun, 22 Nov 2026 09:00:00 GMT' }, NOW)).toBe(0)
  for (const text of [undefined, '', 'soon', '-3']) {
    const headers: Record<string, string> = text === undefined ? {} : { 'retry-after': text }
    expect(retryAfterOf(headers, NOW), text).toBe(null)
  }
  expect(limitOf({ 'x-ratelimit-reset': '30' }, NOW).resetAt).toEqual(new Date('2026-11-22T10:00:30Z'))
  expect(limitOf({ 'x-ratelimit-limit': 'many', 'x-ratelimit-window': 'day' }, NOW)).toEqual({
    window: null,
    limit: null,
    remaining: null,
    resetAt: null,
  })
})
