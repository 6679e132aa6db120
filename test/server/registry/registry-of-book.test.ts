/** Which registry a book is under, and until when that may change. */
import { describe, expect, test } from 'vitest'
import { loadBook } from '../../../server/platform/books/index.ts'
import { FIRST_REGISTRY, REGISTRIES, systemOf } from '../../../server/registry/index.ts'
import { registryOf, territoryOfPostalCode } from '../../../server/tax/systems/index.ts'
import { openBooks } from '../../support/books.ts'
import type { TestBooks } from '../../support/books.ts'

async function moveTo(world: TestBooks, registry: string): Promise<void> {
  await world.test.transaction((tx) =>
    tx.db
      .updateTable('books')
      .set({ registry_system: registry })
      .where('id', '=', world.books.test.id)
      .execute(),
  )
}

describe('the registry of a book', () => {
  test('is the first one for books that named none', async () => {
    const world = await openBooks()
    expect(systemOf(world.test.book).name).toBe(FIRST_REGISTRY)
    expect((await loadBook(world.env.store.reader, world.books.live.publicId))?.registry).toBe(FIRST_REGISTRY)
  })

  test('may change before the first record, and never afterwards', async () => {
    const world = await openBooks()
    await moveTo(world, 'other')
    await moveTo(world, FIRST_REGISTRY)
    await world.invoice({})
    await expect(moveTo(world, 'other')).rejects.toThrow(/frozen: books/)
    expect((await loadBook(world.env.store.reader, world.books.test.publicId))?.registry).toBe(FIRST_REGISTRY)
  })

  test('is refused where this program does not know it', () => {
    expect(() => systemOf({ registry: 'other' })).toThrow('No registry "other" is known.')
  })

  test('stops the first record if it changed after the caller had loaded the book', async () => {
    const world = await openBooks()
    await moveTo(world, 'other')
    await expect(world.invoice({})).rejects.toMatchObject({ code: 'confirmation_stale' })
  })
})

test('every registry but the first is that of a place, and every place has a known one', () => {
  const places = ['01001', '20001', '48001', '28013', '35001', '51001'].map((postalCode) =>
    registryOf(territoryOfPostalCode(postalCode) ?? 'mainland', postalCode),
  )
  expect(places).toEqual([
    ...REGISTRIES.filter((name) => name !== FIRST_REGISTRY).toSorted(),
    null,
    null,
    null,
  ])
  expect(registryOf('basque', '28013')).toBeUndefined()
  expect(registryOf('basque', null)).toBeUndefined()
})
