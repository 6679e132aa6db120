/** Records of model 180: premises place by place, rents divided among several, and what keeps a landlord out. */
import { describe, expect, test } from 'vitest'
import { decodeFile, encodeFile } from '../../../../../server/accounting/returns/files/file.ts'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import { CLIENT_ADDRESS, openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { purchase } from '../worked.ts'

type Premises = InputOf<'fiscal.setRentedPremises'>['premises'][number]

const YEAR = { model: '180', year: 2026 } as const
const NIF = 'A58818501'
const NAME = 'Locales del Sur, S.A.'

const SHOP: Premises = {
  landlordNif: NIF,
  landlordName: NAME,
  rentKind: 'money',
  situation: 1,
  cadastralNumber: '9872023 VH5797S 0001 WX',
  streetType: 'CALLE',
  street: 'Núñez de Balboa',
  numbering: 'NUM',
  houseNumber: 12,
  qualifier: 'bis',
  block: 'A',
  entrance: '2',
  staircase: 'Izq',
  floor: 'BJ',
  door: '3º',
  complement: 'Centro Comercial Sol, local 4',
  town: 'El Pardo',
  municipality: 'Madrid',
  municipalityCode: '28079',
  province: '28',
  postalCode: '28006',
  fromYear: 2024,
  toYear: null,
  base: null,
}
const STORE: Premises = {
  ...SHOP,
  rentKind: 'kind',
  situation: 4,
  cadastralNumber: null,
  streetType: 'CTRA',
  street: 'Toledo',
  numbering: 'KM.',
  houseNumber: 7,
  qualifier: null,
  block: null,
  entrance: null,
  staircase: null,
  floor: null,
  door: null,
  complement: null,
  town: null,
}

async function opened({ contact = true } = {}): Promise<TestBooks> {
  const world = await openBooks({ at: '2026-12-20T10:00:00+01:00' })
  if (contact) await world.run('contacts.create', { name: NAME, nif: NIF, address: CLIENT_ADDRESS })
  return world
}
let numbered = 0
async function rent(
  world: TestBooks,
  base: number,
  rate: number,
  changes: Partial<InputOf<'received.create'>> = {},
): Promise<void> {
  numbered += 1
  await world.run(
    'received.create',
    purchase({
      supplierName: NAME,
      supplierNif: NIF,
      supplierNumber: `R-${numbered}`,
      taxLines: [{ base, vatRate: 21 }],
      withholding: { rate, reason: 'rent' },
      ...changes,
    }),
  )
}
async function inJanuary(world: TestBooks): Promise<void> {
  world.setTime('2027-01-15T10:00:00+01:00')
  await world.run('fiscal.setFilingSettings', {
    surnames: null,
    firstName: null,
    contactName: 'Ana Núñez',
    contactPhone: '912345678',
    iban: null,
    live: false,
  })
}
const write = (world: TestBooks, premises: Premises[]) =>
  world.run('fiscal.setRentedPremises', { year: 2026, premises })
async function lines(world: TestBooks): Promise<string[]> {
  const { bytes } = await world.run('fiscal.returnFile', YEAR)
  return Buffer.from(bytes).toString('latin1').split('\r\n')
}
async function errorsOf(world: TestBooks) {
  const { faults } = await world.run('fiscal.prepareFiling', YEAR)
  return faults
    .filter(({ severity }) => severity === 'error')
    .map(({ code, params }) => ({ code, ...params }))
}

const cents = (amount: number, width = 13): string => String(amount).padStart(width, '0')
function laid(...fields: readonly (readonly [position: number, text: string])[]): string {
  let record = ''
  for (const [position, text] of fields) {
    expect(record.length + 1, `before ${text}`).toBe(position)
    record += text
  }
  return record
}

describe('a record of model 180', () => {
  test('has landlord, rent and address in their places; all rents of the landlord go to its only premises', async () => {
    const world = await opened()
    await rent(world, 1000.55, 19)
    await rent(world, 1000.55, 19)
    await inJanuary(world)
    await write(world, [SHOP])
    const [head, record, end] = await lines(world)
    expect(end).toBe('')
    expect(record).toBe(
      laid(
        [1, '2'],
        [2, '180'],
        [5, '2026'],
        [9, 'B12345674'],
        [18, 'A58818501'],
        [27, ' '.repeat(9)],
        [36, 'LOCALES DEL SUR SA'.padEnd(40)],
        [76, '28'],
        [78, '1'],
        [79, ' '],
        [80, cents(200_110)],
        [93, '1900'],
        [97, cents(38_020)],
        [110, '0000'],
        [114, '1'],
        [115, '9872023VH5797S0001WX'],
        [135, 'CALLE'],
        [140, 'NUÑEZ DE BALBOA'.padEnd(50)],
        [190, 'NUM'],
        [193, '00012'],
        [198, 'BIS'],
        [201, 'A  '],
        [204, '2  '],
        [207, 'IZQ'],
        [210, 'BJ '],
        [213, '3  '],
        [216, 'CENTRO COMERCIAL SOL LOCAL 4'.padEnd(40)],
        [256, 'EL PARDO'.padEnd(30)],
        [286, 'MADRID'.padEnd(30)],
        [316, '28079'],
        [321, '28'],
        [323, '28006'],
        [328, ' '.repeat(173)],
      ),
    )
    expect(head!.slice(135, 175)).toBe(`000000001 ${cents(200_110, 15)}${cents(38_020, 15)}`)
  })

  test('stands for each premises of a landlord; what is withheld follows the rents, and the odd cents go to the last', async () => {
    const world = await opened()
    await rent(world, 1000.01, 19)
    await inJanuary(world)
    // 190.00 withheld of 1,000.01: by thirds 63.33, 63.33 and 63.34.
    const third = { ...SHOP, cadastralNumber: '0000000AA0000A0003AA', base: 333.35 }
    await write(world, [{ ...SHOP, base: 333.33 }, { ...STORE, base: 333.33 }, third])
    const [head, ...records] = await lines(world)
    const parts = records
      .slice(0, 3)
      .map((record) => [
        record.slice(77, 78),
        Number(record.slice(79, 92)),
        Number(record.slice(96, 109)),
        record.slice(113, 134),
      ])
    expect(parts).toEqual([
      ['1', 33_333, 6_333, '19872023VH5797S0001WX'],
      ['2', 33_333, 6_333, `4${' '.repeat(20)}`],
      ['1', 33_335, 6_334, '10000000AA0000A0003AA'],
    ])
    expect(records[1]!.slice(134, 215)).toBe(`CTRA ${'TOLEDO'.padEnd(50)}KM.00007${' '.repeat(18)}`)
    expect(head!.slice(135, 175)).toBe(`000000003 ${cents(100_001, 15)}${cents(19_000, 15)}`)
    const { bytes } = await world.run('fiscal.returnFile', YEAR)
    expect(Buffer.from(await encodeFile(await decodeFile(bytes))).equals(Buffer.from(bytes))).toBe(true)
  })

  test('has the rate last used in the year, with two decimals', async () => {
    const world = await opened()
    await rent(world, 100, 19, { issueDate: '2026-11-02', receptionDate: '2026-11-03' })
    await rent(world, 200, 9.5, { issueDate: '2026-02-02', receptionDate: '2026-02-03' })
    await inJanuary(world)
    await write(world, [SHOP])
    const [, record] = await lines(world)
    expect(record!.slice(92, 109)).toBe(`1900${cents(1900 + 1900)}`)
  })

  test('is of the premises rented in the year', async () => {
    const world = await opened()
    await rent(world, 100, 19)
    await inJanuary(world)
    await write(world, [
      { ...STORE, fromYear: 2020, toYear: 2025 },
      SHOP,
      { ...STORE, fromYear: 2027, toYear: null },
    ])
    const [, record, end] = await lines(world)
    expect([record!.slice(134, 139), end]).toEqual(['CALLE', ''])
  })
})

describe('a landlord stays out of the file', () => {
  test('without premises, by name', async () => {
    const world = await opened()
    await rent(world, 100, 19)
    await inJanuary(world)
    expect(await errorsOf(world)).toEqual([{ code: 'premises_unknown', name: NAME }])
    // Premises of another landlord do not help.
    await write(world, [{ ...SHOP, landlordNif: 'B87654323' }])
    expect(await errorsOf(world)).toEqual([{ code: 'premises_unknown', name: NAME }])
  })

  test('while the rents of several premises are not typed, or do not add up to the cent', async () => {
    const world = await opened()
    await rent(world, 100, 19)
    await inJanuary(world)
    await write(world, [{ ...SHOP, base: 40 }, STORE])
    expect(await errorsOf(world)).toEqual([{ code: 'rent_bases_missing', name: NAME }])
    await write(world, [
      { ...SHOP, base: 40 },
      { ...STORE, base: 60.01 },
    ])
    expect(await errorsOf(world)).toEqual([
      { code: 'rent_bases_differ', name: NAME, typed: 100.01, books: 100 },
    ])
    await write(world, [{ ...SHOP, base: 99 }])
    expect(await errorsOf(world)).toEqual([{ code: 'rent_bases_differ', name: NAME, typed: 99, books: 100 }])
    await write(world, [
      { ...SHOP, base: 40 },
      { ...STORE, base: 60 },
    ])
    expect(await errorsOf(world)).toEqual([])
  })

  test('without an address, without a tax number, or with rents below zero', async () => {
    const world = await opened({ contact: false })
    await rent(world, 100, 19)
    await inJanuary(world)
    await write(world, [SHOP])
    expect(await errorsOf(world)).toEqual([{ code: 'party_without_province', name: NAME }])
    await world.run('contacts.create', { name: NAME, nif: NIF, address: CLIENT_ADDRESS })
    expect(await errorsOf(world)).toEqual([])
    await rent(world, -300, 19, {
      kind: 'rectifying',
      issueDate: '2026-12-10',
      receptionDate: '2026-12-11',
      rectifies: [{ supplierNumber: 'R-0', issueDate: '2025-12-01' }],
    })
    expect(await errorsOf(world)).toEqual([{ code: 'withheld_below_zero', name: NAME }])
  })

  test('whose rates do not explain what was withheld', async () => {
    const world = await opened()
    await rent(world, 100, 19)
    await world.tamper('update withholding_figures set amount_cents = amount_cents + 2')
    await inJanuary(world)
    await write(world, [SHOP])
    expect(await errorsOf(world)).toEqual([{ code: 'rates_of_recipient_mixed', name: NAME }])
  })
})

test('a 180 with two premises is filed in a test book, and the agency takes every record', async () => {
  const world = await opened()
  await rent(world, 1200.35, 19)
  await inJanuary(world)
  await write(world, [
    { ...SHOP, base: 700.1 },
    { ...STORE, base: 500.25 },
  ])
  const preview = await world.run('fiscal.prepareFiling', YEAR)
  expect(preview.faults.filter(({ severity }) => severity === 'error')).toEqual([])
  const sending = await world.run('fiscal.fileReturn', {
    ...YEAR,
    confirmationToken: preview.confirmationToken ?? '',
  })
  expect(sending).toMatchObject({ state: 'accepted', errors: [] })
  const { bytes } = await world.run('fiscal.filedFile', { id: sending.id })
  const { records } = await decodeFile(bytes)
  expect(records[0]?.values).toMatchObject({ recipients: 2, total: 120_035, withheldTotal: 22_807 })
  expect(records.slice(1).map(({ values }) => [values['base'], values['withheld']])).toEqual([
    [70_010, 13_302],
    [50_025, 9_505],
  ])
})
