import { describe, expect, test } from 'vitest'
import { countdown, headlineOf, shortHash } from '../../../renderer/registry/headline.ts'

const calm: Parameters<typeof headlineOf>[0] = {
  chain: { records: 44, head: 'A', verifiedAt: null, ok: true },
  service: { status: 'up', checkedAt: null },
  queue: { pending: 0 },
  counts: { accepted: 44, acceptedWithErrors: 0, rejected: 0, unknown: 0 },
}

describe('the headline says the worst thing first', () => {
  test('a broken chain before everything', () => {
    const state = { ...calm, chain: { ...calm.chain, ok: false }, counts: { ...calm.counts, rejected: 3 } }
    expect(headlineOf(state)).toMatchObject({ words: 'broken', tone: 'error' })
  })

  test('a rejection before an authority that is down, that before a queue', () => {
    const down = { ...calm, service: { status: 'down' as const, checkedAt: null }, queue: { pending: 3 } }
    expect(headlineOf({ ...down, counts: { ...calm.counts, rejected: 1 } })).toMatchObject({
      words: 'rejected',
      count: 1,
    })
    expect(headlineOf(down)).toMatchObject({ words: 'down', count: 3 })
    expect(headlineOf({ ...calm, queue: { pending: 2 } })).toMatchObject({ words: 'queued', count: 2 })
  })

  test('an unconfirmed delivery, warnings, nothing yet, all well', () => {
    expect(headlineOf({ ...calm, counts: { ...calm.counts, unknown: 1 } }).words).toBe('unknown')
    expect(headlineOf({ ...calm, counts: { ...calm.counts, acceptedWithErrors: 2 } })).toMatchObject({
      words: 'warnings',
      count: 2,
    })
    expect(headlineOf({ ...calm, chain: { ...calm.chain, records: 0 } }).words).toBe('empty')
    expect(headlineOf(calm)).toMatchObject({ words: 'fine', tone: 'success' })
  })
})

test('a hash is shown by both its ends', () => {
  expect(shortHash('9B1E44D0'.padEnd(56, '0') + '7F0AC3D2')).toBe('9B1E 44D0 … 7F0A C3D2')
  expect(shortHash('9B1E44D0')).toBe('9B1E 44D0')
})

test('the wait counts down within the hour', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  expect(countdown('2026-11-21T10:00:48Z', now)).toBe('0:48')
  expect(countdown('2026-11-21T10:05:00.200Z', now)).toBe('5:01')
  expect(countdown('2026-11-21T09:59:59Z', now)).toBeNull()
  expect(countdown('2026-11-21T12:00:00Z', now)).toBeNull()
})
