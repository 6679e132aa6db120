/** The history by position: the same events as page by page, with any filter, and their number. */
import { expect, test } from 'vitest'
import { recordAudit } from '../../../../server/platform/audit/index.ts'
import { faultsOfRefusal, openBooks } from '../../../support/books.ts'

async function events() {
  const world = await openBooks()
  const key = await world.key({ name: 'Tienda' })
  await world.invoice({}, world.ctx(world.books.test, key))
  for (let index = 0; index < 30; index++)
    await world.test.transaction((tx) =>
      recordAudit(tx, {
        action: `thing.done_${index % 3}`,
        target: { type: 'thing', id: `t${index}` },
        outcome: (['ok', 'refused', 'failed'] as const)[index % 3] ?? 'ok',
      }),
    )
  const all = (await world.run('audit.list', { limit: 100 })).items
  return { world, key, all }
}

test('the pages together are the whole history, newest first', async () => {
  const { world, all } = await events()
  const ids: string[] = []
  for (let offset = 0; offset < all.length; offset += 7) {
    const page = await world.run('audit.window', { offset, limit: 7 })
    expect(page.count).toBe(all.length)
    ids.push(...page.items.map(({ id }) => id))
  }
  expect(ids).toEqual(all.map(({ id }) => id))
  expect((await world.run('audit.window', { offset: all.length })).items).toEqual([])
  expect(await world.run('audit.window', { limit: 0 })).toEqual({ items: [], count: all.length })
})

test('it is filtered by actor, action, result and time, like the list', async () => {
  const { world, key, all } = await events()
  const day = all[0]?.at.slice(0, 10) ?? ''
  const expectWindow = async (
    input: Parameters<typeof world.run<'audit.window'>>[1],
    matches: (event: (typeof all)[number]) => boolean,
  ) => {
    const wanted = all.filter(matches).map(({ id }) => id)
    const page = await world.run('audit.window', input)
    expect(page.items.map(({ id }) => id)).toEqual(wanted)
    expect(page.count).toBe(wanted.length)
  }
  await expectWindow({ actor: key.id }, ({ actor }) => actor.id === key.id)
  await expectWindow({ actor: 'user' }, ({ actor }) => actor.kind === 'user')
  await expectWindow({ action: 'thing.done_1' }, ({ action }) => action === 'thing.done_1')
  await expectWindow({ outcome: 'refused' }, ({ outcome }) => outcome === 'refused')
  await expectWindow({ outcome: 'failed', action: 'thing.done_1' }, () => false)
  await expectWindow({ from: day, to: day }, () => true)
  await expectWindow({ to: '2001-01-01' }, () => false)
  await expectWindow({ actor: 'nobody' }, () => false)
  expect(await faultsOfRefusal(world.run('audit.window', { from: '2026-02-02', to: '2026-02-01' }))).toEqual([
    'from: dates_reversed',
  ])
})

test('it contains nothing of another book, and offers the values that occur', async () => {
  const { world, key, all } = await events()
  const words = await world.run('audit.words', {})
  expect(words.actions).toEqual([...new Set(all.map(({ action }) => action))].toSorted())
  expect(words.actors).toContainEqual({ kind: 'key', id: key.id, name: 'Tienda' })
  expect((await world.run('audit.window', { action: 'thing.done_1' }, world.live)).count).toBe(0)
  expect((await world.run('audit.words', {}, world.live)).actions).not.toContain('thing.done_1')
})
