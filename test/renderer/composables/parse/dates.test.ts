/** Parser of dates as users type them. */
import { expect, test } from 'vitest'
import { parseDay } from '../../../../renderer/composables/parse/dates.ts'

const today = '2026-11-21'

test.each<[string, string | null]>([
  ['3/2', '2026-02-03'],
  ['3-2-27', '2027-02-03'],
  ['030227', '2027-02-03'],
  ['03022027', '2027-02-03'],
  ['3.2.2027', '2027-02-03'],
  ['3 2 27', '2027-02-03'],
  ['2027-02-03', '2027-02-03'],
  ['3 feb', '2026-02-03'],
  ['3 de febrero de 2027', '2027-02-03'],
  ['3 Feb 2027', '2027-02-03'],
  ['1 ene', '2026-01-01'],
  ['1 jan', '2026-01-01'],
  ['15', '2026-11-15'],
  ['hoy', '2026-11-21'],
  ['HOY', '2026-11-21'],
  ['ayer', '2026-11-20'],
  ['mañana', '2026-11-22'],
  ['+30', '2026-12-21'],
  ['-7', '2026-11-14'],
  ['29/2/28', '2028-02-29'],
  ['', null],
])('%j is a date', (text, date) => {
  expect(parseDay(text, { today })).toEqual({ ok: true, date })
})

test.each<[string, string]>([
  ['31/2', 'no_such_day'],
  ['29/2/27', 'no_such_day'],
  ['12/31/2026', 'no_such_day'],
  ['0/1', 'no_such_day'],
  ['pronto', 'not_a_date'],
  ['3 brumario', 'not_a_date'],
  ['3/2/2', 'not_a_date'],
])('%j is rejected', (text, reason) => {
  expect(parseDay(text, { today })).toEqual({ ok: false, reason })
})

test('+30 counts from the given date', () => {
  expect(parseDay('+30', { today, from: '2026-01-15' })).toEqual({ ok: true, date: '2026-02-14' })
})
