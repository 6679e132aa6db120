/** A worked quarter of IGIC: its boxes by hand, the draft, what passes to the next quarter, and the year beside it. */
import { describe, expect, test } from 'vitest'
import { countOperation } from '../../../../../server/tax/totals/index.ts'
import type { Operation, OperationTax } from '../../../../../server/tax/totals/index.ts'
import { ROUTES, send } from '../../../../support/examples/index.ts'
import { RETURN_EXAMPLES } from '../../../../support/examples/returns.ts'
import { openWorld } from '../../../../support/world.ts'
import { faultsOfRefusal, openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'

type Line = Partial<OperationTax> & Pick<OperationTax, 'baseCents' | 'taxCents'>

/** Each document has one line. */
const documentOf = (
  id: number,
  side: Operation['side'],
  date: string,
  line: Line,
  more: Partial<Operation> = {},
): Operation => ({
  source: { type: side === 'issued' ? 'invoice' : 'received', id },
  side,
  date,
  rectifying: false,
  cash: false,
  taxes: [
    {
      tax: 'igic',
      taxTreatment: 'S1',
      regimeKey: '01',
      vatRateBp: 700,
      surchargeRateBp: null,
      surchargeCents: 0,
      ...line,
    },
  ],
  party: { nif: 'B35000017', name: 'Guanche, S.L.', country: 'ES', idType: null },
  totalCents: line.baseCents + line.taxCents,
  withholding: null,
  ...more,
})

const DAY = '2026-05-10'
const deducted = (cents: number): Partial<OperationTax> => ({ deductibleCents: cents })

/** The second quarter of 2026, after a first one that leaves 120 euros to offset. */
const WORKED: readonly Operation[] = [
  documentOf(1, 'received', '2026-02-10', { baseCents: 171_429, taxCents: 12_000, ...deducted(12_000) }),
  documentOf(2, 'issued', DAY, { baseCents: 1_000_000, taxCents: 70_000 }),
  documentOf(3, 'issued', DAY, { baseCents: 200_000, taxCents: 6_000, vatRateBp: 300 }),
  documentOf(4, 'received', DAY, { taxTreatment: 'S2', baseCents: 50_000, taxCents: 3_500 }),
  documentOf(5, 'issued', DAY, { baseCents: -30_000, taxCents: -2_100 }, { rectifying: true }),
  documentOf(6, 'received', DAY, { baseCents: 400_000, taxCents: 28_000, ...deducted(28_000) }),
  documentOf(7, 'received', DAY, {
    baseCents: 100_000,
    taxCents: 7_000,
    investment: true,
    ...deducted(7_000),
  }),
  documentOf(
    8,
    'received',
    DAY,
    { baseCents: 50_000, taxCents: 3_500, nature: 'goods', place: 'non_eu', ...deducted(3_500) },
    { outsideThirdParties: true },
  ),
  documentOf(
    9,
    'received',
    DAY,
    { baseCents: -10_000, taxCents: -700, ...deducted(-700) },
    { rectifying: true },
  ),
]

const Q2 = { year: 2026, quarter: 2 }
const Q4 = { year: 2026, quarter: 4 }

async function islandBooks(documents: readonly Operation[] = WORKED): Promise<TestBooks> {
  const world = await openBooks({ at: '2026-07-05T12:00:00+01:00' })
  await world.tamper("update companies set territory = 'canary', postal_code = '35001'")
  await world.test.transaction(async (tx) => {
    for (const each of documents) await countOperation(tx, each, 1)
  })
  return world
}

async function amountsOf(world: TestBooks, input: { model: '420' | '425'; year: number; quarter?: number }) {
  const { boxes } = await world.run('fiscal.model', input)
  return Object.fromEntries(
    boxes.filter(({ amount }) => amount !== 0).map(({ box, amount }) => [box, amount]),
  )
}

describe('model 420', () => {
  test('has the boxes of a worked quarter', async () => {
    const world = await islandBooks()
    expect(await amountsOf(world, { model: '420', ...Q2 })).toEqual({
      '04': 2000,
      '05': 3,
      '06': 60,
      '07': 10_000,
      '08': 7,
      '09': 700,
      '19': 500,
      '20': 35,
      '21': -300,
      '22': -21,
      // 700 + 60 + 35 - 21
      '25': 774,
      '26': 4000,
      '27': 280,
      '28': 1000,
      '29': 70,
      '30': 500,
      '31': 35,
      '34': -100,
      '35': -7,
      // 280 + 70 + 35 - 7
      '40': 378,
      '41': 396,
      '43': 120,
      '45': 276,
    })
    const model = await world.run('fiscal.model', { model: '420', ...Q2 })
    expect(model).toMatchObject({
      result: 276,
      outcome: 'pay',
      applies: true,
      computed: true,
      dueFrom: '2026-07-01',
      dueTo: '2026-07-20',
      directDebitTo: '2026-07-15',
      sure: 'computed',
    })
  })

  test('counts the documents behind each box', async () => {
    const world = await islandBooks([documentOf(2, 'issued', DAY, { baseCents: 100, taxCents: 7 })])
    const { boxes } = await world.run('fiscal.model', { model: '420', ...Q2 })
    expect(boxes.filter(({ documents }) => documents === 1).map(({ box }) => box)).toEqual(['07', '09'])
  })

  test('gives 5 % a line of its own while one is free, and says when there are more rates than lines', async () => {
    const sale = (id: number, vatRateBp: number) =>
      documentOf(id, 'issued', DAY, { baseCents: 10_000, taxCents: vatRateBp, vatRateBp })
    const rates = [0, 300, 500, 700, 950, 1500]
    const world = await islandBooks(rates.map((bp, index) => sale(index + 1, bp)))
    const box = (model: { boxes: { box: string; amount: number }[] }, number: string) =>
      model.boxes.find((each) => each.box === number)?.amount
    const six = await world.run('fiscal.model', { model: '420', ...Q2 })
    expect([box(six, '17'), box(six, '16'), box(six, '18')]).toEqual([5, 100, 5])
    expect([box(six, '01'), box(six, '02'), box(six, '03')]).toEqual([100, 0, 0])
    expect(six.warnings.map(({ code }) => code)).not.toContain('rates_share_line')
    await world.test.transaction(async (tx) => {
      await countOperation(tx, sale(7, 2000), 1)
    })
    const seven = await world.run('fiscal.model', { model: '420', ...Q2 })
    expect(seven.warnings).toContainEqual(expect.objectContaining({ code: 'rates_share_line', count: 1 }))
    // Nothing is lost: 3 + 5 + 7 + 9.50 + 15 + 20.
    expect(box(seven, '25')).toBe(59.5)
    // The rate of a shared line stays empty: the filer decides.
    expect(box(seven, '05')).toBe(0)
    const year = await world.run('fiscal.model', { model: '425', year: 2026 })
    expect([box(year, '17 bis'), box(year, '18 bis')]).toEqual([5, 5])
    expect(year.warnings.map(({ code }) => code)).not.toContain('rates_share_line')
  })

  test('takes off the whole of what is left, and nothing after a refund', async () => {
    const world = await islandBooks([
      documentOf(1, 'received', '2026-02-10', { baseCents: 100_000, taxCents: 7_000, ...deducted(7_000) }),
      documentOf(2, 'issued', DAY, { baseCents: 20_000, taxCents: 1_400 }),
      documentOf(3, 'issued', '2026-08-10', { baseCents: 10_000, taxCents: 700 }),
    ])
    const carried = async (year: number, quarter: number) => {
      const found = await amountsOf(world, { model: '420', year, quarter })
      return [found['43'] ?? 0, found['45'] ?? 0]
    }
    expect(await carried(2026, 1)).toEqual([0, -70])
    expect(await carried(2026, 2)).toEqual([70, -56])
    expect(await carried(2026, 3)).toEqual([56, -49])
    expect(await carried(2026, 4)).toEqual([49, -49])
    expect(await amountsOf(world, { model: '425', year: 2026 })).toMatchObject({ '115': -49, '118': 49 })
    world.setTime('2027-01-15T12:00:00+00:00')
    await world.run('fiscal.markFiled', { model: '420', ...Q4, outcome: 'refund' })
    expect(await carried(2027, 1)).toEqual([0, 0])
    const year = await amountsOf(world, { model: '425', year: 2026 })
    expect(year).toMatchObject({ '115': -49, '119': 49 })
    expect(year['118']).toBeUndefined()
  })

  test('takes typed amounts where only a person knows them', async () => {
    const world = await islandBooks()
    await world.run('fiscal.setInput', { model: '420', ...Q2, box: '24', amount: 10 })
    await world.run('fiscal.setInput', { model: '420', ...Q2, box: '37', amount: 5 })
    expect(await amountsOf(world, { model: '420', ...Q2 })).toMatchObject({ '25': 764, '40': 383, '45': 261 })
    expect(await amountsOf(world, { model: '425', year: 2026 })).toMatchObject({ '78': 10, '91': 5 })
    expect(
      await faultsOfRefusal(world.run('fiscal.setInput', { model: '420', ...Q2, box: '07', amount: 1 })),
    ).toEqual(['box: not_allowed'])
  })
})

describe('a complementary 420', () => {
  const file = (world: TestBooks, more: object = {}) =>
    world.run('fiscal.markFiled', { model: '420', ...Q2, ...more })
  const late = (id: number, side: Operation['side'], taxCents: number) =>
    documentOf(id, side, DAY, {
      baseCents: 100_000,
      taxCents,
      ...(side === 'received' ? deducted(taxCents) : {}),
    })

  test('takes off what the first one paid, and the year counts both', async () => {
    const world = await islandBooks()
    world.setTime('2026-07-15T12:00:00+01:00')
    await file(world)
    await world.test.transaction((tx) => countOperation(tx, late(20, 'issued', 7_000), 1))
    const before = await amountsOf(world, { model: '425', year: 2026 })
    const { model } = await file(world, { nature: 'complementary', reference: '4200000000002' })
    expect(model.filing).toMatchObject({ result: 70, outcome: 'pay', differences: [] })
    // 276 and 70: what both pay.
    expect([before['116'], (await amountsOf(world, { model: '425', year: 2026 }))['116']]).toEqual([276, 346])
    const next = await amountsOf(world, { model: '420', year: 2026, quarter: 3 })
    expect([next['43'], next['45']]).toEqual([undefined, undefined])
    const withdrawn = await world.run('fiscal.withdrawFiling', { model: '420', ...Q2 })
    expect(withdrawn.filing).toMatchObject({ result: 276 })
  })

  test('is drafted with its mark, the receipt of the first one and what that one paid', async () => {
    const world = await islandBooks()
    world.setTime('2026-07-15T12:00:00+01:00')
    await file(world)
    await world.test.transaction((tx) => countOperation(tx, late(20, 'issued', 7_000), 1))
    const { bytes } = await world.run('fiscal.returnDraft', {
      model: '420',
      ...Q2,
      outcome: 'offset',
      nature: 'complementary',
      previousReceipt: '4200000000001',
    })
    const text = Buffer.from(bytes).toString('latin1')
    expect(text).toContain('<DEC MOD="420" ANY="2026" PER="2T" COM="X" NJA="4200000000001">')
    expect(text).toContain('<LIQ DIF="46600" CPA="12000" DAC="27600" RLI="7000"/><RES TIP="I" IMP="7000"/>')
  })

  test('is refused without a first one, where it lowers what is paid, and as one that replaces', async () => {
    const world = await islandBooks()
    world.setTime('2026-07-15T12:00:00+01:00')
    expect(await faultsOfRefusal(file(world, { nature: 'complementary' }))).toEqual([
      'nature: earlier_unknown',
    ])
    await file(world)
    expect(await faultsOfRefusal(file(world, { nature: 'substitutive' }))).toEqual([
      'nature: nature_not_allowed',
    ])
    await world.test.transaction((tx) => countOperation(tx, late(21, 'received', 7_000), 1))
    expect(await faultsOfRefusal(file(world, { nature: 'complementary' }))).toEqual([
      'nature: complementary_lowers',
    ])
    expect(
      await faultsOfRefusal(
        world.run('fiscal.markFiled', { model: '420', year: 2026, quarter: 1, outcome: 'refund' }),
      ),
    ).toEqual(['outcome: refund_not_now'])
  })

  test('a second 425 replaces the first', async () => {
    const world = await islandBooks()
    world.setTime('2027-01-15T12:00:00+00:00')
    await world.run('fiscal.markFiled', { model: '425', year: 2026 })
    await world.test.transaction((tx) => countOperation(tx, late(20, 'issued', 7_000), 1))
    const { model } = await world.run('fiscal.markFiled', {
      model: '425',
      year: 2026,
      nature: 'substitutive',
    })
    expect(model.filing?.differences).toEqual([])
  })
})

describe('model 425', () => {
  test('says which sums differ from the returns that were filed', async () => {
    const world = await islandBooks()
    world.setTime('2026-07-15T12:00:00+01:00')
    await world.run('fiscal.markFiled', { model: '420', ...Q2 })
    await world.test.transaction(async (tx) => {
      const forgotten = documentOf(10, 'received', DAY, {
        baseCents: 10_000,
        taxCents: 700,
        ...deducted(700),
      })
      await countOperation(tx, forgotten, 1)
    })
    const { lists, warnings } = await world.run('fiscal.model', { model: '425', year: 2026 })
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'quarters_differ', count: 3 }))
    expect(lists[0]?.rows).toEqual([
      ['26 · 80', '26 · 80', 5714.29, 5814.29, 100],
      ['27 · 81', '27 · 81', 400, 407, 7],
      ['40 · 94', '40 · 94', 498, 505, 7],
    ])
  })

  test('is filed by a small business, which fills in its part only', async () => {
    const world = await islandBooks([
      documentOf(1, 'issued', DAY, {
        taxTreatment: 'E7',
        regimeKey: '18',
        vatRateBp: null,
        baseCents: 1_234_56,
        taxCents: 0,
      }),
    ])
    expect(await amountsOf(world, { model: '425', year: 2026 })).toEqual({ '142': 1234.56, '147': 1234.56 })
    expect((await world.run('fiscal.model', { model: '425', year: 2026 })).applies).toBe(true)
  })
})

describe('the limit of the small-business scheme', () => {
  const sold = async (euros: number) => {
    const world = await islandBooks([
      documentOf(1, 'issued', DAY, {
        taxTreatment: 'E7',
        regimeKey: '18',
        vatRateBp: null,
        baseCents: euros * 100,
        taxCents: 0,
      }),
    ])
    await world.tamper("update companies set vat_regime = 'small_business'")
    const { warnings } = await world.run('fiscal.models', Q4)
    return warnings.filter(({ code }) => code.startsWith('scheme_limit'))
  }

  test('is named from four fifths on, and when it is passed', async () => {
    expect(await sold(23_999)).toEqual([])
    expect(await sold(24_000)).toEqual([
      expect.objectContaining({ code: 'scheme_limit_near', amounts: { sold: 24_000, limit: 30_000 } }),
    ])
    expect((await sold(30_000)).map(({ code }) => code)).toEqual(['scheme_limit_near'])
    expect((await sold(30_001)).map(({ code }) => code)).toEqual(['scheme_limit_passed'])
  })

  test('is no matter of any other company, and what is not checked is said', async () => {
    const codesUnder = async (regime: string) => {
      const world = await islandBooks()
      await world.tamper(`update companies set vat_regime = '${regime}'`)
      const { warnings } = await world.run('fiscal.models', Q4)
      return warnings.map(({ code }) => code).filter((code) => code.startsWith('scheme'))
    }
    expect(await codesUnder('general')).toEqual([])
    expect(await codesUnder('retailer')).toEqual(['scheme_conditions'])
  })
})

describe('the draft of model 420', () => {
  const draftOf = async (world: TestBooks, input: { year: number; quarter: number }) =>
    Buffer.from(
      (await world.run('fiscal.returnDraft', { model: '420', outcome: 'offset', nature: 'first', ...input }))
        .bytes,
    ).toString('latin1')

  test('says that it is one, in its name and inside', async () => {
    const world = await islandBooks()
    const { fileName } = await world.run('fiscal.returnDraft', {
      model: '420',
      ...Q2,
      outcome: 'offset',
      nature: 'first',
    })
    expect(fileName).toMatch(/^BORRADOR-420-2026-2T-/)
    expect(await draftOf(world, Q2)).toContain('no es un fichero que se pueda presentar')
  })

  test('has the amounts in cents and the rates in hundredths of a point', async () => {
    const text = await draftOf(await islandBooks(), Q2)
    expect(text.slice(text.indexOf('<IGI_DEV')).trimEnd()).toBe(
      '<IGI_DEV TOT="77400"><DEV BAS="200000" TIP="300" CUO="6000"/><DEV BAS="1000000" TIP="700" CUO="70000"/>' +
        '<OIN BAS="50000" TIP="700" CUO="3500"/><MBC BAS="-30000" TIP="700" CUO="-2100"/></IGI_DEV>' +
        '<IGI_DED TOT="37800"><OIC BAS="400000" CUO="28000"/><OII BAS="100000" CUO="7000"/>' +
        '<IMC BAS="50000" CUO="3500"/><RED BAS="-10000" CUO="-700"/></IGI_DED>' +
        '<LIQ DIF="39600" CPA="12000" RLI="27600"/><RES TIP="I" IMP="27600"/></DEC>',
    )
    expect(text).toMatch(/^<\?xml version="1.0" encoding="ISO-8859-1"\?>\n<!--/)
    expect(text).toContain('<DEC MOD="420" ANY="2026" PER="2T">')
  })

  test('names the kind of result: offset, no activity, and a refund in the fourth quarter only', async () => {
    const world = await islandBooks()
    expect(await draftOf(world, { year: 2026, quarter: 1 })).toContain('<RES TIP="C" IMP="12000"/>')
    const empty = await islandBooks([])
    expect(await draftOf(empty, { year: 2026, quarter: 1 })).toContain('<RES TIP="S" IMP="00"/>')
    expect(
      await faultsOfRefusal(
        world.run('fiscal.returnDraft', { model: '420', ...Q2, outcome: 'refund', nature: 'first' }),
      ),
    ).toEqual(['outcome: refund_not_now'])
  })

  test('writes names with any letter', async () => {
    const world = await islandBooks([])
    await world.tamper(`update companies set legal_name = 'Peñón & "Ñu" – Łódź <S.L.>'`)
    const bytes = (
      await world.run('fiscal.returnDraft', { model: '420', ...Q2, outcome: 'offset', nature: 'first' })
    ).bytes
    expect(Buffer.from(bytes).toString('latin1')).toContain(
      'NRS="Peñón &amp; &quot;Ñu&quot; &#8211; &#321;ód&#378; &lt;S.L.&gt;"',
    )
  })

  test('is answered to the example of the description, for a company of the islands', async () => {
    const world = await openWorld({
      at: '2026-07-05T12:00:00+01:00',
      company: {
        territory: 'canary',
        address: { street: 'Calle Triana, 1', postalCode: '35002', city: 'Las Palmas', country: 'ES' },
      },
    })
    const example = RETURN_EXAMPLES['fiscal.returnDraft']()
    const answer = await send(world, ROUTES.find(({ name }) => name === 'fiscal.returnDraft')!.rest, example)
    expect(answer.status, answer.raw.body).toBe(200)
    expect(answer.raw.body).toContain('<DEC MOD="420" ANY="2026" PER="2T">')
  })

  test('is refused to a business of the mainland', async () => {
    const world = await openBooks()
    expect(
      await faultsOfRefusal(
        world.run('fiscal.returnDraft', { model: '420', ...Q2, outcome: 'offset', nature: 'first' }),
      ),
    ).toEqual(['model: other_territory'])
  })
})

describe('a file of a return of the islands', () => {
  test.each([
    ['420', Q2],
    ['425', { year: 2026 }],
    ['415', { year: 2026 }],
  ] as const)('is refused for the %s: no layout is public', async (model, period) => {
    const world = await islandBooks()
    await expect(world.run('fiscal.returnFile', { model, ...period, nature: 'first' })).rejects.toMatchObject(
      { code: 'no_file_layout', details: { model } },
    )
  })
})

describe('the returns of a territory', () => {
  const modelsOf = async (territory: string) => {
    const world = await openBooks({ at: '2026-07-05T12:00:00+02:00' })
    await world.tamper(`update companies set territory = '${territory}'`)
    return world.run('fiscal.models', Q4)
  }
  const numbers = ({ models }: { models: readonly { model: string }[] }) => models.map(({ model }) => model)

  test('on the mainland are those of VAT, and none is named as prepared elsewhere', async () => {
    const found = await modelsOf('mainland')
    expect(numbers(found).filter((model) => model.startsWith('4'))).toEqual([])
    expect(numbers(found)).toEqual(expect.arrayContaining(['303', '390', '347']))
    expect(found.elsewhere).toEqual([])
  })

  test('in the Canary Islands are those of IGIC and of income tax, beside those that are named only', async () => {
    const found = await modelsOf('canary')
    expect(numbers(found)).toEqual(expect.arrayContaining(['420', '425', '415', '111', '130']))
    expect(numbers(found)).not.toContain('303')
    expect(found.elsewhere.map(({ model }) => model)).toEqual(['412', '421', '416', '417', '400'])
  })

  test('in Ceuta and Melilla has no return of IPSI, and says so', async () => {
    const found = await modelsOf('ceuta_melilla')
    for (const model of ['303', '390', '420', '425']) expect(numbers(found)).not.toContain(model)
    expect(found.elsewhere.map(({ model }) => model)).toEqual([null, '347'])
  })

  test('of a foral treasury are none here: its forms are named, and nothing is computed', async () => {
    const found = await modelsOf('basque')
    expect(found.models).toEqual([])
    // Every form of the State that applies there in another form, income tax, and books.
    expect(found.elsewhere.every(({ model }) => model === null)).toBe(true)
    const names = found.elsewhere.map(({ name }) => name.en).join('; ')
    for (const model of [
      '303',
      '309',
      '130',
      '131',
      '111',
      '115',
      '123',
      '349',
      '369',
      '390',
      '347',
      '190',
      '180',
    ])
      expect(names).toContain(`(${model} of the State)`)
    for (const model of ['420', '425', '415']) expect(names).not.toContain(model)
    expect(found.elsewhere).toHaveLength(15)
    const world = await openBooks({ at: '2026-07-05T12:00:00+02:00' })
    await world.tamper("update companies set territory = 'basque'")
    for (const model of ['303', '390', '115', '349'] as const)
      expect(await world.run('fiscal.model', { model, ...Q2 })).toMatchObject({
        applies: false,
        computed: false,
        why: 'foral_treasury',
        boxes: [],
      })
    expect((await world.run('fiscal.summary', Q2)).obligations).toEqual([])
    expect((await world.run('fiscal.deadlines', {})).deadlines).toEqual([])
  })

  test('whether services to businesses of the Union belong to a statement is not known in the islands', async () => {
    const world = await islandBooks([
      documentOf(
        1,
        'issued',
        DAY,
        { taxTreatment: 'N2', vatRateBp: null, baseCents: 50_000, taxCents: 0, nature: 'services' },
        { party: { nif: 'FR40303265045', name: 'Client SARL', country: 'FR', idType: '02' } },
      ),
    ])
    expect(await world.run('fiscal.model', { model: '349', ...Q2 })).toMatchObject({
      applies: null,
      computed: false,
      why: 'eu_of_territory',
      boxes: [],
    })
    expect(await amountsOf(world, { model: '420', ...Q2 })).toEqual({ '47': 500 })
  })

  test('whether the list of the State is due in the islands is not known', async () => {
    const world = await islandBooks()
    const found = await world.run('fiscal.model', { model: '347', year: 2026 })
    expect(found).toMatchObject({ applies: null, computed: false, why: 'list_of_territory' })
    expect(
      (await world.run('fiscal.model', { model: '415', year: 2026 })).lists[0]?.rows[0]?.slice(0, 3),
    ).toEqual(['B35000017', 'Guanche, S.L.', 12_439])
  })
})

test('the close of a quarter settles the IGIC by its return', async () => {
  const world = await openBooks({ at: '2026-05-10T12:00:00+01:00' })
  const bought = (supplierNumber: string, base: number) =>
    world.run('received.create', {
      supplierNumber,
      supplierName: 'Guanche, S.L.',
      supplierNif: 'A58818501',
      issueDate: '2026-05-10',
      receptionDate: '2026-05-10',
      taxLines: [{ base, vatRate: 21 }],
    })
  await bought('A1', 100)
  await world.tamper("update companies set territory = 'canary'")
  world.setTime('2026-07-05T12:00:00+01:00')
  const step = async () => (await world.run('fiscal.closing', Q2)).steps.find(({ id }) => id === 'vat_entry')
  expect(await step()).toMatchObject({ state: 'missing', why: 'file_first' })
  await world.run('fiscal.markFiled', { model: '420', ...Q2 })
  // The books have VAT of the mainland, which the return of IGIC does not: a person has to look.
  expect(await step()).toMatchObject({ state: 'missing', why: 'differs' })
  await expect(world.run('fiscal.enterVat', Q2)).rejects.toMatchObject({ code: 'vat_entry_differs' })
})
