/** The cache of keys: never longer than they are valid. */
import { expect, test } from 'vitest'
import { CachedKeys } from '../../../../server/platform/api-keys/cache.ts'

test('a key that was read is cached until the cache is cleared', async () => {
  const known = new CachedKeys<string>()
  expect(await known.read('abcd1234', async () => 'row')).toBe('row')
  expect(known.find('abcd1234')).toBe('row')
  known.forget()
  expect(known.find('abcd1234')).toBeUndefined()
})

test('a key revoked while it is being read is not cached', async () => {
  const known = new CachedKeys<string>()
  const reading = known.read('abcd1234', async () => {
    await Promise.resolve()
    return 'read before it was revoked'
  })
  known.forget()
  await reading
  expect(known.find('abcd1234')).toBeUndefined()
})

test('a missing key is not cached', async () => {
  const known = new CachedKeys<string>()
  expect(await known.read('abcd1234', async () => undefined)).toBeUndefined()
  expect(await known.read('abcd1234', async () => 'made since')).toBe('made since')
})
