/** The client against the simulated platform over mutual TLS: every operation, every fault, every certificate. */
import { connect } from 'node:net'
import { createServer } from 'node:tls'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createExchangeClient,
  createTlsTransport,
} from '../../../../../server/integrations/exchange/client/index.ts'
import type { TlsTransportOptions } from '../../../../../server/integrations/exchange/client/index.ts'
import { NothingDone, OutcomeUnknown } from '../../../../../server/integrations/exchange/port.ts'
import type { ExchangePort } from '../../../../../server/integrations/exchange/port.ts'
import { startPlatformServer } from '../../../../../server/integrations/exchange/simulator/server.ts'
import type { PlatformServerOptions } from '../../../../../server/integrations/exchange/simulator/server.ts'
import {
  issueClientCertificate,
  issueServerCertificate,
  makeAuthorityCa,
} from '../../../../../server/platform/simulated-authority/certificates/certificates.ts'
import type { PlatformFault } from '../../../../../server/integrations/exchange/simulator/faults.ts'
import {
  ADVISER,
  BUYER,
  codeOf,
  exchangeInvoice,
  messageOf,
  NOW,
  report,
  SELLER,
} from '../../../../support/exchange/exchange-invoices.ts'

const YEARS = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2036-01-01T00:00:00Z') }
const clients = makeAuthorityCa({ ...YEARS, name: 'AC DE CLIENTES' })
const certificates = new Map<string, ReturnType<typeof issueClientCertificate>>()

/** The certificate of a company or person, made once. */
async function credentialOf({ nif, name }: { nif: string; name: string }) {
  const kind = nif === ADVISER.nif ? 'person' : 'seal'
  if (!certificates.has(nif))
    certificates.set(nif, issueClientCertificate({ ca: await clients, ...YEARS, kind, nif, name }))
  const { keyPem, certPem } = await certificates.get(nif)!
  return { keyPem, chainPem: certPem, validFrom: YEARS.from.getTime(), validTo: YEARS.to.getTime() }
}

let ids = 0

function clientAt(
  options: Omit<TlsTransportOptions, 'now' | 'version'>,
  company = SELLER,
  senderNif = company.nif,
): ExchangePort {
  const limits = { verdictMs: 200, ...options.limits }
  return createExchangeClient({
    transport: createTlsTransport({ ...options, limits, now: () => NOW, version: '1.2.3' }),
    company,
    senderNif,
    now: () => NOW,
    newId: () => `message-${++ids}`,
  })
}

async function opened(options: PlatformServerOptions = {}) {
  const server = await startPlatformServer({ now: () => NOW, ...options })
  onTestFinished(() => server.close())
  const endpoint = { url: server.url, caPem: server.caPem }
  const port = async (company = SELLER, limits: TlsTransportOptions['limits'] = {}) =>
    clientAt({ endpoint, credential: await credentialOf(company), limits }, company)
  return { server, endpoint, port, seller: await port(), buyer: await port(BUYER) }
}

const one = [{ xml: exchangeInvoice() }]

test('an invoice is sent, found, downloaded, rejected, corrected, paid and withdrawn', async () => {
  const { seller, buyer, server } = await opened()
  const sent = await seller.send([
    ...one,
    {
      xml: exchangeInvoice({
        number: 'A-2',
        text: 'Ñ & <€>'.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      }),
    },
  ])
  expect(sent).toMatchObject({ batch: 200, csv: expect.stringMatching(/^[A-Z2-7]{16}$/) })
  const { events, next } = await buyer.events(null)
  expect(events.map(({ kind }) => kind)).toEqual(['arrived', 'arrived'])
  const locators = sent.items.map(({ locator }) => locator ?? '')
  const files = await buyer.download(locators)
  expect(files.map(({ xml }) => Buffer.from(xml).toString())).toEqual(
    server.state.all().map(({ xml }) => xml),
  )
  expect(await buyer.report(messageOf('recipient', [report('rejected')]))).toMatchObject({ batch: 200 })
  expect(await seller.send([{ xml: exchangeInvoice({ number: 'R-1', type: '384' }) }])).toMatchObject({
    batch: 200,
  })
  expect(await buyer.report(messageOf('recipient', [report('paid', codeOf('R-1'))]))).toMatchObject({
    batch: 200,
  })
  expect(await seller.withdraw({ invoice: codeOf('A-2') })).toMatchObject({
    batch: 200,
    items: [{ code: '200' }],
  })
  const since = await buyer.events(next)
  expect(since.events.map(({ kind }) => kind).toSorted()).toEqual(['arrived', 'withdrawn'])
  const { found } = await seller.find({ role: 'issuer', from: '2027-10-01', to: '2027-10-31' })
  expect(found.map(({ invoice, statuses }) => [invoice.number, statuses.map(({ kind }) => kind)])).toEqual([
    ['A-1', ['rejected']],
    ['R-1', ['paid']],
  ])
})

describe('a message that changes something', () => {
  const unknown = { name: 'OutcomeUnknown' }
  test.each<[string, PlatformFault, object, boolean]>([
    ['the platform is down', { kind: 'down' }, { name: 'NothingDone', code: 'down' }, false],
    ['the connection is cut before it is taken', { kind: 'drop_request' }, unknown, false],
    ['the connection is cut after it was taken', { kind: 'drop_reply' }, unknown, true],
    ['half of the answer comes', { kind: 'half_answer' }, unknown, true],
    ['the server fails before', { kind: 'error_500' }, unknown, false],
    ['the server fails after', { kind: 'error_500', processed: true }, unknown, true],
    ['a page comes instead', { kind: 'html_200' }, unknown, false],
    ['a page comes instead of the answer', { kind: 'html_200', processed: true }, unknown, true],
    ['the platform’s own fault comes', { kind: 'fault_receiver', processed: true }, unknown, true],
    ['the answer comes too late', { kind: 'slow', ms: 2_000 }, unknown, true],
    [
      'it has to wait',
      { kind: 'throttled', seconds: 7 },
      { name: 'NothingDone', code: 'throttled', retryAfter: 7 },
      false,
    ],
  ])('if %s', async (_what, fault, expected, taken) => {
    const { server, port } = await opened()
    const seller = await port(SELLER, { idleMs: 400 })
    server.control.next(fault)
    await expect(seller.send(one)).rejects.toMatchObject(expected)
    expect(server.state.all()).toHaveLength(taken ? 1 : 0)
    // The query settles it, and nothing is sent twice.
    const { found } = await seller.find({ role: 'issuer', codes: [codeOf()] })
    expect(found).toHaveLength(taken ? 1 : 0)
    if (taken)
      expect(await seller.send(one)).toMatchObject({ batch: 400, items: [{ code: 'SPFE-SIM-DUPLICATE' }] })
  })

  test('that is late, but in time, is answered', async () => {
    const { server, seller } = await opened()
    server.control.next({ kind: 'slow', ms: 50 })
    expect(await seller.send(one)).toMatchObject({ batch: 200 })
  })

  test('that is refused leaves nothing', async () => {
    const { server, seller } = await opened()
    server.control.next({ kind: 'refuse' })
    expect(await seller.send(one)).toMatchObject({
      batch: 400,
      items: [{ code: 'SPFE-SIM-FAULT', invoice: codeOf() }],
    })
    expect(server.state.all()).toEqual([])
  })
})

test.each<PlatformFault>([
  { kind: 'down' },
  { kind: 'drop_request' },
  { kind: 'drop_reply' },
  { kind: 'half_answer' },
  { kind: 'error_500' },
  { kind: 'html_200' },
  { kind: 'fault_receiver' },
])('a message that only reads has done nothing, whatever happens ($kind)', async (fault) => {
  const { server, seller } = await opened()
  const { items } = await seller.send(one)
  const reading = [
    () => seller.find({ role: 'issuer', codes: [codeOf()] }),
    () => seller.find({ role: 'issuer', from: '2027-10-01', to: '2027-10-31' }),
    () => seller.download([items[0]?.locator ?? '']),
    () => seller.events(null),
  ]
  for (const read of reading) {
    server.control.next(fault, { on: 'any' })
    await expect(read()).rejects.toMatchObject({ name: 'NothingDone', code: 'down' })
    await read()
  }
})

describe('nothing is done', () => {
  test('without an address, and none but this computer is accepted', async () => {
    const credential = await credentialOf(SELLER)
    const nowhere = clientAt({ endpoint: null, credential })
    await expect(nowhere.send(one)).rejects.toMatchObject({ name: 'NothingDone', code: 'not_configured' })
    const { certPem: caPem } = await clients
    for (const url of ['https://192.0.2.1/', 'https://sede.example.org/', 'http://127.0.0.1:1/']) {
      const elsewhere = clientAt({ endpoint: { url, caPem }, credential })
      await expect(elsewhere.send(one)).rejects.toThrow('this computer')
    }
  })

  test('with no certificate, an expired one, or one that does not begin yet', async () => {
    const { endpoint } = await opened()
    const credential = await credentialOf(SELLER)
    const refused = [
      null,
      { ...credential, validTo: NOW.getTime() - 1_001 },
      { ...credential, validFrom: NOW.getTime() + 1 },
      { ...credential, keyPem: 'none' },
    ]
    for (const each of refused)
      await expect(clientAt({ endpoint, credential: each }).send(one)).rejects.toMatchObject({
        code: 'not_allowed',
      })
  })

  test.each([
    ['page', 'not_allowed'],
    // It hangs up: why is not said.
    ['handshake', 'down'],
  ] as const)('with the certificate of another issuer, refused by %s', async (refusal, code) => {
    const other = await makeAuthorityCa({ ...YEARS, name: 'OTRA' })
    const { server, seller } = await opened({ refusal, clientCa: [other.certPem] })
    await expect(seller.send(one)).rejects.toMatchObject({ name: 'NothingDone', code })
    expect(server.state.all()).toEqual([])
  })

  test.each(['expired', 'other_name'] as const)(
    'if the server is not proved: %s',
    async (serverCertificate) => {
      const { seller, server } = await opened({ serverCertificate })
      await expect(seller.send(one)).rejects.toMatchObject({ name: 'NothingDone', code: 'down' })
      expect(server.state.all()).toEqual([])
    },
  )

  test('if another root vouches for the server, or nothing listens', async () => {
    const { endpoint, server } = await opened()
    const credential = await credentialOf(SELLER)
    const stranger = clientAt({ endpoint: { ...endpoint, caPem: (await clients).certPem }, credential })
    await expect(stranger.send(one)).rejects.toMatchObject({ code: 'down' })
    await server.close()
    await expect(clientAt({ endpoint, credential }).send(one)).rejects.toMatchObject({ code: 'down' })
  })

  test('with a sender that is not the holder of the certificate', async () => {
    const { endpoint } = await opened()
    const port = clientAt({ endpoint, credential: await credentialOf(SELLER) }, BUYER)
    await expect(port.report(messageOf('recipient', [report('paid')]))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('SPFE-SIM-SENDER'),
    })
  })

  test.each<[string, (port: ExchangePort) => Promise<unknown>]>([
    ['no invoice', (port) => port.send([])],
    [
      '101 invoices',
      (port) =>
        port.send(
          Array.from({ length: 101 }, (_, index) => ({ xml: exchangeInvoice({ number: `A-${index}` }) })),
        ),
    ],
    [
      'an invoice that is too large',
      (port) => port.send([{ xml: exchangeInvoice({ text: 'x'.repeat(5_300_000) }) }]),
    ],
    [
      'more bytes than a message has',
      (port) =>
        port.send(
          Array.from({ length: 8 }, (_, index) => ({
            xml: exchangeInvoice({ number: `A-${index}`, text: 'x'.repeat(4_800_000) }),
          })),
        ),
    ],
    ['what is no invoice', (port) => port.send([{ xml: '<a/>' }])],
    [
      'an invoice with a DOCTYPE',
      (port) => port.send([{ xml: exchangeInvoice().replace('?>', '?><!DOCTYPE Invoice>') }]),
    ],
    ['no status', (port) => port.report(messageOf('issuer', []))],
    [
      '101 statuses',
      (port) =>
        port.report(
          messageOf(
            'issuer',
            Array.from({ length: 101 }, () => report('settled')),
          ),
        ),
    ],
  ])('with %s', async (_what, work) => {
    const { seller, server } = await opened()
    await expect(work(seller)).rejects.toMatchObject({ name: 'NothingDone', code: 'refused' })
    expect(server.state.all()).toEqual([])
  })
})

test('a representative sends for the company with its own certificate', async () => {
  const powers = [{ nif: ADVISER.nif, for: SELLER.nif, as: 'attorney' as const }]
  const { endpoint, server } = await opened({ powers })
  const port = clientAt({ endpoint, credential: await credentialOf(ADVISER) }, SELLER, ADVISER.nif)
  expect(await port.send(one)).toMatchObject({ batch: 200 })
  expect(server.state.all()).toMatchObject([{ presenterNif: ADVISER.nif, invoice: codeOf() }])
})

test('a full batch of a hundred invoices is taken', async () => {
  const { seller } = await opened()
  const items = Array.from({ length: 100 }, (_, index) => ({
    xml: exchangeInvoice({ number: `A-${index}` }),
  }))
  const answer = await seller.send(items)
  expect(answer).toMatchObject({ batch: 200 })
  const locators = answer.items.map(({ locator }) => locator ?? '')
  expect(await seller.download(locators)).toHaveLength(100)
})

test('a program that stops ends its messages, and their outcome is open', async () => {
  const { endpoint, server } = await opened()
  const stopping = new AbortController()
  server.control.next({ kind: 'slow', ms: 5_000 })
  const port = clientAt({ endpoint, credential: await credentialOf(SELLER), signal: stopping.signal })
  const sending = port.send(one)
  setTimeout(() => stopping.abort(), 300)
  await expect(sending).rejects.toThrow(OutcomeUnknown)
  await expect(port.send(one)).rejects.toThrow(NothingDone)
})

describe('a server that is none', () => {
  /** Answers every request with these bytes. */
  async function answering(bytes: string | Buffer): Promise<ExchangePort> {
    const ca = await makeAuthorityCa(YEARS)
    const { certPem, keyPem } = await issueServerCertificate({ ca, names: ['127.0.0.1'], ...YEARS })
    const server = createServer({ cert: certPem, key: keyPem }, (socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(bytes))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
    return clientAt({
      endpoint: { url, caPem: ca.certPem },
      credential: await credentialOf(SELLER),
      limits: { idleMs: 2_000 },
    })
  }

  const page = (status: string, type: string, body: string): string =>
    `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

  test.each<[string, string, string]>([
    ['no HTTP', 'hello', 'unknown'],
    ['nothing', '', 'unknown'],
    [
      'a redirect',
      'HTTP/1.1 302 Found\r\nLocation: https://192.0.2.1/\r\nContent-Length: 0\r\n\r\n',
      'unknown',
    ],
    ['status 503', page('503 Service Unavailable', 'text/html', 'x'), 'unknown'],
    ['status 408', page('408 Request Timeout', 'text/html', 'x'), 'unknown'],
    ['status 404', page('404 Not Found', 'text/html', 'x'), 'refused'],
    ['status 400 with a page', page('400 Bad Request', 'text/html', 'x'), 'refused'],
    ['status 403', page('403 Forbidden', 'text/html', 'x'), 'not_allowed'],
    ['a status that is none', page('200 OK', 'application/soap+xml', '<a/>'), 'unknown'],
    [
      'entities',
      page('200 OK', 'application/soap+xml', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
      'unknown',
    ],
    ['another type', page('200 OK', 'application/json', '{}'), 'unknown'],
    [
      'less than its length',
      'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 900\r\n\r\n<a/>',
      'unknown',
    ],
    ['more than an answer has', page('200 OK', 'text/xml', 'x'.repeat(26_000_000)), 'unknown'],
  ])('%s: the outcome is what the bytes prove', async (_what, bytes, expected) => {
    const port = await answering(bytes)
    const sent = port.send(one)
    if (expected === 'unknown') await expect(sent).rejects.toThrow(OutcomeUnknown)
    else await expect(sent).rejects.toMatchObject({ name: 'NothingDone', code: expected })
    await expect(port.find({ role: 'issuer', codes: [codeOf()] })).rejects.toThrow(NothingDone)
  })
})

test('bytes that are no TLS end their connection only', async () => {
  const { server, seller } = await opened()
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.end('GET / HTTP/1.1\r\n\r\n')
  await once(socket, 'close')
  expect(await seller.send(one)).toMatchObject({ batch: 200 })
})
