import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  issueClientCertificate,
  makeAuthorityCa,
} from '../../../../../../server/platform/simulated-authority/certificates/certificates.ts'
import { memoryState } from '../../../../../../server/registry/systems/verifactu/simulator/index.ts'
import { startAuthorityServer } from '../../../../../../server/registry/systems/verifactu/simulator/server.ts'
import { buildRegistration } from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import {
  buildQuery,
  buildSubmission,
} from '../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import { readQueryReply } from '../../../../../../server/registry/systems/verifactu/wire/query-reply.ts'
import { readReply } from '../../../../../../server/registry/systems/verifactu/wire/reply.ts'
import { GENERATED_AT, invoice, ISSUER, NOW, PREVIOUS, SYSTEM, verdict } from '../../../samples.ts'
import { control, issuersCertificate, opened, YEARS } from './loopback.ts'
import type { SimulatorState } from '../../../../../../server/registry/systems/verifactu/simulator/index.ts'

const COMPANY = { name: 'TALLERES NORTE SL', nif: 'B12345674' }
const record = (number: string) => buildRegistration(invoice({ number }), PREVIOUS, SYSTEM, GENERATED_AT)
const message = (...numbers: string[]) =>
  buildSubmission(
    { issuer: ISSUER },
    numbers.map((number) => record(number).xml),
  )
const QUESTION = buildQuery({ issuer: ISSUER, month: '2026-11' })

describe('the service', () => {
  test('accepts submissions and queries at one address, distinguished by their content', async () => {
    const { server, post } = await opened()
    const answer = await post(message('F-1', 'F-2'))
    expect(answer).toMatchObject({ status: 200, type: 'text/xml; charset=utf-8' })
    expect(answer.headers.date).toBe('Mon, 16 Nov 2026 09:00:02 GMT')
    expect(readReply(answer.body)).toMatchObject({ state: 'Correcto', lines: [{}, {}] })
    const held = await post(QUESTION, { url: server.queryUrl })
    expect(readQueryReply(held.body)).toMatchObject({ items: [{ hash: record('F-1').hash }, {}] })
    expect(server.received()).toEqual({ submissions: 1, queries: 1, qr: 0, refused: 0 })
    expect(server.state?.records()).toHaveLength(2)
  })

  test('has the paths of the real one', async () => {
    const { server } = await opened()
    expect(new URL(server.url)).toMatchObject({
      protocol: 'https:',
      hostname: '127.0.0.1',
      port: String(server.port),
      pathname: '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP',
    })
    expect(new URL(server.qrUrl).pathname).toBe('/wlpl/TIKE-CONT/ValidarQR')
  })

  test.each<[string, Parameters<Awaited<ReturnType<typeof opened>>['call']>[0], number, string]>([
    ['GET', {}, 500, 'Codigo[4135].'],
    ['PUT', { method: 'PUT' }, 405, 'GET, POST'],
    ['nothing', { method: 'POST', body: '' }, 500, 'Codigo[4138].'],
    ['JSON', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, 415, '<html'],
    ['no type at all', { method: 'POST', body: QUESTION, headers: { 'content-type': '' } }, 415, '<html'],
    [
      'SOAP 1.2',
      { method: 'POST', body: QUESTION, headers: { 'content-type': 'application/soap+xml' } },
      415,
      '<html',
    ],
    [
      'another charset',
      { method: 'POST', body: QUESTION, headers: { 'content-type': 'text/xml; charset="ISO-8859-1"' } },
      500,
      'Codigo[4119].',
    ],
    [
      'another action',
      { method: 'POST', body: QUESTION, headers: { soapaction: '"urn:consulta"' } },
      500,
      'La cabecera SOAPAction debe ir vacía.',
    ],
    [
      'bytes that are not UTF-8',
      { method: 'POST', body: Buffer.from('<a>ñ</a>', 'latin1') },
      500,
      'Codigo[4119].',
    ],
    ['no XML', { method: 'POST', body: 'hola' }, 500, 'Codigo[4103].'],
  ])('%s', async (_what, wanted, status, text) => {
    const { call } = await opened()
    const answer = await call(wanted)
    expect(answer.status).toBe(status)
    expect(answer.body).toContain(text)
    if (text.startsWith('Codigo')) expect(answer.type).toBe('text/xml; charset=utf-8')
  })

  test('accepts a content type in capitals, without a charset, and a leading byte order mark', async () => {
    const { post } = await opened()
    const typed = (type: string) => post(QUESTION, { headers: { 'content-type': type } })
    expect((await typed('Text/XML')).status).toBe(200)
    expect((await typed('text/xml;charset=UTF-8')).status).toBe(200)
    expect((await post(`\ufeff${QUESTION}`, { headers: { soapaction: '' } })).status).toBe(200)
  })

  test('answers 404 on any other path, and does not read a body that is too long', async () => {
    const { server, call, post } = await opened({ maxBodyBytes: 1000 })
    expect((await call({ url: server.url.replace('Verifactu', 'Requerimiento') })).status).toBe(404)
    expect((await post(message('F-1'))).status).toBe(413)
    expect(server.received().submissions).toBe(0)
  })

  test('answers faults with a configurable status, because the body decides', async () => {
    const { post } = await opened({ faultStatus: 200 })
    const answer = await post('')
    expect(answer.status).toBe(200)
    expect(readReply(answer.body)).toMatchObject({ kind: 'fault', code: '4138' })
  })

  test('closes the connection when its state fails', async () => {
    const broken: SimulatorState = { ...memoryState(), find: () => Promise.reject(new Error('disk full')) }
    const { post } = await opened({ state: broken })
    await expect(post(message('F-1'))).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})

describe('access to the service', () => {
  const client = async (options: Partial<Parameters<typeof issueClientCertificate>[0]>) => {
    const { clients } = await issuersCertificate()
    return issueClientCertificate({
      ca: clients,
      ...YEARS,
      kind: 'person',
      nif: '12345678Z',
      name: 'ANA GIL RUIZ',
      ...options,
    })
  }

  test('is refused to a client without a certificate, except for the page of a QR code', async () => {
    const { server, call } = await opened()
    expect(await call({ identity: null })).toMatchObject({
      status: 403,
      type: 'text/html; charset=utf-8',
      body: expect.stringContaining('exige un certificado'),
    })
    const url = `${server.qrUrl}?nif=89890001K&numserie=F%201&fecha=16-11-2026&importe=1.00`
    expect(await call({ identity: null, url: `${url}&formato=json` })).toMatchObject({
      status: 200,
      type: 'application/json; charset=utf-8',
      body: expect.stringContaining('"resultado":"01"'),
    })
    expect(await call({ identity: null, url })).toMatchObject({
      type: 'text/html; charset=utf-8',
      body: expect.stringContaining('Factura no encontrada.'),
    })
    expect((await call({ identity: null, url: server.qrUrl })).body).toContain('Falta el NIF.')
    expect((await call({ identity: null, url, method: 'POST' })).status).toBe(405)
    expect(server.received()).toMatchObject({ qr: 4, refused: 1 })
  })

  test('is refused to a certificate that has expired or is not valid yet', async () => {
    const { call } = await opened()
    const expired = await client({ to: new Date('2026-11-15T00:00:00Z') })
    const early = await client({ from: new Date('2026-11-17T00:00:00Z') })
    expect(await call({ identity: expired })).toMatchObject({
      status: 403,
      body: expect.stringContaining('caducado'),
    })
    expect(await call({ identity: early })).toMatchObject({
      status: 403,
      body: expect.stringContaining('todavía'),
    })
  })

  test('is limited to the named authorities, where they are named, directly or through another', async () => {
    const { clients, own } = await issuersCertificate()
    const { call, post } = await opened({ clientCa: [clients.certPem] })
    expect((await post(message('F-1'))).status).toBe(200)
    const stranger = await client({ ca: await makeAuthorityCa(YEARS), nif: ISSUER.nif })
    expect(await call({ identity: stranger })).toMatchObject({
      status: 403,
      body: expect.stringContaining('prestador'),
    })
    const below = await makeAuthorityCa({ ...YEARS, parent: clients })
    const chained = await client({ ca: below, nif: ISSUER.nif })
    expect((await call({ identity: chained })).status).toBe(403)
    const whole = { ...chained, certPem: chained.certPem + below.certPem }
    expect((await post(message('F-2'), { identity: whole })).status).toBe(200)
    expect(own.caPem).toBe(clients.certPem)
  })

  test('is refused during the handshake, where that is configured', async () => {
    const { clients } = await issuersCertificate()
    const { post, call } = await opened({ clientCa: [clients.certPem], refusal: 'handshake' })
    expect((await post(message('F-1'))).status).toBe(200)
    await expect(call({ identity: null })).rejects.toMatchObject({
      code: expect.stringMatching(/ECONNRESET|EPIPE|ERR_SSL/),
    })
    const stranger = await client({ ca: await makeAuthorityCa(YEARS) })
    await expect(call({ identity: stranger })).rejects.toMatchObject({
      code: expect.stringMatching(/ECONNRESET|EPIPE|ERR_SSL/),
    })
  })

  test('needs TLS 1.2 or newer', async () => {
    const { call, post } = await opened()
    expect((await post(QUESTION, { maxVersion: 'TLSv1.2' })).status).toBe(200)
    await expect(call({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_SSL|ECONNRESET|EPROTO/),
    })
  })

  test('is limited to the issuer and its attorneys; any other client gets a fault', async () => {
    const attorneys = [
      { nif: '12345678Z', of: ISSUER.nif },
      { nif: COMPANY.nif, of: ISSUER.nif, mayQuery: false },
    ]
    const { post } = await opened({ attorneys })
    const attorney = await client({})
    const agency = await client({ kind: 'seal', ...COMPANY })
    const stranger = await client({ kind: 'seal', name: 'OTRA SL', nif: 'B87654323' })
    const own = await post(message('F-1'))
    expect(own.body).toContain(`<sf:NIFPresentador>${ISSUER.nif}</sf:NIFPresentador>`)
    const forAnother = await post(message('F-2'), { identity: attorney })
    expect(forAnother.body).toContain('<sf:NIFPresentador>12345678Z</sf:NIFPresentador>')
    expect((await post(QUESTION, { identity: attorney })).status).toBe(200)
    expect((await post(message('F-3'), { identity: agency })).status).toBe(200)
    expect(readQueryReply((await post(QUESTION, { identity: agency })).body)).toMatchObject({ code: '4140' })
    expect(verdict(readReply((await post(message('F-4'), { identity: stranger })).body))).toBe('fault 4112')
    expect(readQueryReply((await post(QUESTION, { identity: stranger })).body)).toMatchObject({
      code: '4112',
    })
    const asCustomer = QUESTION.replaceAll('ObligadoEmision>', 'Destinatario>')
    expect(readQueryReply((await post(asCustomer, { identity: stranger })).body)).toMatchObject({
      code: '4132',
    })
  })

  test("with a representative's certificate counts for the company, not for the person", async () => {
    const { post } = await opened()
    const identity = await client({
      kind: 'representative',
      nif: ISSUER.nif,
      name: 'EMISOR DE EJEMPLO',
      organization: COMPANY.name,
      organizationNif: COMPANY.nif,
    })
    expect(verdict(readReply((await post(message('F-1'), { identity })).body))).toBe('fault 4112')
    const companys = buildQuery({ issuer: COMPANY, month: '2026-11' })
    expect((await post(companys, { identity })).status).toBe(200)
  })

  test('is checked after the schema', async () => {
    const { post } = await opened()
    const spoiled = message('F-1').replace('<sf:IDVersion>1.0</sf:IDVersion>', '')
    const identity = await client({})
    expect(verdict(readReply((await post(spoiled, { identity })).body))).toBe('fault 4102')
  })
})

describe("the server's own certificate is not trusted when it is", () => {
  test('expired', async () => {
    const { call } = await opened({ serverCertificate: 'expired' })
    await expect(call()).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' })
  })

  test('issued for another name', async () => {
    const { call } = await opened({ serverCertificate: 'other_name' })
    await expect(call()).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })

  test('issued by an authority that is not trusted', async () => {
    const { server } = await opened()
    const { call } = await opened()
    await expect(call({ url: server.url })).rejects.toMatchObject({
      code: expect.stringMatching(
        /UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_SIGNATURE_FAILURE|UNABLE_TO_GET_ISSUER/,
      ),
    })
  })
})

describe('a fault over the wire', () => {
  test('drops a request: its outcome is unknown, and nothing was processed', async () => {
    const { server, post } = await opened()
    server.control.next({ kind: 'drop_request' })
    await expect(post(message('F-1'))).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(server.state?.records()).toEqual([])
    expect(server.received().submissions).toBe(1)
    expect(verdict(readReply((await post(message('F-1'))).body))).toBe('Correcto')
  })

  test('drops a reply: the message was processed, and the query shows it', async () => {
    const { server, post } = await opened()
    server.control.next({ kind: 'drop_reply' })
    await expect(post(message('F-1'))).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(server.state?.records()).toHaveLength(1)
    expect(verdict(readReply((await post(message('F-1'))).body))).toBe('Incorrecto 3000')
    expect(readQueryReply((await post(QUESTION)).body)).toMatchObject({
      items: [{ hash: record('F-1').hash }],
    })
  })

  test.each(['error_500', 'html_200'] as const)(
    'such as %s can come before or after processing',
    async (kind) => {
      const { server, post } = await opened()
      server.control.next({ kind })
      expect(await post(message('F-1'))).toMatchObject({
        status: kind === 'error_500' ? 500 : 200,
        type: 'text/html; charset=utf-8',
        body: expect.stringContaining('<html'),
      })
      expect(server.state?.records()).toHaveLength(0)
      server.control.next({ kind, processed: true })
      expect(readReply((await post(message('F-1'))).body).kind).toBe('unreadable')
      expect(server.state?.records()).toHaveLength(1)
    },
  )

  test('sends half an answer as if it were complete', async () => {
    const { server, post } = await opened()
    server.control.next({ kind: 'half_xml' })
    const answer = await post(message('F-1'))
    expect(answer.status).toBe(200)
    expect(answer.body.startsWith('<?xml')).toBe(true)
    expect(readReply(answer.body).kind).toBe('unreadable')
    expect(server.state?.records()).toHaveLength(1)
  })

  test('delays a correct answer, and no other', async () => {
    const { server, post } = await opened()
    server.control.next({ kind: 'slow', ms: 1 })
    expect(verdict(readReply((await post(message('F-1'))).body))).toBe('Correcto')
    server.control.next({ kind: 'slow', ms: 3_600_000 })
    const never = post(message('F-2')).catch((error: NodeJS.ErrnoException) => error.code)
    // The switch is used up only once the message has been taken.
    while (server.state?.records().length === 1) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(verdict(readReply((await post(message('F-3'))).body))).toBe('Correcto')
    await server.close()
    expect(await never).toBe('ECONNRESET')
  })

  test('can be one of the authority, its clock or its records', async () => {
    const { server, post } = await opened()
    server.control.next({ kind: 'fault_server', processed: true })
    expect(await post(message('F-1'))).toMatchObject({
      status: 500,
      body: expect.stringContaining('env:Server'),
    })
    expect(server.state?.records()).toHaveLength(1)
    server.control.next({ kind: 'suspended' })
    expect(verdict(readReply((await post(message('F-2'))).body))).toBe('fault 4141')
    server.control.next({ kind: 'fault_client', code: '4108' })
    expect(verdict(readReply((await post(message('F-2'))).body))).toBe('fault 4108')
    server.control.next({ kind: 'wrong_clock', seconds: 3600 })
    const late = await post(message('F-2'))
    expect(late.headers.date).toBe('Mon, 16 Nov 2026 10:00:02 GMT')
    expect(readReply(late.body)).toMatchObject({
      presentedAt: '2026-11-16T11:00:02+01:00',
      lines: [{ code: '2004' }],
    })
    server.control.next({ kind: 'record_code', code: '1241' })
    expect(verdict(readReply((await post(message('F-3'))).body))).toBe('Incorrecto 1241')
    server.control.next({ kind: 'annulled_key' })
    expect(readReply((await post(message('F-4'))).body)).toMatchObject({
      lines: [{ duplicate: { state: 'Anulada' } }],
    })
    server.control.next({ kind: 'foreign_duplicate' })
    expect(readReply((await post(message('F-5'))).body)).toMatchObject({
      lines: [{ duplicate: { state: 'Correcta' } }],
    })
    server.control.next({ kind: 'throttle', seconds: 90 })
    expect(readReply((await post(message('F-6'))).body)).toMatchObject({ waitSeconds: 90 })
  })

  test('for QR codes waits for a QR query', async () => {
    const { server, post, call } = await opened()
    server.control.next({ kind: 'qr_code', code: '3001' })
    expect(verdict(readReply((await post(message('F-1'))).body))).toBe('Correcto')
    const asked = await call({ url: `${server.qrUrl}?formato=json`, identity: null })
    expect(asked.body).toContain('"codigo_error":"3001"')
  })

  test('answers early submissions with a page', async () => {
    const { post } = await opened({ earlySends: 'refused', waitSeconds: 60 })
    expect((await post(message('F-1'))).status).toBe(200)
    expect(await post(message('F-2'))).toMatchObject({ status: 429, type: 'text/html; charset=utf-8' })
  })
})

describe('the server', () => {
  test('closes immediately, whatever is in flight', async () => {
    const { own } = await issuersCertificate()
    const server = await startAuthorityServer({ now: () => NOW, controlPort: 0 })
    server.control.set({ kind: 'slow', ms: 3_600_000 })
    const half = connect(server.port, '127.0.0.1')
    half.on('error', () => undefined)
    const { request } = await import('node:https')
    const broken = new Promise((resolve) => {
      const outgoing = request(server.url, {
        method: 'POST',
        ca: server.caPem,
        key: own.keyPem,
        cert: own.certPem,
        headers: { 'content-type': 'text/xml', soapaction: '""' },
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      outgoing.end(message('F-1'))
    })
    while (server.state?.records().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await server.close()
    expect(await broken).toBe('ECONNRESET')
    half.destroy()
  })

  test('does not start on a port in use', async () => {
    const { server } = await opened({ controlPort: 0 })
    await expect(startAuthorityServer({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    const controlPort = Number(new URL(server.controlUrl ?? '').port)
    await expect(startAuthorityServer({ controlPort })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('uses a state of its own, or a given one', async () => {
    const state = memoryState()
    const { server, post } = await opened({ state })
    await post(message('F-1'))
    expect(server.state).toBe(state)
    const { find, hasRecords, page, write } = memoryState()
    expect((await opened({ state: { find, hasRecords, page, write } })).server.state).toBeNull()
  })
})

describe('the control port', () => {
  test('switches faults and shows what is held', async () => {
    const { server, post } = await opened({ controlPort: 0 })
    const url = server.controlUrl ?? ''
    expect(await control(url, { fault: 'html_200' })).toEqual({ status: 200, body: { ok: true } })
    expect(
      await control(url, { fault: { kind: 'fault_client', code: '4134' }, times: 2, on: 'any' }),
    ).toMatchObject({ status: 200 })
    expect((await post(message('F-1'))).type).toContain('text/html')
    expect((await post(message('F-1'))).body).toContain('4134')
    expect((await post(QUESTION)).body).toContain('4134')
    expect((await post(message('F-1'))).status).toBe(200)
    expect((await control(`${url}/records`)).body).toEqual({ records: server.state?.records() })
    expect((await control(`${url}/entries`)).body).toMatchObject({
      entries: [{ number: 'F-1', status: 'active' }],
    })
    await control(url, { set: { kind: 'throttle', seconds: 5 } })
    expect((await post(message('F-2'))).body).toContain('<sfR:TiempoEsperaEnvio>5<')
    await control(url, { set: null })
    await control(url, { fault: 'suspended' })
    await control(url, { clear: true })
    expect((await post(message('F-3'))).body).toContain('<sfR:TiempoEsperaEnvio>60<')
  })

  test.each<[string, unknown, object, number, string]>([
    ['an unknown fault', { fault: 'explode' }, {}, 422, 'fault_unknown'],
    ['an unknown standing fault', { set: 'explode' }, {}, 422, 'fault_unknown'],
    ['nothing', {}, {}, 422, 'fault_unknown'],
    ['half a time', { fault: 'half_xml', times: 0.5 }, {}, 422, 'times_is_a_number'],
    ['an unknown place', { fault: 'half_xml', on: 'all' }, {}, 422, 'on_is_submission_query_or_any'],
    ['no object', '7', {}, 422, 'fault_expected'],
    ['broken JSON', '{', {}, 400, 'unreadable'],
    ['a form', 'fault=x', { headers: { 'content-type': 'text/plain' } }, 415, 'json_expected'],
    [
      'a web page',
      { fault: 'half_xml' },
      { headers: { origin: 'https://evil.example' } },
      403,
      'not_for_web_pages',
    ],
    [
      'another name for this port',
      { fault: 'half_xml' },
      { headers: { host: 'evil.example' } },
      403,
      'not_for_web_pages',
    ],
    ['another method', undefined, { method: 'DELETE' }, 404, 'not_found'],
    ['too much', { fault: 'x'.repeat(70_000) }, {}, 400, 'unreadable'],
  ])('rejects %s', async (_what, body, options, status, error) => {
    const { server } = await opened({ controlPort: 0 })
    expect(await control(server.controlUrl ?? '', body, options)).toEqual({ status, body: { error } })
    expect(server.control.take('submission')).toBeNull()
  })

  test('exists only on request', async () => {
    const { server } = await opened()
    expect(server.controlUrl).toBeNull()
  })
})
