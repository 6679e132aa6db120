/** Followed invoices by position, as the page reads them. */
import { expect, test } from 'vitest'
import { openExchange } from '../../../../support/exchange/exchange-books.ts'

test('a stretch has its rows, the number of all that match, and the counts of the whole book', async () => {
  const books = await openExchange()
  for (const number of ['S-1', 'S-2', 'S-3']) await books.deliver(number, '2027-10-06')
  await books.turn()
  const first = await books.run('exchange.window', { direction: 'received', limit: 2 })
  const second = await books.run('exchange.window', { direction: 'received', offset: 2, limit: 2 })
  expect(first.count).toBe(3)
  expect([...first.items, ...second.items].map(({ number }) => number).sort()).toEqual(['S-1', 'S-2', 'S-3'])
  expect(second).toMatchObject({ offset: 2, count: 3, items: [{ state: 'open' }] })
  expect(second.counts).toEqual({ 'received.open': 3 })
  // The same order as the list by cursor.
  const { items } = await books.run('exchange.list', { direction: 'received' })
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(items.map(({ id }) => id))
  expect(await books.run('exchange.window', { due: 'open', limit: 0 })).toMatchObject({ items: [], count: 0 })
  expect((await books.run('exchange.window', { direction: 'issued' })).count).toBe(0)
})
