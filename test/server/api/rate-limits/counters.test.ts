/** Rate-limit windows by key and family, and slots for expensive requests, with the test's own clock. */
import { expect, test } from 'vitest'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { FAMILIES, familyOf, PLANS } from '../../../../server/domain/contract/rate-limits.ts'
import { Counters, Semaphore } from '../../../../server/api/rate-limits/index.ts'
import { loadContracts } from '../../../../server/api/operations.ts'

const contracts = await loadContracts()

function counting() {
  let ms = 5_000
  const counters = new Counters(() => ms)
  return { counters, pass: (seconds: number) => void (ms += seconds * 1000) }
}

test('every operation belongs to the family of its contract, and no family is empty', () => {
  const families = new Map(contracts.map((one) => [one.name, familyOf(one)]))
  expect(
    [
      'invoices.get',
      'invoices.create',
      'invoices.issue',
      'invoices.cancel',
      'invoices.amend',
      'invoices.pdf',
      'invoices.export',
      'exports.file',
      'attachments.upload',
      'received.read',
      'erp.sync',
      'lookups.vatNumber',
      'lookups.exchangeRate',
      'mail.test',
    ].map((name) => families.get(name)),
  ).toEqual([
    'read',
    'write',
    'issue',
    'issue',
    'issue',
    'documents',
    'documents',
    'documents',
    'documents',
    'documents',
    'outward',
    'outward',
    'outward',
    'outward',
  ])
  expect(new Set(families.values())).toEqual(new Set(FAMILIES))
})

test('a window accepts all of its requests at once and rejects the next, and the following window starts again', async () => {
  const { counters, pass } = counting()
  counters.apply({ plan: 'standard', overrides: {} })
  const { issue } = PLANS.standard.perMinute
  for (let asked = 1; asked <= issue; asked += 1)
    expect(counters.take('key_a', 'issue')).toEqual({
      policy: '"standard-issue";q=10;w=60',
      state: `"standard-issue";r=${issue - asked};t=60`,
      retryAfterSeconds: null,
    })
  pass(12.4)
  expect(counters.take('key_a', 'issue')).toEqual({
    policy: '"standard-issue";q=10;w=60',
    state: '"standard-issue";r=0;t=48',
    retryAfterSeconds: 48,
  })
  // Neither another key nor another family has to wait for it.
  expect((await counters.take('key_b', 'issue')).retryAfterSeconds).toBeNull()
  expect((await counters.take('key_a', 'read')).retryAfterSeconds).toBeNull()
  pass(47.6)
  expect((await counters.take('key_a', 'issue')).state).toBe('"standard-issue";r=9;t=60')
})

test('the plan beta counts, reports and never rejects', async () => {
  const { counters } = counting()
  counters.apply({ plan: 'beta', overrides: { read: 1 } })
  expect(counters.take('key_a', 'read')).toMatchObject({ state: '"beta-read";r=0;t=60' })
  expect(counters.take('key_a', 'read')).toMatchObject({ retryAfterSeconds: null })
})

test('a new policy applies at once, also to earlier counts', async () => {
  const { counters } = counting()
  for (let asked = 0; asked < 5; asked += 1) counters.take('key_a', 'read')
  counters.apply({ plan: 'standard', overrides: { read: 5 } })
  expect(counters.left('key_a', 'read')).toEqual({
    policy: 'standard-read',
    quota: 5,
    remaining: 0,
    resetSeconds: 60,
  })
  expect((await counters.take('key_a', 'read')).retryAfterSeconds).toBe(60)
  expect(counters.left(null, 'read').remaining).toBe(5)
})

test('a query of the remainder counts nothing, and a window that has ended leaves everything', async () => {
  const { counters, pass } = counting()
  counters.take('key_a', 'write')
  expect(counters.left('key_a', 'write')).toEqual(counters.left('key_a', 'write'))
  const left = counters.left('key_a', 'write')
  expect(left.quota - left.remaining).toBe(1)
  pass(60)
  expect(counters.left('key_a', 'write').remaining).toBe(left.quota)
})

test('inactive keys are forgotten, active ones are not', async () => {
  const { counters, pass } = counting()
  counters.apply({ plan: 'standard', overrides: {} })
  for (let key = 0; key < 999; key += 1) counters.take(`key_${key}`, 'read')
  pass(61)
  counters.take('key_busy', 'read')
  counters.take('key_new', 'read')
  expect((counters as unknown as { byKey: Map<string, unknown> }).byKey.size).toBe(2)
  expect((await counters.take('key_busy', 'read')).state).toContain(';r=118;')
})

test('two requests run, sixteen wait, and the next is asked to retry', async () => {
  const places = new Semaphore()
  const leaving: (() => void)[] = []
  const entered: number[] = []
  const waits = Array.from({ length: 18 }, (_, turn) =>
    places.take().then((leave) => {
      entered.push(turn)
      leaving.push(leave)
    }),
  )
  await expect(places.take()).rejects.toMatchObject({ code: 'too_busy', status: 503, retryAfterSeconds: 5 })
  expect(places.counts).toEqual({ atWork: 2, waiting: 16 })
  for (let turn = 0; turn < 18; turn += 1) {
    await waits[turn]
    // Released twice, it is still one slot.
    leaving[turn]?.()
    leaving[turn]?.()
    expect(places.counts.atWork).toBeLessThanOrEqual(2)
  }
  expect(entered).toEqual([...entered].sort((a, b) => a - b))
  expect(places.counts).toEqual({ atWork: 0, waiting: 0 })
})

test('a caller that disconnects while waiting leaves the queue', async () => {
  const places = new Semaphore({ atOnce: 1, waiting: 1 })
  const leave = await places.take()
  const gone = new AbortController()
  const waiting = places.take(gone.signal)
  await expect(places.take()).rejects.toBeInstanceOf(AppError)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(places.take(gone.signal)).rejects.toThrow('gone')
  const next = places.take()
  leave()
  ;(await next)()
  expect(places.counts).toEqual({ atWork: 0, waiting: 0 })
})
