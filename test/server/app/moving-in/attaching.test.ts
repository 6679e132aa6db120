/** The documents of an archive find their place in the history by the numbers in their names. */
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { pdfOf } from '../../../../server/accounting/returns/simulator/pdf.ts'
import { byBareNumber, documentsOfName } from '../../../../server/app/moving-in/attaching/match.ts'
import { openBooks, refused } from '../../../support/books.ts'
import { addFile } from '../../../support/moving/files.ts'
import { applyAll, undoAll } from '../../../support/moving/move.ts'

const SALES = [
  'Número;Fecha;Cliente;NIF;Base;IVA %;Cuota;Total',
  'FAC/2026-0001;10/02/2026;Talleres Beltrán, S.L.;B12345674;100;21;21;121',
  'FAC/2026-0011;11/02/2026;Otra, S.A.;A58818501;100;21;21;121',
  'FAC/2026-0012;12/02/2026;Otra, S.A.;A58818501;100;21;21;121',
].join('\n')
const PURCHASES = [
  'Número;Fecha;Proveedor;NIF;Base;IVA %;Cuota;Total',
  'AB-77;10/02/2026;Luz del Sur, S.A.;A58818501;10;21;2,10;12,10',
  'FAC/2026-0012;12/02/2026;Papeles Roca, S.L.;B87654323;10;21;2,10;12,10',
].join('\n')

describe('names', () => {
  const numbers = byBareNumber(
    ['F-1', 'F-12', '2026/001', 'B 12345'].map((number, rowId) => ({
      side: 'issued' as const,
      rowId,
      number,
      name: 'X',
    })),
  )
  test.each([
    ['f1.pdf', ['F-1']],
    ['Factura F-1.pdf', []],
    ['facturas/2026-001 cliente.pdf', ['2026/001']],
    ['2026-0011.pdf', []],
    ['b_12345_copia.PDF', ['B 12345']],
    ['b123456.pdf', []],
    ['.pdf', []],
  ])('%s', (name, found) => {
    expect(documentsOfName(name, numbers).map(({ number }) => number)).toEqual(found)
  })
})

test('what an archive holds is attached once, shown as the invoice, and gone with the move', async () => {
  const world = await openBooks({ at: '2026-07-15T12:00:00+02:00' })
  const { move } = await world.run('moving.start', { firstDay: '2026-07-01' })
  const { id } = move
  const [one, other, purchase, notes] = ['uno', 'otro', 'compra', 'notas'].map((text) => pdfOf([text]))
  const archive = zipSync({
    'emitidas/fac_2026_0001.pdf': one!,
    'FAC2026-0012 Otra.pdf': other!,
    'recibidas/ab77.pdf': purchase!,
    'notas.pdf': notes!,
    'fac-2026-0011.pdf': new Uint8Array([1, 2, 3]),
  })
  const content = Buffer.from(archive).toString('base64')
  expect((await refused(world.run('moving.attach', { id, name: 'pdf.zip', content }))).code).toBe(
    'moving_state',
  )
  const listed = await addFile(world, id, 'pdf.zip', archive)
  expect(listed).toMatchObject({ state: 'read', archived: 5, tables: [{ content: 'documents' }] })
  await addFile(world, id, 'ventas.csv', SALES)
  await addFile(world, id, 'compras.csv', PURCHASES)
  await applyAll(world, id)
  const before = await world.test.db.selectFrom('files').select('id').execute()
  const answer = await world.run('moving.attach', { id, name: 'pdf.zip', content })
  expect(answer).toEqual({
    attached: 2,
    already: 0,
    unknown: 1,
    // The number is of an own invoice and of one received, and the name names neither whole.
    ambiguous: 1,
    unreadable: 1,
    files: [
      { name: 'FAC2026-0012 Otra.pdf', outcome: 'ambiguous', number: 'FAC/2026-0012' },
      { name: 'notas.pdf', outcome: 'unknown', number: null },
      { name: 'fac-2026-0011.pdf', outcome: 'unreadable', number: 'FAC/2026-0011' },
    ],
  })
  expect(await world.run('moving.attach', { id, name: 'pdf.zip', content })).toMatchObject({
    attached: 0,
    already: 2,
  })
  const { items } = await world.run('invoices.list', { state: 'history' })
  const invoice = (number: string) => items.find((each) => each.number === number)?.id ?? ''
  const pdf = await world.run('invoices.pdf', { id: invoice('FAC/2026-0001') })
  expect(Buffer.from(pdf.bytes).equals(Buffer.from(one!))).toBe(true)
  expect(pdf).toMatchObject({ fileName: 'FAC-2026-0001.pdf', signature: 'none' })
  expect((await refused(world.run('invoices.pdf', { id: invoice('FAC/2026-0012') }))).code).toBe(
    'format_unavailable',
  )
  // One by itself, by the name that a person gives it.
  const single = Buffer.from(other!).toString('base64')
  expect(
    await world.run('moving.attach', { id, name: 'Papeles Roca FAC-2026-0012.pdf', content: single }),
  ).toMatchObject({ attached: 1 })
  await undoAll(world, id)
  expect(await world.test.db.selectFrom('file_links').select('file_id').execute()).toEqual([])
  expect(await world.test.db.selectFrom('files').select('id').execute()).toEqual(before)
})
