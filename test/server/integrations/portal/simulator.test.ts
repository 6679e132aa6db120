/** The simulated portal: what it refuses of messages and of invoices, and the client that reads its answers. */
import { beforeAll, describe, expect, test } from 'vitest'
import { facturaeXml } from '../../../../server/documents/e-invoice/index.ts'
import {
  openSigningKey,
  readSoap,
  signFacturae,
  signSoap,
} from '../../../../server/documents/signing/index.ts'
import type { SigningKey } from '../../../../server/documents/signing/index.ts'
import { createFaceService } from '../../../../server/integrations/portal/face/index.ts'
import {
  operationXml,
  soapAction,
  submitMessage,
} from '../../../../server/integrations/portal/face/messages.ts'
import type { HttpMessage, HttpOutcome } from '../../../../server/integrations/portal/service.ts'
import { portalIdentity } from '../../../../server/integrations/portal/simulator/identity.ts'
import {
  createPortalFaultControl,
  createPortalSimulator,
  memoryInvoices,
} from '../../../../server/integrations/portal/simulator/index.ts'
import { readPortalFault } from '../../../../server/integrations/portal/simulator/faults.ts'
import { makeCertificate } from '../../../support/files/certificates.ts'
import { SAMPLES } from '../../documents/e-invoice/samples.ts'

const NOW = new Date('2026-07-01T10:00:00Z')
const invoice = SAMPLES['18-public-body']!()
let key: SigningKey
let other: SigningKey
let identity: { keyPem: string; chainPem: string }

beforeAll(async () => {
  key = openSigningKey(makeCertificate({ keyType: 'rsa' }))
  other = openSigningKey(
    makeCertificate({ kind: 'person', nif: '12345678Z', name: 'ANA RUIZ GIL', keyType: 'ec' }),
  )
  identity = await portalIdentity({ from: new Date('2026-01-01'), to: new Date('2027-01-01') })
})

const signed = (change: (xml: string) => string = (xml) => xml): string =>
  signFacturae(change(facturaeXml(invoice)), key, { signedAt: NOW })

function opened() {
  const state = memoryInvoices()
  const faults = createPortalFaultControl()
  const simulator = createPortalSimulator({ state, now: () => NOW, identity, faults })
  const transport = async ({ path, headers, body }: HttpMessage): Promise<HttpOutcome> => {
    const answer = await simulator.handle({ method: 'POST', path, headers, body })
    return answer.kind === 'dropped' ? { kind: 'no_answer', detail: '' } : answer
  }
  const as = (signer: SigningKey) => createFaceService({ transport, key: signer, now: () => NOW })
  const submit = (xml: string, changes: object = {}) =>
    as(key).submit({ email: 'a@example.com', name: 'F1.xsig', bytes: Buffer.from(xml), ...changes })
  return { state, faults, simulator, as, submit }
}

/** Returns the code of a refusal, or the kind of another answer. */
async function codeOf(answer: ReturnType<ReturnType<typeof opened>['submit']>): Promise<string> {
  const found = await answer
  return found.kind === 'refused' ? found.code : found.kind
}

describe('an invoice', () => {
  test('is registered once, with what it says of itself', async () => {
    const { state, submit } = opened()
    expect(await submit(signed())).toMatchObject({
      kind: 'registered',
      receipt: { registryNumber: '202600000001', receivedAt: '2026-07-01 10:00:00' },
    })
    expect(state.list()).toMatchObject([
      { accountingOffice: 'L01280921', managingBody: 'L01280922', processingUnit: 'L01280923' },
    ])
    const again = await submit(signed())
    expect(again).toMatchObject({
      kind: 'refused',
      code: '9204',
      detail: expect.stringContaining('duplicada'),
    })
  })

  const changes: [string, (xml: string) => string, string][] = [
    ['of another version', (xml) => xml.replace('<SchemaVersion>3.2.2<', '<SchemaVersion>3.1<'), '408'],
    ['of tomorrow', (xml) => xml.replace(/<IssueDate>[^<]+/, '<IssueDate>2026-07-03'), '9203'],
    [
      'without an office',
      (xml) =>
        xml.replace(
          /<AdministrativeCentre><CentreCode>[^<]+<\/CentreCode><RoleTypeCode>02.*?<\/AdministrativeCentre>/,
          '',
        ),
      '9301',
    ],
    ['with an office that is no code', (xml) => xml.replace('L01280922', 'L0128'), '9301'],
    ['with an unknown office', (xml) => xml.replace('L01280922', 'E99999999'), '9302'],
    ['with an office that is closed', (xml) => xml.replace('L01280922', 'E88888888'), '9303'],
    ['whose lines are no sum', (xml) => xml.replace(/<TotalGrossAmount>/, '<TotalGrossAmount>1'), '9201'],
    ['whose total is wrong', (xml) => xml.replace(/<InvoiceTotal>/, '<InvoiceTotal>1'), '9202'],
    [
      'of no seller',
      (xml) => xml.replace(/<TaxIdentificationNumber>[^<]+/, '<TaxIdentificationNumber>'),
      '408',
    ],
  ]
  test.each(changes)('%s is refused', async (_, change, code) => {
    const { state, submit } = opened()
    expect(change(facturaeXml(invoice))).not.toBe(facturaeXml(invoice))
    expect(await codeOf(submit(signed(change)))).toBe(code)
    expect(state.list()).toEqual([])
  })

  test('without a valid signature is refused', async () => {
    const { state, submit } = opened()
    expect(await codeOf(submit(facturaeXml(invoice)))).toBe('9101')
    expect(await codeOf(submit(signed().replace('<InvoicesCount>1<', '<InvoicesCount>2<')))).toBe('9102')
    expect(
      await codeOf(submit(signed().replace(/<ds:SignatureValue([^>]*)>..../, '<ds:SignatureValue$1>AAAA'))),
    ).toBe('9103')
    expect(await codeOf(submit('<a/>'))).toBe('9101')
    expect(await codeOf(submit('no XML'))).toBe('408')
    expect(await codeOf(submit('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'))).toBe('408')
    expect(state.list()).toEqual([])
  })

  test('needs a name, an address and its type', async () => {
    const { submit } = opened()
    expect(await codeOf(submit(signed(), { name: 'F1.xml' }))).toBe('9003')
    expect(await codeOf(submit(signed(), { email: 'nobody' }))).toBe('9002')
  })
})

describe('a message', () => {
  const content = (): string =>
    submitMessage({ email: 'a@example.com', name: 'F1.xsig', bytes: Buffer.from(signed()) })
  const headers = { 'content-type': 'text/xml; charset=UTF-8', soapaction: soapAction('enviarFactura') }
  const path = '/facturasspp2'

  async function answer(
    body: string,
    changes: { headers?: Record<string, string>; path?: string; method?: string } = {},
  ) {
    const { state, simulator } = opened()
    const found = await simulator.handle({
      method: 'POST',
      path,
      headers,
      body: Buffer.from(body),
      ...changes,
    })
    if (found.kind === 'dropped') throw new Error('It was dropped.')
    return { status: found.status, text: found.body.toString('utf8'), held: state.list().length }
  }
  const at = (time: string): string => signSoap(content(), key, { createdAt: new Date(time) })

  test('is taken as the client writes it', async () => {
    const { status, text, held } = await answer(at('2026-07-01T10:00:00Z'))
    expect({ status, held }).toEqual({ status: 200, held: 1 })
    expect(readSoap(text).content.local).toBe('enviarFacturaResponse')
  })

  const refusals: [string, () => Promise<{ status: number; text: string; held: number }>, number, string][] =
    [
      [
        'without a signature',
        () => answer(at('2026-07-01T10:00:00Z').replace(/<ds:Signature [\s\S]*<\/ds:Signature>/, '')),
        500,
        'wsse:FailedCheck',
      ],
      [
        'that was changed',
        () => answer(at('2026-07-01T10:00:00Z').replace('a@example.com', 'b@example.com')),
        500,
        'wsse:FailedCheck',
      ],
      ['of an hour ago', () => answer(at('2026-07-01T09:00:00Z')), 500, 'wsse:MessageExpired'],
      ['of the next hour', () => answer(at('2026-07-01T11:00:00Z')), 500, 'wsse:MessageExpired'],
      [
        'with another action',
        () =>
          answer(at('2026-07-01T10:00:00Z'), {
            headers: { ...headers, soapaction: soapAction('anularFactura') },
          }),
        500,
        'SOAPAction',
      ],
      [
        'of an unknown operation',
        () => answer(signSoap(operationXml('borrarFactura'), key, { createdAt: NOW })),
        500,
        'SOAP-ENV:Client',
      ],
      ['that is no XML', () => answer('{}'), 500, 'SOAP-ENV:Client'],
      [
        'of another type',
        () =>
          answer(at('2026-07-01T10:00:00Z'), { headers: { ...headers, 'content-type': 'application/json' } }),
        415,
        'text/xml',
      ],
      ['elsewhere', () => answer(at('2026-07-01T10:00:00Z'), { path: '/facturasspp' }), 404, 'No encontrado'],
      ['by GET', () => answer('', { method: 'GET' }), 405, 'POST'],
    ]
  test.each(refusals)('%s is refused', async (_, ask, status, text) => {
    const found = await ask()
    expect(found).toMatchObject({ status, held: 0, text: expect.stringContaining(text) })
  })
})

test('states are shown to whoever submitted an invoice, several at once, and unknown numbers are named', async () => {
  const { submit, as, simulator } = opened()
  const first = await submit(signed())
  const number = first.kind === 'registered' ? first.receipt.registryNumber : ''
  await simulator.move(number, '1300', null)
  expect(await as(key).states([number])).toMatchObject({
    kind: 'answered',
    states: [{ registryNumber: number, processing: { code: '1300' }, cancellation: { code: '4100' } }],
  })
  const several = await as(key).states([number, '202600000009'])
  expect(several).toMatchObject({ kind: 'answered', states: [{ registryNumber: number }] })
  expect(several.kind === 'answered' && [...several.refused.keys()]).toEqual(['202600000009'])
  const stranger = await as(other).states([number])
  expect(stranger.kind === 'answered' && [...stranger.refused.keys()]).toEqual([number])
  expect(await as(other).cancel(number, 'No es mía')).toMatchObject({ kind: 'refused', code: '9401' })
})

test('an invoice goes only where its state allows', async () => {
  const { submit, simulator } = opened()
  await submit(signed())
  const move = (code: string) => simulator.move('202600000001', code, null)
  expect([
    await move('2500'),
    await move('4300'),
    await move('2400'),
    await move('1300'),
    await move('2500'),
  ]).toEqual([false, false, true, false, true])
  expect(await move('3100')).toBe(false)
  expect(await simulator.move('1', '1300', null)).toBe(false)
})

test('a page in front of the service proves nothing where it may have been passed on', async () => {
  const { faults, submit, state } = opened()
  faults.next({ kind: 'error_503', retryAfter: 120 })
  expect(await submit(signed())).toMatchObject({ kind: 'unknown' })
  expect(state.list()).toEqual([])
  const refused = createFaceService({
    transport: async () => ({
      kind: 'answered',
      status: 429,
      headers: { 'retry-after': '120' },
      body: Buffer.from('<html></html>'),
    }),
    key,
    now: () => NOW,
  })
  expect(await refused.cancel('1', 'x')).toEqual({
    kind: 'nothing_done',
    reason: 'not_passed_on',
    detail: 'HTTP 429, no message of the service',
    retryAfterSeconds: 120,
  })
})

test('faults of others are read, and nothing else', () => {
  expect(readPortalFault({ kind: 'slow', ms: 5 })).toEqual({ kind: 'slow', ms: 5 })
  expect(readPortalFault({ kind: 'html_200', processed: true })).toEqual({
    kind: 'html_200',
    processed: true,
  })
  expect(readPortalFault({ kind: 'refuse', code: '408' })).toEqual({ kind: 'refuse', code: '408' })
  for (const value of [null, 'slow', {}, { kind: 'slow', ms: -1 }, { kind: 'refuse', code: '0' }])
    expect(readPortalFault(value)).toBeNull()
})
