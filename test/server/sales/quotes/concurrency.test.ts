/** Several at the same quote at the same moment: it is numbered, accepted and invoiced once. */
import { expect, test } from 'vitest'
import { openBooks, THREE_FIELDS } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { togetherSorted } from '../../../support/concurrently.ts'

const quote = (books: TestBooks) => books.run('quotes.create', THREE_FIELDS)

test('what it says is invoiced once', async () => {
  const books = await openBooks()
  const { id } = await quote(books)
  const convert = () => books.run('quotes.convert', { id })
  expect(await togetherSorted(convert(), convert(), convert())).toEqual([
    'done',
    'quote_nothing_left',
    'quote_nothing_left',
  ])
  expect((await books.run('invoices.list', {})).items).toHaveLength(1)
})

test('it gets one number, and another quote the next', async () => {
  const books = await openBooks()
  const [one, other] = [await quote(books), await quote(books)]
  const say = (id: string, state: 'sent' | 'accepted') => books.run('quotes.setState', { id, state })
  const said = await Promise.all([
    say(one.id, 'sent'),
    say(other.id, 'sent'),
    say(one.id, 'accepted'),
    say(other.id, 'accepted'),
  ])
  expect(said.map(({ number }) => number?.slice(-4)).toSorted()).toEqual(['0001', '0001', '0002', '0002'])
  expect(said.map(({ state }) => state)).toEqual(['sent', 'sent', 'accepted', 'accepted'])
})

test('it is accepted, rejected or changed once in each version', async () => {
  const books = await openBooks()
  const { id, version } = await quote(books)
  const say = (state: 'accepted' | 'rejected') =>
    books.run('quotes.setState', { id, state, expectedVersion: version })
  const change = books.run('quotes.update', { id, notes: 'x', expectedVersion: version })
  expect(await togetherSorted(say('accepted'), say('rejected'), change)).toEqual([
    'done',
    'version_conflict',
    'version_conflict',
  ])
})

test('one that is invoiced is neither rejected nor deleted meanwhile', async () => {
  const books = await openBooks()
  const { id } = await quote(books)
  const outcomes = await togetherSorted(
    books.run('quotes.convert', { id }),
    books.run('quotes.setState', { id, state: 'rejected' }),
    books.run('quotes.delete', { id }),
  )
  const { items } = await books.run('invoices.list', {})
  const isThere = await books.run('quotes.get', { id }).then(
    () => true,
    () => false,
  )
  // An invoice with its quote, or no invoice and no quote.
  expect(items).toHaveLength(isThere ? 1 : 0)
  expect(outcomes.filter((outcome) => outcome === 'done').length).toBeGreaterThan(0)
})
