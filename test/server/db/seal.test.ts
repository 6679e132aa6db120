/** Sealed values open in their own location and nowhere else. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSealer, deriveKey } from '../../../server/db/seal.ts'

const master = Buffer.alloc(32, 7)
const sealer = createSealer(deriveKey(master, 'seal-v1'))

test('any bytes and any text can be read back', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), (bytes, place) => {
      expect(sealer.open(sealer.seal(bytes, place), place)).toEqual(Buffer.from(bytes))
    }),
  )
  expect(sealer.open(sealer.seal('contraseña 🔑', 'a'), 'a').toString('utf8')).toBe('contraseña 🔑')
})

test('a value moved to another place does not open', () => {
  const sealed = sealer.seal('secret', 'api_keys|secret|1|book_1')
  for (const place of [
    'api_keys|secret|2|book_1',
    'api_keys|secret|1|book_2',
    'webhooks|secret|1|book_1',
    '',
  ])
    expect(() => sealer.open(sealed, place)).toThrow()
})

test('a changed value, another key and another purpose do not open', () => {
  const sealed = sealer.seal('secret', 'here')
  const parts = sealed.split('.')
  for (const index of [1, 2, 3]) {
    const bytes = Buffer.from(parts[index] ?? '', 'base64url')
    bytes[0] = (bytes[0] ?? 0) ^ 1
    expect(() => sealer.open(parts.with(index, bytes.toString('base64url')).join('.'), 'here')).toThrow()
  }
  expect(() => createSealer(deriveKey(Buffer.alloc(32, 8), 'seal-v1')).open(sealed, 'here')).toThrow()
  expect(() => createSealer(deriveKey(master, 'recovery-v1')).open(sealed, 'here')).toThrow()
})

test.each(['', 'v1', 'v1..', 'v1.a.b', 'v2.a.b.c', 'v1.a.b.c.d', '....'])(
  '%j is not a sealed value',
  (text) => {
    expect(() => sealer.open(text, 'here')).toThrow()
  },
)

test('a truncated tag is rejected', () => {
  const [version, iv, text, tag] = sealer.seal('secret', 'here').split('.')
  const short = Buffer.from(tag ?? '', 'base64url')
    .subarray(0, 4)
    .toString('base64url')
  expect(() => sealer.open([version, iv, text, short].join('.'), 'here')).toThrow()
})

test('equal values are sealed differently each time', () => {
  expect(new Set(Array.from({ length: 50 }, () => sealer.seal('x', 'here'))).size).toBe(50)
})
