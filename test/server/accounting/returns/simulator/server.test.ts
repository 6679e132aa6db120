/** The simulated filing services over real TLS with certificates, and their control port. */
import { request } from 'node:https'
import { connect } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startReturnsServer } from '../../../../../server/accounting/returns/simulator/server.ts'
import type { ReturnsServer } from '../../../../../server/accounting/returns/simulator/server.ts'
import { memoryReturnsState } from '../../../../../server/accounting/returns/simulator/index.ts'
import {
  issueClientCertificate,
  makeAuthorityCa,
} from '../../../../../server/platform/simulated-authority/certificates/certificates.ts'
import { control } from '../../../registry/systems/verifactu/simulator/loopback.ts'
import { named, SIGNED, WORKED_347 } from './informative-samples.ts'
import { filing, NAME, NIF, NOW, pageFile, PATHS, QUERY, validation } from './samples.ts'

const YEARS = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2036-01-01T00:00:00Z') }

/** Made once, because making keys is slow. */
const identities = (async () => {
  const ca = await makeAuthorityCa({ ...YEARS, name: 'AC DE CLIENTES' })
  const of = (nif: string, dates = YEARS) =>
    issueClientCertificate({ ca, ...dates, kind: 'seal', nif, name: NAME })
  return {
    ca,
    own: await of(NIF),
    other: await of('A28000982'),
    expired: await of(NIF, { from: YEARS.from, to: new Date('2026-02-01T00:00:00Z') }),
  }
})()

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** `own` by default; null for none. */
  identity?: 'own' | 'other' | 'expired' | null
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

async function opened(options: Parameters<typeof startReturnsServer>[0] = {}) {
  const server = await startReturnsServer({ now: () => NOW, ...options })
  onTestFinished(() => server.close())
  const call = (path: string, wanted: Call = {}) => asked(server, path, wanted)
  const postJson = (path: string, message: unknown, wanted: Call = {}) =>
    call(path, {
      ...wanted,
      body: JSON.stringify(message),
      headers: { 'content-type': 'application/json;charset=UTF-8', ...wanted.headers },
    })
  return { server, call, postJson }
}

async function asked(server: ReturnsServer, path: string, wanted: Call): Promise<Answer> {
  const { method = 'POST', headers = {}, body, identity = 'own' } = wanted
  const known = await identities
  return new Promise((resolve, reject) => {
    const outgoing = request(
      server.url + path,
      {
        method,
        ca: server.caPem,
        agent: false,
        headers,
        ...(identity === null ? {} : { key: known[identity].keyPem, cert: known[identity].certPem }),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const jsonOf = ({ body }: Answer) => JSON.parse(body.toString('utf8'))

describe('over TLS', () => {
  test('a return is filed with the certificate of its filer, found, and its document read without one', async () => {
    const { server, call, postJson } = await opened()
    const filed = await postJson(PATHS.file, filing(await pageFile('303')))
    expect(filed).toMatchObject({ status: 200, headers: { date: 'Sat, 14 Nov 2026 09:32:00 GMT' } })
    const { correcta } = jsonOf(filed).respuesta
    const query = await call(PATHS.query, {
      body: new URLSearchParams(QUERY).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(query.body.toString('utf8')).toContain(`<csv>${correcta.CodigoSeguroVerificacion}</csv>`)
    const address = new URL(correcta.urlPdf)
    expect(address.origin).toBe(server.url)
    const document = await call(address.pathname + address.search, { method: 'GET', identity: null })
    expect(document.headers['content-type']).toBe('application/pdf')
    expect(document.body.subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('a validation needs no certificate, a filing does', async () => {
    const { postJson } = await opened()
    const text = await pageFile('303')
    expect(jsonOf(await postJson(PATHS.validate, validation(text), { identity: null }))).toHaveProperty(
      'RESPUESTA',
    )
    const refused = await postJson(PATHS.file, filing(text), { identity: null })
    expect(refused).toMatchObject({ status: 403, headers: { 'content-type': 'text/html; charset=utf-8' } })
  })

  test('the certificate must be of the signer, within its dates and of a known issuer', async () => {
    const { ca } = await identities
    const { server, postJson } = await opened({ clientCa: [ca.certPem] })
    const message = filing(await pageFile('303'))
    const refused = jsonOf(await postJson(PATHS.file, message, { identity: 'other' }))
    expect(refused.respuesta.errores).toEqual([expect.stringMatching(/^S0009 - .*B12345674$/)])
    expect(await postJson(PATHS.file, message, { identity: 'expired' })).toMatchObject({ status: 403 })
    expect(jsonOf(await postJson(PATHS.file, message)).respuesta).toHaveProperty('correcta')
    expect(server.state?.allDeclared()).toHaveLength(1)
    const strangers = await makeAuthorityCa(YEARS)
    const other = await opened({ clientCa: [strangers.certPem], state: memoryReturnsState() })
    expect(await other.postJson(PATHS.file, message)).toMatchObject({ status: 403 })
  })

  test('an informative return is sent in steps, with its data in headers and its cookie', async () => {
    const { server, call } = await opened()
    const step = (name: string, headers: Record<string, string>, body = '') =>
      call(`/wlpl/OVPT-NTGV/${name}`, { headers, body: Buffer.from(body, 'latin1') })
    const encoded = { CODIFICACION: 'ISO-8859-1' }
    const start = { ...named(), IDIOMA: 'ES', NUMBLOQUES: '1', ...encoded }
    const created = await step('InicializarEnvio', start, WORKED_347.head)
    expect(created.headers).toMatchObject({ codigo: '0', estado: 'CREADO' })
    const next = {
      IDENVIO: String(created.headers['idenvio']),
      cookie: String(created.headers['set-cookie']?.[0]).split(';')[0] ?? '',
    }
    await step('EnviarDatos', { ...next, NUMBLOQUE: '1', ...encoded }, WORKED_347.records.join(''))
    const done = await step('PresentarEnvio', { ...next, ...SIGNED })
    expect(done.headers).toMatchObject({ codigo: '0', estado: 'PRESENTADO', numeroregistros: '3' })
    expect(server.state?.allDeclared()[0]).toMatchObject({ model: '347', presenterName: NAME })
  })

  test('a lost answer shows as a closed connection', async () => {
    const { server, postJson } = await opened()
    const message = filing(await pageFile('303'))
    server.control.next({ kind: 'drop_reply' })
    await expect(postJson(PATHS.file, message)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(server.state?.allDeclared()).toHaveLength(1)
    server.control.next({ kind: 'half_body' })
    const half = await postJson(PATHS.file, message)
    expect(Number(half.headers['content-length'])).toBe(half.body.length)
    expect(() => jsonOf(half)).toThrow(SyntaxError)
  })

  test('a body beyond the limit is refused, and old TLS as well', async () => {
    const { server, postJson } = await opened({ maxBodyBytes: 100 })
    expect(await postJson(PATHS.file, filing(await pageFile('303')))).toMatchObject({ status: 413 })
    const outcome = await new Promise((resolve) => {
      const socket = connect({
        port: server.port,
        ca: server.caPem,
        maxVersion: 'TLSv1.1',
        minVersion: 'TLSv1.1',
      })
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      socket.on('secureConnect', () => resolve('connected'))
    })
    expect(outcome).not.toBe('connected')
  })

  test('the server ends at once, and the port is free for the next', async () => {
    const { server, postJson } = await opened()
    server.control.set({ kind: 'slow', ms: 3_600_000 })
    const waiting = postJson(PATHS.file, filing(await pageFile('303')))
    const lost = expect(waiting).rejects.toMatchObject({ code: 'ECONNRESET' })
    await expect.poll(() => server.state?.allDeclared().length).toBe(1)
    await server.close()
    await lost
    const next = await startReturnsServer({ port: server.port })
    await expect(startReturnsServer({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await next.close()
  })
})

const OTHER = '12345678Z'

describe('the control port', () => {
  test('sets faults, and lists what is held', async () => {
    const { server, postJson } = await opened({ controlPort: 0 })
    const url = server.controlUrl ?? ''
    const message = filing(await pageFile('303'))
    expect(await control(url, { fault: { kind: 'errors', codes: ['E0100803'] } })).toEqual({
      status: 200,
      body: { ok: true },
    })
    expect(jsonOf(await postJson(PATHS.file, message)).respuesta.errores).toHaveLength(1)
    await control(url, { set: 'redirect_302', on: 'any' })
    expect(await postJson(PATHS.file, message)).toMatchObject({ status: 302 })
    await control(url, { clear: true })
    expect(await postJson(PATHS.file, message)).toMatchObject({ status: 200 })
    expect((await control(`${url}/declared`)).body).toEqual({ declared: server.state?.allDeclared() })
    expect(server.state?.allDeclared()).toHaveLength(1)
    expect((await control(`${url}/sendings`)).body).toEqual({ sendings: [] })
  })

  test('replaces the register of powers as a whole, and lists it', async () => {
    const { server } = await opened({ controlPort: 0, powers: [{ nif: OTHER, for: NIF, as: 'legal' }] })
    const url = server.controlUrl ?? ''
    expect((await control(`${url}/powers`)).body).toEqual({ powers: [{ nif: OTHER, for: NIF, as: 'legal' }] })
    expect(await control(url, { powers: [{ nif: OTHER, for: 'A28000982' }] })).toEqual({
      status: 200,
      body: { ok: true },
    })
    const named = [{ nif: OTHER, for: 'A28000982', as: 'attorney' }]
    expect((await control(`${url}/powers`)).body).toEqual({ powers: named })
    for (const wrong of [
      null,
      {},
      [{ nif: OTHER }],
      [{ nif: 'x', for: NIF }],
      [{ nif: OTHER, for: NIF, as: 'friend' }],
    ])
      expect(await control(url, { powers: wrong })).toEqual({
        status: 422,
        body: { error: 'powers_unreadable' },
      })
    expect((await control(`${url}/powers`)).body).toEqual({ powers: named })
    await control(url, { powers: [] })
    expect((await control(`${url}/powers`)).body).toEqual({ powers: [] })
  })

  test.each([
    [{ fault: 'unknown' }, 422, 'fault_unknown'],
    [{ fault: 'drop_reply', on: 'submission' }, 422, 'on_is_file_validate_query_document_informative_or_any'],
    [{ fault: 'drop_reply', times: 0 }, 422, 'times_is_a_number'],
    ['{', 400, 'unreadable'],
  ])('refuses %j', async (body, status, error) => {
    const { server } = await opened({ controlPort: 0 })
    expect(await control(server.controlUrl ?? '', body)).toEqual({ status, body: { error } })
    expect(server.control.take('file')).toBeNull()
  })

  test('is not opened unless it is wanted, and lists only what is in memory', async () => {
    const { server } = await opened()
    expect(server.controlUrl).toBeNull()
    const { declared, byCsv, add, sending, putSending, lastSending } = memoryReturnsState()
    const elsewhere = { declared, byCsv, add, sending, putSending, lastSending }
    const other = await opened({ state: elsewhere, controlPort: 0 })
    expect(other.server.state).toBeNull()
    expect((await control(`${other.server.controlUrl}/declared`)).status).toBe(404)
  })
})
