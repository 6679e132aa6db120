/** What the law asks of this business and when, what it lacks, and the settings that decide it. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { openExchange } from '../../../../support/exchange/exchange-books.ts'

async function duty(books: TestBooks, id: string) {
  const { duties } = await books.run('exchange.readiness', {})
  const found = duties.find((each) => each.id === id)
  if (!found) throw new Error(id)
  return found
}

test('without a known turnover the rows that depend on it say so', async () => {
  const books = await openBooks({ at: '2027-03-01T10:00:00Z' })
  const readiness = await books.run('exchange.readiness', {})
  expect(readiness).toMatchObject({
    turnover: null,
    turnoverYear: 2026,
    turnoverFrom: null,
    personKind: 'company',
  })
  expect(await duty(books, 'large_issue')).toMatchObject({
    binds: null,
    isNow: false,
    daysLeft: 219,
    lacks: ['turnover', 'certificate', 'sending'],
  })
  expect(await duty(books, 'all_issue')).toMatchObject({
    binds: true,
    from: '2028-10-06',
    source: 'RD 238/2026 DF4.1.b',
  })
  expect(await duty(books, 'person_statuses')).toMatchObject({ binds: false, lacks: [] })
})

test('a statement about the turnover holds for its year only', async () => {
  const books = await openBooks({ at: '2027-03-01T10:00:00Z' })
  await books.run('exchange.setSettings', { turnover: 'above' })
  expect(await duty(books, 'large_issue')).toMatchObject({ binds: true })
  expect(await books.run('exchange.readiness', {})).toMatchObject({
    turnover: 'above',
    turnoverFrom: 'stated',
  })
  books.setTime('2028-01-02T10:00:00Z')
  expect(await duty(books, 'large_issue')).toMatchObject({ binds: null, isNow: true })
})

test('the turnover comes from books that hold the whole year', async () => {
  const books = await openBooks({ at: '2026-01-10T10:00:00Z' })
  await books.invoice({ lines: [{ description: 'Obra', quantity: 1, unitPrice: 8_000_000 }] })
  books.setTime('2027-02-01T10:00:00Z')
  expect(await books.run('exchange.readiness', {})).toMatchObject({
    turnover: 'up_to',
    turnoverFrom: 'books',
  })
  books.setTime('2026-12-30T10:00:00Z')
  await books.invoice({ lines: [{ description: 'Obra', quantity: 1, unitPrice: 0.01 }] })
  books.setTime('2027-02-01T10:00:00Z')
  expect(await books.run('exchange.readiness', {})).toMatchObject({ turnover: 'above' })
  expect((await books.run('exchange.settings', {})).turnoverOfBooks).toBe(8_000_000.01)
})

test('a stated kind of person wins over the tax number', async () => {
  const books = await openBooks({ at: '2027-03-01T10:00:00Z' })
  await books.run('exchange.setSettings', { turnover: 'up_to', personKind: 'attribution' })
  expect(await duty(books, 'company_statuses')).toMatchObject({ binds: false })
  expect(await duty(books, 'person_statuses')).toMatchObject({ binds: true, from: '2029-10-06' })
})

test('what the settings say is guarded by their version, and turning on follows from that day', async () => {
  const books = await openExchange('2027-10-07T10:00:00Z')
  const { version, followedFrom, sending } = await books.run('exchange.settings', {})
  expect({ sending, followedFrom }).toEqual({ sending: true, followedFrom: '2027-10-07' })
  await expect(
    books.run('exchange.setSettings', { sending: false, expectedVersion: version - 1 }),
  ).rejects.toMatchObject({ code: 'version_conflict' })
  await books.run('exchange.setSettings', { sending: false, expectedVersion: version })
  await books.invoice()
  await books.turn()
  expect(books.platform.calls).toEqual([])
  await expect(books.run('exchange.poll', {})).rejects.toMatchObject({ code: 'exchange_off' })
})

test('the representative has to be the holder of the certificate', async () => {
  const books = await openExchange()
  await expect(
    books.run('exchange.setSettings', { representation: { as: 'attorney', nif: '12345678Z' } }),
  ).rejects.toMatchObject({ code: 'validation_failed' })
})
