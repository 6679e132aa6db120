/** An invoice is found by its identifier, its printed number, or the digits that people say of it. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../../support/books.ts'

test('bare digits are enough while one series has given them', async () => {
  const world = await openBooks()
  const only = await world.invoice()
  for (const said of ['1', '0001', only.number!])
    expect((await world.run('invoices.get', { id: said })).id).toBe(only.id)
  await expect(world.run('invoices.get', { id: '2' })).rejects.toMatchObject({ code: 'not_found' })
})

test('digits that two series have given are refused with both invoices, and nothing is guessed', async () => {
  const world = await openBooks()
  const complete = await world.invoice()
  const simplified = await world.invoice({ kind: 'F2' })
  await expect(world.run('invoices.get', { id: '1' })).rejects.toMatchObject({
    code: 'invoice_number_ambiguous',
    field: 'id',
    details: {
      candidates: [simplified, complete].map(({ id, number, issueDate, total }) => ({
        id,
        number,
        issueDate,
        total,
      })),
    },
  })
  await expect(world.run('invoices.validate', { id: '1', action: 'cancel' })).rejects.toMatchObject({
    code: 'invoice_number_ambiguous',
  })
  expect((await world.run('invoices.get', { id: simplified.number! })).id).toBe(simplified.id)
})

test('digits find nothing of the other book', async () => {
  const world = await openBooks()
  await world.invoice()
  await expect(world.run('invoices.get', { id: '1' }, world.live)).rejects.toMatchObject({
    code: 'not_found',
  })
})
