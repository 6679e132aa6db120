/** The last day of a report in words: how many counted days are left, which ones, and which do not count. */
import { expect, test } from 'vitest'
import { i18n } from '../../../../renderer/i18n.ts'
import es from '../../../../renderer/locales/es/index.ts'
import {
  daysText,
  deadlineOf,
  deadlineTone,
  lastDayText,
  leftText,
} from '../../../../renderer/integrations/exchange/deadline.ts'

i18n.global.setLocaleMessage('es', es)

test('Saturday, Sunday and a holiday do not count, and are named', () => {
  // Friday 4 December 2026: the 5th and 6th are a weekend, the 8th is the Inmaculada.
  expect(deadlineOf('2026-12-10', '2026-12-04')).toEqual({
    left: 3,
    counted: ['2026-12-07', '2026-12-09', '2026-12-10'],
    skipped: ['2026-12-05', '2026-12-06', '2026-12-08'],
  })
  expect(leftText('2026-12-10', '2026-12-04')).toBe('Quedan 3 días que cuentan')
  const words = daysText({ lastDay: '2026-12-10', lastDayOfTen: '2026-12-10' }, '2026-12-04')
  expect(words).toBe(
    'Cuentan lun 7 dic, mié 9 dic y jue 10 dic. No cuentan sáb 5 dic, dom 6 dic y mar 8 dic (Inmaculada).',
  )
})

test('one day is singular, the last day and those after it have no days left', () => {
  expect(leftText('2026-12-01', '2026-11-30')).toBe('Queda 1 día que cuenta')
  expect(leftText('2026-11-30', '2026-11-30')).toBe('Vence hoy')
  expect(leftText('2026-11-27', '2026-11-30')).toBe('Plazo vencido')
  expect(lastDayText('2026-11-30', '2026-11-30')).toBe('hasta el lun 30 nov')
  expect(lastDayText('2026-11-27', '2026-11-30')).toBe('acababa el vie 27 nov')
  expect(daysText({ lastDay: '2026-11-27', lastDayOfTen: null }, '2026-11-30')).toBe('')
})

test('a last day that 6 January moves is said in both readings', () => {
  const words = daysText({ lastDay: '2027-01-08', lastDayOfTen: '2027-01-11' }, '2027-01-04')
  expect(words).toContain('mié 6 ene')
  expect(words).toContain('Con el 6 de enero como festivo acabaría el 11/01/2027.')
})

test('what is over is red, the last two counted days amber', () => {
  expect(deadlineTone('2026-11-27', '2026-11-30')).toBe('text-error')
  expect(deadlineTone('2026-12-02', '2026-11-30')).toBe('text-warning')
  expect(deadlineTone('2026-12-03', '2026-11-30')).toBe('text-muted')
})
