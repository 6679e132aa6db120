/** Codes by time against the vectors of RFC 6238, appendix B (SHA-1, cut to six digits). */
import { Secret } from 'otpauth'
import { expect, test } from 'vitest'
import { stepOfCode } from '../../../../server/app/people/sign-in/second-factor.ts'
import { assertPassword, hashPassword, isPassword } from '../../../../server/app/people/sign-in/passwords.ts'
import { waitAfter } from '../../../../server/app/people/sign-in/slow-down.ts'

const SECRET = Secret.fromUTF8('12345678901234567890').base32
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const

test('the vectors of the standard are valid at their time, one step beside it, and not beyond', () => {
  for (const [seconds, code] of VECTORS) {
    const six = code.slice(2)
    const step = Math.floor(seconds / 30)
    const at = seconds * 1000
    expect(stepOfCode(SECRET, six, at, null), String(seconds)).toBe(step)
    expect(stepOfCode(SECRET, ` ${six.slice(0, 3)} ${six.slice(3)} `, at, null)).toBe(step)
    expect(stepOfCode(SECRET, six, at + 30_000, null)).toBe(step)
    expect(stepOfCode(SECRET, six, at - 30_000, null)).toBe(step)
    expect(stepOfCode(SECRET, six, at + 90_000, null)).toBeNull()
    expect(stepOfCode(SECRET, six, at, step), 'taken already').toBeNull()
    expect(stepOfCode(SECRET, six, at, step - 1)).toBe(step)
    expect(stepOfCode(SECRET, six === '000000' ? '000001' : '000000', at, null)).toBeNull()
  }
})

test('a password is known again however it was typed, and by nothing else', async () => {
  const stored = await hashPassword('cañón de agua fría')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
  // The same letters, composed and decomposed.
  expect(await isPassword('cañón de agua fría'.normalize('NFD'), stored)).toBe(true)
  expect(await isPassword('cañón de agua fria', stored)).toBe(false)
  expect(await isPassword('cañón de agua fría', null)).toBe(false)
  expect(await hashPassword('cañón de agua fría')).not.toBe(stored)
})

test('a weak password is refused', () => {
  for (const weak of [
    'once letras',
    'x'.repeat(201),
    'aaaaaaaaaaaaa',
    'Contraseña12345',
    '123456789012',
    'Ana.Garcia.2026',
  ])
    expect(() => assertPassword(weak, ['Ana García', 'ana@example.com']), weak).toThrow('validation_failed')
  for (const good of ['cuatro palabras sin nada', 'Xk3!fj29-dkw0'])
    expect(() => assertPassword(good, ['Ana García', 'ana@example.com']), good).not.toThrow()
})

test('waits grow to a quarter of an hour, and begin later for an address', () => {
  expect([4, 5, 6, 7, 10, 20].map((failures) => waitAfter('account', failures))).toEqual([
    0, 2_000, 4_000, 8_000, 64_000, 900_000,
  ])
  expect([19, 20, 40].map((failures) => waitAfter('address', failures))).toEqual([0, 2_000, 900_000])
})
