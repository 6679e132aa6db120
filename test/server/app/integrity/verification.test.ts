/** Self-check of all books from the window: started, observed, stored, and ended when the books close. */
import { expect, test, vi } from 'vitest'
import { stopVerification } from '../../../../server/app/integrity/index.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

async function proved(world: TestBooks) {
  await world.run('books.verify', {})
  return vi.waitFor(async () => {
    const view = await world.run('books.verification', {})
    expect(view.underWay).toBeNull()
    return view
    // The first self-check loads most of the program.
  }, 10_000)
}

test('a self-check of valid books passes, lists what it cannot see, and is stored', async () => {
  const world = await openBooks()
  expect(await world.run('books.verification', {})).toMatchObject({ underWay: null, last: null })
  await world.invoice()
  const { last, unseen, failed } = await proved(world)
  expect(failed).toBe(false)
  expect(last).toMatchObject({ ok: true, at: world.env.now().toISOString(), version: world.env.version })
  expect(last?.checks.map(({ name }) => name)).toContain('numbering')
  expect(unseen.map(({ invariant }) => invariant)).toContain('I1')
  await world.restart()
  expect((await world.run('books.verification', {})).last).toEqual(last)
})

test('a self-check reports the position of a fault', async () => {
  const world = await openBooks()
  const { number } = await world.invoice()
  await world.tamper('update invoices set total_cents = total_cents + 1')
  const { last } = await proved(world)
  expect(last?.ok).toBe(false)
  const wrong = last?.checks.filter(({ ok }) => !ok) ?? []
  expect(wrong.map(({ invariant }) => invariant)).toContain('I2')
  expect(wrong.map(({ detail }) => detail).join(' ')).toContain(number ?? 'no number')
})

test('one self-check runs at a time, and releases the books when they close', async () => {
  const world = await openBooks()
  const first = await world.run('books.verify', {})
  expect(first.underWay).not.toBeNull()
  await world.run('books.verify', {})
  await stopVerification(world.env)
  expect(await world.run('books.verification', {})).toMatchObject({
    underWay: null,
    failed: false,
    last: null,
  })
})
