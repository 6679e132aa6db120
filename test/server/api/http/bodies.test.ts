/** The strict JSON parser: accepts the same as JSON.parse, except input that two parsers could read differently. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { MAX_DEPTH, readJson } from '../../../../server/api/http/bodies.ts'

const read = (text: string): unknown => readJson(Buffer.from(text, 'utf8'))

function whyRefused(text: string): unknown {
  try {
    read(text)
  } catch (error) {
    return (error as AppError).details?.why
  }
  return 'accepted'
}

test('any JSON value is read unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value)
      if (text.includes('"__proto__"')) return
      expect(read(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('any text is read as JSON.parse reads it, or rejected', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '"a"',
    '"b"',
    '1',
    'null',
    ' ',
    '"\\""',
    '"{"',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join('')
      let expected: unknown
      try {
        expected = JSON.parse(text)
      } catch {
        if (text !== '') expect(() => read(text)).toThrow(AppError)
        return
      }
      const answer = whyRefused(text)
      if (answer === 'accepted') expect(read(text)).toEqual(expected)
      else expect(answer).toBe('duplicate_member')
    }),
    { numRuns: 2000 },
  )
})

describe('rejected', () => {
  test.each([
    ['{"a":1,"a":2}', 'duplicate_member'],
    ['{"a":1,"\\u0061":2}', 'duplicate_member'],
    ['[{"x":{"b":[],"c":{},"b":0}}]', 'duplicate_member'],
    ['{"a":"{","a":1}', 'duplicate_member'],
    ['{"a":"\\\\","a":1}', 'duplicate_member'],
    ['{"__proto__":1}', 'forbidden_member'],
    ['{"a":{"\\u005f_proto__":{}}}', 'forbidden_member'],
    ['['.repeat(MAX_DEPTH + 1) + ']'.repeat(MAX_DEPTH + 1), 'too_deep'],
    ['['.repeat(500_000), 'too_deep'],
    ['{"a":1,}', 'not_json'],
    ["{'a':1}", 'not_json'],
    ['{"a":NaN}', 'not_json'],
    ['\ufeff{}', 'not_json'],
    ['"open', 'not_json'],
  ])('%.40s', (text, why) => {
    expect(whyRefused(text)).toBe(why)
  })

  test('bytes that are not UTF-8', () => {
    expect(() => readJson(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow(
      expect.objectContaining({ code: 'malformed_request', details: { why: 'not_utf8' } }),
    )
  })
})

test('a name may occur in different objects, and as a value', () => {
  expect(read('{"a":{"a":[{"a":"a"},{"a":"a"}]},"b":"a"}')).toEqual({
    a: { a: [{ a: 'a' }, { a: 'a' }] },
    b: 'a',
  })
  expect(read('['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH))).toBeDefined()
})

test('an empty body gives no value', () => {
  expect(readJson(Buffer.alloc(0))).toBeUndefined()
})
