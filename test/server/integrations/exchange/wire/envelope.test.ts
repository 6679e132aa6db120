/** The envelope: what is written is read again in both versions of SOAP, and anything else is refused. */
import { describe, expect, test } from 'vitest'
import {
  isFault,
  readEnvelope,
  writeEnvelope,
  writeFault,
} from '../../../../../server/integrations/exchange/wire/envelope.ts'
import type { Envelope } from '../../../../../server/integrations/exchange/wire/envelope.ts'
import { inBatches, MESSAGE_BYTES } from '../../../../../server/integrations/exchange/wire/limits.ts'
import { Unreadable } from '../../../../../server/integrations/exchange/wire/xml.ts'

const envelope: Envelope = {
  version: '1.2',
  timestamp: '2027-10-15T09:00:00.000Z',
  messageId: 'm-1 & <2>',
  refToMessageId: null,
  from: 'B12345674',
  to: 'Q2826000H',
  service: 'urn:a',
  action: 'ACT',
  conversationId: 'c-1',
  properties: { Role: 'AccountingCustomerParty', InvoiceRegistrationName: 'Ñandú & Cía' },
  parts: [{ id: 'invoice-1', properties: { statusCode: '200' } }],
}

describe('an envelope', () => {
  test.each(['1.1', '1.2'] as const)('of SOAP %s is read as it was written', (version) => {
    for (const each of [envelope, { ...envelope, refToMessageId: 'm-0', parts: [], properties: {} }]) {
      const read = readEnvelope(Buffer.from(writeEnvelope({ ...each, version })))
      expect(read).toEqual({
        ...each,
        version,
        parts: each.parts.map(({ id, properties }) => ({
          id,
          properties: { MimeType: 'application/xml', ...properties },
        })),
      })
    }
  })

  const xml = writeEnvelope(envelope)
  test.each<[string, string]>([
    ['another root', xml.replaceAll('soap:Envelope', 'soap:Letter')],
    ['another namespace of SOAP', xml.replace('http://www.w3.org/2003/05/soap-envelope', 'urn:x')],
    ['no header', xml.replace(/<soap:Header>.*<\/soap:Header>/, '')],
    ['no body', xml.replace('<soap:Body></soap:Body>', '')],
    ['a body with content', xml.replace('<soap:Body></soap:Body>', '<soap:Body><a/></soap:Body>')],
    ['two messages', xml.replace(/<eb:UserMessage>.*<\/eb:UserMessage>/, (one) => one + one)],
    ['another type of a party', xml.replace('iso6523:9920', 'iso6523:0088')],
    ['no sender', xml.replace(/<eb:From>.*<\/eb:From>/, '')],
    ['no action', xml.replace(/<eb:Action>.*<\/eb:Action>/, '')],
    ['a part outside the message', xml.replace('cid:invoice-1', 'http://127.0.0.1/x')],
    ['a part twice', xml.replace(/<eb:PartInfo.*<\/eb:PartInfo>/, (one) => one + one)],
    ['a property without a name', xml.replace('name="Role"', '')],
    ['a property twice', xml.replace('name="InvoiceRegistrationName"', 'name="Role"')],
    ['a DOCTYPE', xml.replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>')],
    ['an entity', xml.replace('urn:a', '&b;')],
    ['half of it', xml.slice(0, xml.length / 2)],
    ['nothing', ''],
    ['a megabyte of text', xml.replace('urn:a', 'a'.repeat(1_000_000))],
    ['many elements', xml.replace('urn:a', '<a/>'.repeat(5_000))],
    ['many levels', xml.replace('urn:a', '<a>'.repeat(50) + '</a>'.repeat(50))],
  ])('with %s is refused', (_what, broken) => {
    expect(broken).not.toBe(xml)
    expect(() => readEnvelope(Buffer.from(broken))).toThrow(Unreadable)
  })

  test('in another encoding than UTF-8 is refused', () => {
    expect(() => readEnvelope(Buffer.from(xml, 'latin1'))).toThrow(Unreadable)
  })

  test('cannot be written with a name that would leave its attribute', () => {
    expect(() => writeEnvelope({ ...envelope, properties: { 'a"b': 'c' } })).toThrow(RangeError)
    expect(() => writeEnvelope({ ...envelope, parts: [{ id: 'a"b', properties: {} }] })).toThrow(RangeError)
  })
})

describe('a fault', () => {
  test.each(['1.1', '1.2'] as const)('of SOAP %s tells whose it is, and its code', (version) => {
    for (const blames of ['sender', 'receiver'] as const)
      for (const code of ['SPFE-SIM-BATCH', null]) {
        const fault = { version, blames, code, text: 'No & nunca' }
        const read = readEnvelope(Buffer.from(writeFault(fault)))
        expect(isFault(read)).toBe(true)
        expect(read).toEqual(fault)
      }
  })

  test('with an unknown code blames the platform, because it proves nothing', () => {
    const xml = writeFault({ version: '1.2', blames: 'sender', code: null, text: '' })
    const read = readEnvelope(Buffer.from(xml.replace('soap:Sender', 'soap:MustUnderstand')))
    expect(read).toMatchObject({ blames: 'receiver' })
  })
})

test('batches have at most a hundred invoices and fit a message, in their order', () => {
  const items = Array.from({ length: 250 }, (_, index) => ({ xml: `<a n="${index}"/>` }))
  expect(inBatches(items).map(({ length }) => length)).toEqual([100, 100, 50])
  expect(inBatches(items).flat()).toEqual(items)
  const large = Array.from({ length: 10 }, () => ({ xml: 'x'.repeat(5_000_000) }))
  const batches = inBatches(large)
  expect(batches.map(({ length }) => length)).toEqual([6, 4])
  for (const batch of batches)
    expect(batch.reduce((sum, { xml }) => sum + xml.length, 0)).toBeLessThan(MESSAGE_BYTES)
  expect(inBatches([])).toEqual([])
})
