/** Which duties bind which business on which day. */
import { expect, test } from 'vitest'
import {
  concerns,
  DUTIES,
  DUTY_IDS,
  firstDay,
  mustDo,
  personKindOf,
} from '../../../../../server/integrations/exchange/law/duties.ts'

const LARGE = { turnover: 'above', person: 'company' } as const
const SMALL = { turnover: 'up_to', person: 'company' } as const
const PERSON = { turnover: 'up_to', person: 'natural' } as const
const RICH_PERSON = { turnover: 'above', person: 'natural' } as const
const UNKNOWN = { turnover: null, person: 'company' } as const

test('each row is listed once, with its source', () => {
  expect(DUTIES.map(({ id }) => id)).toEqual([...DUTY_IDS])
  for (const { source } of DUTIES) expect(source).toMatch(/^(RD|Orden)/)
})

test('issuing begins in 2027 above eight million euros, and in 2028 for everybody', () => {
  expect(firstDay('issue', LARGE)).toBe('2027-10-06')
  expect(firstDay('issue', RICH_PERSON)).toBe('2027-10-06')
  expect(firstDay('issue', SMALL)).toBe('2028-10-06')
  expect(firstDay('issue', PERSON)).toBe('2028-10-06')
  expect(mustDo('issue', '2027-10-05', LARGE)).toBe(false)
  expect(mustDo('issue', '2027-10-06', LARGE)).toBe(true)
  expect(mustDo('issue', '2028-10-05', SMALL)).toBe(false)
})

test('statuses of natural persons and entities in income attribution begin a year later', () => {
  expect(firstDay('statuses', SMALL)).toBe('2028-10-06')
  expect(firstDay('statuses', PERSON)).toBe('2029-10-06')
  expect(firstDay('statuses', { turnover: 'up_to', person: 'attribution' })).toBe('2029-10-06')
  expect(firstDay('statuses', RICH_PERSON)).toBe('2027-10-06')
})

test('the readable copy is asked for one year, and receiving from the first day', () => {
  expect(mustDo('readable_copy', '2028-10-05', LARGE)).toBe(true)
  expect(mustDo('readable_copy', '2028-10-06', LARGE)).toBe(false)
  expect(firstDay('receive', PERSON)).toBe('2027-10-06')
})

test('without a known turnover nothing is claimed that depends on it', () => {
  expect(mustDo('issue', '2027-12-01', UNKNOWN)).toBeNull()
  expect(mustDo('issue', '2028-12-01', UNKNOWN)).toBe(true)
  expect(DUTIES.filter((duty) => concerns(duty, UNKNOWN) === null).map(({ id }) => id)).toEqual([
    'large_issue',
    'large_statuses',
    'large_pdf',
    'company_statuses',
    'subcontractors',
  ])
})

test.each([
  ['12345678Z', 'natural'],
  ['X1234567L', 'natural'],
  ['B12345674', 'company'],
  ['A58818501', 'company'],
  ['E12345674', 'attribution'],
  ['J12345674', 'attribution'],
])('the number %s is that of: %s', (nif, kind) => {
  expect(personKindOf(nif)).toBe(kind)
})
