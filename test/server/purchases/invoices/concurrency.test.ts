/** Several at the same received invoices at the same moment: each is entered, paid for, voided and brought back once. */
import { expect, test } from 'vitest'
import type { InputOf } from '../../../../server/api/contracts.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { togetherSorted } from '../../../support/concurrently.ts'

const BILL: InputOf<'received.create'> = {
  supplierName: 'Papelería Sol, S.L.',
  supplierNif: 'B58818501',
  supplierNumber: 'V-77',
  issueDate: '2026-11-20',
  taxLines: [{ base: 100, vatRate: 21 }],
}

const enter = (books: TestBooks, changes: Partial<InputOf<'received.create'>> = {}) =>
  books.run('received.create', { ...BILL, ...changes })

test('the same one is entered once, and different ones get numbers without a gap', async () => {
  const books = await openBooks()
  const outcomes = await togetherSorted(enter(books), enter(books), enter(books, { supplierNumber: 'V-78' }))
  expect(outcomes).toEqual(['done', 'done', 'received_duplicate'])
  const { items } = await books.run('received.list', {})
  expect(items.map(({ receptionNumber }) => receptionNumber).toSorted()).toEqual(
    ['0001', '0002'].map((number) => expect.stringContaining(number)),
  )
})

test('two do not become the same one', async () => {
  const books = await openBooks()
  const [one, other] = [
    await enter(books, { supplierNumber: 'V-1' }),
    await enter(books, { supplierNumber: 'V-2' }),
  ]
  const rename = (id: string) => books.run('received.update', { id, supplierNumber: 'V-9' })
  expect(await togetherSorted(rename(one.id), rename(other.id))).toEqual(['done', 'received_duplicate'])
})

test('it is changed, voided and brought back once', async () => {
  const books = await openBooks()
  const { id, version } = await enter(books)
  const change = (concept: string) =>
    books.run('received.update', { id, notes: concept, expectedVersion: version })
  expect(await togetherSorted(change('a'), change('b'))).toEqual(['done', 'version_conflict'])
  const discard = () => books.run('received.void', { id })
  expect(await togetherSorted(discard(), discard())).toEqual(['done', 'received_void'])
  const restore = () => books.run('received.restore', { id })
  expect(await togetherSorted(restore(), restore())).toEqual(['done', 'received_not_void'])
})

test('one that is void is not brought back beside the one that took its place', async () => {
  const books = await openBooks()
  const { id } = await enter(books)
  await books.run('received.void', { id })
  expect(await togetherSorted(books.run('received.restore', { id }), enter(books))).toEqual([
    'done',
    'received_duplicate',
  ])
})

test('it is not voided from under a payment', async () => {
  const books = await openBooks()
  const { id, payable } = await enter(books)
  const pay = books.run('payments.payReceived', {
    id,
    date: '2026-11-21',
    amount: payable,
    method: 'transfer',
  })
  const outcomes = await togetherSorted(pay, books.run('received.void', { id }))
  expect([
    ['done', 'received_paid'],
    ['done', 'received_void'],
  ]).toContainEqual(outcomes)
})
