/** What files of a move hold of a person goes when the person is erased. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../support/books.ts'
import { addFile } from '../../../support/moving/files.ts'

const SALES = [
  'Número;Fecha;Cliente;NIF;Base;IVA %;Cuota;Total',
  'F-1;10/02/2026;Lucía Ferrer Mora;12345678Z;100;21;21;121',
  'F-2;11/02/2026;Otra, S.A.;A58818501;100;21;21;121',
].join('\n')

test('rows that wait and cells that are shown', async () => {
  const world = await openBooks({ at: '2026-07-15T12:00:00+02:00' })
  const { move } = await world.run('moving.start', { firstDay: '2026-07-01' })
  await addFile(world, move.id, 'ventas.csv', SALES)
  const { id } = await world.run('contacts.create', { name: 'Lucía Ferrer Mora', nif: '12345678Z' })
  const texts = async (): Promise<string> =>
    JSON.stringify([
      await world.test.db.selectFrom('moving_rows').select(['label', 'document', 'faults']).execute(),
      await world.test.db.selectFrom('moving_files').select(['recognition', 'summary', 'answers']).execute(),
    ])
  expect(await texts()).toContain('Ferrer')
  const subject = { contactId: id }
  const { hash } = await world.run('privacy.preview', { subject })
  await world.run('privacy.erase', { subject, hash })
  expect(await texts()).not.toContain('Ferrer')
  expect(await texts()).not.toContain('12345678Z')
  // The document of somebody else waits as before.
  expect((await world.run('moving.get', { id: move.id })).move.files[0]).toMatchObject({ waiting: 1 })
})
