/** Received invoices as a file and their documents as an archive: whole, in order, and nothing of it a formula. */
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { IMPORT_FIELDS } from '../../../../server/app/imports/fields.ts'
import type { InputOf, OperationName, OutputOf } from '../../../../server/api/contracts.ts'
import { openBooks, refusal } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return new Uint8Array(Buffer.concat(pieces))
}

type Listing = Extract<
  OperationName,
  'received.export' | 'contacts.export' | 'items.export' | 'invoices.export'
>

/** The cells of the file by their titles. */
async function rowsOf<Name extends Listing>(
  world: TestBooks,
  name: Name,
  input: InputOf<Name>,
): Promise<Record<string, string>[]> {
  const { stream } = (await world.run(name, input)) as OutputOf<'received.export'>
  const text = Buffer.from(await bytesOf(stream)).toString('utf8')
  expect(text.startsWith('\ufeff')).toBe(true)
  const [titles = [], ...rows] = text
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(';'))
  return rows.map((row) => Object.fromEntries(titles.map((title, index) => [title, row[index] ?? ''])))
}

const enter = (world: TestBooks, changes: Partial<InputOf<'received.create'>> = {}) =>
  world.run('received.create', {
    supplierName: 'Papelería Sol',
    supplierNif: 'B12345674',
    supplierNumber: 'A-1',
    issueDate: '2026-06-01',
    receptionDate: '2026-06-02',
    taxLines: [{ base: 1234.5, vatRate: 21 }],
    ...changes,
  })

test('the list of received invoices is a file in the order and with the filter of the list', async () => {
  const world = await openBooks()
  await enter(world, { supplierNumber: '=1+1', dueDate: '2026-06-30' })
  await enter(world, { supplierNumber: 'A-2', taxLines: [{ base: 10, vatRate: 10 }] })
  const third = await enter(world, { supplierNumber: 'A-3', supplierName: '@Otra, S.L.', concept: 'G01' })
  await world.run('received.void', { id: third.id })
  const all = await rowsOf(world, 'received.export', { sort: 'number' })
  expect(all.map((row) => row['Número'])).toEqual(["'=1+1", 'A-2', 'A-3'])
  expect(all[0]).toMatchObject({
    Registro: '2026-0001',
    Fecha: '01/06/2026',
    'Fecha de recepción': '02/06/2026',
    Vencimiento: '30/06/2026',
    Base: '1234,50',
    'Cuota IVA': '259,25',
    Total: '1493,75',
    Pendiente: '1493,75',
    Archivos: '0',
  })
  expect(all[2]).toMatchObject({ Proveedor: "'@Otra, S.L.", Estado: 'Anulada', Pendiente: '0,00' })
  const backwards = await rowsOf(world, 'received.export', { sort: '-number', state: 'entered' })
  expect(backwards.map((row) => row['Número'])).toEqual(['A-2', "'=1+1"])
  const chosen = await rowsOf(world, 'received.export', { ids: [third.id] })
  expect(chosen.map((row) => row['Número'])).toEqual(['A-3'])
  expect(await refusal(world.run('received.export', { ids: [third.id, 'rec_0000000000000000'] }))).toBe(
    'not_found',
  )
  expect(await refusal(world.run('received.export', { ids: [third.id] }, world.live))).toBe('not_found')
})

test('documents come in one archive under the number of their invoice, with an index of what is missing', async () => {
  const world = await openBooks()
  const content = Buffer.from('Nombre;Importe\n').toString('base64')
  const { id } = await world.run('attachments.upload', { name: '../ticket.csv', content })
  const first = await enter(world, { attachments: [id] })
  const second = await enter(world, { supplierNumber: 'A-2', attachments: [id] })
  const third = await enter(world, { supplierNumber: 'A-3' })
  const { stream } = await world.run('received.files', { sort: 'number' })
  const files = unzipSync(await bytesOf(stream))
  const names = [first, second].map(({ receptionNumber }) => `${receptionNumber} ..-ticket.csv`)
  expect(Object.keys(files)).toEqual([...names, 'indice.csv'])
  expect(strFromU8(files[names[0]!]!)).toBe('Nombre;Importe\n')
  const index = strFromU8(files['indice.csv']!).split('\r\n')
  expect(index.filter((line) => line.includes('(sin archivo)'))).toHaveLength(1)
  expect(index[3]).toContain(third.receptionNumber)
})

test('contacts and items are exported under the titles of the import, and more than a stretch of them whole', async () => {
  const world = await openBooks()
  const count = 501
  for (let each = 1; each <= count; each++)
    await world.run('items.create', { name: `Artículo ${each}`, unitPrice: each + 0.125, active: each > 1 })
  const items = await rowsOf(world, 'items.export', {})
  expect(new Set(items.map((row) => row['Nombre'])).size).toBe(count)
  expect(items.find((row) => row['Nombre'] === 'Artículo 7')).toMatchObject({ Precio: '7,125', Activo: 'Sí' })
  expect(await rowsOf(world, 'items.export', { active: false })).toMatchObject([{ Nombre: 'Artículo 1' }])
  const contact = await world.run('contacts.create', {
    name: '+Ñandú; S.L.'.replace(';', ','),
    email: 'hola@nandu.example',
    paymentMethod: 'direct_debit',
    roles: { customer: true, supplier: true },
    withholdingPct: 7.5,
  })
  await world.invoice({ clientId: contact.id })
  const contacts = await rowsOf(world, 'contacts.export', { ids: [contact.id] })
  expect(contacts).toMatchObject([
    {
      'Nombre o razón social': "'+Ñandú, S.L.",
      Tipo: 'Cliente y proveedor',
      'Forma de pago': 'Domiciliación',
      'Retención %': '7,5',
      Facturas: '1',
    },
  ])
  const known = (kind: 'contacts' | 'items') => new Set(IMPORT_FIELDS[kind].map(({ title }) => title.es))
  expect(Object.keys(items[0]!).filter((title) => !known('items').has(title))).toEqual(['Campos libres'])
  expect(Object.keys(contacts[0]!).filter((title) => !known('contacts').has(title))).toEqual([
    'Facturas',
    'Facturado',
    'Pendiente',
    'Última factura',
    'Referencias externas',
    'Campos libres',
  ])
})

test('invoices are exported as the list shows them, drafts too', async () => {
  const world = await openBooks()
  const issued = await world.invoice({ clientName: '-Ana Ruiz' })
  await world.run('invoices.create', {
    clientName: 'Luis',
    lines: [{ description: 'x', quantity: 1, unitPrice: 5 }],
  })
  const rows = await rowsOf(world, 'invoices.export', { sort: 'total' })
  expect(rows.map((row) => row['Número'])).toContain('Borrador')
  const drafts = await rowsOf(world, 'invoices.export', { view: 'drafts' })
  expect(drafts).toMatchObject([{ Cliente: 'Luis', Total: '6,05', Registro: 'Sin emitir' }])
  const chosen = await rowsOf(world, 'invoices.export', { ids: [issued.id] })
  expect(chosen).toMatchObject([{ Número: issued.number, Cliente: "'-Ana Ruiz" }])
})
