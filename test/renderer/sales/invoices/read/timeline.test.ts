/** Steps of a record on the page of an invoice. */
import { expect, test } from 'vitest'
import type { Invoice } from '../../../../../renderer/sales/invoices/editor/draft.ts'
import { annulmentOf, hashEnds, stepsOf } from '../../../../../renderer/sales/invoices/read/timeline.ts'
import type { Registration } from '../../../../../renderer/sales/invoices/read/timeline.ts'

const invoice = {
  history: [
    {
      at: '2026-11-19T09:00:00Z',
      action: 'invoice.drafted',
      actor: { kind: 'key', name: 'Tienda' },
      outcome: 'ok',
    },
    {
      at: '2026-11-19T09:02:11Z',
      action: 'invoice.issued',
      actor: { kind: 'user', name: 'user' },
      outcome: 'ok',
    },
  ],
} as unknown as Invoice

function registration(changes: Partial<Registration>): Registration {
  return {
    recordId: 'r',
    kind: 'registration',
    turn: 'first',
    sequence: 42,
    status: 'accepted',
    generatedAt: '2026-11-19T09:02:11Z',
    hash: `3C467F0A${'0'.repeat(52)}9B1E`,
    previousHash: 'A'.repeat(64),
    closed: false,
    action: 'none',
    attempts: [],
    xml: '',
    untrusted: true,
    ...changes,
  }
}
const attempt = (number: number, outcome: Registration['attempts'][number]['outcome']) => ({
  attempt: number,
  kind: 'submission' as const,
  startedAt: '2026-11-19T09:02:14Z',
  finishedAt: '2026-11-19T09:02:14.800Z',
  outcome,
})

test('an accepted invoice has the steps from issue to its CSV', () => {
  const steps = stepsOf(
    invoice,
    registration({ attempts: [attempt(1, 'accepted')], csv: 'A-7QWK3J9PZ2MX' }),
    'Tú',
  )
  expect(steps.map((step) => step.kind)).toEqual(['made', 'chained', 'attempt', 'accepted'])
  expect(steps[0]).toMatchObject({ deed: 'issued', actor: 'Tú', at: '2026-11-19T09:02:11Z' })
  expect(steps[2]).toMatchObject({ number: 1, of: 1, seconds: 0.8 })
  expect(steps[3]).toMatchObject({ csv: 'A-7QWK3J9PZ2MX' })
})

test('the first record of a chain has no previous record', () => {
  const first = registration({ sequence: 1 })
  delete first.previousHash
  expect(stepsOf(invoice, first, 'Tú')[1]).toMatchObject({ kind: 'chained', previousHash: null })
})

test("a rejection contains the authority's text", () => {
  const steps = stepsOf(
    invoice,
    registration({
      status: 'rejected',
      authorityCode: '1110',
      meaning: 'client_not_in_census',
      message: 'NIF no identificado',
      attempts: [attempt(1, 'rejected')],
    }),
    'Tú',
  )
  expect(steps.at(-1)).toMatchObject({
    kind: 'rejected',
    theme: 'client_not_in_census',
    says: '1110: NIF no identificado',
  })
})

test('a waiting record shows the next attempt', () => {
  const steps = stepsOf(
    invoice,
    registration({
      status: 'pending',
      nextAttemptAt: '2026-11-19T09:05:00Z',
      attempts: [attempt(1, 'not_delivered')],
    }),
    'Tú',
  )
  expect(steps.at(-1)).toEqual({ kind: 'waiting', nextAt: '2026-11-19T09:05:00Z' })
})

test('of many attempts only the first and the last two are shown', () => {
  const attempts = Array.from({ length: 9 }, (_, index) => attempt(index + 1, 'not_delivered'))
  const steps = stepsOf(invoice, registration({ status: 'pending', attempts }), 'Tú').slice(2)
  expect(
    steps.map((step) =>
      step.kind === 'attempt' ? step.number : step.kind === 'more' ? `+${step.count}` : step.kind,
    ),
  ).toEqual([1, '+6', 8, 9, 'waiting'])
})

test('before the registration is loaded only the issue is shown', () => {
  expect(stepsOf(invoice, null, 'Tú').map((step) => step.kind)).toEqual(['made'])
})

test('a hash is shortened to its ends', () => {
  expect(hashEnds(registration({}).hash)).toBe('3C46 7F0A … 9B1E')
})

test('a correction and a cancellation name their author and effect', () => {
  const later = {
    ...invoice,
    history: [
      ...invoice.history,
      {
        at: '2026-11-20T10:00:00Z',
        action: 'invoice.amended',
        actor: { kind: 'user', name: 'user' },
        outcome: 'ok',
      },
      {
        at: '2026-11-21T10:00:00Z',
        action: 'invoice.amended',
        actor: { kind: 'key', name: 'Tienda' },
        outcome: 'ok',
      },
    ],
  } as unknown as Invoice
  const second = registration({ turn: 'correction', generatedAt: '2026-11-21T10:00:00Z' })
  expect(stepsOf(later, second, 'Tú').slice(0, 2)).toMatchObject([
    { kind: 'made', deed: 'amended', actor: 'Tienda' },
    { kind: 'chained', deed: 'amended' },
  ])
  const annulled = registration({ kind: 'cancellation' })
  expect(stepsOf(invoice, annulled, 'Tú')).toMatchObject([
    { kind: 'chained', deed: 'cancelled' },
    { kind: 'accepted', deed: 'cancelled' },
  ])
})

test('a lost answer is recovered by a query, and shows that the code is lost', () => {
  const steps = stepsOf(
    invoice,
    registration({
      csvLost: true,
      attempts: [attempt(1, 'unknown'), { ...attempt(2, 'held'), kind: 'query' }],
    }),
    'Tú',
  )
  expect(steps[3]).toMatchObject({ kind: 'attempt', asked: true, outcome: 'held' })
  expect(steps.at(-1)).toMatchObject({ kind: 'accepted', csv: null, csvLost: true })
})

test('a cancellation is being sent, accepted or rejected', () => {
  const cancelled = { cancelledAt: '2026-11-21T10:00:00Z' }
  const by = (status: Registration['status']) => [
    registration({}),
    registration({ kind: 'cancellation', status }),
  ]
  expect(annulmentOf({}, by('accepted'))).toBeNull()
  expect(annulmentOf(cancelled, by('pending'))).toBe('cancelling')
  expect(annulmentOf(cancelled, by('accepted_with_errors'))).toBe('cancelled')
  expect(annulmentOf(cancelled, by('rejected'))).toBe('notCancelled')
})
