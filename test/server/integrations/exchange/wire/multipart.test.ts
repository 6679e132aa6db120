/** Messages with parts: what is written is read again, and what is not whole is refused. */
import { describe, expect, test } from 'vitest'
import {
  readContentType,
  readMessage,
  writeMultipart,
} from '../../../../../server/integrations/exchange/wire/multipart.ts'
import { Unreadable } from '../../../../../server/integrations/exchange/wire/xml.ts'
import { dice } from '../../../../support/seeded-random.ts'

const SOAP = 'application/soap+xml'

describe('a message with parts', () => {
  test('is read as it was written, whatever bytes the parts have', () => {
    const random = dice(20_271_020)
    for (let round = 0; round < 300; round += 1) {
      const parts = Array.from({ length: random.below(5) }, (_, index) => ({
        id: `part-${index}`,
        body: Buffer.from(
          Array.from({ length: random.below(200) }, () => random.pick([10, 13, 45, 98, 49, 0, 255, 60])),
        ),
      }))
      const { contentType, body } = writeMultipart('<e/>', parts, { boundary: 'b1', soapType: SOAP })
      const read = readMessage(contentType, body)
      expect(Buffer.from(read.root).toString()).toBe('<e/>')
      expect(read.parts.map(({ id }) => id)).toEqual(parts.map(({ id }) => id))
      for (const [index, part] of parts.entries())
        expect(Buffer.from(read.parts[index]?.body ?? []).equals(part.body)).toBe(true)
    }
  })

  test('gets another boundary if a part contains it', () => {
    const body = Buffer.from('text\r\n--b1--\r\n')
    const written = writeMultipart('<e/>', [{ id: 'a', body }], { boundary: 'b1', soapType: SOAP })
    expect(written.contentType).toContain('boundary="b1-x"')
    expect(readMessage(written.contentType, written.body).parts).toEqual([{ id: 'a', body }])
  })

  test('may have line ends of one character, and its envelope anywhere', () => {
    const text =
      '--b\nContent-ID: <doc>\n\n<d/>\n--b\ncontent-type: text/xml\ncontent-id:\n <root>\n\n<e/>\n--b--\n'
    const type = 'Multipart/Related; type="text/xml"; START="<root>"; boundary=b'
    const read = readMessage(type, Buffer.from(text))
    expect(Buffer.from(read.root).toString()).toBe('<e/>')
    expect(read.parts.map(({ id, body }) => [id, Buffer.from(body).toString()])).toEqual([['doc', '<d/>']])
  })

  test('may be an envelope alone', () => {
    for (const type of ['text/xml; charset=utf-8', 'application/soap+xml'])
      expect(readMessage(type, Buffer.from('<e/>'))).toEqual({ root: Buffer.from('<e/>'), parts: [] })
  })
})

test.each([
  ['another type', 'application/json', '{}'],
  ['no boundary', 'multipart/related', '--b--'],
  ['no delimiter', 'multipart/related; boundary=b', 'text'],
  ['a delimiter inside a line', 'multipart/related; boundary=b', 'x--b\n\n\n--b--'],
  ['no last delimiter', 'multipart/related; boundary=b', '--b\nContent-ID: <a>\n\n<e/>'],
  ['half a delimiter', 'multipart/related; boundary=b', '--b\nContent-ID: <a>\n\n<e/>\n--b'],
  ['no end of a header', 'multipart/related; boundary=b', '--b\nContent-ID: <a>\n--b--'],
  ['no identifier', 'multipart/related; boundary=b', '--b\nX: y\n\n<e/>\n--b--'],
  [
    'one identifier twice',
    'multipart/related; boundary=b',
    '--b\nContent-ID: <a>\n\n<e/>\n--b\nContent-ID: <a>\n\n<e/>\n--b--',
  ],
  [
    'base64',
    'multipart/related; boundary=b',
    '--b\nContent-ID: <a>\nContent-Transfer-Encoding: base64\n\nPGUvPg==\n--b--',
  ],
  [
    'an envelope that is not there',
    'multipart/related; boundary=b; start="<x>"',
    '--b\nContent-ID: <a>\n\n<e/>\n--b--',
  ],
  ['no part at all', 'multipart/related; boundary=b', '--b--'],
])('a message with %s is refused', (_what, type, text) => {
  expect(() => readMessage(type, Buffer.from(text))).toThrow(Unreadable)
})

test('more parts than a message may have are refused', () => {
  const parts = Array.from({ length: 1_200 }, (_, index) => `--b\nContent-ID: <p${index}>\n\n<e/>\n`)
  expect(() => readMessage('multipart/related; boundary=b', Buffer.from(`${parts.join('')}--b--`))).toThrow(
    'too many parts',
  )
})

test('a content type has its parameters once, quoted or not', () => {
  const { type, parameters } = readContentType('Multipart/Related;boundary="a b"; TYPE=text/xml ;type=x')
  expect(type).toBe('multipart/related')
  expect([...parameters]).toEqual([
    ['boundary', 'a b'],
    ['type', 'text/xml'],
  ])
})
