/** What follows from a payment: said once, taken back when undone, cancelled and said again for another day. */
import { expect, test } from 'vitest'
import {
  admittedStanding,
  intended,
  isContradicted,
  needlessRefused,
  nextStep,
} from '../../../../../server/integrations/exchange/said/plan.ts'
import type { SaidReport } from '../../../../../server/integrations/exchange/said/plan.ts'
import { dice } from '../../../../support/seeded-random.ts'

const TODAY = '2027-11-02'

function report(kind: SaidReport['kind'], more: Partial<SaidReport> = {}): SaidReport {
  return { id: 1, kind, day: '2027-10-20', state: 'admitted', byMachine: true, isUnsent: false, ...more }
}
const paid = (day = '2027-10-20') => ({ said: 'paid', day }) as const

test('a payment in full is said, a partial one is not', () => {
  expect(nextStep([], paid(), TODAY)).toEqual({ kind: 'say', what: 'paid', day: '2027-10-20' })
  expect(nextStep([], null, TODAY)).toBeNull()
  expect(nextStep([report('paid')], paid(), TODAY)).toBeNull()
})

test('undoing a payment cancels what was said, and takes back what has not left', () => {
  expect(nextStep([report('paid')], null, TODAY)).toEqual({
    kind: 'say',
    what: 'payment_cancelled',
    day: TODAY,
  })
  expect(nextStep([report('paid', { state: 'to_send', isUnsent: true })], null, TODAY)).toEqual({
    kind: 'drop',
    reportId: 1,
  })
  // On its way: it may be there already.
  expect(nextStep([report('paid', { state: 'unknown' })], null, TODAY)?.kind).toBe('say')
  expect(nextStep([report('paid', { state: 'to_send', isUnsent: false })], null, TODAY)?.kind).toBe('say')
})

test('another day is a cancellation and then a new report', () => {
  const first = report('paid')
  expect(nextStep([first], paid('2027-10-25'), TODAY)).toEqual({
    kind: 'say',
    what: 'payment_cancelled',
    day: TODAY,
  })
  const second = report('payment_cancelled', { id: 2, day: TODAY, state: 'to_send', isUnsent: true })
  expect(nextStep([first, second], paid('2027-10-25'), TODAY)).toEqual({
    kind: 'say',
    what: 'paid',
    day: '2027-10-25',
  })
  // The first day again before anything left: the cancellation is taken back.
  expect(nextStep([first, second], paid(), TODAY)).toEqual({ kind: 'drop', reportId: 2 })
})

test('what a person said stands', () => {
  const rejected = report('rejected', { byMachine: false })
  expect(nextStep([rejected], paid(), TODAY)).toBeNull()
  expect(isContradicted([rejected], paid())).toBe(true)
  expect(nextStep([report('paid', { byMachine: false, day: '2027-10-01' })], paid(), TODAY)).toBeNull()
  expect(nextStep([report('paid', { byMachine: false })], null, TODAY)).toBeNull()
})

test('what a person took back is not said again for the same day', () => {
  const taken = [report('paid'), report('payment_cancelled', { id: 2, byMachine: false })]
  expect(nextStep(taken, paid(), TODAY)).toBeNull()
  expect(nextStep(taken, paid('2027-10-30'), TODAY)?.kind).toBe('say')
})

test('what the platform refused is not said again by itself', () => {
  const refused = [report('paid', { state: 'refused' })]
  expect(intended(refused)).toBeNull()
  expect(nextStep(refused, paid(), TODAY)).toBeNull()
  expect(nextStep(refused, paid('2027-10-30'), TODAY)).toEqual({
    kind: 'say',
    what: 'paid',
    day: '2027-10-30',
  })
})

test('a refused cancellation is not said again by itself, but when a person asks for it', () => {
  const reports = [report('paid'), report('payment_cancelled', { id: 2, day: TODAY, state: 'refused' })]
  expect(nextStep(reports, null, TODAY)).toBeNull()
  expect(nextStep(reports, null, TODAY, { again: true })).toEqual({
    kind: 'say',
    what: 'payment_cancelled',
    day: TODAY,
  })
  // Paid again on the same day: nothing has to be taken back any more.
  expect(needlessRefused(reports, paid())?.id).toBe(2)
  expect(needlessRefused(reports, null)).toBeNull()
})

test('any sequence of payments comes to rest with what the books say', () => {
  const die = dice(71)
  for (let run = 0; run < 300; run += 1) {
    const reports: SaidReport[] = []
    for (let change = 0; change < 12; change += 1) {
      const wanted = die.below(3) === 0 ? null : paid(`2027-10-2${die.below(3)}`)
      let steps = 0
      for (;;) {
        const step = nextStep(reports, wanted, TODAY)
        if (step === null) break
        steps += 1
        expect(steps).toBeLessThan(5)
        if (step.kind === 'drop') {
          const one = reports.find(({ id }) => id === step.reportId)
          expect(one?.isUnsent).toBe(true)
          if (one) one.state = 'dropped'
        } else
          reports.push(
            report(step.what, { id: reports.length + 1, day: step.day, state: 'to_send', isUnsent: true }),
          )
      }
      expect(intended(reports)?.day ?? null).toBe(wanted?.day ?? null)
      // Some of what waits is sent, in order.
      for (const one of reports) {
        if (one.state !== 'to_send' || die.below(2) === 0) continue
        if (reports.some((before) => before.id < one.id && before.state === 'to_send')) continue
        one.state = 'admitted'
        one.isUnsent = false
      }
    }
    for (const one of reports) if (one.state === 'to_send') one.state = 'admitted'
    expect(admittedStanding(reports)?.day).toBe(intended(reports)?.day)
    // At the platform a status and its cancellation alternate.
    const admitted = reports.filter(({ state }) => state === 'admitted').map(({ kind }) => kind)
    admitted.forEach((kind, at) => expect(kind).toBe(at % 2 === 0 ? 'paid' : 'payment_cancelled'))
  }
})
