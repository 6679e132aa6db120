/** Formats of figures and dates in both languages. */
import { afterEach, expect, test } from 'vitest'
import {
  formatAgo,
  formatAmount,
  formatCents,
  formatCount,
  formatDate,
  formatEuros,
  formatInstant,
  formatList,
  formatLongDate,
  formatMicro,
  formatPercent,
  formatQuantity,
  formatRelativeDay,
  language,
} from '../../renderer/format.ts'

afterEach(() => {
  language.value = 'es'
})

test('Spanish groups every thousand, has a real minus sign and keeps the euro next to its amount', () => {
  expect(formatAmount(1234.5)).toBe('1.234,50')
  expect(formatAmount(-1234.5)).toBe('\u22121.234,50')
  expect(formatEuros(1234.5)).toBe('1.234,50\u00a0€')
  expect(formatEuros(-0.05)).toBe('\u22120,05\u00a0€')
  expect(formatCount(1234)).toBe('1.234')
  expect(formatPercent(5.2)).toBe('5,2\u00a0%')
  expect(formatQuantity(0.000001)).toBe('0,000001')
})

test('English formats the same figures in its own way', () => {
  language.value = 'en'
  expect(formatAmount(-1234.5)).toBe('\u22121,234.50')
  expect(formatEuros(1234.5)).toBe('€1,234.50')
  expect(formatPercent(21)).toBe('21%')
  expect(formatDate('2026-11-21')).toBe('21/11/2026')
  expect(formatLongDate('2027-02-03')).toMatch(/^Wednesday,? 3 February 2027$/)
})

test('the value of a field is formatted exactly, however large', () => {
  expect(formatCents(99_999_999_999_999)).toBe('999.999.999.999,99')
  expect(formatMicro(999_999_999_999_999)).toBe('999.999.999,999999')
  expect(formatMicro(12_500_000)).toBe('12,5')
  expect(formatMicro(12_500_000, 2)).toBe('12,50')
})

test('dates and instants are in Spanish time', () => {
  expect(formatDate('2026-02-03')).toBe('03/02/2026')
  expect(formatLongDate('2027-02-03')).toBe('miércoles, 3 de febrero de 2027')
  expect(formatInstant('2026-12-31T23:30:00Z')).toBe('01/01/2027, 00:30')
})

test('near dates are relative to today, far ones absolute', () => {
  expect(formatRelativeDay('2026-11-22', '2026-11-21')).toBe('mañana')
  expect(formatRelativeDay('2026-11-18', '2026-11-21')).toBe('hace 3 días')
  expect(formatRelativeDay('2026-10-01', '2026-11-21')).toBe('01/10/2026')
  const now = new Date('2026-11-21T12:00:00Z')
  expect(formatAgo('2026-11-21T11:58:00Z', now)).toBe('hace 2 minutos')
  expect(formatAgo('2026-11-21T09:00:00Z', now)).toBe('hace 3 horas')
})

test('lists end with «y»', () => {
  expect(formatList(['a', 'b', 'c'])).toBe('a, b y c')
})
