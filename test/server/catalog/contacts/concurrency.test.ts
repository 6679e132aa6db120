/** Concurrent changes to the same contacts: exactly one wins, and the others receive its result. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { togetherSorted } from '../../../support/concurrently.ts'

const NIF = 'B87654323'

async function contact(books: TestBooks, name: string, nif: string | null = null) {
  return await books.run('contacts.create', { name, nif })
}

test('of two concurrent contacts with the same NIF the second gets a warning about the first', async () => {
  const books = await openBooks()
  const make = (name: string) => books.run('contacts.create', { name, nif: NIF })
  const made = await Promise.all([make('Una'), make('Otra')])
  expect(made.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([[], ['nif_repeated']])
})

test('a contact is changed once in each version', async () => {
  const books = await openBooks()
  const { id, version } = await contact(books, 'Una')
  const change = (name: string) => books.run('contacts.update', { id, name, expectedVersion: version })
  expect(await togetherSorted(change('Dos'), change('Tres'))).toEqual(['done', 'version_conflict'])
})

test('two concurrent changes of different fields both stay', async () => {
  const books = await openBooks()
  const { id } = await contact(books, 'Una')
  await Promise.all([
    books.run('contacts.update', { id, email: 'una@ejemplo.es' }),
    books.run('contacts.update', { id, phone: '600111222' }),
  ])
  const after = await books.run('contacts.get', { id })
  expect(after).toMatchObject({ email: 'una@ejemplo.es', phone: '600111222', version: 3 })
})

test('a contact is deleted once, and not changed afterwards', async () => {
  const books = await openBooks()
  const { id } = await contact(books, 'Una')
  const remove = () => books.run('contacts.delete', { id })
  const outcomes = await togetherSorted(remove(), remove(), books.run('contacts.update', { id, name: 'Dos' }))
  expect(outcomes).toEqual(['done', 'not_found', 'not_found'])
})

test('a contact cannot be deleted while a draft takes it', async () => {
  const books = await openBooks()
  const { id } = await contact(books, 'Una', NIF)
  const draft = books.draft({ clientName: 'Una', clientNif: NIF, clientId: id })
  const outcomes = await togetherSorted(draft, books.run('contacts.delete', { id }))
  const { items } = await books.run('invoices.list', {})
  // Whichever came first: the contact stays because it is used, or was deleted before the draft could name it.
  if (items.length > 0) expect((await books.run('invoices.get', { id: items[0]!.id })).clientId).toBe(id)
  else expect(outcomes).toEqual(['done', 'validation_failed'])
})

test('two contacts are merged once, whichever is to stay', async () => {
  const books = await openBooks()
  const [one, other] = [await contact(books, 'Una'), await contact(books, 'Una, S.L.')]
  const merge = (id: string, otherId: string) => books.run('contacts.merge', { id, otherId })
  const outcomes = await togetherSorted(merge(one.id, other.id), merge(other.id, one.id))
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  const { items } = await books.run('contacts.list', {})
  expect(items).toHaveLength(1)
})

test('a merge is undone once', async () => {
  const books = await openBooks()
  const [one, other] = [await contact(books, 'Una'), await contact(books, 'Una, S.L.')]
  const { mergeId } = await books.run('contacts.merge', { id: one.id, otherId: other.id })
  const undo = () => books.run('contacts.undoMerge', { id: mergeId })
  expect(await togetherSorted(undo(), undo())).toEqual(['done', 'merge_superseded'])
})
