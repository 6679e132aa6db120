/** Concurrent imports of the same file: each row is imported once, and undone once. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { togetherSorted } from '../../../support/concurrently.ts'

const content = Buffer.from('Nombre;NIF\nUna;B87654323\nOtra;B58818501\n').toString('base64')
const upload = async (books: TestBooks) =>
  (await books.run('imports.upload', { kind: 'contacts', fileName: 'a.csv', content })).run.id

const contacts = async (books: TestBooks) => (await books.run('contacts.list', {})).items

test('a file applied twice concurrently gives its rows once, and is undone once', async () => {
  const books = await openBooks()
  const id = await upload(books)
  const apply = () => books.run('imports.apply', { id })
  const applied = await Promise.all([apply(), apply()])
  expect(applied.map(({ run }) => [run.state, run.created])).toEqual([
    ['done', 2],
    ['done', 2],
  ])
  expect(await contacts(books)).toHaveLength(2)
  const undo = () => books.run('imports.undo', { id })
  const undone = await Promise.all([undo(), undo()])
  expect(undone.map(({ run }) => run.restored)).toEqual([2, 2])
  expect(await contacts(books)).toEqual([])
})

test('the same file uploaded twice finds its rows already there', async () => {
  const books = await openBooks()
  const [one, other] = [await upload(books), await upload(books)]
  const applied = await Promise.all([one, other].map((id) => books.run('imports.apply', { id })))
  expect(applied.map(({ run }) => [run.created, run.skipped])).toEqual([
    [2, 0],
    [0, 2],
  ])
})

test('a file is either discarded or imported, never both', async () => {
  const books = await openBooks()
  const id = await upload(books)
  const outcomes = await togetherSorted(
    books.run('imports.apply', { id }),
    books.run('imports.discard', { id }),
  )
  expect([
    ['done', 'import_state'],
    ['done', 'not_found'],
  ]).toContainEqual(outcomes)
  expect(await contacts(books)).toHaveLength(outcomes.includes('import_state') ? 2 : 0)
})
