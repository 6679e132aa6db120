/** Issuing several drafts: each is announced its number, those with faults take none, sums are in whole cents. */
import { expect, test } from 'vitest'
import { numberAfter, totalOf, withNumbers } from '../../../../../renderer/sales/invoices/list/issue-many.ts'

type Given = Parameters<typeof withNumbers>[0][number]

const given = (id: string, number: string, valid = true): Given => ({
  row: { id, clientName: id },
  validation: {
    valid,
    issues: valid
      ? []
      : [{ code: 'nif_missing', field: 'client.nif', severity: 'error', message: 'No NIF.' }],
    preview: { number, total: 10.1 },
    ...(valid ? { confirmation: { confirmationToken: `token-${id}` } } : {}),
  } as unknown as Given['validation'],
})

test('a number counts up in its own width, until it overflows', () => {
  expect(numberAfter('F2026-0042', 0)).toBe('F2026-0042')
  expect(numberAfter('F2026-0042', 1)).toBe('F2026-0043')
  expect(numberAfter('T-2026-0999', 2)).toBe('T-2026-1001')
  expect(numberAfter('F-9', 1)).toBe('F-10')
  expect(numberAfter('sin cifras', 3)).toBe('sin cifras')
})

test('drafts of one series get consecutive numbers; each series counts for itself', () => {
  const numbers = withNumbers([
    given('a', 'F2026-0009'),
    given('b', 'S2026-0001'),
    given('c', 'F2026-0009'),
    given('d', 'S2026-0001'),
    given('e', 'F2026-0009'),
  ]).map(({ number }) => number)
  expect(numbers).toEqual(['F2026-0009', 'S2026-0001', 'F2026-0010', 'S2026-0002', 'F2026-0011'])
})

test('a draft with faults takes no number, and cannot be confirmed', () => {
  const [first, faulty, last] = withNumbers([
    given('a', 'F2026-0009'),
    given('b', 'F2026-0009', false),
    given('c', 'F2026-0009'),
  ])
  expect(faulty).toMatchObject({ validation: null, number: '', issues: [{ code: 'nif_missing' }] })
  expect([first?.number, last?.number]).toEqual(['F2026-0009', 'F2026-0010'])
})

test('sums are of cents, not of fractions', () => {
  expect(totalOf([{ total: 0.1 }, { total: 0.2 }])).toBe(0.3)
})
