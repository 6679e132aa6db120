/** Rules by which two documents are one invoice, or one paper. */
import { describe, expect, test } from 'vitest'
import {
  hashDistance,
  isSameNumber,
  isSamePicture,
  isSameTotal,
  numberKey,
} from '../../../../../server/purchases/incoming/related/compare.ts'
import type { Compared } from '../../../../../server/purchases/incoming/related/compare.ts'

const BILL: Compared = {
  nif: 'B58818501',
  name: 'Ferretería Luna, S.L.',
  number: 'FL-0042',
  issueDate: '2026-06-20',
  totalCents: 12_100,
  currency: 'EUR',
}
const like = (changes: Partial<Compared>): Compared => ({ ...BILL, ...changes })

test.each([
  ['fl - 0042', 'FL-42'],
  ['000123', '123'],
  ['A2026/001', 'A2026/1'],
  ['A1001', 'A1001'],
  ['0', '0'],
])('the number %s is compared as %s', (number, key) => {
  expect(numberKey(number)).toBe(key)
})

describe('the same number', () => {
  test.each([
    ['with blanks, zeros and small letters', { number: 'fl - 42' }],
    ['on another day of the year', { issueDate: '2026-01-02' }],
    ['without a day', { issueDate: null }],
    ['of the same name without a tax number', { nif: null, name: 'FERRETERIA LUNA, S.L.' }],
  ])('%s is the same invoice', (_name, changes) => {
    expect(isSameNumber(BILL, like(changes))).toBe(true)
  })

  test.each([
    ['in another year', { issueDate: '2025-06-20' }],
    ['of another supplier', { nif: 'B87654323' }],
    ['of another name without a tax number', { nif: null, name: 'Otra' }],
    ['that is another', { number: 'FL-43' }],
    ['that is missing', { number: null }],
  ])('%s is another invoice', (_name, changes) => {
    expect(isSameNumber(BILL, like(changes))).toBe(false)
  })

  test('that both lack says nothing', () => {
    expect(isSameNumber(like({ number: null }), like({ number: null }))).toBe(false)
  })
})

describe('the same total', () => {
  test.each([
    ['three days later, with a number misread in two signs', { issueDate: '2026-06-23', number: 'FI-0047' }],
    ['without a number', { number: null }],
  ])('%s may be the same invoice', (_name, changes) => {
    expect(isSameTotal(BILL, like(changes))).toBe(true)
  })

  test.each([
    ['four days later', { issueDate: '2026-06-24' }],
    ['with a number that is clearly another', { number: '2026/7781' }],
    ['in another currency', { currency: 'USD' }],
    ['of another supplier', { nif: 'B87654323' }],
    ['that is another', { totalCents: 12_101 }],
    ['on no day', { issueDate: null }],
  ])('%s is another invoice', (_name, changes) => {
    expect(isSameTotal(BILL, like(changes))).toBe(false)
  })
})

test('pictures of one paper differ in at most eight bits', () => {
  expect(hashDistance('0000000000000000', 'ffffffffffffffff')).toBe(64)
  expect(isSamePicture('00000000000000ff', '0000000000000000')).toBe(true)
  expect(isSamePicture('00000000000001ff', '0000000000000000')).toBe(false)
  expect(isSamePicture(null, null)).toBe(false)
})
