/** Concurrent filing marks and typed boxes. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../support/books.ts'
import { expectSound, together } from '../../../support/concurrently.ts'

const RETURN = { model: '303', year: 2026, quarter: 4 } as const

test('a return is marked as filed once, and the mark is withdrawn once', async () => {
  const world = await openBooks()
  const mark = () => world.run('fiscal.markFiled', RETURN)
  const withdraw = () => world.run('fiscal.withdrawFiling', RETURN)
  expect(await together(mark(), mark())).toEqual(['done', 'already_filed'])
  expect(await together(withdraw(), withdraw())).toEqual(['done', 'not_found'])
  await expectSound(world)
})

test('no box is typed into a return that is being marked as filed', async () => {
  const world = await openBooks()
  expect(
    await together(
      world.run('fiscal.markFiled', RETURN),
      world.run('fiscal.setInput', { ...RETURN, box: '110', amount: 10 }),
    ),
  ).toEqual(['done', 'already_filed'])
})
