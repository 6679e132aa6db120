/** What an answer of Araba and Gipuzkoa proves: every state, code, status and damage. */
import { describe, expect, test } from 'vitest'
import { resolveByAnswer } from '../../../../../../server/registry/systems/ticketbai/wire/held.ts'
import type {
  RecordOutcome,
  WireExchange,
} from '../../../../../../server/registry/systems/ticketbai/wire/outcome.ts'
import {
  SERVICES,
  simulatedService,
} from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import { readXmlExchange, xmlRequest } from '../../../../../../server/registry/systems/ticketbai/wire/xml.ts'

const IDENTIFIER = 'TBAI-00000006Y-251019-btFpwP8dcLGAF-237'
const OTHER_FILE = 'TBAI-00000006Y-251019-AAAAAAAAAAAAA-000'
const OTHER_ISSUER = 'TBAI-B87654323-251019-btFpwP8dcLGAF-000'
const invoice = { kind: 'invoice' as const, identifier: IDENTIFIER }
const cancellation = { kind: 'cancellation' as const, identifier: null }

function answer(state: string, codes: readonly string[] = [], identifier: string | null = null): string {
  const results = codes
    .map(
      (code) =>
        `<ResultadosValidacion><Codigo>${code}</Codigo><Descripcion>Texto ${code}</Descripcion><Azalpena>Testua ${code}</Azalpena></ResultadosValidacion>`,
    )
    .join('')
  return `<?xml version="1.0" encoding="UTF-8"?><T:TicketBaiResponse xmlns:T="urn:ticketbai:emision"><Salida>${identifier === null ? '' : `<IdentificadorTBAI>${identifier}</IdentificadorTBAI>`}<FechaRecepcion>30-11-2026 13:00:00</FechaRecepcion><Estado>${state}</Estado><Descripcion>Recibido</Descripcion><Azalpena>Jasota</Azalpena>${results}<CSV>ABCD</CSV></Salida></T:TicketBaiResponse>`
}

const answered = (body: string | Uint8Array, status = 200, headers = {}): WireExchange => ({
  kind: 'answered',
  status,
  headers,
  body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
})
const outcome = (
  body: string,
  status = 200,
  file: typeof invoice | typeof cancellation = invoice,
): RecordOutcome => readXmlExchange(file, answered(body, status))

test('a kept file is accepted with its receipt, and with a remark for each warning', () => {
  expect(outcome(answer('00', [], IDENTIFIER))).toEqual({
    kind: 'accepted',
    warnings: [],
    receipt: 'ABCD',
    receivedAt: '30-11-2026 13:00:00',
  })
  for (const code of ['007', '008', '009', '010', '011', '012', '013', '014', '015', '016', '099'])
    expect(outcome(answer('00', [code]))).toMatchObject({
      kind: 'accepted',
      warnings: [{ code, text: `Texto ${code}`, basque: `Testua ${code}` }],
    })
})

test.each([
  ['002', 'rejected'],
  ['003', 'rejected'],
  ['004', 'rejected'],
  ['017', 'rejected'],
  ['018', 'rejected'],
  // An unknown code of a refusal is one.
  ['077', 'rejected'],
  ['001', 'not_taken'],
  ['006', 'not_taken'],
] as const)('a refusal with %s is %s', (code, kind) => {
  expect(outcome(answer('01', [code])).kind).toBe(kind)
})

test('a service that is not available, and a certificate that it refuses, leave the file to be sent again', () => {
  expect(outcome(answer('01', ['006']))).toMatchObject({ reason: 'down', code: '006' })
  expect(outcome(answer('01', ['001']))).toMatchObject({ reason: 'not_allowed', code: '001' })
  // A real refusal beside it is final.
  expect(outcome(answer('01', ['006', '002'])).kind).toBe('rejected')
  expect(outcome(answer('01')).kind).toBe('rejected')
})

test('"already registered" is no success by itself, and is one thing for an invoice and another for a cancellation', () => {
  expect(outcome(answer('01', ['005'], OTHER_FILE))).toMatchObject({
    kind: 'held',
    heldIdentifier: OTHER_FILE,
  })
  expect(outcome(answer('01', ['019']), 200, cancellation).kind).toBe('held')
  expect(outcome(answer('01', ['005']), 200, cancellation).kind).not.toBe('accepted')
  expect(outcome(answer('01', ['019'])).kind).not.toBe('accepted')
})

test('an answer about another file proves nothing', () => {
  expect(outcome(answer('00', [], OTHER_FILE)).kind).toBe('unknown')
  expect(outcome(answer('00', [], OTHER_ISSUER)).kind).toBe('unknown')
  expect(outcome(answer('01', ['002'], OTHER_ISSUER)).kind).toBe('unknown')
})

test('an answer that contradicts itself proves nothing', () => {
  for (const code of ['002', '005', '006']) expect(outcome(answer('00', [code])).kind).toBe('unknown')
  expect(outcome(answer('02')).kind).toBe('unknown')
})

test('an answer that ends anywhere proves nothing', () => {
  const whole = answer('00', ['010'], IDENTIFIER)
  for (let length = 0; length < whole.length; length += 1)
    expect(outcome(whole.slice(0, length)).kind, String(length)).toBe('unknown')
})

test('a byte that changed never turns a refusal into a success', () => {
  const whole = Buffer.from(answer('01', ['005', '008'], IDENTIFIER), 'utf8')
  const kept = new Set<string>()
  for (let at = 0; at < whole.length; at += 1)
    for (const bit of [1, 4, 16, 128]) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ bit
      kept.add(readXmlExchange(invoice, answered(damaged)).kind)
    }
  // One digit of the state may become that of a kept file, which its codes contradict.
  expect(kept.has('accepted')).toBe(false)
})

describe('without an answer of the service', () => {
  test.each([
    [200, 'unknown'],
    [302, 'unknown'],
    [400, 'not_taken'],
    [403, 'not_taken'],
    [404, 'not_taken'],
    [408, 'unknown'],
    [409, 'unknown'],
    [413, 'not_taken'],
    [415, 'not_taken'],
    [429, 'not_taken'],
    [500, 'unknown'],
    [503, 'unknown'],
  ] as const)('a page with status %s is %s', (status, kind) => {
    expect(outcome('<html><body>Error</body></html>', status).kind).toBe(kind)
  })

  test('an answer is read whatever its status', () => {
    expect(outcome(answer('00'), 500).kind).toBe('accepted')
    expect(outcome(answer('01', ['002']), 400).kind).toBe('rejected')
  })

  test('the wait that the service asks for is kept within a day', () => {
    const throttled = (seconds: string) =>
      readXmlExchange(invoice, answered('', 429, { 'retry-after': seconds }))
    expect(throttled('30')).toMatchObject({ reason: 'throttled', retryAfter: 30 })
    expect(throttled('999999')).toMatchObject({ retryAfter: 86_400 })
    expect(throttled('Tue, 01 Dec 2026 00:00:00 GMT')).not.toMatchObject({ retryAfter: 30 })
  })

  test('what never left was not taken, and what may have arrived is unknown', () => {
    const notSent = (reason: Extract<WireExchange, { kind: 'not_sent' }>['reason']) =>
      readXmlExchange(invoice, { kind: 'not_sent', reason, detail: '' })
    expect(notSent('unreachable')).toMatchObject({ kind: 'not_taken', reason: 'down' })
    expect(notSent('not_trusted')).toMatchObject({ reason: 'not_trusted' })
    expect(notSent('certificate_refused')).toMatchObject({ reason: 'not_allowed' })
    expect(notSent('no_address')).toMatchObject({ reason: 'not_configured' })
    expect(readXmlExchange(invoice, { kind: 'no_answer', detail: '' }).kind).toBe('unknown')
  })
})

test('a file that is there already is ours only if an earlier message may have arrived, and nothing says otherwise', () => {
  const judged = (heldIdentifier: string | null, mayHaveArrived: boolean) =>
    resolveByAnswer({ identifier: IDENTIFIER }, heldIdentifier, { mayHaveArrived })
  expect(judged(null, true)).toBe('ours')
  expect(judged(IDENTIFIER, true)).toBe('ours')
  expect(judged(OTHER_FILE, true)).toBe('conflict')
  expect(judged(null, false)).toBe('conflict')
  expect(judged(IDENTIFIER, false)).toBe('conflict')
})

test('each kind of file goes to its own address, with its bytes unchanged', () => {
  const xml = Buffer.from('<a/>')
  const service = SERVICES.gipuzkoa.production
  const request = xmlRequest(service, { kind: 'invoice', xml })
  expect(request.body).toBe(xml)
  expect(request.headers['content-type']).toBe('application/xml;charset=UTF-8')
  const urls = (['invoice', 'cancellation', 'correction', 'cancellation_correction'] as const).map(
    (kind) => xmlRequest(service, { kind, xml }).url,
  )
  expect(new Set(urls).size).toBe(4)
  expect(() => xmlRequest(SERVICES.bizkaia.production, { kind: 'correction', xml })).toThrow(RangeError)
  expect(simulatedService('araba', 'https://127.0.0.1:8443/').cancellation).toBe(
    'https://127.0.0.1:8443/TicketBAI/v1/anulaciones/',
  )
})
