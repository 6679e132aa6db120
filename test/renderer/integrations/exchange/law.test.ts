/** What the law asks: which duty comes first, what lacks, and the order of the assumptions. */
import { expect, test } from 'vitest'
import { hasText, i18n } from '../../../../renderer/i18n.ts'
import es from '../../../../renderer/locales/es/index.ts'
import { byTopic } from '../../../../renderer/integrations/exchange/law/assumptions.ts'
import { firstDuty, isUncertain, knownLacks } from '../../../../renderer/integrations/exchange/law/duties.ts'
import type { Duty } from '../../../../renderer/integrations/exchange/law/duties.ts'
import { ASSUMPTIONS } from '../../../../server/documents/e-invoice/index.ts'
import { concerns, DUTIES } from '../../../../server/integrations/exchange/law/duties.ts'
import { daysBetween } from '../../../../server/domain/dates.ts'

i18n.global.setLocaleMessage('es', es)

const dutiesOf = (standing: Parameters<typeof concerns>[1], today: string): Duty[] =>
  DUTIES.map(({ who: _who, ...duty }, index) => ({
    ...duty,
    binds: concerns(DUTIES[index] as (typeof DUTIES)[number], standing),
    isNow: duty.from <= today && (duty.to === null || today <= duty.to),
    daysLeft: Math.max(0, daysBetween(today, duty.from)),
    lacks: [],
  }))

test('every duty has a title and a text', () => {
  for (const { id } of DUTIES) {
    expect(hasText(`exchange.law.duty.${id}.title`), id).toBe(true)
    expect(hasText(`exchange.law.duty.${id}.text`), id).toBe(true)
  }
})

test('the first duty is the one in force, else the nearest that binds', () => {
  const large = dutiesOf({ turnover: 'above', person: 'company' }, '2026-11-30')
  expect(firstDuty(large)?.id).toBe('large_issue')
  expect(isUncertain(large)).toBe(false)
  // A small firm has to receive from large ones first.
  const small = dutiesOf({ turnover: 'up_to', person: 'natural' }, '2026-11-30')
  expect(firstDuty(small)?.id).toBe('receive_from_large')
  expect(firstDuty(dutiesOf({ turnover: 'up_to', person: 'natural' }, '2028-12-01'))?.isNow).toBe(true)
  expect(firstDuty([])).toBeNull()
})

test('an unknown turnover makes the first date uncertain', () => {
  expect(isUncertain(dutiesOf({ turnover: null, person: 'company' }, '2026-11-30'))).toBe(true)
})

test('codes of a newer server are left out of what lacks', () => {
  expect(knownLacks(['platform_unpublished', 'novel', 'certificate'])).toEqual([
    'certificate',
    'platform_unpublished',
  ])
})

test('every assumption is in the list of its topic, those that prevent most first', () => {
  const groups = byTopic(ASSUMPTIONS)
  expect(groups.flatMap(({ items }) => items.map(({ id }) => id)).sort()).toEqual(
    ASSUMPTIONS.map(({ id }) => id).sort(),
  )
  for (const { items } of groups)
    expect(items.map(({ blocks }) => blocks)).toEqual(
      items.map(({ blocks }) => blocks).toSorted((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other)),
    )
  for (const each of ASSUMPTIONS) {
    expect(hasText(`exchange.law.assumptions.grade.${each.grade}`)).toBe(true)
    expect(hasText(`exchange.law.assumptions.topic.${each.topic}`)).toBe(true)
  }
})
const ORDER = ['live', 'rendering', 'nothing']
