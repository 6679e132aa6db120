/** The building blocks of contracts: the values they accept and reject, with their messages and paths. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { faultsOf } from '../../../../server/domain/contract/define-contract.ts'
import {
  businessDate,
  BytesAnswer,
  decimal,
  line,
  paragraph,
  PathId,
  StreamAnswer,
} from '../../../../server/domain/contract/fields.ts'

const codesOf = (schema: z.ZodType, value: unknown): string[] => {
  const parsed = schema.safeParse(value, { reportInput: true })
  return parsed.success ? [] : faultsOf(parsed.error).map((fault) => fault.code)
}

describe('line', () => {
  test.each(['a', 'x'.repeat(10), ' a ', 'ñ😀'])('accepts %j', (text) =>
    expect(codesOf(line(10), text)).toEqual([]),
  )
  test.each([
    ['', 'too_small'],
    ['   ', 'too_small'],
    ['x'.repeat(11), 'too_big'],
    ['a\nb', 'control_character'],
    ['a\tb', 'control_character'],
    ['a\u0000b', 'control_character'],
    ['a\u202eb', 'hidden_character'],
    ['a\ud800', 'broken_unicode'],
    [7, 'wrong_type'],
    [null, 'wrong_type'],
    [undefined, 'required'],
  ])('rejects %j: %s', (text, code) => expect(codesOf(line(10), text)).toEqual([code]))
  test('may be empty if it is declared so', () => expect(codesOf(line(10, 0), '')).toEqual([]))
})

describe('paragraph', () => {
  test.each(['', 'one\ntwo\tthree', 'one\r\ntwo', ' '])('accepts %j', (text) =>
    expect(codesOf(paragraph(20), text)).toEqual([]),
  )
  test.each([
    ['x'.repeat(21), 'too_big'],
    ['a\u0000', 'control_character'],
    ['a\u2060', 'hidden_character'],
  ])('rejects %j: %s', (text, code) => expect(codesOf(paragraph(20), text)).toEqual([code]))
  test('of at least one character is not blank', () =>
    expect(codesOf(paragraph(20, 1), ' \n ')).toEqual(['too_small']))
})

describe('decimal', () => {
  const percent = decimal(2, { min: 0, max: 100 })
  test.each([0, 100, 5.2, 0.26, 1e-2, 21.0])('accepts %s', (value) =>
    expect(codesOf(percent, value)).toEqual([]),
  )
  test.each([
    [0.005, 'too_many_decimals'],
    [0.1 + 0.2, 'too_many_decimals'],
    [100.01, 'too_big'],
    [-0.01, 'too_small'],
    ['5', 'wrong_type'],
    [Number.NaN, 'wrong_type'],
    [Number.POSITIVE_INFINITY, 'wrong_type'],
  ])('rejects %s: %s', (value, code) => expect(codesOf(percent, value)).toEqual([code]))
  test('without a lower bound has a symmetric range', () => {
    expect(codesOf(decimal(6, { max: 10 }), -10)).toEqual([])
    expect(codesOf(decimal(6, { max: 10 }), -10.000001)).toEqual(['too_small'])
  })
})

describe('other fields', () => {
  test('a day is a day of the calendar', () => {
    expect(codesOf(businessDate(), '2028-02-29')).toEqual([])
    for (const text of ['2026-02-29', '21/11/2026', '2026-11-21T00:00:00Z', ''])
      expect(codesOf(businessDate(), text)).toEqual(['not_a_date'])
  })

  test('an identifier is printable ASCII', () => {
    expect(codesOf(PathId, 'T-F2026-0001')).toEqual([])
    for (const text of ['ñ', 'a\u0000', 'a\nb', 'x'.repeat(81)]) expect(codesOf(PathId, text)).not.toEqual([])
  })

  test('bytes are bytes', () => {
    const answer = { bytes: new Uint8Array(1), sha256: '', fileName: 'a.pdf', signature: 'none' }
    expect(codesOf(BytesAnswer, answer)).toEqual([])
    expect(codesOf(BytesAnswer, { ...answer, bytes: 'text' })).not.toEqual([])
  })

  test('a stream can be read piece by piece', () => {
    async function* pieces() {
      yield new Uint8Array(1)
    }
    expect(codesOf(StreamAnswer, { stream: pieces(), fileName: 'a.zip' })).toEqual([])
    for (const stream of [[], new Uint8Array(1), null, 'text'])
      expect(codesOf(StreamAnswer, { stream, fileName: 'a.zip' })).not.toEqual([])
  })
})

describe('faults', () => {
  const schema = z.strictObject({
    name: line(10),
    lines: z.array(
      z.strictObject({ quantity: decimal(2, { max: 10 }), kind: z.enum(['a', 'b']).optional() }),
    ),
    client: z.strictObject({ address: z.strictObject({ city: line(10) }) }).optional(),
  })
  const faults = (value: unknown) => {
    const parsed = schema.safeParse(value, { reportInput: true })
    return parsed.success ? [] : faultsOf(parsed.error).map(({ code, field }) => `${field}: ${code}`)
  }

  test('name each place by its dotted path', () => {
    const input = {
      lines: [{ quantity: 1 }, { quantity: 1.001, kind: 'c' }, {}],
      client: { address: { city: '', zip: 1 } },
      extra: 1,
      more: 2,
    }
    expect(faults(input).toSorted()).toEqual(
      [
        'name: required',
        'lines[1].quantity: too_many_decimals',
        'lines[1].kind: not_allowed',
        'lines[2].quantity: required',
        'client.address.city: too_small',
        'client.address.zip: unknown_field',
        'extra: unknown_field',
        'more: unknown_field',
      ].toSorted(),
    )
  })

  test('of the whole input have no path', () => expect(faults('text')).toEqual([': wrong_type']))
  test('are at most a hundred', () =>
    expect(faults({ name: 'a', lines: Array.from({ length: 300 }, () => ({})) })).toHaveLength(100))
})
