/** Saved views: stored for each list of a book, protected by a version, and an old one never breaks a list. */
import { expect, test } from 'vitest'
import { listViews, saveViews } from '../../../../server/app/session/index.ts'
import { MOST_VIEWS, saveViewsContract } from '../../../../server/app/session/views-contract.ts'
import { openTestStore } from '../../../support/store.ts'

const late = { name: 'Vencidas de Luz', query: { view: 'overdue', client: 'con_1' } }

test('saved views keep their order, separately for each list and each book', async () => {
  const world = await openTestStore()
  const { live, test: book } = await world.company()
  expect(await listViews(world.ctx(book), { list: 'invoices' })).toEqual({ version: 0, items: [] })
  const kept = await saveViews(world.ctx(book), {
    list: 'invoices',
    expectedVersion: 0,
    items: [late, { name: 'Tickets', query: { kind: 'F2' } }],
  })
  expect(kept.items.map(({ name }) => name)).toEqual(['Vencidas de Luz', 'Tickets'])
  expect(kept.items[0]?.id).toMatch(/^view_/)
  expect(await listViews(world.ctx(book), { list: 'invoices' })).toEqual(kept)
  expect((await listViews(world.ctx(book), { list: 'quotes' })).items).toEqual([])
  expect((await listViews(world.ctx(live), { list: 'invoices' })).items).toEqual([])
})

test('a removed view is restored with the same identifier', async () => {
  const world = await openTestStore()
  const { test: book } = await world.company()
  const save = (expectedVersion: number, items: Parameters<typeof saveViews>[1]['items']) =>
    saveViews(world.ctx(book), { list: 'items', expectedVersion, items })
  const first = await save(0, [late])
  const gone = await save(first.version, [])
  expect((await save(gone.version, first.items)).items).toEqual(first.items)
})

test('a change based on a version before another change is rejected', async () => {
  const world = await openTestStore()
  const { test: book } = await world.company()
  const change = { list: 'contacts' as const, expectedVersion: 0, items: [late] }
  await saveViews(world.ctx(book), change)
  await expect(saveViews(world.ctx(book), change)).rejects.toMatchObject({ code: 'version_conflict' })
})

test('invalid stored views are left out, and the others stay', async () => {
  const world = await openTestStore()
  const { test: book } = await world.company()
  const ctx = world.ctx(book)
  await ctx.transaction(async (tx) => {
    await tx.db
      .insertInto('settings')
      .values({
        name: `views/${book.publicId}/bank`,
        value: JSON.stringify({
          version: 3,
          items: [{ id: 'view_1', name: '', query: {} }, { id: 'view_2', ...late }, 'nonsense'],
        }),
      })
      .execute()
  })
  expect(await listViews(ctx, { list: 'bank' })).toEqual({ version: 3, items: [{ id: 'view_2', ...late }] })
})

test('the number of views, their names and their filters are limited', () => {
  const input = (items: object[]) =>
    saveViewsContract.input.safeParse({ list: 'invoices', expectedVersion: 0, items }).success
  expect(input(Array.from({ length: MOST_VIEWS }, () => late))).toBe(true)
  expect(input(Array.from({ length: MOST_VIEWS + 1 }, () => late))).toBe(false)
  expect(input([{ ...late, query: { 'no word': 'x' } }])).toBe(false)
  expect(input([{ ...late, query: { q: 'x'.repeat(101) } }])).toBe(false)
  expect(input([{ ...late, name: '' }])).toBe(false)
})

test('of two concurrent changes of the same version, one is rejected', async () => {
  const world = await openTestStore()
  const { test: book } = await world.company()
  const change = () => saveViews(world.ctx(book), { list: 'contacts', expectedVersion: 0, items: [late] })
  const [one, other] = await Promise.allSettled([change(), change()])
  expect(one).toMatchObject({ status: 'fulfilled', value: { version: 1 } })
  expect(other).toMatchObject({ status: 'rejected', reason: { code: 'version_conflict' } })
})
