/** Recurrence rules through their form and as sentences in both languages. */
import { createI18n } from 'vue-i18n'
import { expect, test } from 'vitest'
import en from '../../../../renderer/locales/en/index.ts'
import es from '../../../../renderer/locales/es/index.ts'
import {
  emptyRule,
  ruleFormOf,
  ruleOfForm,
  ruleSentence,
  weekdayOf,
} from '../../../../renderer/sales/recurring/rule.ts'
import type { Rule } from '../../../../renderer/sales/recurring/rule.ts'
import { RecurrenceRule } from '../../../../server/sales/recurring/contract.ts'
import { ruleFaults } from '../../../../server/sales/recurring/rule.ts'

const i18n = createI18n({ legacy: false, locale: 'es', messages: { es, en } as never }) as unknown as {
  global: { t: unknown; locale: { value: string } }
}

function said(rule: Rule, language: 'es' | 'en' = 'es'): string {
  i18n.global.locale.value = language
  const t = i18n.global.t as (key: string, ...rest: unknown[]) => string
  return ruleSentence(rule, {
    t: (key, values = {}, plural) => (plural === undefined ? t(key, values) : t(key, values, plural)),
    date: (date) => date.split('-').reverse().join('/'),
    dayMonth: (date) => date.slice(5),
    list: (items) => items.join(' y '),
  })
}

const start = '2026-11-30'
test.each<[Rule, string, string]>([
  [{ freq: 'monthly', start, byMonthDay: 1 }, 'Cada mes, el día 1', 'Every month, on day 1'],
  [
    { freq: 'monthly', interval: 3, start, byMonthDay: 31, until: '2027-12-31' },
    'Cada 3 meses, el último día, hasta el 31/12/2027',
    'Every 3 months, on the last day, until 31/12/2027',
  ],
  [
    { freq: 'weekly', interval: 2, start, byWeekday: ['MO', 'TH'], count: 12 },
    'Cada 2 semanas, lunes y jueves, 12 veces',
    'Every 2 weeks, Monday y Thursday, 12 times',
  ],
  [
    { freq: 'monthly', start, byWeekday: ['FR'], nth: -1 },
    'Cada mes, el último viernes',
    'Every month, on the last Friday',
  ],
  [
    { freq: 'monthly', start, byWeekday: ['MO'], nth: 2 },
    'Cada mes, el segundo lunes',
    'Every month, on the second Monday',
  ],
  [{ freq: 'yearly', start, count: 1 }, 'Cada año, el 11-30, una vez', 'Every year, on 11-30, once'],
])('%o', (rule, spanish, english) => {
  expect(said(rule)).toBe(spanish)
  expect(said(rule, 'en')).toBe(english)
  const back = ruleOfForm(ruleFormOf(rule))
  expect(back).toEqual({ interval: 1, ...rule })
  expect(ruleFaults(RecurrenceRule.parse(back))).toEqual([])
})

test('a new rule starts on the next first of a month', () => {
  expect(ruleOfForm(emptyRule('2026-11-21'))).toEqual({
    freq: 'monthly',
    interval: 1,
    start: '2026-12-01',
    byMonthDay: 1,
  })
  expect(emptyRule('2026-12-01').start).toBe('2026-12-01')
  expect(emptyRule('2026-12-02').start).toBe('2027-01-01')
  expect(weekdayOf('2026-11-21')).toBe('SA')
})

test('a rule without its last day is null', () => {
  expect(ruleOfForm({ ...emptyRule('2026-11-21'), end: 'until' })).toBeNull()
})
