/** When the window must announce unsent records. */
import { expect, test } from 'vitest'
import { unsentNotices } from '../../../../renderer/app/shell/unsent.ts'
import type { LiveQueue } from '../../../../renderer/app/shell/unsent.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const live = (
  queue: Partial<LiveQueue['queue']>,
  certificate: LiveQueue['certificate'] = 'ok',
): LiveQueue => ({
  bookId: 'book_live',
  company: 'Taller Norte S.L.',
  queue: { pending: 0, stopped: false, ...queue },
  certificate,
})

test('nothing is announced while everything is sent within the hour', () => {
  expect(unsentNotices([live({})], NOW)).toEqual([])
  expect(unsentNotices([live({ pending: 3, oldestPendingAt: '2026-11-21T11:00:01Z' })], NOW)).toEqual([])
})

test('after an hour the number is announced, and since when', () => {
  expect(unsentNotices([live({ pending: 3, oldestPendingAt: '2026-11-21T10:59:59Z' })], NOW)).toEqual([
    {
      bookId: 'book_live',
      company: 'Taller Norte S.L.',
      count: 3,
      since: '2026-11-21T10:59:59Z',
      words: 'late',
    },
  ])
})

test('a suspension is announced at once, even with an empty queue', () => {
  expect(unsentNotices([live({ stopped: true })], NOW)).toMatchObject([{ words: 'stopped', count: 0 }])
})

test('a missing or expired certificate is named as the reason', () => {
  const late = { pending: 1, oldestPendingAt: '2026-11-20T12:00:00Z' }
  expect(unsentNotices([live(late, 'expired')], NOW)).toMatchObject([{ words: 'certificate' }])
  expect(unsentNotices([live(late, 'expiring')], NOW)).toMatchObject([{ words: 'late' }])
})

test('each live book has its own notice', () => {
  const other = { ...live({ pending: 2, oldestPendingAt: '2026-11-21T08:00:00Z' }), bookId: 'book_other' }
  expect(unsentNotices([live({}), other], NOW).map((notice) => notice.bookId)).toEqual(['book_other'])
})
