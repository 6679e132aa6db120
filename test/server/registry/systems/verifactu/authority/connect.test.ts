/**
 * The connection to the authority: nothing is sent before it is established, and every failure has an actionable
 * reason.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import dns from 'node:dns'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openConnection, reasonOf } from '../../../../../../server/platform/http-client/mutual-tls.ts'
import type { NotSentReason } from '../../../../../../server/registry/queue/authority.ts'
import { makeServerCertificate } from '../../../../../support/files/certificates.ts'
import { connectsTried } from '../../../../../support/setup/network-guard.ts'
import { needs } from '../../../../../support/tools.ts'
import { answer, authorityAt, credentialFor, startPeer, startRawPeer } from './peer.ts'
import type { Peer } from './peer.ts'

const XML = '<a/>'
const LIMITS = { connectMs: 15_000, verdictMs: 1_000 }
/** For a refusal that is certain to come, however busy this computer is. */
const PATIENT = { verdictMs: 30_000 }

function notSent(reason: NotSentReason, detail: RegExp): unknown {
  return { kind: 'not_sent', reason, detail: expect.stringMatching(detail) }
}

/** Returns the bytes that a server received which must not see a message. */
function messageBytes(peer: Peer): number {
  return peer.received.join('').length
}

type Found = (error: Error | null, found?: dns.LookupAddress[]) => void

/** Replaces the system's answer to a name lookup. */
function lookupAnswers(answers: (done: Found) => void): void {
  const stand = (_host: string, _options: object, done: Found): void => answers(done)
  vi.spyOn(dns, 'lookup').mockImplementation(stand as typeof dns.lookup)
  syncBuiltinESMExports()
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  syncBuiltinESMExports()
})

describe('the authority is unreachable when', () => {
  test('nothing listens', async () => {
    const url = (await startRawPeer(() => {})).url.replace(/\d+\/$/, '1/')
    expect(await authorityAt(url).submit(XML)).toEqual(notSent('unreachable', /^ECONNREFUSED: /))
  })

  test.each(['ENOTFOUND', 'EAI_AGAIN'])('its name cannot be resolved: %s', async (code) => {
    const { port } = await startRawPeer(() => {})
    lookupAnswers((done) => done(Object.assign(new Error('no'), { code })))
    const exchange = await authorityAt(`https://localhost:${port}/`).submit(XML)
    expect(exchange).toEqual(notSent('unreachable', new RegExp(`^${code}: no$`)))
  })

  test('localhost resolves to another computer', async () => {
    const peer = await startPeer((socket) => socket.end(answer('yes')))
    lookupAnswers((done) =>
      done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '192.0.2.1', family: 4 },
      ]),
    )
    const exchange = await authorityAt(`https://localhost:${peer.port}/`).submit(XML)
    expect(exchange).toEqual(notSent('unreachable', /localhost is not this computer/))
    expect(peer.connections).toBe(0)
  })

  test.each(['resets', 'closes'])('the server %s the connection instead of a handshake', async (how) => {
    const peer = await startRawPeer((socket) => {
      socket.once('data', () => (how === 'resets' ? socket.resetAndDestroy() : socket.end()))
    })
    expect(await authorityAt(peer.url).submit(XML)).toEqual(notSent('unreachable', /^ECONNRESET: /))
  })

  test('the server accepts the connection and then sends nothing', async () => {
    const peer = await startRawPeer(() => {})
    const exchange = await authorityAt(peer.url, { limits: { connectMs: 60 } }).submit(XML)
    expect(exchange).toEqual(notSent('unreachable', /^No secure connection after 60 ms\.$/))
  })

  test('the program stops meanwhile, or had stopped before', async () => {
    const stopping = new AbortController()
    const peer = await startRawPeer((socket) => socket.once('data', () => stopping.abort()))
    const authority = authorityAt(peer.url, { signal: stopping.signal })
    expect(await authority.submit(XML)).toEqual(notSent('unreachable', /^Stopped/))
    expect(await authority.submit(XML)).toEqual(notSent('unreachable', /^Stopped/))
    expect(peer.connections).toBe(1)
  })

  test('the server closes the connection as soon as it has seen the certificate', async () => {
    const peer = await startPeer(() => {}, { rejectUnauthorized: true, minVersion: 'TLSv1.3' })
    expect(await authorityAt(peer.url, { limits: PATIENT }).submit(XML)).toEqual(
      notSent('unreachable', /right after the handshake/),
    )
    expect(messageBytes(peer)).toBe(0)
  })
})

describe('the authority is not trusted when', () => {
  const yes = (options: tls.TlsOptions): Promise<Peer> =>
    startPeer((socket) => socket.end(answer('yes')), options)
  const certificate = (wish: Parameters<typeof makeServerCertificate>[0]): tls.TlsOptions => {
    const { certPem, keyPem } = makeServerCertificate(wish)
    return { cert: certPem, key: keyPem }
  }

  test.each([
    [
      'is vouched for by somebody else',
      certificate({ issuer: 'Otra autoridad' }),
      /^UNABLE_TO_VERIFY_LEAF_SIGNATURE: /,
    ],
    ['is for another name', certificate({ hosts: ['www1.example.org'] }), /^ERR_TLS_CERT_ALTNAME_INVALID: /],
    [
      'is for another address',
      certificate({ hosts: ['localhost', '127.0.0.2'] }),
      /^ERR_TLS_CERT_ALTNAME_INVALID: /,
    ],
    ['has expired', certificate({ to: '2021-01-01T00:00:00Z' }), /^CERT_HAS_EXPIRED: /],
    ['is not valid yet', certificate({ from: '2044-01-01T00:00:00Z' }), /^CERT_NOT_YET_VALID: /],
  ])('the certificate of the server %s', async (_name, options, detail) => {
    const peer = await yes(options)
    // Whoever can set this for the process must not be able to disable the check.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    vi.spyOn(process, 'emitWarning').mockReturnValue()
    expect(await authorityAt(peer.url).submit(XML)).toEqual(notSent('not_trusted', detail))
    expect(messageBytes(peer)).toBe(0)
  })

  test('the server only supports TLS up to 1.1', async () => {
    const peer = await yes({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })
    expect(await authorityAt(peer.url).submit(XML)).toEqual(notSent('not_trusted', /^ERR_SSL_/))
    expect(messageBytes(peer)).toBe(0)
  })

  test('the server does not use TLS at all', async () => {
    const peer = await startRawPeer((socket) => socket.end(answer('yes', [], '400 Bad Request')))
    expect(await authorityAt(peer.url).submit(XML)).toEqual(notSent('not_trusted', /^ERR_SSL_/))
  })
})

/** Starts a server that answers a greeting with an unencrypted TLS alert, as before keys are agreed. */
function alerting(alert: number): Promise<Peer> {
  return startRawPeer((socket) =>
    socket.once('data', () => socket.end(Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, alert]))),
  )
}

// Source of the numbers: RFC 8446, section 6.
test.each([
  ['bad_certificate', 42, 'certificate_refused'],
  ['unsupported_certificate', 43, 'certificate_refused'],
  ['certificate_revoked', 44, 'certificate_refused'],
  ['certificate_expired', 45, 'certificate_refused'],
  ['certificate_unknown', 46, 'certificate_refused'],
  ['unknown_ca', 48, 'certificate_refused'],
  ['access_denied', 49, 'certificate_refused'],
  ['certificate_required', 116, 'certificate_refused'],
  ['handshake_failure', 40, 'not_trusted'],
  ['protocol_version', 70, 'not_trusted'],
  ['insufficient_security', 71, 'not_trusted'],
  ['internal_error', 80, 'not_trusted'],
  ['unrecognized_name', 112, 'not_trusted'],
] as const)('the alert %s (%i) during the handshake is %s', async (_name, number, reason) => {
  const peer = await alerting(number)
  expect(await authorityAt(peer.url).submit(XML)).toEqual(notSent(reason, /^ERR_SSL_/))
})

// Electron uses BoringSSL, whose codes differ slightly from OpenSSL's.
test.each([
  ['ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED', false, 'certificate_refused'],
  ['ERR_SSL_TLSV1_CERTIFICATE_REQUIRED', false, 'certificate_refused'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', true, 'certificate_refused'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', true, 'certificate_refused'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', false, 'not_trusted'],
  ['ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR', true, 'certificate_refused'],
  ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', true, 'not_trusted'],
  ['EPROTO', false, 'not_trusted'],
  ['ECONNRESET', true, 'unreachable'],
  ['', false, 'unreachable'],
] as const)('the code "%s" (after the handshake: %s) is %s', (code, secure, reason) => {
  expect(reasonOf(code, { secure, impostor: false })).toBe(reason)
})

describe('a certificate refused after the handshake seemed complete', () => {
  // The key cannot sign with the requested algorithms, so TLS omits the certificate, which the server requires.
  const ONLY_EC = { requestCert: true, rejectUnauthorized: true, sigalgs: 'ecdsa_secp256r1_sha256' }

  test.each([
    ['TLS 1.3', { minVersion: 'TLSv1.3' }, 'certificate_refused', /CERTIFICATE_REQUIRED/],
    ['TLS 1.2', { maxVersion: 'TLSv1.2' }, 'not_trusted', /HANDSHAKE_FAILURE/],
  ] as const)('by %s: no byte of the message is sent', async (_name, options, reason, detail) => {
    const peer = await startPeer((socket) => socket.end(answer('yes')), { ...ONLY_EC, ...options })
    const credential = credentialFor({ keyType: 'rsa' })
    expect(await authorityAt(peer.url, { credential, limits: PATIENT }).submit(XML)).toEqual(
      notSent(reason, detail),
    )
    expect(messageBytes(peer)).toBe(0)
  })

  interface OpensslServer {
    port: number
    /** Output of the server: its messages, and what it received. */
    said: string[]
    say: (text: string) => void
  }

  /** Starts OpenSSL's own server, which verifies inside the handshake as the gateways of the real service do. */
  async function openssl(...options: string[]): Promise<OpensslServer> {
    const folder = mkdtempSync(join(tmpdir(), 'sello-openssl-'))
    const { certPem, keyPem } = makeServerCertificate()
    writeFileSync(join(folder, 'key.pem'), keyPem)
    writeFileSync(join(folder, 'cert.pem'), certPem)
    writeFileSync(join(folder, 'others.pem'), makeServerCertificate({ issuer: 'Otra autoridad' }).caPem)
    const said: string[] = []
    const server = spawn(
      'openssl',
      [
        's_server',
        '-accept',
        '127.0.0.1:0',
        '-cert',
        'cert.pem',
        '-key',
        'key.pem',
        '-no-CAfile',
        '-no-CApath',
        ...options,
      ],
      { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] },
    )
    onTestFinished(async () => {
      server.kill('SIGKILL')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'close')
      rmSync(folder, { recursive: true, force: true })
    })
    server.stderr.on('data', (text: Buffer) => said.push(text.toString()))
    const port = await new Promise<number>((resolve, reject) => {
      server.stdout.on('data', (text: Buffer) => {
        said.push(text.toString())
        const found = /^ACCEPT 127\.0\.0\.1:(\d+)$/m.exec(said.join(''))?.[1]
        if (found) resolve(Number(found))
      })
      server.once('close', () => reject(new Error(said.join(''))))
    })
    return { port, said, say: (text) => server.stdin.write(text) }
  }

  const withOpenssl = needs('openssl')

  withOpenssl.each([
    ['TLS 1.3', '-tls1_3'],
    ['TLS 1.2', '-tls1_2'],
  ])('by an authority that does not know its issuer: %s', async (_name, version) => {
    const { port, said } = await openssl(
      '-Verify',
      '5',
      '-verify_return_error',
      '-CAfile',
      'others.pem',
      version,
    )
    const authority = authorityAt(`https://127.0.0.1:${port}/`, { limits: PATIENT })
    const exchange = await authority.submit('<secret-message/>')
    expect(exchange).toEqual(notSent('certificate_refused', /ALERT_UNKNOWN_CA/))
    expect(said.join('')).not.toContain('secret-message')
  })

  withOpenssl('an authority that gives no tickets gets the message after a moment', async () => {
    const { port, said, say } = await openssl('-Verify', '5', '-num_tickets', '0', '-tls1_3')
    const authority = authorityAt(`https://127.0.0.1:${port}/`, { limits: { verdictMs: 30 } })
    const exchange = authority.submit('<the-message/>')
    await vi.waitFor(() => expect(said.join('')).toContain('<the-message/>'), {
      timeout: 10_000,
      interval: 10,
    })
    say(answer('heard'))
    expect(await exchange).toMatchObject({ kind: 'answered', body: Buffer.from('heard') })
  })
})

describe('without a certificate', () => {
  test.each([
    ['there is none', null, /has no certificate/],
    ['it has expired', credentialFor({ to: '2026-11-21T09:59:58Z' }), /has expired/],
    ['it is not valid yet', credentialFor({ from: '2026-11-21T10:00:01Z' }), /is not valid yet/],
    [
      'its key is another',
      { ...credentialFor(), keyPem: credentialFor({ freshKey: true }).keyPem },
      /cannot be used.*key values mismatch/i,
    ],
    ['it cannot be read', { ...credentialFor(), chainPem: 'nothing' }, /cannot be used/],
  ])('%s: no socket is opened', async (_name, credential, detail) => {
    const before = connectsTried()
    const authority = authorityAt('https://127.0.0.1:1/', { credential })
    expect(await authority.submit(XML)).toEqual(notSent('no_certificate', detail))
    expect(await authority.query(XML)).toEqual(notSent('no_certificate', detail))
    expect(connectsTried()).toBe(before)
  })
})

describe('the trusted roots of the real hosts', () => {
  const dial = (port: number) => ({
    address: { host: 'localhost', port, path: '/', caPem: null },
    credential: credentialFor(),
    limits: LIMITS,
  })

  test("are those that the program includes, or else those of the computer's own store", async () => {
    const peer = await startPeer(() => {})
    const store = vi.spyOn(tls, 'getCACertificates')
    syncBuiltinESMExports()

    store.mockReturnValueOnce([])
    expect(await openConnection(dial(peer.port))).toMatchObject({ kind: 'refused', reason: 'not_trusted' })
    store.mockImplementationOnce(() => {
      throw new Error('This system has no store.')
    })
    expect(await openConnection(dial(peer.port))).toMatchObject({ kind: 'refused', reason: 'not_trusted' })

    store.mockReturnValueOnce([makeServerCertificate().caPem])
    const connection = await openConnection(dial(peer.port))
    expect(connection.kind).toBe('open')
    if (connection.kind === 'open') connection.socket.destroy()
    expect(store.mock.calls).toEqual([['system'], ['system'], ['system']])
  })

  test('are not read from the store when that cannot help', async () => {
    const store = vi.spyOn(tls, 'getCACertificates')
    syncBuiltinESMExports()
    const { port } = await startRawPeer((socket) => socket.end(answer('', [], '400 Bad Request')))
    expect(await openConnection(dial(port))).toMatchObject({ kind: 'refused', reason: 'not_trusted' })
    expect(store).not.toHaveBeenCalled()
  })

  test('are never those that the process environment adds, and its proxy is not used', async () => {
    const peer = await startPeer((socket) => socket.end(answer('yes')))
    const folder = mkdtempSync(join(tmpdir(), 'sello-roots-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const caFile = join(folder, 'ca.pem')
    const { caPem } = makeServerCertificate()
    writeFileSync(caFile, caPem)
    const child = spawn(process.execPath, [join(import.meta.dirname, 'environment-child.ts')], {
      env: {
        ...process.env,
        NODE_EXTRA_CA_CERTS: caFile,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
        NODE_USE_ENV_PROXY: '1',
        HTTPS_PROXY: 'http://127.0.0.1:1',
        NODE_NO_WARNINGS: '1',
        // An empty store of the system.
        SSL_CERT_FILE: join(folder, 'none.pem'),
        SSL_CERT_DIR: mkdtempSync(join(folder, 'none-')),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.end(JSON.stringify({ url: peer.url, port: peer.port, caPem, credential: credentialFor() }))
    let said = ''
    child.stdout.on('data', (part: Buffer) => (said += part.toString()))
    await once(child, 'close')
    expect(JSON.parse(said)).toEqual({
      asStandIn: 'answered',
      asRealHost: { kind: 'refused', reason: 'not_trusted' },
    })
  })
})
