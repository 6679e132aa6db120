/** The copy of a client's books is removed by its adviser: nothing of it is left, and nothing else is touched. */
import { expect, test } from 'vitest'
import type { AppError } from '../../../../server/domain/errors/app-error.ts'
import { Pair, entry, failedChecks, purchase } from '../../../support/advised/pair.ts'

const NIF = 'B12345674'

const refusal = (work: Promise<unknown>): Promise<[string, Record<string, unknown> | undefined]> =>
  work.then(
    () => ['done', undefined],
    (error: AppError) => [error.code, error.details],
  )

test('an adviser removes the copy once everything was handed over, and it is gone', async () => {
  const pair = await Pair.ready()
  const { client, adviser, id } = pair
  const own = await adviser.run('received.create', purchase('O-1'))
  await pair.advise('received.create', purchase('A-1', { notes: 'Falta el albarán' }))
  await pair.advise('ledger.writeEntry', entry('Comisión', 12.5))
  const companyId = (await pair.copy()).companyId

  const [code, details] = await refusal(adviser.run('bundles.removeCopy', { id, nif: NIF }))
  expect([code, details]).toMatchObject([
    'bundle_changes_unsent',
    {
      count: 2,
      changes: [
        { number: 1, kind: 'purchase', operation: 'received.create', title: 'Papelería Sol, S.L. · A-1' },
        { number: 2, kind: 'entry', title: 'Comisión' },
      ],
    },
  ])
  expect((await pair.advise('received.list', {})).items).toHaveLength(1)

  expect(await pair.sendChanges()).toMatchObject({ added: 2 })
  expect((await refusal(adviser.run('bundles.removeCopy', { id, nif: 'B87654321' })))[0]).toBe(
    'validation_failed',
  )
  // The client has no copy, and within the copy nobody removes it.
  expect((await refusal(client.run('bundles.removeCopy', { id, nif: NIF })))[0]).toBe('not_found')
  expect((await refusal(pair.advise('bundles.removeCopy', { id, nif: NIF })))[0]).toBe('not_found')

  const { rows, state } = await adviser.run('bundles.removeCopy', { id, nif: NIF })
  expect(rows).toBeGreaterThan(20)
  expect(state).toMatchObject({ pairings: [{ id, state: 'ended', copy: null, arrivedAt: null }] })
  const db = adviser.env.store.reader
  const { tables } = { tables: ['companies', 'books', 'received_invoices', 'advised_companies'] as const }
  for (const table of tables) {
    const all = JSON.stringify(await db.selectFrom(table).selectAll().execute())
    expect(all.includes(client.books.test.publicId) || all.includes(NIF), table).toBe(false)
  }
  expect(adviser.env.advised?.has(companyId)).toBe(false)
  expect((await adviser.run('received.get', { id: own.id })).id).toBe(own.id)
  const history = await adviser.run('audit.list', {})
  expect(history.items.map(({ action }) => action)).toContain('bundles.copy_removed')
  expect(await failedChecks(adviser)).toEqual([])
  // The client still takes what was handed over, and the next books do not bring the copy back.
  expect(await pair.takeAll()).toMatchObject({ taken: 2, failed: [] })
  expect((await refusal(pair.sendBooks()))[0]).toBe('pairing_ended')
  expect((await refusal(adviser.run('bundles.removeCopy', { id, nif: NIF })))[0]).toBe('not_found')
})

test('changes that were never handed over are lost only if the adviser says so', async () => {
  const pair = await Pair.ready()
  const { adviser, id } = pair
  await pair.advise('received.create', purchase('A-1'))
  await adviser.run('bundles.end', { id })
  expect((await refusal(adviser.run('bundles.removeCopy', { id, nif: NIF })))[0]).toBe(
    'bundle_changes_unsent',
  )
  await adviser.run('bundles.removeCopy', { id, nif: NIF, discardUnsent: true })
  expect((await adviser.run('bundles.state', {})).pairings[0]?.copy).toBeNull()
  expect(await failedChecks(adviser)).toEqual([])
})

test('a removed copy can come again with a new pairing', async () => {
  const pair = await Pair.ready()
  const { client, adviser, id } = pair
  await adviser.run('bundles.removeCopy', { id, nif: NIF })
  await client.run('bundles.end', { id })
  await pair.join()
  await pair.sendBooks()
  expect((await adviser.run('bundles.state', {})).pairings[0]?.copy).toBe(client.books.live.publicId)
  await pair.advise('received.create', purchase('A-9'))
  expect(await failedChecks(adviser)).toEqual([])
})
