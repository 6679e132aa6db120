/**
 * Exchange of a message: from its first byte on, a complete answer with any content is an answer, and everything else
 * is uncertain.
 */
import { createHash, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Exchange } from '../../../../../../server/registry/queue/authority.ts'
import { answer, authorityAt, credentialFor, startPeer } from './peer.ts'
import type { Behaviour } from './peer.ts'

const XML = '<?xml version="1.0" encoding="UTF-8"?><a>ñ € 😀</a>'
const DATE = 'Date: Sat, 21 Nov 2026 10:00:07 GMT'

function textOf(exchange: Exchange): string {
  return exchange.kind === 'answered'
    ? Buffer.from(exchange.body).toString('utf8')
    : `not answered: ${exchange.kind}`
}

test('a message arrives unchanged, as SOAP over TLS with the certificate, and its answer is returned unchanged', async () => {
  const credential = credentialFor()
  const peer = await startPeer((socket) => socket.end(answer('<b>sí</b>', [DATE])))
  const exchange = await authorityAt(peer.url, { credential }).submit(XML)
  expect(exchange).toEqual({
    kind: 'answered',
    status: 200,
    body: Buffer.from('<b>sí</b>'),
    serverTime: Date.parse('2026-11-21T10:00:07Z'),
  })
  const [head = '', body = ''] = (peer.received[0] ?? '').split('\r\n\r\n')
  expect(head.split('\r\n').toSorted()).toEqual(
    [
      'POST /wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP HTTP/1.1',
      `Host: 127.0.0.1:${peer.port}`,
      'Content-Type: text/xml; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(XML)}`,
      'SOAPAction: ""',
      'User-Agent: Sello/1.2.3',
      'Accept-Encoding: identity',
      'Connection: close',
    ].toSorted(),
  )
  expect(Buffer.from(body, 'latin1').toString('utf8')).toBe(XML)
  const presented = peer.sockets[0]?.getPeerX509Certificate()
  expect(presented?.fingerprint256).toBe(new X509Certificate(credential.chainPem).fingerprint256)
})

test.each([
  ['TLS 1.2', { maxVersion: 'TLSv1.2' }, {}],
  ['TLS 1.3', { minVersion: 'TLSv1.3' }, {}],
  ['TLS 1.2 and an RSA key', { maxVersion: 'TLSv1.2' }, { keyType: 'rsa' }],
  ['TLS 1.3 and an RSA key', { minVersion: 'TLSv1.3' }, { keyType: 'rsa' }],
  ['a P-384 key and an authority in between', {}, { keyType: 'ec384', intermediate: true }],
] as const)('the sender uses %s', async (_name, options, wish) => {
  const peer = await startPeer((socket) => socket.end(answer('yes')), options)
  const exchange = await authorityAt(peer.url, { credential: credentialFor(wish) }).submit(XML)
  expect(textOf(exchange)).toBe('yes')
})

test('the name of this computer is sent as the host name', async () => {
  const names: unknown[] = []
  const peer = await startPeer((socket) => {
    names.push(socket.servername)
    socket.end(answer('yes'))
  })
  const url = `https://localhost:${peer.port}/another/path?with=query`
  expect(textOf(await authorityAt(url).submit(XML))).toBe('yes')
  expect(names).toEqual(['localhost'])
  expect(peer.received[0]).toMatch(/^POST \/another\/path\?with=query HTTP\/1\.1\r\n/)
  expect(peer.received[0]).toContain(`\r\nHost: localhost:${peer.port}\r\n`)
})

test('a message of two megabytes arrives complete', async () => {
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
  const xml = `<a>${'0123456789ñ'.repeat(200_000)}</a>`
  const peer = await startPeer((socket, request) =>
    socket.end(answer(digest(request.split('\r\n\r\n')[1] ?? ''))),
  )
  expect(textOf(await authorityAt(peer.url).submit(xml))).toBe(digest(xml))
})

test('every message has a connection of its own', async () => {
  const peer = await startPeer((socket) => socket.write(answer('yes', ['Connection: keep-alive'])))
  const authority = authorityAt(peer.url)
  for (const xml of ['<a/>', '<b/>']) expect(textOf(await authority.submit(xml))).toBe('yes')
  expect(peer.connections).toBe(2)
  expect(peer.received.map((request) => request.split('\r\n\r\n')[1])).toEqual(['<a/>', '<b/>'])
})

test.each([
  ['500 Internal Server Error', '<html>Error</html>'],
  ['403 Forbidden', '<html>No certificate</html>'],
  ['503 Service Unavailable', ''],
  ['200 OK', 'neither XML nor HTML'],
])('a complete answer counts with any status: %s', async (status, body) => {
  const peer = await startPeer((socket) => socket.end(answer(body, [], status)))
  const exchange = await authorityAt(peer.url).submit(XML)
  expect(exchange).toEqual({
    kind: 'answered',
    status: Number.parseInt(status, 10),
    body: Buffer.from(body),
    serverTime: null,
  })
})

test('a redirect is an answer and is not followed', async () => {
  const other = await startPeer((socket) => socket.end(answer('caught')))
  const peer = await startPeer((socket) =>
    socket.end(answer('moved', [`Location: ${other.url}`], '307 Temporary Redirect')),
  )
  expect(await authorityAt(peer.url).submit(XML)).toMatchObject({ kind: 'answered', status: 307 })
  expect(other.connections).toBe(0)
})

test('an answer may come in pieces, in chunks, or end with the connection', async () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n'
  const inPieces = await startPeer((socket) => {
    const bytes = [...chunked]
    const next = (): void => {
      const piece = bytes.splice(0, 7).join('')
      if (piece === '') return
      socket.write(piece)
      setImmediate(next)
    }
    next()
  })
  expect(textOf(await authorityAt(inPieces.url).submit(XML))).toBe('abcdefg')
  const untilTheEnd = await startPeer((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nabc'))
  expect(textOf(await authorityAt(untilTheEnd.url).submit(XML))).toBe('abc')
})

test('informational responses before the answer are ignored', async () => {
  const peer = await startPeer((socket) => socket.end(`HTTP/1.1 102 Processing\r\n\r\n${answer('done')}`))
  expect(textOf(await authorityAt(peer.url).submit(XML))).toBe('done')
})

test.each([
  ['Date: Sat, 21 Nov 2026 10:00:07 GMT', Date.parse('2026-11-21T10:00:07Z')],
  ['Date: 2026', null],
  ['Date: Sat, 21 Nov 2026 25:61:07 GMT', null],
  ['Server: none', null],
])("the server's clock is read only in its usual format: %s", async (line, serverTime) => {
  const peer = await startPeer((socket) => socket.end(answer('', [line])))
  expect(await authorityAt(peer.url).submit(XML)).toMatchObject({ kind: 'answered', serverTime })
})

const LOST: [string, Behaviour][] = [
  ['the connection is reset', (_socket, _request, raw) => void raw.resetAndDestroy()],
  ['the connection is closed', (socket) => void socket.end()],
  ['the head of the answer breaks off', (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
  ['the answer has no head', (socket) => void socket.end('<html>Hello</html>')],
  [
    'the body is shorter than announced',
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
  ],
  [
    'the last chunk is missing',
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'),
  ],
  [
    'a chunk says a wrong length',
    (socket) =>
      void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n'),
  ],
  [
    'the body has two lengths',
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'),
  ],
  ['the head is endless', (socket) => void socket.end(answer('', [`X: ${'x'.repeat(200_000)}`]))],
  [
    'the server wants another protocol',
    (socket) =>
      void socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'),
  ],
  [
    'the body is announced too large',
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\nabc'),
  ],
  ['the body is too large', (socket) => void socket.end(answer('x'.repeat(1001)))],
  [
    'the body is too large and nobody said how large',
    (socket) => void socket.end(`HTTP/1.0 200 OK\r\n\r\n${'x'.repeat(1001)}`),
  ],
]

test.each(LOST)('the message may have arrived when %s', async (_name, behave) => {
  const peer = await startPeer(behave)
  const exchange = await authorityAt(peer.url, { limits: { submissionBytes: 1000 } }).submit(XML)
  expect(exchange).toEqual({ kind: 'no_answer', detail: expect.stringMatching(/./) })
  expect(peer.received[0]).toContain('\r\n\r\n<?xml')
})

test('an answer up to the limit is accepted, and queries have a limit of their own', async () => {
  const peer = await startPeer((socket) => socket.end(answer('x'.repeat(1000))))
  const authority = authorityAt(peer.url, { limits: { submissionBytes: 999, queryBytes: 1000 } })
  expect(await authority.query(XML)).toMatchObject({ kind: 'answered' })
  expect(await authority.submit(XML)).toMatchObject({
    kind: 'no_answer',
    detail: expect.stringContaining('999 bytes'),
  })
})

test('the exchange ends when a server sends nothing for the idle time', async () => {
  const peer = await startPeer(() => {})
  const exchange = await authorityAt(peer.url, { limits: { idleMs: 50 } }).submit(XML)
  expect(exchange).toEqual({ kind: 'no_answer', detail: 'Nothing moved for 50 ms.' })
})

test('the exchange ends after the total time when a server sends a little at a time', async () => {
  const peer = await startPeer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const trickle = setInterval(() => socket.write('x'), 5)
    socket.once('close', () => clearInterval(trickle))
  })
  const exchange = await authorityAt(peer.url, { limits: { totalMs: 150 } }).submit(XML)
  expect(exchange).toEqual({ kind: 'no_answer', detail: 'No whole answer after 150 ms.' })
})

test('the exchange ends when the program stops', async () => {
  const stopping = new AbortController()
  const peer = await startPeer(() => stopping.abort())
  const exchange = await authorityAt(peer.url, { signal: stopping.signal }).submit(XML)
  expect(exchange).toEqual({ kind: 'no_answer', detail: 'Stopped while waiting for the answer.' })
})
