/**
 * The samples of the public e-invoice platform, and the documents of client and simulator against the schemas of UBL 2.5. Runs only
 * where SELLO_SHARED names the folder of facts; the schemas need xmllint.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createExchangeClient } from '../../server/integrations/exchange/client/index.ts'
import type { HttpMessage } from '../../server/integrations/exchange/client/index.ts'
import { readAnswer } from '../../server/integrations/exchange/client/documents.ts'
import { readInvoiceCode } from '../../server/integrations/exchange/simulator/documents.ts'
import { readFound } from '../../server/integrations/exchange/client/questions.ts'
import {
  isFault,
  OPERATIONS,
  PLATFORM_NIF,
  readEnvelope,
  writeEnvelope,
} from '../../server/integrations/exchange/wire/envelope.ts'
import type { OperationName } from '../../server/integrations/exchange/wire/envelope.ts'
import { readMessage, writeMultipart } from '../../server/integrations/exchange/wire/multipart.ts'
import {
  codeOf,
  exchangeInvoice,
  messageOf,
  openedPlatform,
  report,
  SELLER,
} from '../support/exchange/exchange-invoices.ts'
import { schemaComplaints } from '../support/files/xmllint.ts'
import { needs } from '../support/tools.ts'

const shared = process.env['SELLO_SHARED'] ?? ''
const ISSUER = { nif: 'B99999013', name: 'Talleres Ejemplo, S.L.' }
const CUSTOMER = { nif: 'A99999039', name: 'Compras Muestra, S.A.' }

describe.skipIf(shared === '')('the samples of the platform', () => {
  const folder = join(shared, 'b2b', 'samples')
  const sample = (name: string): Buffer => readFileSync(join(folder, name))
  const names = shared === '' ? [] : readdirSync(folder).filter((name) => name.endsWith('.xml'))

  /** Sends a document as it is, and returns the answer's item codes or the code of a fault. */
  async function sent(
    platform: ReturnType<typeof openedPlatform>['platform'],
    operation: OperationName,
    caller: string,
    document: Buffer,
  ): Promise<string[]> {
    const { path, service, action } = OPERATIONS[operation]
    const envelope = writeEnvelope({
      version: '1.2',
      timestamp: '2027-12-05T09:00:00.000Z',
      messageId: 'sample',
      refToMessageId: null,
      from: caller,
      to: PLATFORM_NIF,
      service,
      action,
      conversationId: 'sample',
      properties: {},
      parts: [{ id: 'one', properties: {} }],
    })
    const soapType = 'application/soap+xml'
    const { contentType, body } = writeMultipart(envelope, [{ id: 'one', body: document }], {
      boundary: 'b',
      soapType,
    })
    const reply = await platform.handle({ method: 'POST', path, contentType, body, callers: [caller] })
    if (reply.kind === 'dropped') return ['dropped']
    const { root, parts } = readMessage(reply.headers['content-type'] ?? '', reply.body)
    const header = readEnvelope(root)
    if (isFault(header)) return [header.code ?? '']
    return readAnswer(parts[0]?.body ?? new Uint8Array()).items.map(({ code }) => code)
  }

  const opened = () => openedPlatform({ now: () => new Date('2027-12-05T09:00:00Z') })

  test.each(names.filter((name) => /^(?:provisional-)?invoice-/.test(name)))('%s is taken', async (name) => {
    const { platform } = opened()
    const issuer = readInvoiceCode(sample(name).toString()).issuerTaxId
    const caller = name === 'invoice-self-billed.xml' ? CUSTOMER.nif : issuer
    expect(await sent(platform, 'send', caller, sample(name))).toEqual(['200'])
  })

  test.each(names.filter((name) => /^bad-(?!.*(?:role|action|status|withdraw))/.test(name)))(
    '%s is refused',
    async (name) => {
      const { platform } = opened()
      const [code] = await sent(platform, 'send', ISSUER.nif, sample(name))
      expect(code).toMatch(/^SPFE-SIM-(?:PROFILE|RECIPIENT|XML)$/)
    },
  )

  test.each<[string, OperationName, string, string[]]>([
    ['status-payment.xml', 'statuses_recipient', CUSTOMER.nif, ['200']],
    ['status-cancel-payment.xml', 'statuses_recipient', CUSTOMER.nif, ['SPFE-SIM-STATUS-MISSING']],
    ['status-cancel-rejection.xml', 'statuses_recipient', CUSTOMER.nif, ['SPFE-SIM-STATUS-MISSING']],
    ['provisional-status-rejection.xml', 'statuses_recipient', CUSTOMER.nif, ['200']],
    ['status-batch-two.xml', 'statuses_recipient', CUSTOMER.nif, ['200', 'SPFE-SIM-UNKNOWN-INVOICE']],
    ['status-settlement.xml', 'statuses_issuer', ISSUER.nif, ['200']],
    ['status-default.xml', 'statuses_issuer', ISSUER.nif, ['200']],
    ['withdraw-invoice.xml', 'withdraw', ISSUER.nif, ['200']],
    [
      'bad-rule-duplicate-action.xml',
      'statuses_recipient',
      CUSTOMER.nif,
      ['SPFE-SIM-STATUS-DATE', 'SPFE-SIM-STATUS-TWICE'],
    ],
    ['bad-xsd-annex-withdraw-path.xml', 'withdraw', ISSUER.nif, ['SPFE-SIM-XML']],
    ['bad-rule-mixed-roles.xml', 'statuses_recipient', CUSTOMER.nif, ['SPFE-SIM-ROLE']],
    ['bad-xsd-status-without-sender.xml', 'statuses_recipient', CUSTOMER.nif, ['SPFE-SIM-XML']],
  ])('%s is judged as it should be', async (name, operation, caller, codes) => {
    const { platform } = opened()
    await sent(platform, 'send', ISSUER.nif, sample('invoice-original.xml'))
    expect(await sent(platform, operation, caller, sample(name))).toEqual(codes)
  })

  test.each(names.filter((name) => name.startsWith('provisional-envelope-')))('%s is read', (name) => {
    const read = readEnvelope(sample(name))
    expect(isFault(read)).toBe(false)
    expect([read]).toMatchObject([{ version: '1.2', conversationId: expect.stringContaining('-') }])
  })

  test('answers and a query are read', () => {
    expect(readAnswer(sample('answer-send-ok.xml'))).toMatchObject({
      batch: 200,
      items: [{ locator: 'LOCGENV1:O:QUJDREVG' }],
    })
    expect(readAnswer(sample('answer-send-partial.xml'))).toMatchObject({
      batch: 206,
      items: [{ code: '200' }, { code: 'SPFE-GEN-45', text: 'Motivo del rechazo' }],
    })
    expect(readAnswer(sample('answer-send-failed.xml'))).toMatchObject({ batch: 400 })
    expect(readFound(sample('provisional-answer-query.xml'))).toMatchObject({
      after: null,
      found: [
        {
          locator: 'LOCGENV1:O:QUJDREVG',
          statuses: [{ kind: 'paid', date: '2027-11-26', dueDate: '2027-11-30' }],
        },
      ],
    })
  })

  needs('xmllint')('every document of client and simulator is valid', async () => {
    const { platform, seller, portOf } = openedPlatform()
    const documents: string[] = []
    const keep = (contentType: string, body: Uint8Array): void => {
      for (const part of readMessage(contentType, body).parts)
        documents.push(Buffer.from(part.body).toString())
    }
    const transport = async ({ path, headers, body }: HttpMessage) => {
      const contentType = headers['content-type'] ?? ''
      keep(contentType, body)
      const reply = await platform.handle({ method: 'POST', path, contentType, body, callers: [SELLER.nif] })
      if (reply.kind === 'dropped') throw new Error('There is no fault.')
      keep(reply.headers['content-type'] ?? '', reply.body)
      return reply
    }
    const now = () => new Date('2027-12-05T09:00:00Z')
    let ids = 0
    const port = createExchangeClient({
      transport,
      company: SELLER,
      senderNif: SELLER.nif,
      now,
      newId: () => `m-${++ids}`,
    })
    const { items } = await port.send([
      { xml: exchangeInvoice() },
      { xml: exchangeInvoice({ number: 'A-2', profile: 'x' }) },
      { xml: exchangeInvoice({ number: 'A-3', type: '384', paidOn: '2027-10-15' }) },
    ])
    await port.report(
      messageOf('issuer', [
        report('settled', codeOf(), { financedOn: '2027-10-18', note: 'Cobrada' }),
        report('settled', codeOf('X')),
      ]),
    )
    await portOf({ nif: 'A58818501', name: 'COMPRAS SUR SA' }).report(
      messageOf('recipient', [report('rejected')]),
    )
    await port.find({ role: 'issuer', codes: [codeOf(), codeOf('A-3')] })
    await port.find({ role: 'issuer', codes: [codeOf('X')] })
    await port.find({ role: 'issuer', from: '2027-10-01', to: '2027-12-31' })
    await port.download([items[0]?.locator ?? ''])
    await port.withdraw({ invoice: codeOf('A-3') })
    await seller.find({ role: 'issuer', codes: [codeOf()] })
    for (const root of ['Invoice', 'ApplicationResponse', 'DocumentStatus']) {
      const files = documents.filter(
        (xml) => xml.includes(`<${root} xmlns=`) && !xml.includes('<cbc:ProfileID>x<'),
      )
      expect(files.length, root).toBeGreaterThan(2)
      const schema = join(shared, 'b2b/schemas/ubl25-os/maindoc', `UBL-${root}-2.5.xsd`)
      expect(schemaComplaints(schema, files), root).toBe('')
    }
  })
})
