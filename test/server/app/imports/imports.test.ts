/** Imports: realistic files, checked by the API's rules, imported in chunks, undone completely. */
import { constants, crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { strToU8, Zip, zipSync } from 'fflate'
import type { ZipInputFile } from 'fflate'
import { describe, expect, test } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { guessMapping } from '../../../../server/app/imports/guess.ts'
import { readCountry, readDay, readNumber } from '../../../../server/platform/spreadsheets/values.ts'
import { inLongRun, sweptCount } from '../../../support/sweep.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const longTest = inLongRun(test)

type Kind = 'contacts' | 'items' | 'received'

const upload = (world: World, kind: Kind, content: string | Buffer, fileName = 'fichero.csv') =>
  world.run('imports.upload', { kind, fileName, content: Buffer.from(content).toString('base64') })

async function finish(world: World, operation: 'imports.apply' | 'imports.undo', id: string) {
  for (;;) {
    const { run } = await world.run(operation, { id })
    if (run.state === 'done' || run.state === 'undone') return run
  }
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error: { details?: { faults: { code: string }[] } }) => error.details?.faults[0]?.code,
  )

/** Returns a ZIP of one file of zeros, which are compressed once for all its mebibytes. */
function zipOfZeros(filename: string, mebibytes: number): Buffer {
  const piece = Buffer.alloc(1024 * 1024)
  const packed = deflateRawSync(piece, { finishFlush: constants.Z_FULL_FLUSH })
  const written: Uint8Array[] = []
  const zip = new Zip((_error, data) => written.push(data))
  const file: ZipInputFile = { filename, size: 0, crc: 0, compression: 8 }
  zip.add(file)
  for (let count = 0; count < mebibytes; count += 1) {
    file.size += piece.length
    file.crc = crc32(piece, file.crc)
    file.ondata?.(null, new Uint8Array(packed), false)
  }
  file.ondata?.(null, new Uint8Array(deflateRawSync('')), true)
  zip.end()
  return Buffer.concat(written)
}

describe('reading', () => {
  test('numbers are parsed as people write them, and nothing else is accepted', () => {
    for (const [cell, sign, value] of [
      ['1.234,56 €', ',', 1234.56],
      ['1,234.56', '.', 1234.56],
      ['12.5', ',', 12.5],
      ['1.234', ',', 1234],
      ['1.234', '.', 1.234],
      ['(12,00)', ',', -12],
      ['12,00-', ',', -12],
      ['21 %', ',', 21],
      ['1.2.3', ',', null],
      ['=1+1', ',', null],
      ['12a', ',', null],
      ['', ',', null],
    ] as const)
      expect([cell, readNumber(cell, sign)]).toEqual([cell, value])
    expect(readDay('3/7/26', 'dmy')).toBe('2026-07-03')
    expect(readDay('2026-07-03 00:00:00', 'dmy')).toBe('2026-07-03')
    expect(readDay('31/02/2026', 'dmy')).toBeNull()
    expect([readCountry('España'), readCountry('fr'), readCountry('Germany'), readCountry('Nada')]).toEqual([
      'ES',
      'FR',
      'DE',
      null,
    ])
  })

  test('columns are recognized by the titles of other programs, in both languages', () => {
    expect(guessMapping('contacts', ['CIF', 'Razón Social', 'C.P.', 'E-mail'])).toEqual({
      nif: 0,
      name: 1,
      postalCode: 2,
      email: 3,
    })
    expect(guessMapping('items', ['SKU', 'Product', 'Unit price', 'VAT rate'])).toEqual({
      sku: 0,
      name: 1,
      unitPrice: 2,
      vatRate: 3,
    })
    expect(
      guessMapping('received', [
        'Fecha factura',
        'Nº Factura',
        'Nombre',
        'NIF',
        'Base imponible',
        '% IVA',
        'Cuota',
        'Total',
      ]),
    ).toEqual({
      issueDate: 0,
      supplierNumber: 1,
      supplierName: 2,
      supplierNif: 3,
      base: 4,
      vatRate: 5,
      tax: 6,
      total: 7,
    })
  })

  test('the template is read back without a fault', async () => {
    const world = await openWorld()
    for (const kind of ['contacts', 'items', 'received'] as const)
      for (const language of ['es', 'en'] as const) {
        const { bytes } = await world.run('imports.template', { kind, language })
        const { run } = await upload(world, kind, Buffer.from(bytes))
        const checked = await world.run('imports.check', { id: run.id })
        expect([kind, language, checked.created, checked.failed]).toEqual([kind, language, 1, 0])
        await world.run('imports.discard', { id: run.id })
      }
  })

  longTest(
    'the language of a contact is recognized by its code, its own name and those in Spanish and English',
    async () => {
      const world = await openWorld()
      const written = {
        es: ['es', 'es-ES', 'Español', 'Castellano', 'Spanish'],
        ca: ['ca', 'Català', 'Catalán', 'Valenciano', 'Catalan'],
        eu: ['eu', 'Euskara', 'Euskera', 'Vasco', 'Basque'],
        gl: ['gl', 'Galego', 'Gallego', 'Galician'],
        en: ['en', 'en-GB', 'English', 'Inglés'],
        fr: ['fr', 'Français', 'Francés', 'French'],
        de: ['de', 'Deutsch', 'Alemán', 'German'],
        pt: ['pt', 'Português', 'Portugués', 'Portuguese'],
      }
      const cells = Object.entries(written).flatMap(([code, names]) => names.map((name) => [name, code]))
      const rows = cells.map(([name], index) => `Cliente ${index};${name}`)
      const { run } = await upload(
        world,
        'contacts',
        ['Nombre;Idioma', ...rows, 'Cliente x;Italiano'].join('\n'),
      )
      const checked = await world.run('imports.check', { id: run.id })
      expect([checked.created, checked.failed]).toEqual([cells.length, 1])
      await world.run('imports.apply', { id: run.id })
      for (const [index, [, code]] of cells.entries()) {
        const { items } = await world.run('contacts.list', { text: `Cliente ${index}` })
        const found = items.find(({ name }) => name === `Cliente ${index}`)
        expect((await world.run('contacts.get', { id: found?.id ?? '' })).language, cells[index]?.[0]).toBe(
          code,
        )
      }
    },
  )

  test('a file that is not a table is rejected with its reason', async () => {
    const world = await openWorld()
    expect(await refusal(upload(world, 'contacts', 'nombre\n'))).toBe('import_file_empty')
    expect(await refusal(upload(world, 'contacts', Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 1])))).toBe(
      'import_file_unknown',
    )
    expect(await refusal(upload(world, 'contacts', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0])))).toBe(
      'import_old_excel',
    )
    const bomb = zipOfZeros('xl/worksheets/sheet1.xml', 170)
    expect(bomb.length).toBeLessThan(1024 * 1024)
    expect(await refusal(upload(world, 'contacts', bomb))).toBe('import_file_too_large')
    expect(await refusal(upload(world, 'contacts', Buffer.from(zipSync({ a: strToU8('x') }))))).toBe(
      'import_file_unknown',
    )
  })

  test('an Excel file with titles below a heading is read with its dates and numbers', async () => {
    const world = await openWorld()
    const file = await writeXlsxFile([
      [{ value: 'Listado de facturas' }],
      ['Fecha', 'Número', 'Proveedor', 'Base', 'IVA %', 'Total'].map((value) => ({ value })),
      [
        { value: new Date(Date.UTC(2026, 4, 3)), format: 'dd/mm/yyyy' },
        { value: 'F-1' },
        { value: 'Papelería Sol' },
        { value: 12.3 },
        { value: 21 },
        { value: 14.88 },
      ],
    ] as unknown as Parameters<typeof writeXlsxFile>[0]).toBuffer()
    const { run } = await upload(world, 'received', file, 'libro.xlsx')
    const checked = await world.run('imports.check', { id: run.id })
    expect(checked).toMatchObject({ created: 1, failed: 0 })
    await finish(world, 'imports.apply', run.id)
    const { items } = await world.run('received.list', {})
    expect(items[0]).toMatchObject({
      issueDate: '2026-05-03',
      base: 12.3,
      total: 14.88,
      supplierNumber: 'F-1',
    })
  })
})

describe('contacts', () => {
  const FILE = [
    'Nombre;NIF;Dirección;CP;Población;Correo;Tipo;IBAN;Notas',
    'Talleres Ñandú, S.L.;B12345674;Calle 1;8001;Barcelona;A@B.example;Cliente;;=HYPERLINK("x")',
    'Mal IBAN;;;;;;;ES00;',
    'Sin nif;;;;;no es correo;Proveedor;;',
    ';B12345674;;;;;;;',
    'Talleres Ñandú (otra vez);B-12345674;;;;;;;',
  ].join('\r\n')

  test('rows are checked, then imported: valid ones are stored, faults reported by row and column, duplicates skipped', async () => {
    const world = await openWorld()
    const { run } = await upload(world, 'contacts', Buffer.from(FILE, 'latin1'))
    expect(run.columns[0]).toMatchObject({ title: 'Nombre' })
    const checked = await world.run('imports.check', { id: run.id })
    expect([checked.created, checked.updated, checked.skipped, checked.failed]).toEqual([1, 0, 1, 3])
    expect(
      checked.rows
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ row, faults }) => [row, faults[0]?.field, faults[0]?.code]),
    ).toEqual([
      [3, 'iban', 'iban_invalid'],
      [4, 'email', 'wrong_format'],
      [5, 'name', 'too_small'],
    ])
    expect((await world.run('contacts.list', {})).count).toBe(0)
    const done = await finish(world, 'imports.apply', run.id)
    expect([done.created, done.updated, done.skipped, done.failed]).toEqual([1, 0, 1, 3])
    const { items } = await world.run('contacts.list', {})
    expect(items[0]).toMatchObject({
      name: 'Talleres Ñandú, S.L.',
      address: { postalCode: '08001' },
      email: 'a@b.example',
      notes: '=HYPERLINK("x")',
    })
    const { rows } = await world.run('imports.get', { id: run.id })
    expect(rows.map(({ row }) => row)).toEqual([3, 4, 5, 6])
  })

  test('existing ones are left unchanged, or completed on request, and reset by the undo', async () => {
    const world = await openWorld()
    const contact = await world.run('contacts.create', { name: 'Sol', nif: 'B12345674', phone: '600' })
    const csv = 'name,nif,email\nOtro nombre,B12345674,sol@sol.example\n'
    const first = await upload(world, 'contacts', csv)
    expect(await finish(world, 'imports.apply', first.run.id)).toMatchObject({ skipped: 1, updated: 0 })
    const { run } = await upload(world, 'contacts', csv)
    const checked = await world.run('imports.check', { id: run.id, options: { onDuplicate: 'update' } })
    expect(checked).toMatchObject({ updated: 1 })
    await finish(world, 'imports.apply', run.id)
    expect(await world.run('contacts.get', { id: contact.id })).toMatchObject({
      name: 'Sol',
      phone: '600',
      email: 'sol@sol.example',
    })
    expect(await finish(world, 'imports.undo', run.id)).toMatchObject({
      state: 'undone',
      restored: 1,
      kept: 0,
    })
    expect((await world.run('contacts.get', { id: contact.id })).email).toBeNull()
  })

  test('an undo leaves what was used or changed since', async () => {
    const world = await openWorld()
    const { run } = await upload(world, 'contacts', 'nombre\nAna\nBerta\nCarla\n')
    await finish(world, 'imports.apply', run.id)
    const { items } = await world.run('contacts.list', {})
    await world.createDraft({ clientName: 'Ana', clientId: items[0]!.id })
    await world.run('contacts.update', { id: items[1]!.id, phone: '600' })
    expect(await finish(world, 'imports.undo', run.id)).toMatchObject({ restored: 1, kept: 2 })
    expect((await world.run('contacts.list', {})).items.map(({ name }) => name)).toEqual(['Ana', 'Berta'])
  })

  test('a mapping without its required column is rejected; the choice is stored for the next file', async () => {
    const world = await openWorld()
    const { run } = await upload(world, 'contacts', 'Ficha,Otra cosa\nAna,600\n')
    expect(await refusal(world.run('imports.check', { id: run.id }))).toBe('import_field_missing')
    await world.run('imports.check', { id: run.id, mapping: { name: 0, phone: 1 } })
    await finish(world, 'imports.apply', run.id)
    const again = await upload(world, 'contacts', 'Otra cosa,Ficha\n700,Berta\n')
    expect(again.run.mapping).toEqual({ phone: 0, name: 1 })
  })

  test('an interrupted run is continued, or undone', async () => {
    const world = await openWorld()
    const csv = `nombre\n${Array.from({ length: 1100 }, (_, index) => `Cliente ${index}`).join('\n')}\n`
    const { run } = await upload(world, 'contacts', csv)
    expect((await world.run('imports.apply', { id: run.id })).run).toMatchObject({
      state: 'running',
      taken: 500,
    })
    await world.restart()
    expect((await world.run('imports.apply', { id: run.id })).run).toMatchObject({
      state: 'running',
      taken: 1000,
    })
    expect((await world.run('contacts.list', {})).count).toBe(1000)
    expect((await world.run('imports.undo', { id: run.id })).run.state).toBe('undoing')
    await expect(world.run('imports.apply', { id: run.id })).rejects.toMatchObject({ code: 'import_state' })
    await world.restart()
    expect(await finish(world, 'imports.undo', run.id)).toMatchObject({ restored: 1000, kept: 0 })
    expect((await world.run('contacts.list', {})).count).toBe(0)
  })
})

test('items are imported with prices and rates, and matched by code', async () => {
  const world = await openWorld()
  const csv =
    'Código;Nombre;Precio;IVA\nA;Silla;1.234,50;21\nB;Mesa;10;0,10\nA;Silla otra;1;21\nC;Sin precio;;\n'
  const { run } = await upload(world, 'items', csv)
  const done = await finish(world, 'imports.apply', run.id)
  expect([done.created, done.skipped, done.failed]).toEqual([2, 1, 1])
  expect((await world.run('items.list', {})).items).toMatchObject([
    { name: 'Mesa', unitPrice: 10, vatRate: 10 },
    { name: 'Silla', unitPrice: 1234.5, vatRate: 21 },
  ])
})

test('received invoices are recorded in their own period, with several rates, once; an undo voids them', async () => {
  const world = await openWorld()
  const csv = [
    'Proveedor;NIF;Número;Fecha;Base;IVA %;Base 2;IVA % 2;Total',
    'Sol;B12345674;1;15/05/2026;100,00;21;50,00;10;176,00',
    'Sol;B12345674;1;15/05/2026;100,00;21;;;121,00',
    'Sol;B12345674;2;16/05/2026;100,00;21;;;999,00',
  ].join('\n')
  const { run } = await upload(world, 'received', csv)
  const checked = await world.run('imports.check', { id: run.id })
  expect([checked.created, checked.skipped, checked.failed]).toEqual([1, 1, 1])
  expect(checked.rows[0]?.faults.map(({ code }) => code)).toContain('import_total_differs')
  const done = await finish(world, 'imports.apply', run.id)
  expect([done.created, done.skipped, done.failed]).toEqual([1, 1, 1])
  const { items } = await world.run('received.list', {})
  expect(items).toMatchObject([{ receptionDate: '2026-05-15', base: 150, tax: 26, total: 176 }])
  await finish(world, 'imports.undo', run.id)
  expect((await world.run('received.get', { id: items[0]!.id })).state).toBe('void')
})

test('a key with read access lists imports and downloads templates, but cannot import', async () => {
  const world = await openWorld()
  const { key } = await world.makeKey({ scopes: ['invoices.read'] })
  const content = Buffer.from('nombre\nAna\n').toString('base64')
  const body = { kind: 'contacts', fileName: 'a.csv', content }
  expect((await world.post('/api/v1/imports', body, { key })).status).toBe(403)
  expect((await world.post('/api/v1/imports', body)).status).toBe(201)
  expect((await world.get('/api/v1/imports', { key })).body.data.items).toHaveLength(1)
  expect((await world.get('/api/v1/imports/template?kind=items', { key })).status).toBe(200)
})

test('an import of any rows, once undone, leaves the contacts as they were', async () => {
  const world = await openWorld()
  for (const name of ['Ana', 'Berta'])
    await world.run('contacts.create', { name, nif: name === 'Ana' ? 'B12345674' : '50123456Q' })
  const state = async () =>
    (await world.run('contacts.list', { limit: 200 })).items.map(
      ({ version: _version, updatedAt: _updated, ...rest }) => rest,
    )
  const before = await state()
  const cell = fc.constantFrom(
    '',
    'Ana',
    'ana',
    'Carla',
    'B12345674',
    '50123456Q',
    'x@y.example',
    '600',
    '=1+1',
    'ES',
    '"',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 1, maxLength: 12 }),
      fc.constantFrom('skip' as const, 'update' as const),
      async (rows, onDuplicate) => {
        fc.pre(rows.some((row) => row.some((each) => each !== '')))
        const quoted = rows.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(';'))
        const { run } = await upload(world, 'contacts', ['nombre;nif;correo;teléfono', ...quoted].join('\n'))
        const checked = await world.run('imports.check', { id: run.id, options: { onDuplicate } })
        const done = await finish(world, 'imports.apply', run.id)
        expect([done.created, done.updated, done.skipped, done.failed]).toEqual([
          checked.created,
          checked.updated,
          checked.skipped,
          checked.failed,
        ])
        const undone = await finish(world, 'imports.undo', run.id)
        expect(undone.kept).toBe(0)
        expect(await state()).toEqual(before)
      },
    ),
    { numRuns: sweptCount(60, 4), endOnFailure: true },
  )
})

test('a dry run of any items and purchases reports what the run then does', async () => {
  const world = await openWorld()
  await world.run('items.create', { sku: 'A1', name: 'Silla', unitPrice: 10 })
  await world.run('items.create', { name: 'Mesa', unitPrice: 10 })
  const sku = fc.constantFrom('', 'A1', 'A2', 'a1')
  const name = fc.constantFrom('', 'Silla', 'SILLA', 'Mesa', 'Banco')
  const items = fc
    .array(fc.tuple(sku, name, fc.constantFrom('1', '2,50', 'x')), { minLength: 1, maxLength: 10 })
    .map((rows) => ({ kind: 'items' as const, rows: [['código', 'nombre', 'precio'], ...rows] }))
  const number = fc.constantFrom('', '1', '1 ', 'f-2', 'F-2')
  const nif = fc.constantFrom('', 'B12345674', 'b-12345674', 'B87654323')
  const supplier = fc.constantFrom('Sol', 'sol', 'Luna')
  const received = fc
    .array(fc.tuple(supplier, nif, number, fc.constantFrom('15/05/2026', '16/05/2026')), {
      minLength: 1,
      maxLength: 10,
    })
    .map((rows) => ({
      kind: 'received' as const,
      rows: [
        ['proveedor', 'nif', 'número', 'fecha', 'base', 'iva %'],
        ...rows.map((row) => [...row, '100,00', '21']),
      ],
    }))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(items, received),
      fc.constantFrom('skip' as const, 'update' as const),
      async ({ kind, rows }, onDuplicate) => {
        const { run } = await upload(world, kind, rows.map((row) => row.join(';')).join('\n'))
        const checked = await world.run('imports.check', { id: run.id, options: { onDuplicate } })
        const done = await finish(world, 'imports.apply', run.id)
        expect([done.created, done.updated, done.skipped, done.failed]).toEqual([
          checked.created,
          checked.updated,
          checked.skipped,
          checked.failed,
        ])
        expect((await finish(world, 'imports.undo', run.id)).kept).toBe(0)
      },
    ),
    { numRuns: sweptCount(60, 4), endOnFailure: true },
  )
})

test('foreign purchases take country and operation from the file, or from a proposal', async () => {
  const world = await openWorld()
  const csv = [
    'Proveedor;NIF;País;Número;Fecha;Base;IVA %;Cuota IVA;Tipo de operación;% deducible;Total',
    'Cloud;IE6388047V;Irlanda;1;15/05/2026;120,00;0;0,00;;;120,00',
    'Acier;FR40303265045;;2;15/05/2026;200,00;0;;Adquisición intracomunitaria de bienes;;200,00',
    'Inc;461234567;Estados Unidos;3;15/05/2026;100,00;;;Servicios del extranjero;50;100,00',
    'Hotel;BE0403170701;BE;4;15/05/2026;100,00;21;21,00;;;121,00',
    'Obra;B12345674;;5;15/05/2026;100,00;;;Inversión del sujeto pasivo;;100,00',
    'Sol;B12345674;;6;15/05/2026;100,00;21;21,00;interior;50;121,00',
    'Mal;B12345674;;7;15/05/2026;100,00;21;21,00;no se sabe;;121,00',
  ].join('\n')
  const { run } = await upload(world, 'received', csv)
  const checked = await world.run('imports.check', { id: run.id })
  expect(checked.rows.flatMap((row) => row.faults.map(({ code, field }) => [row.row, code, field]))).toEqual(
    expect.arrayContaining([
      [2, 'self_assessed_proposed', 'nature'],
      [5, 'foreign_tax_as_cost', 'vatRate'],
      [8, 'import_not_a_choice', 'nature'],
    ]),
  )
  const done = await finish(world, 'imports.apply', run.id)
  expect([done.created, done.failed]).toEqual([6, 1])
  const { items } = await world.run('received.list', {})
  const lines = new Map<string | null, unknown>()
  for (const item of items) {
    const { taxLines } = await world.run('received.get', { id: item.id })
    lines.set(item.supplierNumber, taxLines[0])
  }
  expect(Object.fromEntries(lines)).toMatchObject({
    '1': { nature: 'eu_services', taxTreatment: 'S2', base: 120, vatRate: 21, tax: 25.2, deductible: 25.2 },
    '2': { nature: 'eu_goods', taxTreatment: 'S2', vatRate: 21, tax: 42, deductible: 42 },
    '3': { nature: 'foreign_services', taxTreatment: 'S2', tax: 21, deductible: 10.5 },
    '4': { nature: 'domestic', taxTreatment: 'N2', base: 121, deductible: 0 },
    '5': { nature: 'reverse_charge', taxTreatment: 'S2', tax: 21, deductible: 21 },
    '6': { nature: 'domestic', taxTreatment: 'S1', tax: 21, deductible: 10.5 },
  })
})
