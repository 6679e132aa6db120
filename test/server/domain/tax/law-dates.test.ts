/** Dates of law: those in force, those only announced, and a change of law as a change of rows. */
import { expect, test } from 'vitest'
import {
  announcedDate,
  announcementMessage,
  dateInForce,
  LAW_DATE_CODES,
  LAW_DATES,
  lawDateMessage,
  verifactuCode,
} from '../../../../server/domain/tax/law-dates.ts'
import type { LawDate } from '../../../../server/domain/tax/law-dates.ts'
import { withFigures } from '../../../../renderer/app/help/figures.ts'

test('VERI*FACTU is mandatory for companies from 1 January and for others from 1 July 2027; October 2028 is only announced', () => {
  expect(dateInForce(verifactuCode('legal'))).toMatchObject({
    date: '2027-01-01',
    gazette: 'BOE-A-2025-24446',
  })
  expect(dateInForce(verifactuCode('natural'))).toMatchObject({ date: '2027-07-01' })
  for (const kind of ['legal', 'natural'] as const)
    expect(announcedDate(verifactuCode(kind))).toMatchObject({
      date: '2028-10',
      state: 'announced',
      gazette: null,
    })
  expect(announcedDate('einvoice_large')).toBeNull()
})

test('a date in force has a number in the gazette, an announced one has none', () => {
  for (const { state, gazette, source } of LAW_DATES) {
    if (state === 'in_force') expect(gazette).toMatch(/^BOE-A-\d{4}-\d{1,5}$/)
    else expect(gazette).toBeNull()
    expect(source).not.toBe('')
  }
  for (const code of LAW_DATE_CODES) expect(dateInForce(code).code).toBe(code)
})

test('a norm in the gazette is one row: it replaces the earlier date and ends the announcement', () => {
  const published: LawDate = {
    code: 'verifactu_others',
    date: '2028-10-01',
    state: 'in_force',
    since: '2026-12-20',
    source: 'a norm of later',
    gazette: 'BOE-A-2026-99999',
  }
  const dates = [...LAW_DATES, published]
  expect(dateInForce('verifactu_others', dates).date).toBe('2028-10-01')
  expect(announcedDate('verifactu_others', dates)).toBeNull()
  expect(announcementMessage('verifactu_others', 'es', dates)).toBe('')
  expect(dateInForce('verifactu_companies', dates).date).toBe('2027-01-01')
})

test('the help states the dates of the rows', () => {
  expect(
    withFigures('{verifactuCompanies}, {verifactuOthers}, {verifactuGazette}. {verifactuAnnouncement}', 'es'),
  ).toBe(
    '1 de enero de 2027, 1 de julio de 2027, BOE-A-2025-24446. El 5 de octubre de 2026 se anunció un retraso a octubre de 2028; mientras no se publique en el BOE, no cambia nada.',
  )
  expect(withFigures('{verifactuCompanies}', 'en')).toBe('1 January 2027')
  expect(lawDateMessage('2028-10', 'en')).toBe('October 2028')
})
