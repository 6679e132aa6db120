/** The directory of units: the files in which public bodies publish it, searched by code and name. */
import { expect, test } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { openBooks, faultsOfRefusal, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { sweptCount } from '../../../support/sweep.ts'

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

const read = (world: TestBooks, content: string, name = 'unidades.csv') =>
  world.run('portal.importDirectory', { name, content })

const UNITS = `Código DIR3;Denominación;Administración;NIF;Provincia;Estado
L01280796;Ayuntamiento de Madrid;Entidad local;P2807900B;Madrid;V
LA0000001;Junta de Distrito de Árbol;Ayuntamiento de Madrid;;Madrid;V
E00000001;Ministerio que fue;Administración del Estado;;Madrid;E
`
const RELATIONS = `Administración;Código Órgano Gestor;Órgano Gestor;Código Unidad Tramitadora;Unidad Tramitadora;Código Oficina Contable;Oficina Contable
Ayuntamiento de Madrid;L01280796;Ayuntamiento de Madrid;L01280798;Contratación;L01280797;Intervención
Ayuntamiento de Madrid;L01280796;Ayuntamiento de Madrid;L01280799;Parques y Jardines;L01280797;Intervención
`

test('a list of units is read; the same file again adds nothing', async () => {
  const world = await openBooks()
  expect(await read(world, base64(UNITS))).toMatchObject({
    rows: 3,
    added: 3,
    changed: 0,
    unchanged: 0,
    faulty: 0,
    relations: 0,
    faults: [],
  })
  expect(await read(world, base64(UNITS))).toMatchObject({ added: 0, changed: 0, unchanged: 3 })
  const { units, directory } = await world.run('portal.settings', {})
  expect(units).toBe(3)
  expect(directory).toMatchObject({ name: 'unidades.csv', unchanged: 3 })
})

test('a list of offices that belong together adds their roles, and takes nothing away', async () => {
  const world = await openBooks()
  await read(world, base64(UNITS))
  expect(await read(world, base64(RELATIONS))).toMatchObject({ rows: 2, added: 3, changed: 1, relations: 2 })
  expect(await read(world, base64(RELATIONS))).toMatchObject({
    added: 0,
    changed: 0,
    unchanged: 4,
    relations: 0,
  })
  const { items } = await world.run('portal.units', { search: 'L01280796' })
  expect(items).toEqual([
    {
      code: 'L01280796',
      name: 'Ayuntamiento de Madrid',
      administration: 'Ayuntamiento de Madrid',
      nif: 'P2807900B',
      town: null,
      province: 'Madrid',
      roles: ['managingBody'],
      isCurrent: true,
    },
  ])
  const together = await world.run('portal.units', { with: 'l01280796', role: 'processingUnit' })
  expect(together.items.map(({ name }) => name)).toEqual(['Contratación', 'Parques y Jardines'])
  expect(together.relations).toHaveLength(2)
})

test('units are found by words without accents, those that exist first', async () => {
  const world = await openBooks()
  await read(world, base64(UNITS))
  const named = async (search: string) =>
    (await world.run('portal.units', { search })).items.map(({ code }) => code)
  expect(await named('arbol junta')).toEqual(['LA0000001'])
  expect(await named('la00')).toEqual(['LA0000001'])
  expect(await named('Madrid')).toEqual(['L01280796', 'LA0000001'])
  expect(await named('nada')).toEqual([])
  const all = await world.run('portal.units', {})
  expect(all.items.at(-1)).toMatchObject({ code: 'E00000001', isCurrent: false })
})

test('faulty rows are named with row and column, and the others are read', async () => {
  const world = await openBooks()
  const file = `${UNITS}12345;Sin código;;;;\nL01280800;;;;;\nL01280801;Buena;;;;V\n`
  const { added, faulty, faults } = await read(world, base64(file))
  expect({ added, faulty }).toEqual({ added: 4, faulty: 2 })
  expect(faults).toMatchObject([
    { code: 'unit_code_invalid', field: 'rows[5].A', params: { row: 5, column: 'A', value: '12345' } },
    { code: 'unit_name_missing', field: 'rows[6].B', params: { row: 6, column: 'B' } },
  ])
})

test('Excel files and titles below a heading are read', async () => {
  const world = await openBooks()
  const text = (value: string) => ({ value })
  const file = await writeXlsxFile(
    [
      [text('Directorio común')],
      [text('C_ID_UD_ORGANICA'), text('C_DNM_UD_ORGANICA'), text('C_ID_ESTADO')],
      [text('EA0000101'), text('Subdelegación del Gobierno'), text('V')],
    ],
    { buffer: true } as never,
  )
  const bytes = Buffer.isBuffer(file)
    ? file
    : Buffer.from(await (file as { toBuffer(): Promise<Buffer> }).toBuffer())
  expect(await read(world, bytes.toString('base64'), 'unidades.xlsx')).toMatchObject({ added: 1, faulty: 0 })
})

test('what is no directory is refused, and nothing is stored', async () => {
  const world = await openBooks()
  for (const [content, code] of [
    [base64('a;b;c\n1;2;3\n'), 'directory_unknown'],
    [base64('%PDF-1.7'), 'import_file_unknown'],
    [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3]).toString('base64'), 'import_old_excel'],
  ] as const)
    expect(await faultsOfRefusal(read(world, content))).toEqual([`content: ${code}`])
  const { units, directory } = await world.run('portal.settings', {})
  expect({ units, directory }).toEqual({ units: 0, directory: null })
  expect((await refused(read(world, base64('x')))).code).toBe('validation_failed')
})

test('as many units as the public directory has are read and found', { timeout: 120_000 }, async () => {
  const world = await openBooks()
  const count = sweptCount(34_000, 3_400)
  const rows = Array.from(
    { length: count },
    (_, at) =>
      `L${String(at).padStart(8, '0')};Unidad número ${at} de la administración;Administración ${at % 97};;Madrid;V`,
  )
  const file = base64(`Código;Denominación;Administración;NIF;Provincia;Estado\n${rows.join('\n')}\n`)
  expect(await read(world, file)).toMatchObject({ rows: count, added: count, faulty: 0 })
  expect(await read(world, file)).toMatchObject({ added: 0, changed: 0, unchanged: count })
  const { items } = await world.run('portal.units', { search: `numero ${count - 1}` })
  expect(items[0]?.code).toBe(`L${String(count - 1).padStart(8, '0')}`)
})
