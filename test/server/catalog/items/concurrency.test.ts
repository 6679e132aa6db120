/** Concurrent changes to the same items. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../support/books.ts'
import { togetherSorted } from '../../../support/concurrently.ts'

test('a code belongs to one item, and an item is changed once in each version and deleted once', async () => {
  const books = await openBooks()
  const make = (name: string, sku: string) => books.run('items.create', { name, sku, unitPrice: 10 })
  expect(await togetherSorted(make('Una', 'A1'), make('Otra', 'A1'))).toEqual(['done', 'validation_failed'])
  const item = await make('Tres', 'A3')
  const other = await make('Cuatro', 'A4')
  const recode = (id: string) => books.run('items.update', { id, sku: 'A9' })
  expect(await togetherSorted(recode(item.id), recode(other.id))).toEqual(['done', 'validation_failed'])
  const now = await books.run('items.get', { id: item.id })
  const change = (name: string) =>
    books.run('items.update', { id: now.id, name, expectedVersion: now.version })
  expect(await togetherSorted(change('a'), change('b'))).toEqual(['done', 'version_conflict'])
  const remove = () => books.run('items.delete', { id: now.id })
  expect(await togetherSorted(remove(), remove())).toEqual(['done', 'not_found'])
})
