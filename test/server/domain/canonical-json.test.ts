/** One text per value, so that values can be compared by hash. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../server/domain/canonical-json.ts'
import { sha256Hex } from '../../../server/domain/sha256.ts'

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, member]) => [key, shuffled(member)]),
    )
  return value
}

test('the order of keys has no effect, and every value can be read back', () => {
  // An object literal cannot have `__proto__` as a member.
  const value = fc.jsonValue().filter((json) => !JSON.stringify(json).includes('__proto__'))
  fc.assert(
    fc.property(value, (json) => {
      const plain: unknown = JSON.parse(JSON.stringify(json))
      expect(canonicalJson(shuffled(plain))).toBe(canonicalJson(plain))
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain)
    }),
    { numRuns: 1_000 },
  )
})

test('different values have different texts', () => {
  const texts = [
    { a: 1 },
    { a: '1' },
    { a: null },
    {},
    [],
    [null],
    [[]],
    1,
    '1',
    true,
    'true',
    null,
    { a: { b: 1 } },
    { 'a.b': 1 },
  ].map(canonicalJson)
  expect(new Set(texts).size).toBe(texts.length)
})

test('a member without a value is omitted; in a list it keeps its position', () => {
  expect(canonicalJson({ b: 1, a: undefined })).toBe('{"b":1}')
  expect(canonicalJson([1, undefined, 2])).toBe('[1,null,2]')
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, Symbol('x'), undefined])(
  '%s is rejected',
  (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  },
)

test('the SHA-256 of the empty text is the published one', () => {
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})
