/** Codes of answers: found in any mail, read strictly, and made by one page only. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  digestOf,
  findCodes,
  isAuthentic,
  pageKey,
  readCode,
  writeCode,
} from '../../../../server/domain/replies/code.ts'
import type { Answer } from '../../../../server/domain/replies/code.ts'

const ID = 'rpp_6tqy0v5cbn2k8w4e'
const OTHER = 'rpp_6tqy0v5cbn2k8w4f'
const secret = Buffer.alloc(32, 7)
const key = pageKey(secret, ID)
const ANSWER: Answer = {
  pageId: ID,
  kind: 'rejected',
  payOn: null,
  reason: 'amount',
  words: 'Faltan 3 €: «ñandú»\ny el porte',
  saidBy: 'Ana Ruiz',
  saidAt: 1_782_000_000_000,
}

/** A code with any values, authentic for the page. */
function coded(values: unknown): string {
  const text = typeof values === 'string' ? values : JSON.stringify(values)
  const written = writeCode(key, ANSWER)
  expect(written).toMatch(/^\[svcr1\./)
  return Buffer.from(text, 'utf8').toString('base64url')
}

test('a code says what was answered, and is found again however mail programs break it', () => {
  const code = writeCode(key, ANSWER)
  const [found] = findCodes(`Buenos días:\r\n\r\n${code}\r\nSaludos`)
  expect(found && readCode(found)).toEqual(ANSWER)
  expect(found && isAuthentic(key, found)).toBe(true)
  const inner = code.slice(0, -1)
  const wrapped = `${inner.match(/.{1,60}/g)!.join('\r\n> ')}]`
  const quoted = `${inner.match(/.{1,60}/g)!.join('=\r\n')}]`
  for (const text of [wrapped, quoted, `> > ${wrapped}`, code.replace('.', '.\u200b')])
    expect(findCodes(text)).toEqual([found])
  expect(findCodes(`${code} ${wrapped} ${quoted}`)).toHaveLength(1)
})

test('a code of another page, another secret or with one changed sign is not authentic', () => {
  const [code] = findCodes(writeCode(key, ANSWER))
  if (!code) throw new Error('No code was found.')
  expect(isAuthentic(pageKey(secret, OTHER), code)).toBe(false)
  expect(isAuthentic(pageKey(randomBytes(32), ID), code)).toBe(false)
  for (let at = 0; at < code.payload.length; at++) {
    const sign = code.payload[at] === 'A' ? 'B' : 'A'
    const payload = code.payload.slice(0, at) + sign + code.payload.slice(at + 1)
    expect(isAuthentic(key, { ...code, payload })).toBe(false)
  }
  // Whoever holds a page cannot answer for the invoice of another one.
  const [moved] = findCodes(writeCode(key, { ...ANSWER, pageId: OTHER }))
  expect(moved && isAuthentic(pageKey(secret, OTHER), moved)).toBe(false)
  expect(digestOf(code)).toHaveLength(32)
})

describe('a payload is refused', () => {
  const good = [ID, 'accepted', null, null, null, null, 1_782_000_000]
  test.each<[string, unknown]>([
    ['that is no JSON', '{'],
    ['that is no list', { 0: ID }],
    ['with a value too many', [...good, 1]],
    ['with a value too few', good.slice(1)],
    ['with an unknown kind', [ID, 'paid', ...good.slice(2)]],
    ['with a kind of the prototype', [ID, 'constructor', ...good.slice(2)]],
    ['with another identifier', ['../../etc/passwd', ...good.slice(1)]],
    ['with a number as identifier', [7, ...good.slice(1)]],
    ['with a day that is none', [ID, 'will_pay', '2026-02-30', null, null, null, 1]],
    ['with a promise and no day', [ID, 'will_pay', null, null, null, null, 1]],
    ['with a rejection and no reason', [ID, 'rejected', null, null, null, null, 1]],
    ['with an unknown reason', [ID, 'rejected', null, 'because', null, null, 1]],
    ['with a reason and no rejection', [ID, 'accepted', null, 'amount', null, null, 1]],
    ['with a day of a receipt', [ID, 'received', '2026-02-01', null, null, null, 1]],
    ['with words that are a list', [ID, 'accepted', null, null, [], null, 1]],
    ['with words that are too long', [ID, 'accepted', null, null, 'x'.repeat(601), null, 1]],
    ['with a time that is text', [ID, 'accepted', null, null, null, null, '1']],
    ['with a time beyond every clock', [ID, 'accepted', null, null, null, null, 1e15]],
    ['with half a second', [ID, 'accepted', null, null, null, null, 1.5]],
  ])('%s', (_name, values) => {
    expect(readCode({ payload: coded(values), tag: 'x' })).toBeNull()
  })

  test('that is written in another way, or is no UTF-8', () => {
    const payload = coded(good)
    expect(readCode({ payload, tag: 'x' })).not.toBeNull()
    // The last sign of base64 may have bits that count for nothing.
    const last = payload.at(-1) ?? ''
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter(
      (sign) => sign !== last,
    )
    const same = others.filter((sign) =>
      Buffer.from(payload.slice(0, -1) + sign, 'base64url').equals(Buffer.from(payload, 'base64url')),
    )
    for (const sign of same) expect(readCode({ payload: payload.slice(0, -1) + sign, tag: 'x' })).toBeNull()
    expect(readCode({ payload: Buffer.from([0xff, 0xfe]).toString('base64url'), tag: 'x' })).toBeNull()
  })
})

test('words lose what hides or reorders, and are cut at their length', () => {
  const words = `a\u202eb\u0000c ${'y'.repeat(400)}`
  const [code] = findCodes(writeCode(key, { ...ANSWER, words, saidBy: 'Ana\nRuiz\t' }))
  const read = code && readCode(code)
  expect(read?.words).toMatch(/^abc y+$/)
  expect(read?.words).toHaveLength(300)
  expect(read?.saidBy).toBe('Ana Ruiz')
})

test('hostile texts are searched in short time and give few codes', () => {
  const begin = performance.now()
  expect(findCodes('[svcr1.'.repeat(50_000))).toEqual([])
  expect(findCodes(`[svcr1.${'A'.repeat(390_000)}]`)).toEqual([])
  const many = Array.from({ length: 100 }, (_, at) => writeCode(key, { ...ANSWER, saidAt: at * 1000 }))
  expect(findCodes(many.join('\n'))).toHaveLength(20)
  expect(performance.now() - begin).toBeLessThan(5_000)
})
