/** Returns by months: their figures, what passes between them, their files, lists, deadlines, notices and the interfaces. */
import { describe, expect, test } from 'vitest'
import { decodeFile } from '../../../../../server/accounting/returns/files/file.ts'
import { announceDeadlines } from '../../../../../server/accounting/returns/index.ts'
import { faultsOfRefusal, openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { stateSchemes } from '../../../../support/schemes.ts'
import { openWorld } from '../../../../support/world.ts'
import { FRENCH, line, purchase } from '../worked.ts'

const IBAN = 'ES9121000418450200051332'
const month = (at: number, year = 2027) => ({ model: '303', year, month: at }) as const

async function sell(world: TestBooks, date: string, base: number) {
  world.setTime(`${date}T10:00:00Z`)
  await world.invoice({ issueDate: date, lines: [line(base)] })
}

async function buy(world: TestBooks, date: string, base: number) {
  world.setTime(`${date}T10:00:00Z`)
  await world.run(
    'received.create',
    purchase({
      supplierNumber: `P-${date}`,
      issueDate: date,
      receptionDate: date,
      taxLines: [{ base, vatRate: 21 }],
    }),
  )
}

/**
 * Opens books that file by quarters in 2026, and by months in 2027 for the register of refunds: 4T 2026 leaves 210 euros,
 * January 2027 pays 100 of them, February is in favour, March pays.
 */
async function overTheYear(): Promise<TestBooks> {
  const world = await openBooks({ at: '2026-11-10T10:00:00Z' })
  await buy(world, '2026-11-10', 1_000)
  await sell(world, '2027-01-15', 500)
  await buy(world, '2027-02-10', 2_000)
  await sell(world, '2027-03-10', 3_000)
  await stateSchemes(world, 2026)
  await stateSchemes(world, 2027, { refundRegister: true })
  world.setTime('2027-04-05T10:00:00Z')
  return world
}

async function boxesOf(
  world: TestBooks,
  place: { model: '303'; year: number; quarter?: number; month?: number },
) {
  const { boxes } = await world.run('fiscal.model', place)
  const of = (name: string) => boxes.find(({ box }) => box === name)?.amount
  return { before: of('110'), applied: of('78'), left: of('87'), result: of('71') }
}

describe('the amount carried forward', () => {
  test('passes from the last quarter of a year to the first month of the next, and on', async () => {
    const world = await overTheYear()
    expect(await boxesOf(world, { model: '303', year: 2026, quarter: 4 })).toMatchObject({ result: -210 })
    expect(await boxesOf(world, month(1))).toEqual({ before: 210, applied: 105, left: 105, result: 0 })
    expect(await boxesOf(world, month(2))).toEqual({ before: 105, applied: 0, left: 105, result: -420 })
    expect(await boxesOf(world, month(3))).toEqual({ before: 525, applied: 525, left: 0, result: 105 })
  })

  test('is what was filed: a refund leaves nothing of its month', async () => {
    const world = await overTheYear()
    await world.run('fiscal.markFiled', { ...month(2), outcome: 'refund' })
    expect(await boxesOf(world, month(3))).toEqual({ before: 105, applied: 105, left: 0, result: 525 })
  })

  test('passes from the last month of a year to the first quarter of the next', async () => {
    const world = await overTheYear()
    await buy(world, '2027-12-10', 1_000)
    await sell(world, '2028-02-10', 200)
    await stateSchemes(world, 2028)
    expect(await boxesOf(world, month(12))).toMatchObject({ result: -210 })
    expect(await boxesOf(world, { model: '303', year: 2028, quarter: 1 })).toMatchObject({
      before: 210,
      applied: 42,
      left: 168,
    })
  })

  test('is as typed for a month', async () => {
    const world = await overTheYear()
    await world.run('fiscal.setInput', { ...month(1), box: '110', amount: 40 })
    expect(await boxesOf(world, month(1))).toMatchObject({ before: 40, applied: 40, result: 65 })
  })
})

describe('the file of a month', () => {
  test('names the month, its marks and answers about fuel from February on', async () => {
    const world = await overTheYear()
    for (const [at, fuelPayments] of [
      [1, 0],
      [2, 2],
      [3, 2],
    ] as const) {
      const { bytes, fileName } = await world.run('fiscal.returnFile', month(at))
      const file = await decodeFile(bytes)
      expect([fileName, file.period]).toEqual([`303-2027-0${at}.txt`, `0${at}`])
      const marks = file.records[0]?.values ?? {}
      expect(marks).toMatchObject({ period: `0${at}`, monthlyRefunds: 1, voluntarySii: 2 })
      expect(marks['excusedFrom390'] ?? 0).toBe(0)
      expect(marks['fuelPayments'] ?? 0).toBe(fuelPayments)
    }
  })

  test('asks for a refund in any month of the register, and is taken by the agency', async () => {
    const world = await overTheYear()
    const preview = await world.run('fiscal.prepareFiling', { ...month(2), kind: 'D', iban: IBAN })
    expect(preview.faults.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(preview).toMatchObject({ period: '02', kinds: ['C', 'D', 'V', 'X'], kind: 'D', result: -420 })
    const sending = await world.run('fiscal.fileReturn', {
      ...month(2),
      confirmationToken: preview.confirmationToken ?? '',
    })
    expect(sending).toMatchObject({ state: 'accepted', period: '02', kind: 'D', errors: [] })
    expect((await world.run('fiscal.model', month(2))).filing).toMatchObject({
      outcome: 'refund',
      result: -420,
    })
    expect((await world.run('fiscal.prepareFiling', month(3))).previous).toEqual({
      period: '02',
      year: 2027,
      result: -420,
    })
  })

  test('of a large company outside the register asks for none before December', async () => {
    const world = await overTheYear()
    await stateSchemes(world, 2027, { largeCompany: true })
    expect((await world.run('fiscal.prepareFiling', month(2))).kinds).toEqual(['C'])
    expect(
      await faultsOfRefusal(world.run('fiscal.returnFile', { ...month(2), kind: 'D', iban: IBAN })),
    ).toContain('kind: kind_not_of_result')
    await buy(world, '2027-12-10', 1_000)
    world.setTime('2028-01-12T10:00:00Z')
    expect((await world.run('fiscal.prepareFiling', month(12))).kinds).toEqual(['C', 'D', 'V', 'X'])
  })

  test('of another program is compared and stored, once its year is stated so', async () => {
    const world = await overTheYear()
    const { bytes } = await world.run('fiscal.returnFile', month(3))
    const content = Buffer.from(bytes).toString('base64')
    await stateSchemes(world, 2027)
    expect(await world.run('fiscal.readFile', { content })).toMatchObject({ notCompared: 'other_period' })
    await stateSchemes(world, 2027, { refundRegister: true })
    expect(await world.run('fiscal.readFile', { content })).toMatchObject({
      notCompared: null,
      canImport: true,
      comparison: { against: 'computed', differences: 0 },
    })
    await world.run('fiscal.importFiling', { content })
    expect((await world.run('fiscal.model', month(3))).filing).toMatchObject({ source: 'file', result: 105 })
  })
})

describe('the list of a quarter', () => {
  const listed = async (world: TestBooks, year: number, quarter: number) =>
    (await world.run('fiscal.models', { year, quarter })).models.map(
      ({ model, period }) => `${model} ${period}`,
    )

  test('has the returns of its months where they are filed so', async () => {
    const world = await overTheYear()
    const list = await listed(world, 2027, 1)
    expect(list.filter((each) => each.startsWith('303'))).toEqual(['303 01', '303 02', '303 03'])
    expect(list).toEqual(expect.arrayContaining(['111 1T', '130 1T', '349 1T']))
    expect((await listed(world, 2026, 4)).filter((each) => each.startsWith('303'))).toEqual(['303 4T'])
    await stateSchemes(world, 2027, { largeCompany: true, monthly349: true })
    const large = await listed(world, 2027, 1)
    expect(large).toEqual(
      expect.arrayContaining(['111 01', '111 03', '115 02', '349 03', '130 1T', '369 1T']),
    )
    expect(large).not.toEqual(expect.arrayContaining(['111 1T']))
  })

  test('counts wages typed for a month, which say nothing of the others', async () => {
    const world = await overTheYear()
    await stateSchemes(world, 2027, { largeCompany: true })
    for (const box of ['01', '02', '03', '04', '05', '06'])
      await world.run('fiscal.setInput', { model: '111', year: 2027, month: 2, box, amount: 0 })
    const applies = async (at: number) =>
      (await world.run('fiscal.model', { model: '111', year: 2027, month: at })).applies
    expect([await applies(1), await applies(2), await applies(3)]).toEqual([null, false, null])
  })

  test('a return names the periods before and after it, over a change of the periods', async () => {
    const world = await overTheYear()
    const around = async (place: Parameters<typeof boxesOf>[1]) => {
      const { earlier, later } = await world.run('fiscal.model', place)
      return [earlier, later].map(({ year, period }) => `${period} ${year}`)
    }
    expect(await around(month(1))).toEqual(['4T 2026', '02 2027'])
    expect(await around({ model: '303', year: 2026, quarter: 4 })).toEqual(['3T 2026', '01 2027'])
  })
})

describe('days', () => {
  test('are those of the stated periods; a filter asks for others', async () => {
    const world = await overTheYear()
    const days = async (filer?: 'quarterly' | 'monthly') =>
      (
        await world.run('fiscal.deadlines', {
          from: '2027-01-01',
          to: '2027-05-31',
          ...(filer ? { filer } : {}),
        })
      ).deadlines.flatMap(({ model, period, due }) => (model === '303' ? [`${period} ${due}`] : []))
    expect(await days()).toEqual([
      '4T 2027-02-01',
      '01 2027-03-01',
      '02 2027-03-30',
      '03 2027-04-30',
      '04 2027-05-31',
    ])
    expect(await days('quarterly')).toEqual(['4T 2027-02-01', '1T 2027-04-20'])
  })

  test('give notices and stand among the next ones by months', async () => {
    const world = await openWorld({ at: '2026-09-30T10:00:00+02:00' })
    await world.issue((await world.createDraft({})).id)
    await stateSchemes(world, 2026, { refundRegister: true })
    world.setTime('2026-10-23T10:00:00Z')
    await announceDeadlines(world.ctx())
    const { items } = await world.run('audit.list', { limit: 1 })
    expect(items[0]).toMatchObject({
      action: 'filing.due_soon',
      target: { id: 'term.303.2026.09.7', label: '303 09 2026: 2026-10-30' },
    })
    const dashboard = await world.run('dashboard.get', {})
    expect(dashboard.vat).toMatchObject({ label: '09 2026', quarter: 3, dueTo: '2026-10-30' })
    expect(dashboard.deadlines.filter(({ model }) => model === '303').map(({ period }) => period)).toContain(
      '09 2026',
    )
  })
})

test('the summary of a month names its own return, and that of a quarter those of its months', async () => {
  const world = await overTheYear()
  const forms = async (of: { quarter?: number; month?: number }) =>
    (await world.run('fiscal.summary', { year: 2027, ...of })).obligations
      .filter(({ form }) => form === '303')
      .map(({ period }) => period)
  expect(await forms({ quarter: 1 })).toEqual(['01 2027', '02 2027', '03 2027'])
  expect(await forms({ month: 2 })).toEqual(['02 2027'])
})

describe('the 349', () => {
  test('above the limit warns where the year says quarters, and not where it says months', async () => {
    const world = await openBooks({ at: '2027-01-10T10:00:00Z' })
    await world.invoice({ ...FRENCH, issueDate: '2027-01-10', lines: [line(60_000, { taxTreatment: 'E5' })] })
    world.setTime('2027-04-05T10:00:00Z')
    const codes = async (place: { quarter?: number; month?: number }) =>
      (await world.run('fiscal.prepareFiling', { model: '349', year: 2027, ...place })).faults.map(
        ({ code }) => code,
      )
    await stateSchemes(world, 2027)
    expect(await codes({ quarter: 1 })).toContain('monthly_349')
    await stateSchemes(world, 2027, { monthly349: true })
    expect(await codes({ month: 1 })).not.toContain('monthly_349')
    const { boxes } = await world.run('fiscal.model', { model: '349', year: 2027, month: 1 })
    expect(boxes.find(({ box }) => box === '02')?.amount).toBe(60_000)
    const empty = await world.run('fiscal.model', { model: '349', year: 2027, month: 2 })
    expect(empty).toMatchObject({ applies: false, why: 'no_eu' })
  })

  test('corrects a month in a later month of the same quarter', async () => {
    const world = await openBooks({ at: '2027-01-10T10:00:00Z' })
    await stateSchemes(world, 2027, { monthly349: true })
    const sale = await world.invoice({
      ...FRENCH,
      issueDate: '2027-01-10',
      lines: [line(1_000, { taxTreatment: 'E5' })],
    })
    world.setTime('2027-02-10T10:00:00Z')
    await world.invoice({
      ...FRENCH,
      kind: 'R1',
      issueDate: '2027-02-10',
      rectifies: [{ id: sale.id }],
      rectification: { method: 'I', cause: 'returned_goods', reason: 'Devolución' },
      lines: [line(-100, { taxTreatment: 'E5' })],
    } as never)
    const { lists } = await world.run('fiscal.model', { model: '349', year: 2027, month: 2 })
    const row = lists.find(({ id }) => id === 'corrections')?.rows[0]
    expect(row?.slice(4)).toEqual(['2027', '01', 900, 1_000, -100, 1])
    await stateSchemes(world, 2027)
    const quarter = await world.run('fiscal.model', { model: '349', year: 2027, quarter: 1 })
    expect(quarter.lists.find(({ id }) => id === 'corrections')?.rows).toEqual([])
  })
})

test('the wrong unit is refused over REST, with the unit of that year', async () => {
  const world = await openWorld({ at: '2027-04-05T12:00:00+02:00' })
  await stateSchemes(world, 2027, { refundRegister: true })
  const asked = async (query: string, path = 'models/303') => {
    const { status, body } = await world.get(`/api/v1/fiscal/${path}?${query}`)
    const [fault] = body.error?.details?.faults ?? []
    return status === 200 ? body.data.period : [status, body.error.code, fault?.field, fault?.code]
  }
  expect(await asked('year=2027&month=2')).toBe('02')
  expect(await asked('year=2027&quarter=1')).toEqual([422, 'validation_failed', 'quarter', 'files_by_months'])
  expect(await asked('year=2027')).toEqual([422, 'validation_failed', 'month', 'files_by_months'])
  expect(await asked('year=2026&month=2')).toEqual([422, 'validation_failed', 'month', 'files_by_quarters'])
  expect(await asked('year=2026')).toEqual([422, 'validation_failed', 'quarter', 'quarter_missing'])
  expect(await asked('year=2027&month=2&quarter=1')).toEqual([
    422,
    'validation_failed',
    'month',
    'period_ambiguous',
  ])
  expect(await asked('year=2027&month=2', 'models/130')).toEqual([
    422,
    'validation_failed',
    'month',
    'files_by_quarters',
  ])
  expect(await asked('year=2027', 'models/390')).toBe('0A')
  expect(await asked('year=2027&quarter=1', 'models/303/file')).toEqual([
    422,
    'validation_failed',
    'quarter',
    'files_by_months',
  ])
})
