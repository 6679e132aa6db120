/** The day on which payments settled an invoice in full. */
import { expect, test } from 'vitest'
import { completionDay } from '../../../../server/accounting/payments/completion.ts'

const part = (date: string, cents: number) => ({ date, cents })

test('it is the day of the payment that left nothing to pay', () => {
  expect(completionDay([], 100)).toBeNull()
  expect(completionDay([part('2027-10-01', 60)], 100)).toBeNull()
  expect(completionDay([part('2027-10-01', 60), part('2027-10-05', 40)], 100)).toBe('2027-10-05')
  expect(completionDay([part('2027-10-01', 100), part('2027-10-05', 10)], 100)).toBe('2027-10-01')
})

test('a returned payment opens it again, until the last one that completes it', () => {
  const parts = [part('2027-10-01', 100), part('2027-10-05', -100)]
  expect(completionDay(parts, 100)).toBeNull()
  expect(completionDay([...parts, part('2027-10-09', 100)], 100)).toBe('2027-10-09')
})

test('a credit is settled by what is paid out, and nothing is settled where nothing is owed', () => {
  expect(completionDay([part('2027-10-01', -50)], -100)).toBeNull()
  expect(completionDay([part('2027-10-01', -50), part('2027-10-02', -50)], -100)).toBe('2027-10-02')
  expect(completionDay([], 0)).toBeNull()
})
