/** Several at one recurring invoice at the same moment: each day is answered once, and nobody's trouble holds up the others. */
import { expect, test } from 'vitest'
import type { InputOf } from '../../../../server/api/contracts.ts'
import type { Ctx } from '../../../../server/context.ts'
import { prepareRecurring } from '../../../../server/sales/recurring/index.ts'
import { togetherSorted } from '../../../support/concurrently.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const RENT: InputOf<'recurring.create'> = {
  name: 'Alquiler local',
  rule: { freq: 'monthly', start: '2026-07-31', byMonthDay: 31 },
  invoice: {
    clientName: 'Ana Ruiz Gil',
    clientNif: '12345678Z',
    lines: [{ description: 'Alquiler {periodo}', quantity: 1, unitPrice: 650 }],
  },
}

const drafts = async (world: World) => (await world.run('invoices.list', { state: 'draft' })).items

/** The background's ctx; `meanwhile` is begun once while its first attempt waits for its turn, and so comes right after it. */
function interrupted(
  world: World,
  meanwhile: () => Promise<unknown>,
): { ctx: Ctx; after: () => Promise<unknown> } {
  const ctx = world.ctx()
  let begun: Promise<unknown> | null = null
  const transaction: Ctx['transaction'] = (work) => {
    const attempt = ctx.transaction(work)
    begun ??= meanwhile()
    return attempt
  }
  return { ctx: Object.assign(Object.create(ctx) as Ctx, { transaction }), after: async () => begun }
}

/** One whose drafts cannot be made: its series is gone. */
async function troubled(world: World): Promise<string> {
  const series = await world.run('series.create', { code: 'ALQ', kind: 'ordinary' })
  const invoice = { ...RENT.invoice!, series: series.code }
  const { id } = await world.run('recurring.create', { ...RENT, invoice })
  await world.env.store.transaction(world.books.test.companyId, (db) =>
    db.deleteFrom('series').where('public_id', '=', series.id).execute(),
  )
  return id
}

test('a person who prepares the next draft and the background prepare each day once', async () => {
  const world = await openWorld()
  const { id } = await world.run('recurring.create', { ...RENT, rule: { ...RENT.rule, count: 2 } })
  world.setTime('2026-07-31T09:00:00+02:00')
  const run = () => world.run('recurring.run', { id })
  const outcomes = await togetherSorted(prepareRecurring(world.ctx()), run(), run(), run())
  expect(outcomes.filter((outcome) => outcome === 'done').length).toBeLessThanOrEqual(3)
  const { days, state } = await world.run('recurring.get', { id })
  expect(state).toBe('ended')
  expect(days.map(({ date }) => date)).toEqual(['2026-08-31', '2026-07-31'])
  expect(await drafts(world)).toHaveLength(2)
})

test('it is changed once in each version, skipped once, and deleted once', async () => {
  const world = await openWorld()
  const { id, version } = await world.run('recurring.create', RENT)
  const change = (name: string) => world.run('recurring.update', { id, name, expectedVersion: version })
  expect(await togetherSorted(change('Una'), change('Otra'))).toEqual(['done', 'version_conflict'])
  const skip = () => world.run('recurring.skip', { id, date: '2026-07-31' })
  expect(await togetherSorted(skip(), skip())).toEqual(['done', 'validation_failed'])
  const remove = () => world.run('recurring.delete', { id })
  expect(await togetherSorted(remove(), remove())).toEqual(['done', 'not_found'])
})

test('a template has its name alone', async () => {
  const world = await openWorld()
  const make = () => world.run('templates.create', { name: 'Cuota', invoice: RENT.invoice! })
  expect(await togetherSorted(make(), make())).toEqual(['done', 'validation_failed'])
})

test('one that is deleted while its trouble is noted keeps no other from being prepared', async () => {
  const world = await openWorld()
  const id = await troubled(world)
  await world.run('recurring.create', { ...RENT, name: 'Otro' })
  world.setTime('2026-07-31T09:00:00+02:00')
  const { ctx, after } = interrupted(world, () => world.run('recurring.delete', { id }))
  expect(await prepareRecurring(ctx)).toEqual({ prepared: 1, failed: [], open: 0 })
  expect(await after()).toEqual({ deleted: true })
})

test('what a person mended while the trouble was noted is without trouble', async () => {
  const world = await openWorld()
  const id = await troubled(world)
  world.setTime('2026-07-31T09:00:00+02:00')
  const { ctx, after } = interrupted(world, () =>
    world.run('recurring.update', { id, invoice: RENT.invoice! }),
  )
  await prepareRecurring(ctx)
  await after()
  expect((await world.run('recurring.get', { id })).trouble).toBeNull()
})
