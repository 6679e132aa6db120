import { describe, expect, test } from 'vitest'
import { countdown, headlineOf, shortHash } from '../../../renderer/registry/headline.ts'

type Facts = Parameters<typeof headlineOf>[0]

const calm: Facts = {
  simulated: false,
  chain: { records: 44, head: 'A', verifiedAt: null, ok: true },
  service: { status: 'up', checkedAt: null },
  queue: { pending: 0, stopped: false },
  counts: { accepted: 44, acceptedWithErrors: 0, rejected: 0, unknown: 0 },
  certificate: { status: 'ok' },
  attention: [],
}
const item = (
  code: string,
  action: Facts['attention'][number]['action'],
  invoiceId?: string,
): Facts['attention'][number] => ({
  code,
  action,
  message: code,
  fix: '',
  ...(invoiceId ? { invoiceId, recordId: `rec-${invoiceId}` } : {}),
})
const waiting = { pending: 3, stopped: false }

describe('the headline names the most severe condition first', () => {
  test('a broken chain before everything, then a copy that needs a decision', () => {
    const attention = [item('registry_rejected', 'correct', 'inv_1')]
    expect(headlineOf({ ...calm, attention, chain: { ...calm.chain, ok: false } })).toMatchObject({
      words: 'broken',
      tone: 'error',
    })
    expect(headlineOf({ ...calm, attention, chain: { ...calm.chain, held: 'restored_copy' } })).toMatchObject(
      {
        words: 'restored',
        tone: 'error',
      },
    )
  })

  test('a suspension before a refused message, that before a rejected invoice', () => {
    const attention = [item('message_refused', 'certificate'), item('registry_rejected', 'correct', 'inv_1')]
    const stopped = { ...calm, attention, queue: { pending: 3, stopped: true } }
    expect(headlineOf(stopped)).toMatchObject({ words: 'stopped', tone: 'error', count: 3 })
    expect(headlineOf({ ...calm, attention, queue: waiting })).toMatchObject({ words: 'refused', count: 3 })
  })

  test('a clock that blocks issuing before a rejected invoice; one that is only off is no headline', () => {
    const attention = [item('clock_wrong', 'clock'), item('registry_rejected', 'correct', 'inv_1')]
    expect(headlineOf({ ...calm, attention })).toMatchObject({ words: 'clock', tone: 'error' })
    expect(headlineOf({ ...calm, attention: [item('clock_differs', 'clock')] })).toMatchObject({
      words: 'fine',
    })
  })

  test('records without an authority wait; they are not being sent', () => {
    expect(headlineOf({ ...calm, queue: waiting })).toMatchObject({ words: 'queued' })
    const attention = [item('no_stand_in', 'none')]
    expect(headlineOf({ ...calm, attention, queue: waiting })).toMatchObject({
      words: 'stranded',
      count: 3,
    })
  })

  test('only open records count, each invoice once', () => {
    const counts = { ...calm.counts, rejected: 5 }
    expect(headlineOf({ ...calm, counts })).toMatchObject({ words: 'fine' })
    const attention = [
      item('registry_rejected', 'correct', 'inv_1'),
      item('registry_conflict', 'decide', 'inv_2'),
      { ...item('registry_rejected', 'annul', 'inv_1'), recordId: 'rec-9' },
    ]
    expect(headlineOf({ ...calm, counts, attention })).toMatchObject({ words: 'help', count: 2 })
  })

  test('without a certificate the queue cannot be sent, but in a test book it can', () => {
    const bare = { ...calm, queue: waiting, certificate: { status: 'missing' as const } }
    expect(headlineOf(bare)).toMatchObject({ words: 'certificate', count: 3 })
    expect(headlineOf({ ...calm, certificate: { status: 'expired' } })).toMatchObject({
      words: 'certificate',
      tone: 'error',
      count: 0,
    })
    const unused = { ...bare, queue: calm.queue, chain: { ...calm.chain, records: 0 } }
    expect(headlineOf(unused).words).toBe('empty')
    expect(headlineOf({ ...bare, simulated: true })).toMatchObject({ words: 'queued', count: 3 })
    expect(headlineOf({ ...bare, queue: calm.queue })).toMatchObject({ words: 'certificate', count: 0 })
    expect(headlineOf({ ...bare, queue: calm.queue, simulated: true })).toMatchObject({ words: 'fine' })
  })

  test('an unavailable authority before a queue', () => {
    const down = { ...calm, service: { status: 'down' as const, checkedAt: null }, queue: waiting }
    expect(headlineOf(down)).toMatchObject({ words: 'down', count: 3 })
    expect(headlineOf({ ...calm, queue: { pending: 2, stopped: false } })).toMatchObject({
      words: 'queued',
      count: 2,
    })
  })

  test('an unconfirmed delivery, warnings, unused books, no condition', () => {
    expect(headlineOf({ ...calm, counts: { ...calm.counts, unknown: 1 } }).words).toBe('unknown')
    const attention = [item('registry_accepted_with_errors', 'correct', 'inv_1')]
    expect(headlineOf({ ...calm, attention })).toMatchObject({ words: 'warnings', count: 1 })
    expect(headlineOf({ ...calm, chain: { ...calm.chain, records: 0 } }).words).toBe('empty')
    expect(headlineOf(calm)).toMatchObject({ words: 'fine', tone: 'success' })
  })
})

test('a hash is shortened to both its ends', () => {
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
