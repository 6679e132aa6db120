/** A running Sello knows whether anything is being issued, written or sent, so that a restart can wait for it. */
import { expect, test } from 'vitest'
import { isInFlight, waitUntilIdle } from '../../../server/domain/concurrency/in-flight.ts'
import type { Authority } from '../../../server/registry/queue/authority.ts'
import { loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import { openBooks } from '../../support/books.ts'

test('an issue counts as busy until it is answered, also when rejected; reads do not', async () => {
  const world = await openBooks()
  const { store } = world.env
  const { id } = await world.draft()
  // Loaded beforehand: an operation counts from its start.
  const [get, issue] = [await loadOperation('invoices.get'), await loadOperation('invoices.issue')]
  const reading = runOperation(get, world.test, { id })
  expect(isInFlight(store)).toBe(false)
  await reading

  const confirmationToken = await world.token(id)
  const issuing = runOperation(issue, world.test, { id, confirmationToken })
  expect(isInFlight(store)).toBe(true)
  await waitUntilIdle(store)
  expect((await world.run('invoices.get', { id })).state).toBe('issued')
  await issuing

  const another = { id: (await world.draft()).id, confirmationToken: 'wrong' }
  const refused = runOperation(issue, world.test, another)
  expect(isInFlight(store)).toBe(true)
  await expect(refused).rejects.toHaveProperty('code')
  expect(isInFlight(store)).toBe(false)
})

test('a message to the authority counts as busy until its answer is written', async () => {
  const world = await openBooks()
  const { store } = world.env
  await world.invoice()
  const seen: boolean[] = []
  const silent: Authority = {
    submit: async () => {
      seen.push(isInFlight(store))
      return { kind: 'not_sent', reason: 'unreachable', detail: '' }
    },
    query: async () => ({ kind: 'no_answer', detail: '' }),
  }
  await world.send(silent)
  expect(seen).toEqual([true])
  expect(isInFlight(store)).toBe(false)
})
