/** What the words in braces become, in each language, and how prices rise. */
import { expect, test } from 'vitest'
import { priceAt } from '../../../../server/sales/recurring/prices.ts'
import { filledText } from '../../../../server/sales/recurring/placeholders.ts'
import type { PeriodFacts } from '../../../../server/sales/recurring/placeholders.ts'

const monthly: PeriodFacts = { date: '2026-11-30', rule: { freq: 'monthly', interval: 1 }, language: 'es' }
const at = (changes: Partial<PeriodFacts>): PeriodFacts => ({ ...monthly, ...changes })

test.each<[string, PeriodFacts, string]>([
  ['Alquiler de {mes} de {año}', monthly, 'Alquiler de noviembre de 2026'],
  ['Alquiler de {mes+1} de {año}', at({ date: '2026-12-31' }), 'Alquiler de enero de 2026'],
  ['{Mes-1}', at({ date: '2026-01-31' }), 'Diciembre'],
  ['Cuota {periodo}', monthly, 'Cuota noviembre de 2026'],
  ['Cuota {periodo-1}', at({ date: '2026-01-01' }), 'Cuota diciembre de 2025'],
  ['{ TRIMESTRE } y {trimestre+1}', monthly, '4T 2026 y 1T 2027'],
  ['{periodo}', at({ rule: { freq: 'monthly', interval: 3 }, date: '2026-09-30' }), '3T 2026'],
  ['{periodo}', at({ rule: { freq: 'monthly', interval: 2 } }), 'noviembre-diciembre de 2026'],
  ['{periodo}', at({ rule: { freq: 'monthly', interval: 4 } }), 'noviembre de 2026 - febrero de 2027'],
  ['{periodo}', at({ rule: { freq: 'yearly' } }), '2026'],
  ['{periodo}', at({ rule: { freq: 'yearly', interval: 2 } }), '2026-2027'],
  ['{periodo}', at({ rule: { freq: 'weekly' } }), 'del 30/11/2026 al 06/12/2026'],
  ['{fecha}', monthly, '30/11/2026'],
  ['Rent {month} {year}', at({ language: 'en' }), 'Rent November 2026'],
  ['Alquiler {mes}', at({ language: 'en' }), 'Alquiler November'],
  ['{period}', at({ language: 'en', rule: { freq: 'monthly', interval: 3 } }), 'Q4 2026'],
  ['Lloguer {periodo}', at({ language: 'ca', date: '2026-06-30' }), 'Lloguer juny del 2026'],
  ['{periodo}', at({ language: 'gl' }), 'novembro de 2026'],
  ['{periodo}', at({ language: 'pt', rule: { freq: 'monthly', interval: 3 } }), '4T 2026'],
  ['{Periodo}', at({ language: 'fr' }), 'Novembre 2026'],
  ['{periodo}', at({ language: 'fr', rule: { freq: 'monthly', interval: 3 } }), 'T4 2026'],
  ['{periodo}', at({ language: 'fr', rule: { freq: 'weekly' } }), 'du 30/11/2026 au 06/12/2026'],
  ['{periodo}', at({ language: 'de', rule: { freq: 'weekly' } }), '30.11.2026 bis 06.12.2026'],
  ['{periodo}', at({ language: 'de', rule: { freq: 'monthly', interval: 2 } }), 'November-Dezember 2026'],
  ['{periodo}', at({ language: 'eu', date: '2026-06-30' }), '2026ko ekaina'],
  ['{periodo}', at({ language: 'eu', date: '2025-01-31' }), '2025eko urtarrila'],
  ['{periodo}', at({ language: 'eu', date: '2030-01-31' }), '2030eko urtarrila'],
  ['{periodo}', at({ language: 'eu', date: '2031-01-31' }), '2031ko urtarrila'],
  ['{periodo}', at({ language: 'eu', date: '2041-01-31' }), '2041eko urtarrila'],
  ['{periodo}', at({ language: 'eu', date: '2040-01-31' }), '2040ko urtarrila'],
  ['{periodo}', at({ language: 'eu', rule: { freq: 'monthly', interval: 3 } }), '2026ko 4. hiruhilekoa'],
  ['{fecha}', at({ language: 'eu' }), '2026/11/30'],
  ['{otra} {} {mes', monthly, '{otra} {} {mes'],
])('%s', (text, facts, filled) => {
  expect(filledText(text, facts)).toBe(filled)
})

test('prices rise on their day, one after another, to the cent', () => {
  const steps = [
    { date: '2027-01-01', percentBp: 280 },
    { date: '2028-01-01', percentBp: 310 },
  ]
  expect(priceAt(650, steps, '2026-12-31')).toBe(650)
  expect(priceAt(650, steps, '2027-01-01')).toBe(668.2)
  expect(priceAt(650, steps, '2028-06-01')).toBe(688.91)
  // The order in which they are noted does not matter.
  expect(priceAt(650, [...steps].reverse(), '2028-06-01')).toBe(688.91)
  expect(priceAt(0.123456, steps, '2027-01-01')).toBe(0.126913)
  expect(priceAt(-10, [{ date: '2026-01-01', percentBp: -5000 }], '2026-01-01')).toBe(-5)
})
