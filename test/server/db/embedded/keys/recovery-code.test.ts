/** The recovery code: a code copied from paper opens the books again, and nothing else does. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adoptKey } from '../../../../../server/db/embedded/keys/keyring.ts'
import {
  GROUP_LENGTH,
  newRecoveryCode,
  readRecoveryCode,
  RECOVERY_LENGTH,
  recoveryGroups,
  unwrapMasterKey,
  wrapMasterKey,
} from '../../../../../server/db/embedded/keys/recovery-code.ts'
import { openStore, readRecoveryFile } from '../../../../../server/db/embedded/store.ts'
import { embedded } from '../../../../../server/db/embedded/port.ts'
import { openBooks, refusal } from '../../../../support/books.ts'

const at = new Date('2026-11-21T09:00:00Z')

describe('the code', () => {
  test('is 28 characters without look-alikes, in groups of four', () => {
    const codes = Array.from({ length: 200 }, newRecoveryCode)
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) {
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{28}$/)
      expect(code).toHaveLength(RECOVERY_LENGTH)
      expect(recoveryGroups(code).join('')).toBe(code)
      expect(recoveryGroups(code).every((group) => group.length === GROUP_LENGTH)).toBe(true)
    }
  })

  test('is random in every position: no character of the body is constant', () => {
    const codes = Array.from({ length: 300 }, newRecoveryCode)
    for (let place = 0; place < 26; place++)
      expect(new Set(codes.map((code) => code[place])).size, `place ${place}`).toBeGreaterThan(4)
  })

  test('is read as people copy it: lower case, blanks, hyphens, O for 0, I and L for 1', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(' ', '-', ' - ', '\n', ''), (seed, separator) => {
        const code = newRecoveryCode()
        const written = recoveryGroups(code).join(separator)
        const lookalikes = [...written]
          .map((character, index) =>
            character === '0' && (seed + index) % 2
              ? 'o'
              : character === '1'
                ? 'IlL'[Math.abs(seed + index) % 3]
                : character,
          )
          .join('')
        expect(readRecoveryCode(lookalikes.toLowerCase())).toBe(code)
        expect(readRecoveryCode(` ${lookalikes} `)).toBe(code)
      }),
      { numRuns: 300 },
    )
  })

  test('with one wrong character, or two swapped ones, is nearly always detected by its check', () => {
    const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
    let passed = 0
    let tried = 0
    for (let round = 0; round < 20; round++) {
      const code = newRecoveryCode()
      for (let place = 0; place < code.length; place++) {
        const wrong =
          code.slice(0, place) +
          alphabet[(alphabet.indexOf(code[place] ?? '') + 1 + round) % 32] +
          code.slice(place + 1)
        if (wrong === code) continue
        tried += 1
        if (readRecoveryCode(wrong) !== null) passed += 1
      }
    }
    // A ten-bit check accepts one in a thousand.
    expect(tried).toBeGreaterThan(500)
    expect(passed).toBeLessThanOrEqual(4)
  })

  test('is not read from other texts', () => {
    const code = newRecoveryCode()
    for (const text of ['', code.slice(1), `${code}0`, code.replace(/./, 'U'), 'x'.repeat(1000)])
      expect(readRecoveryCode(text)).toBeNull()
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect([null, text]).toContain(readRecoveryCode(text))
      }),
    )
  })
})

describe('the wrapped key', () => {
  const masterKey = Buffer.from('00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff', 'hex')

  test('opens with its code and its store, and with no other', () => {
    const code = newRecoveryCode()
    const wrapped = wrapMasterKey(masterKey, code, 'store-1', at)
    expect(unwrapMasterKey(wrapped, code, 'store-1')).toEqual(masterKey)
    expect(unwrapMasterKey(wrapped, newRecoveryCode(), 'store-1')).toBeNull()
    expect(unwrapMasterKey(wrapped, code, 'store-2')).toBeNull()
    expect(
      unwrapMasterKey(
        { ...wrapped, salt: wrapMasterKey(masterKey, code, 'store-1', at).salt },
        code,
        'store-1',
      ),
    ).toBeNull()
    expect(unwrapMasterKey({ ...wrapped, wrapped: 'v1.a.b.c' }, code, 'store-1')).toBeNull()
    expect(JSON.stringify(wrapped)).not.toContain(masterKey.toString('base64url'))
  })

  test('is encrypted differently each time, with the same result', () => {
    const code = newRecoveryCode()
    const [one, two] = [wrapMasterKey(masterKey, code, 's', at), wrapMasterKey(masterKey, code, 's', at)]
    expect(one.wrapped).not.toBe(two.wrapped)
    expect(unwrapMasterKey(two, code, 's')).toEqual(masterKey)
  })
})

test('books with a lost key open with the code, and only with the last confirmed one', async () => {
  const world = await openBooks()
  const { number } = await world.invoice()
  const { store } = world.env
  expect(embedded(store).hasRecoveryCode()).toBe(false)
  const first = embedded(store).newRecoveryCode()
  // Shown but not confirmed: nothing is stored yet.
  expect(readRecoveryFile(world.folder)).toBeNull()
  first.confirm()
  const second = embedded(store).newRecoveryCode()
  second.confirm()
  embedded(store).newRecoveryCode()
  expect(embedded(store).hasRecoveryCode()).toBe(true)
  const { storeId } = store
  store.close()

  rmSync(join(world.folder, 'master.key'))
  const options = { folder: world.folder, keychain: null, now: () => at, cacheKib: 1024 }
  expect(await refusal(openStore(options))).toBe('keychain_locked')
  const wrapped = readRecoveryFile(world.folder)
  if (!wrapped) throw new Error('There is no recovery file.')
  expect(unwrapMasterKey(wrapped, first.code, storeId)).toBeNull()
  const masterKey = unwrapMasterKey(
    wrapped,
    readRecoveryCode(recoveryGroups(second.code).join('-').toLowerCase()) ?? '',
    storeId,
  )
  if (!masterKey) throw new Error('The code does not open the key.')
  await adoptKey(masterKey, options)
  const reopened = await openStore(options)
  expect(await reopened.reader.selectFrom('invoices').select('number').execute()).toEqual([{ number }])
  reopened.close()
})
