/** Records of model 190 with wages, place by place, and everything that keeps a person out of the file. */
import { describe, expect, test } from 'vitest'
import { decodeFile, encodeFile } from '../../../../../server/accounting/returns/files/file.ts'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import { CLIENT_ADDRESS, openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { purchase } from '../worked.ts'

type Recipient = InputOf<'fiscal.setWageRecipients'>['recipients'][number]
type Facts = NonNullable<Recipient['facts']>

const YEAR = { model: '190', year: 2025 } as const
const none = { total: 0, whole: 0 }

/** An employee with an odd amount in every field. */
const EVA: Recipient & { facts: Facts } = {
  nif: '50123456Q',
  name: 'Gil Mora, Eva María',
  key: 'A',
  subkey: null,
  province: '28',
  paid: 18_000.01,
  withheld: 2700.02,
  inKind: 600.03,
  inKindWithheld: 90.04,
  facts: {
    birthYear: 1980,
    familySituation: 2,
    spouseNif: '12345678Z',
    disability: 1,
    contract: 2,
    movedForJob: true,
    reductions: 10.05,
    deductibleCosts: 1143.06,
    compensatoryPensions: 20.07,
    childMaintenance: 30.08,
    inKindCharged: 40.09,
    descendants: {
      under3: { total: 1, whole: 0 },
      others: { total: 3, whole: 2 },
      disabled33: { total: 2, whole: 1 },
      reducedMobility: { total: 1, whole: 1 },
      disabled65: { total: 1, whole: 0 },
    },
    ascendants: {
      under75: { total: 1, whole: 1 },
      from75: { total: 2, whole: 0 },
      disabled33: { total: 2, whole: 1 },
      reducedMobility: { total: 1, whole: 0 },
      disabled65: { total: 1, whole: 1 },
    },
    childShares: ['whole', 'whole', 'half'],
    homeLoan: true,
    incapacityPaid: 500.1,
    incapacityWithheld: 50.11,
    incapacityInKind: 5.12,
    incapacityInKindWithheld: 1.13,
    incapacityInKindCharged: 0.14,
    startUpShares: true,
    carriedInterest: true,
  },
}
/** The least that the form asks of an employee. */
const PLAIN: Recipient & { facts: Facts } = {
  ...EVA,
  nif: '00000014Z',
  name: 'Ñíguez Çelik, Óscar',
  paid: 100,
  withheld: 0,
  inKind: 0,
  inKindWithheld: 0,
  facts: {
    birthYear: 1990,
    familySituation: 3,
    disability: 0,
    contract: 1,
    movedForJob: false,
    homeLoan: false,
    deductibleCosts: 0,
  },
}
const pays = (changes: Partial<Recipient>): Recipient => {
  const { facts: _facts, ...bare } = PLAIN
  return { ...bare, ...changes }
}

async function opened(): Promise<TestBooks> {
  const world = await openBooks({ at: '2025-12-15T10:00:00+01:00' })
  world.setTime('2026-01-15T10:00:00+01:00')
  await world.run('fiscal.setFilingSettings', {
    surnames: null,
    firstName: null,
    contactName: 'Ana Núñez',
    contactPhone: '912345678',
    iban: null,
    live: false,
  })
  return world
}

const write = (world: TestBooks, recipients: Recipient[]) =>
  world.run('fiscal.setWageRecipients', { year: 2025, recipients })

async function lines(world: TestBooks): Promise<string[]> {
  const { bytes } = await world.run('fiscal.returnFile', YEAR)
  return Buffer.from(bytes).toString('latin1').split('\r\n')
}

async function errorsOf(world: TestBooks, recipients: Recipient[]) {
  await write(world, recipients)
  const { faults, fileName } = await world.run('fiscal.prepareFiling', YEAR)
  const errors = faults.filter(({ severity }) => severity === 'error')
  expect(fileName === null).toBe(errors.length > 0)
  return errors.map(({ code, params }) => [code, params?.['name']])
}

const cents = (amount: number, width = 13): string => String(amount).padStart(width, '0')
/** Lays texts one after another, each checked against the place where the table says that it begins. */
function laid(...fields: readonly (readonly [position: number, text: string])[]): string {
  let record = ''
  for (const [position, text] of fields) {
    expect(record.length + 1, `before ${text}`).toBe(position)
    record += text
  }
  return record
}

describe('a record of model 190', () => {
  test('has every fact of an employee in its place', async () => {
    const world = await opened()
    await write(world, [EVA])
    const [head, record, end] = await lines(world)
    expect(end).toBe('')
    expect(record).toBe(
      laid(
        [1, '2'],
        [2, '190'],
        [5, '2025'],
        [9, 'B12345674'],
        [18, '50123456Q'],
        [27, ' '.repeat(9)],
        [36, 'GIL MORA EVA MARIA'.padEnd(40)],
        [76, '28'],
        [78, 'A'],
        [79, '00'],
        [81, ' '],
        [82, cents(1_800_001)],
        [95, cents(270_002)],
        [108, ' '],
        [109, cents(60_003)],
        [122, cents(9_004)],
        [135, cents(4_009)],
        [148, '0000'],
        [152, '0'],
        [153, '1980'],
        [157, '2'],
        [158, '12345678Z'],
        [167, '1'],
        [168, '2'],
        [169, '0'],
        [170, '1'],
        [171, cents(1_005)],
        [184, cents(114_306)],
        [197, cents(2_007)],
        [210, cents(3_008)],
        [223, '1'],
        [224, '0'],
        [225, '03'],
        [227, '02'],
        [229, '02'],
        [231, '01'],
        [233, '01'],
        [235, '01'],
        [237, '01'],
        [239, '00'],
        [241, '1'],
        [242, '1'],
        [243, '2'],
        [244, '0'],
        [245, '2'],
        [246, '1'],
        [247, '1'],
        [248, '0'],
        [249, '1'],
        [250, '1'],
        [251, '1'],
        [252, '1'],
        [253, '2'],
        [254, '1'],
        [255, ' '],
        [256, cents(50_010)],
        [269, cents(5_011)],
        [282, ' '],
        [283, cents(512)],
        [296, cents(113)],
        [309, cents(14)],
        [322, '0'],
        [323, '0'.repeat(65)],
        [388, '1'],
        [389, '1'],
        [390, '00000'],
        [395, ' '.repeat(106)],
      ),
    )
    expect(record).toHaveLength(500)
    // Record 1: one recipient; paid and withheld in money, in kind, and both for incapacity.
    expect(head!.slice(135, 175)).toBe(
      laid(
        [1, '000000001'],
        [10, ' '],
        [11, cents(1_800_001 + 60_003 + 50_010 + 512, 15)],
        [26, cents(270_002 + 9_004 + 5_011 + 113, 15)],
      ),
    )
  })

  test('has zeros where nothing was typed, and names as the agency takes them', async () => {
    const world = await opened()
    await write(world, [PLAIN])
    const [, record] = await lines(world)
    expect(record!.slice(17, 26)).toBe('00000014Z')
    expect(record!.slice(35, 75)).toBe('ÑIGUEZ ÇELIK OSCAR'.padEnd(40))
    expect(record!.slice(152, 170)).toBe('19903         0100')
    expect(record!.slice(170, 254)).toBe('0'.repeat(84))
    expect(record!.slice(254)).toBe(` ${'0'.repeat(26)} ${'0'.repeat(112)}${' '.repeat(106)}`)
  })

  test('of a director says to which treasury it was paid; of a pension which kinds; of others only amounts', async () => {
    const world = await opened()
    const director = pays({
      nif: '12345678Z',
      key: 'E',
      subkey: '02',
      withheld: 19.01,
      facts: {
        deductibleCosts: 7.5,
        treasuries: { state: 10, navarre: 1, alava: 2, gipuzkoa: 3, bizkaia: 3.01 },
      },
    })
    const pension = pays({
      key: 'B',
      subkey: '01',
      facts: {
        birthYear: 1950,
        familySituation: 3,
        disability: 3,
        homeLoan: false,
        residence: 'la_palma',
        pensionTypes: ['widowhood', 'otherPension'],
      },
    })
    const course = pays({ nif: '50123456Q', key: 'F', subkey: '02', withheld: 15 })
    const exempt = pays({ key: 'L', subkey: '05', facts: { deductibleCosts: 3 } })
    await write(world, [exempt, course, director, pension])
    const [head, ...rows] = await lines(world)
    // In the order of the keys, whatever the order typed.
    expect(rows.slice(0, 4).map((row) => row.slice(77, 80))).toEqual(['B01', 'E02', 'F02', 'L05'])
    const [b, e, f, l] = rows
    expect(b!.slice(151, 168)).toBe('219503         30')
    expect(b!.slice(387, 394)).toBe('0001001')
    expect(e!.slice(152, 183)).toBe(`00000         00000${'0'.repeat(12)}`)
    expect(e!.slice(183, 196)).toBe(cents(750))
    expect(e!.slice(322, 387)).toBe([1000, 100, 200, 300, 301].map((each) => cents(each)).join(''))
    expect(f!.slice(152)).toBe(
      `00000         ${'0'.repeat(88)} ${'0'.repeat(26)} ${'0'.repeat(112)}${' '.repeat(106)}`,
    )
    expect(l!.slice(183, 196)).toBe(cents(300))
    expect(head!.slice(135, 175)).toBe(`000000004 ${cents(40_000, 15)}${cents(1_901 + 1_500, 15)}`)
  })

  test('of what was paid back has its sign and its year, and lowers the total', async () => {
    const world = await opened()
    const back = { ...PLAIN, paid: -250.25, facts: { ...PLAIN.facts, dueYear: 2023 } }
    await write(world, [PLAIN, back])
    const [head, , record] = await lines(world)
    expect(record!.slice(80, 107)).toBe(`N${cents(25_025)}${cents(0)}`)
    expect(record!.slice(147, 151)).toBe('2023')
    expect(head!.slice(144, 175)).toBe(`N${cents(15_025, 15)}${cents(0, 15)}`)
  })

  test('is read back as it was written', async () => {
    const world = await opened()
    await write(world, [EVA, PLAIN])
    const { bytes } = await world.run('fiscal.returnFile', YEAR)
    const file = await decodeFile(bytes)
    expect(Buffer.from(await encodeFile(file)).equals(Buffer.from(bytes))).toBe(true)
    expect(file.records[1]?.values).toMatchObject({
      spouseNif: '12345678Z',
      child3Share: 2,
      incapacityPaid: 50_010,
    })
  })
})

describe('a person stays out of the file', () => {
  test('while nothing but the amounts is typed, and then for each fact that is missing', async () => {
    const world = await opened()
    const name = PLAIN.name
    expect(await errorsOf(world, [pays({})])).toEqual([['wage_facts_missing', name]])
    expect(await errorsOf(world, [pays({ province: null, facts: { familySituation: 2 } })])).toEqual(
      [
        'wage_province_missing',
        'wage_birth_year_missing',
        'wage_disability_missing',
        'wage_home_loan_missing',
        'wage_contract_missing',
        'wage_mobility_missing',
        'wage_costs_missing',
        'wage_spouse_missing',
      ].map((code) => [code, name]),
    )
    expect(await errorsOf(world, [PLAIN])).toEqual([])
  })

  test.each<[string, Partial<Facts>]>([
    ['wage_situation_without_children', { familySituation: 1 }],
    [
      'wage_child_shares_missing',
      {
        descendants: {
          under3: none,
          others: { total: 2, whole: 2 },
          disabled33: none,
          reducedMobility: none,
          disabled65: none,
        },
        childShares: ['whole'],
      },
    ],
    ['wage_representative_missing', { birthYear: 2013 }],
  ])('for %s', async (code, facts) => {
    const world = await opened()
    expect(await errorsOf(world, [{ ...PLAIN, facts: { ...PLAIN.facts, ...facts } }])).toEqual([
      [code, PLAIN.name],
    ])
  })

  test.each<[string, Partial<Recipient>]>([
    ['wage_subkey_missing', { key: 'B', subkey: null }],
    ['wage_subkey_missing', { key: 'K', subkey: null }],
    ['wage_key_not_written', { key: 'L', subkey: '29' }],
    ['wage_treasuries_missing', { key: 'E', subkey: '04', withheld: 10 }],
    [
      'wage_treasuries_differ',
      {
        key: 'E',
        subkey: '04',
        withheld: 10,
        facts: { treasuries: { state: 9.99, navarre: 0, alava: 0, gipuzkoa: 0, bizkaia: 0 } },
      },
    ],
    ['wage_costs_missing', { key: 'E', subkey: '01' }],
    [
      'wage_pension_types_missing',
      {
        key: 'B',
        subkey: '01',
        facts: { birthYear: 1950, familySituation: 3, disability: 0, homeLoan: false },
      },
    ],
    ['withheld_below_zero', { key: 'K', subkey: '01', paid: -10, withheld: -1 }],
    ['wage_refund_mixed', { key: 'K', subkey: '01', paid: -10 }],
    ['wage_refund_mixed', { key: 'K', subkey: '01', paid: -10, inKind: 5, facts: { dueYear: 2023 } }],
  ])('for %s: %o', async (code, changes) => {
    const world = await opened()
    expect(await errorsOf(world, [pays(changes)])).toEqual([[code, PLAIN.name]])
  })

  test('keys that ask nothing more are written from their amounts', async () => {
    const world = await opened()
    const rows = [
      pays({ key: 'J' }),
      pays({ key: 'K', subkey: '03' }),
      pays({ key: 'I', subkey: '02', facts: { reductions: 3.3 } }),
      pays({ key: 'B', subkey: '02' }),
      pays({ key: 'F', subkey: '07' }),
      pays({ key: 'E', subkey: '03' }),
    ]
    expect(await errorsOf(world, rows)).toEqual([])
  })
})

describe('in a test book', () => {
  test('a 190 with wages and a professional is filed, and the agency takes every record', async () => {
    const world = await openBooks({ at: '2025-12-15T10:00:00+01:00' })
    await world.run('contacts.create', { name: 'Asesor', nif: '12345678Z', address: CLIENT_ADDRESS })
    await world.run(
      'received.create',
      purchase({
        supplierName: 'Asesor',
        supplierNif: '12345678Z',
        supplierNumber: 'A-1',
        issueDate: '2025-11-03',
        receptionDate: '2025-11-04',
        taxLines: [{ base: 1000, vatRate: 21 }],
        withholding: { rate: 15, reason: 'professional' },
      }),
    )
    world.setTime('2026-01-15T10:00:00+01:00')
    await world.run('fiscal.setFilingSettings', {
      surnames: null,
      firstName: null,
      contactName: 'Ana Núñez',
      contactPhone: '912345678',
      iban: null,
      live: false,
    })
    await write(world, [EVA, PLAIN])
    const preview = await world.run('fiscal.prepareFiling', YEAR)
    expect(preview.faults.filter(({ severity }) => severity === 'error')).toEqual([])
    const sending = await world.run('fiscal.fileReturn', {
      ...YEAR,
      confirmationToken: preview.confirmationToken ?? '',
    })
    expect(sending).toMatchObject({ state: 'accepted', errors: [] })
    const { bytes } = await world.run('fiscal.filedFile', { id: sending.id })
    const { records } = await decodeFile(bytes)
    expect(records.map(({ values }) => values['incomeKey'])).toEqual([undefined, 'A', 'A', 'G'])
    expect(records[0]?.values).toMatchObject({
      recipients: 3,
      total: 1_800_001 + 60_003 + 50_010 + 512 + 10_000 + 100_000,
      withheldTotal: 270_002 + 9_004 + 5_011 + 113 + 15_000,
    })
    // The page states the same sums.
    const { boxes } = await world.run('fiscal.model', YEAR)
    expect(boxes.map(({ amount }) => amount)).toEqual([3, 20_205.26, 2991.3])
  })
})
