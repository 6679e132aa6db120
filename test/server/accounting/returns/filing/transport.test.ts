/**
 * The transport of filing over real TLS, against the server of the simulated services and against servers that fail: what is
 * called not sent never left, and everything else that is no whole answer may have arrived.
 */
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import tls, { TLSSocket } from 'node:tls'
import type { ConnectionOptions } from 'node:tls'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFilingService } from '../../../../../server/accounting/returns/filing/aeat/index.ts'
import { createLiveTransport } from '../../../../../server/accounting/returns/filing/aeat/transport.ts'
import type { HttpMessage, HttpOutcome } from '../../../../../server/accounting/returns/filing/service.ts'
import { startReturnsServer } from '../../../../../server/accounting/returns/simulator/server.ts'
import {
  issueClientCertificate,
  makeAuthorityCa,
} from '../../../../../server/platform/simulated-authority/certificates/certificates.ts'
import { makeServerCertificate } from '../../../../support/files/certificates.ts'
import { connectsTried } from '../../../../support/setup/network-guard.ts'
import {
  answer,
  credentialFor,
  startPeer,
  startRawPeer,
} from '../../../registry/systems/verifactu/authority/peer.ts'
import type { Behaviour } from '../../../registry/systems/verifactu/authority/peer.ts'
import { NAME, NIF, NOW, pageFile } from '../simulator/samples.ts'

type Options = Parameters<typeof createLiveTransport>[0]

const OWN = { nif: NIF, name: NAME }
const YEARS = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2036-01-01T00:00:00Z') }

/** Made once, because making keys is slow. */
const identities = (async () => {
  const ca = await makeAuthorityCa({ ...YEARS, name: 'AC DE CLIENTES' })
  const of = async (nif: string) => {
    const { keyPem, certPem } = await issueClientCertificate({ ca, ...YEARS, kind: 'seal', nif, name: NAME })
    return { keyPem, chainPem: certPem }
  }
  return { ca, own: await of(NIF), other: await of('A28000982') }
})()

/** For a refusal that is certain to come, however busy this computer is. */
const PATIENT = { verdictMs: 30_000 }

const MESSAGE: HttpMessage = {
  method: 'POST',
  path: '/wlpl/PFTW-PICW/PresBasicaDos',
  headers: { 'content-type': 'application/json;charset=UTF-8', accept: '*/*' },
  body: Buffer.from('{"F01":"<Ñ>"}', 'utf8'),
  certificate: true,
}
const OPEN_MESSAGE: HttpMessage = { ...MESSAGE, certificate: false }

/** Returns a transport to a server of a test. */
function transportTo(url: string, changes: Partial<Options> = {}) {
  return createLiveTransport({
    environment: 'production',
    credential: credentialFor(),
    version: '1.2.3',
    standIn: { url, caPem: makeServerCertificate().caPem },
    ...changes,
  })
}

/** Starts the simulated services, and returns them with the program's own side of them. */
async function opened(changes: Partial<Options> = {}, server: Parameters<typeof startReturnsServer>[0] = {}) {
  const running = await startReturnsServer({ now: () => NOW, ...server })
  onTestFinished(() => running.close())
  const { own } = await identities
  const service = createFilingService(
    transportTo(running.url, {
      credential: own,
      standIn: { url: running.url, caPem: running.caPem },
      ...changes,
    }),
  )
  const file = {
    model: '303',
    year: 2026,
    period: '1T',
    text: await pageFile('303', { first: { kind: 'G' } }),
  }
  return {
    server: running,
    service,
    file: () => service.file(file, { filer: OWN, signer: OWN }, null),
    validate: () => service.validate(file),
    query: () => service.query({ nif: NIF, name: NAME, model: '303', year: 2026, period: '1T' }),
    declared: () => running.state?.allDeclared() ?? [],
  }
}

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

describe('the simulated services', () => {
  test('take a return with the certificate of its filer, show it, and give its document', async () => {
    const { service, file, query, declared } = await opened()
    expect(await query()).toEqual({ kind: 'none' })
    const filed = await file()
    if (filed.kind !== 'accepted') throw new Error(JSON.stringify(filed))
    const { csv, receipt } = filed.receipt
    expect(declared()).toMatchObject([{ csv, receipt, model: '303', presenterName: NAME }])
    expect(await query()).toMatchObject({ kind: 'found', declared: [{ csv, receipt }] })
    const document = await service.document(csv)
    expect(
      Buffer.from(document ?? [])
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    expect(await service.document('0000000000000000')).toBeNull()
  })

  test('validate without a certificate, and file nothing without one', async () => {
    const { validate, file, query, declared } = await opened({ credential: null })
    expect(await validate()).toMatchObject({ kind: 'valid', draft: expect.any(Uint8Array) })
    const before = connectsTried()
    const detail = 'The company has no certificate.'
    expect(await file()).toEqual({ kind: 'not_sent', reason: 'no_certificate', detail })
    expect(await query()).toEqual({ kind: 'unavailable', detail })
    expect(connectsTried()).toBe(before)
    expect(declared()).toEqual([])
  })

  test('refuse the certificate of another one with a list of errors', async () => {
    const { other } = await identities
    const { file, declared } = await opened({ credential: other })
    expect(await file()).toEqual({ kind: 'refused', errors: [expect.stringMatching(/^S0009 - /)] })
    expect(declared()).toEqual([])
  })

  test('answer a certificate of an issuer they do not know with a page: what became of it is unknown', async () => {
    const { ca } = await identities
    const { file, declared } = await opened({ credential: credentialFor() }, { clientCa: [ca.certPem] })
    expect(await file()).toMatchObject({ kind: 'unknown', detail: expect.stringContaining('403') })
    expect(declared()).toEqual([])
  })

  test('are not trusted under another root: nothing is sent', async () => {
    const strangers = await makeAuthorityCa(YEARS)
    const running = await startReturnsServer({ now: () => NOW })
    onTestFinished(() => running.close())
    const { own } = await identities
    const transport = transportTo(running.url, {
      credential: own,
      standIn: { url: running.url, caPem: strangers.certPem },
    })
    for (const message of [MESSAGE, OPEN_MESSAGE])
      expect(await transport(message)).toMatchObject({ kind: 'not_sent', reason: 'not_trusted' })
    expect(running.state?.allDeclared()).toEqual([])
  })

  test.each([
    ['drop_request', 0],
    ['drop_reply', 1],
  ] as const)('leave it unknown when they end the connection: %s', async (kind, filed) => {
    const { server, file, query, declared } = await opened()
    server.control.next({ kind })
    expect(await file()).toMatchObject({ kind: 'unknown' })
    expect(declared()).toHaveLength(filed)
    // Only the query tells the two apart.
    expect((await query()).kind).toBe(filed === 1 ? 'found' : 'none')
  })

  test.each([
    [{ kind: 'html_200' }, 0],
    [{ kind: 'html_200', processed: true }, 1],
    [{ kind: 'error_500' }, 0],
    [{ kind: 'error_500', processed: true }, 1],
    [{ kind: 'redirect_302' }, 0],
    [{ kind: 'half_body' }, 1],
  ] as const)('leave it unknown with a useless answer: %o', async (fault, filed) => {
    const { server, file, declared } = await opened()
    server.control.next(fault)
    expect(await file()).toMatchObject({ kind: 'unknown' })
    expect(declared()).toHaveLength(filed)
  })

  test('may be slow, within the limit of time', async () => {
    const { server, file, declared } = await opened({ limits: { idleMs: 10_000 } })
    server.control.next({ kind: 'slow', ms: 30 })
    expect(await file()).toMatchObject({ kind: 'accepted' })
    expect(declared()).toHaveLength(1)
    const other = await opened({ limits: { idleMs: 300 } })
    other.server.control.next({ kind: 'slow', ms: 3_600_000 })
    expect(await other.file()).toEqual({ kind: 'unknown', detail: 'Nothing moved for 300 ms.' })
    // It was filed all the same.
    expect(other.declared()).toHaveLength(1)
  })

  test('give half a receipt once, which is no receipt', async () => {
    const { server, service, file } = await opened()
    const filed = await file()
    if (filed.kind !== 'accepted') throw new Error(filed.kind)
    server.control.next({ kind: 'half_body' }, { on: 'document' })
    expect(await service.document(filed.receipt.csv)).toBeNull()
    expect(await service.document(filed.receipt.csv)).not.toBeNull()
  })
})

describe('a message', () => {
  test('arrives unchanged, once, with the certificate', async () => {
    const peer = await startPeer((socket) => socket.end(answer('{"a":"ñ"}', ['X-A: b'])))
    const outcome = await transportTo(peer.url)(MESSAGE)
    expect(outcome).toEqual({
      kind: 'answered',
      status: 200,
      headers: expect.objectContaining({ 'x-a': 'b' }),
      body: Buffer.from('{"a":"ñ"}'),
    })
    const [head = '', body = ''] = (peer.received[0] ?? '').split('\r\n\r\n')
    expect(head.toLowerCase().split('\r\n').toSorted()).toEqual(
      [
        'post /wlpl/pftw-picw/presbasicados http/1.1',
        `host: 127.0.0.1:${peer.port}`,
        'content-type: application/json;charset=utf-8',
        'accept: */*',
        `content-length: ${MESSAGE.body.length}`,
        'user-agent: sello/1.2.3',
        'accept-encoding: identity',
        'connection: close',
      ].toSorted(),
    )
    expect(Buffer.from(body, 'latin1')).toEqual(MESSAGE.body)
    expect(peer.sockets[0]?.getPeerX509Certificate()).toBeDefined()
    expect(peer.connections).toBe(1)
  })

  test('that asks for none shows no certificate, although there is one', async () => {
    const peer = await startPeer((socket) => socket.end(answer('yes')))
    expect(await transportTo(peer.url)(OPEN_MESSAGE)).toMatchObject({ kind: 'answered' })
    expect(peer.sockets[0]?.getPeerX509Certificate()).toBeUndefined()
  })

  test('follows no redirect', async () => {
    const other = await startPeer((socket) => socket.end(answer('caught')))
    const peer = await startPeer((socket) =>
      socket.end(answer('moved', [`Location: ${other.url}`], '307 Temporary Redirect')),
    )
    expect(await transportTo(peer.url)(MESSAGE)).toMatchObject({ kind: 'answered', status: 307 })
    expect(other.connections).toBe(0)
    expect(peer.connections).toBe(1)
  })
})

describe('a message certainly did not leave', () => {
  const notSent = (reason: string): unknown => ({
    kind: 'not_sent',
    reason,
    detail: expect.stringMatching(/./),
  })

  test('when nothing listens', async () => {
    const url = (await startRawPeer(() => {})).url.replace(/\d+\/$/, '1/')
    expect(await transportTo(url)(MESSAGE)).toEqual(notSent('unreachable'))
  })

  test.each(['resets', 'closes'])('when the server %s the connection instead of a handshake', async (how) => {
    const peer = await startRawPeer((socket) => {
      socket.once('data', () => (how === 'resets' ? socket.resetAndDestroy() : socket.end()))
    })
    expect(await transportTo(peer.url)(MESSAGE)).toEqual(notSent('unreachable'))
  })

  test('when the server says nothing to the greeting', async () => {
    const peer = await startRawPeer(() => {})
    expect(await transportTo(peer.url, { limits: { connectMs: 60 } })(MESSAGE)).toEqual(
      notSent('unreachable'),
    )
  })

  test('when the server closes the connection on seeing the certificate', async () => {
    const peer = await startPeer(() => {}, { rejectUnauthorized: true, minVersion: 'TLSv1.3' })
    expect(await transportTo(peer.url, { limits: PATIENT })(MESSAGE)).toEqual(notSent('unreachable'))
    expect(peer.received.join('')).toBe('')
  })

  test('when the server refuses the certificate', async () => {
    // The key cannot sign with what is asked for, so that no certificate is shown where one is required.
    const peer = await startPeer((socket) => socket.end(answer('yes')), {
      requestCert: true,
      rejectUnauthorized: true,
      sigalgs: 'ecdsa_secp256r1_sha256',
      minVersion: 'TLSv1.3',
    })
    const credential = credentialFor({ keyType: 'rsa' })
    expect(await transportTo(peer.url, { credential, limits: PATIENT })(MESSAGE)).toEqual(
      notSent('certificate_refused'),
    )
    expect(peer.received.join('')).toBe('')
  })

  test.each([
    ['its key is another', () => ({ ...credentialFor(), keyPem: credentialFor({ freshKey: true }).keyPem })],
    ['it cannot be read', () => ({ ...credentialFor(), chainPem: 'nothing' })],
  ])('when the certificate cannot be used: %s', async (_name, credential) => {
    const before = connectsTried()
    expect(await transportTo('https://127.0.0.1:1/', { credential: credential() })(MESSAGE)).toEqual(
      notSent('no_certificate'),
    )
    expect(connectsTried()).toBe(before)
  })

  test('when the program stops meanwhile, or had stopped before', async () => {
    const stopping = new AbortController()
    const peer = await startRawPeer((socket) => socket.once('data', () => stopping.abort()))
    const transport = transportTo(peer.url, { signal: stopping.signal })
    expect(await transport(MESSAGE)).toEqual(notSent('unreachable'))
    expect(await transport(MESSAGE)).toEqual(notSent('unreachable'))
    expect(peer.connections).toBe(1)
  })
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
    'the server wants another protocol',
    (socket) =>
      void socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'),
  ],
  ['the body is too large', (socket) => void socket.end(answer('x'.repeat(1001)))],
]

describe('a message may have arrived', () => {
  const lost = (detail: RegExp): HttpOutcome =>
    ({ kind: 'no_answer', detail: expect.stringMatching(detail) as string }) as const

  test.each(LOST)('when %s', async (_name, behave) => {
    const peer = await startPeer(behave)
    expect(await transportTo(peer.url, { limits: { bytes: 1000 } })(MESSAGE)).toEqual(lost(/./))
    expect(peer.received[0]).toContain('\r\n\r\n{"F01"')
    // It is not sent again.
    expect(peer.connections).toBe(1)
  })

  test('when the server sends nothing for the idle time', async () => {
    const peer = await startPeer(() => {})
    expect(await transportTo(peer.url, { limits: { idleMs: 50 } })(MESSAGE)).toEqual(
      lost(/^Nothing moved for 50 ms\.$/),
    )
  })

  test('when the server sends a little at a time for too long', async () => {
    const peer = await startPeer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const trickle = setInterval(() => socket.write('x'), 5)
      socket.once('close', () => clearInterval(trickle))
    })
    expect(await transportTo(peer.url, { limits: { totalMs: 150 } })(MESSAGE)).toEqual(
      lost(/^No whole answer after 150 ms\.$/),
    )
  })

  test('when the program stops while it waits', async () => {
    const stopping = new AbortController()
    const peer = await startPeer(() => stopping.abort())
    expect(await transportTo(peer.url, { signal: stopping.signal })(MESSAGE)).toEqual(lost(/^Stopped while/))
  })
})

test.each([
  ['production', true, 'www1.agenciatributaria.gob.es'],
  ['production', false, 'www2.agenciatributaria.gob.es'],
  ['preproduction', true, 'prewww1.aeat.es'],
  ['preproduction', false, 'prewww2.aeat.es'],
] as const)('in %s, with a certificate %s, the host is %s', async (environment, certificate, host) => {
  const asked: ConnectionOptions[] = []
  // Stands before the guard of the tests, so that not even the name is looked up.
  const connect = (options: ConnectionOptions): TLSSocket => {
    asked.push(options)
    const socket = new TLSSocket(new Socket())
    setImmediate(() => socket.destroy(Object.assign(new Error('no'), { code: 'ENOTFOUND' })))
    return socket
  }
  vi.spyOn(tls, 'connect').mockImplementation(connect as typeof tls.connect)
  syncBuiltinESMExports()
  const transport = createLiveTransport({
    environment,
    credential: credentialFor(),
    version: '1.2.3',
    standIn: null,
  })
  expect(await transport({ ...MESSAGE, certificate })).toMatchObject({
    kind: 'not_sent',
    reason: 'unreachable',
  })
  expect(asked).toMatchObject([{ host, servername: host, port: 443, rejectUnauthorized: true }])
})
