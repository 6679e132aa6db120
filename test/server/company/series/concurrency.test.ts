/** Concurrent changes to series: one code is one series, and each kind has one default. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../support/books.ts'
import { expectSound, together } from '../../../support/concurrently.ts'

test('two concurrent series of one code are one', async () => {
  const world = await openBooks()
  const create = (code: string) => world.run('series.create', { code, kind: 'ordinary' })
  expect(await together(create('OBRAS'), create('obras'))).toEqual(['done', 'validation_failed'])
})

test('of two series made the default at once, only the last is', async () => {
  const world = await openBooks()
  const [one, other] = [
    await world.run('series.create', { code: 'OBRAS', kind: 'ordinary' }),
    await world.run('series.create', { code: 'TALLER', kind: 'ordinary' }),
  ]
  const choose = (id: string) => world.run('series.update', { id, isDefault: true })
  expect(await together(choose(one.id), choose(other.id))).toEqual(['done', 'done'])
  const usual = (await world.run('series.list', {})).items.filter(
    ({ kind, isDefault }) => kind === 'ordinary' && isDefault,
  )
  expect(usual.map(({ code }) => code)).toEqual(['T-TALLER'])
})

test('a series whose start changes during its first number keeps the old start', async () => {
  const world = await openBooks()
  const { id: series } = (await world.run('series.list', {})).items.find(({ code }) => code === 'T-F2026')!
  const { id } = await world.draft()
  const confirmationToken = await world.token(id)
  const issue = () => world.run('invoices.issue', { id, confirmationToken })
  const move = () => world.run('series.update', { id: series, startNumber: 50 })
  expect(await together(issue(), move())).toEqual(['done', 'series_started'])
  await expectSound(world)
})

test('a series cannot be retired and made the default at the same time', async () => {
  const world = await openBooks()
  const { id } = await world.run('series.create', { code: 'OBRAS', kind: 'ordinary' })
  expect(
    await together(
      world.run('series.update', { id, archived: true }),
      world.run('series.update', { id, isDefault: true }),
    ),
  ).toEqual(['done', 'validation_failed'])
})
