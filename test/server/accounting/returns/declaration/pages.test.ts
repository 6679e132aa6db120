/** Pages of returns: their bytes, the marks and accounts of each kind, and the boxes that do not fit. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  faultsOfBoxes,
  faultsOfRates,
  pagesOf,
} from '../../../../../server/accounting/returns/declaration/pages.ts'
import { decodeFile, encodeFile } from '../../../../../server/accounting/returns/files/file.ts'
import type { ReturnFile } from '../../../../../server/accounting/returns/files/file.ts'
import { layoutFor } from '../../../../../server/accounting/returns/files/layout.ts'
import { refused } from '../../../../support/books.ts'
import { COMPANY, IBAN, PAGE_MODELS, pageReturn, PERSON } from './samples.ts'

type Declared = Parameters<typeof pagesOf>[0]

/** Returns the file of a return, and its values page by page. */
async function written(declared: Declared) {
  const { model, year, period } = declared
  const records = await pagesOf(declared)
  const file: ReturnFile = { model, year, period, software: { version: '0100', nif: 'B87654323' }, records }
  const bytes = await encodeFile(file)
  // What is written can be read, and says the same.
  expect((await decodeFile(bytes)).records).toEqual(
    records.map(({ record, values }) => ({
      record,
      values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== 0)),
    })),
  )
  const page = (name: string) => records.find(({ record }) => record === name)?.values
  return { bytes, pages: records.map(({ record }) => record), page }
}

/** A quarter with carried tax, settled by direct debit. */
const DEBITED: Declared = pageReturn({
  period: '2T',
  kind: 'U',
  filer: PERSON,
  choices: { nature: 'first', iban: IBAN },
  boxes: {
    '07': 1_820_000,
    '09': 382_200,
    '28': 310_050,
    '29': 65_111,
    '110': 50_000,
    '78': 50_000,
    '27': 382_200,
    '45': 65_111,
    '46': 317_089,
    '64': 317_089,
    '65': 10_000,
    '66': 317_089,
    '87': 0,
    '69': 267_089,
    '71': 267_089,
  },
})

test('a worked return has these bytes', async () => {
  const { bytes } = await written(DEBITED)
  expect(bytes).toHaveLength(3767)
  // Those of two programs written apart from this one.
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    '5da5c35d841215f7f6507445263e4df4754bbf8f2c616d92db44b218a4ff83ed',
  )
})

describe('the names', () => {
  test('are one field in the VAT return, and surnames and first name apart in the others', async () => {
    expect((await written(pageReturn({ filer: PERSON }))).page('01000')).toMatchObject({
      name: 'GARCIA ALVAREZ MARIA JOSE',
    })
    const person = (await written(pageReturn({ model: '130', filer: PERSON }))).page('01000')
    expect(person).toMatchObject({ surnames: 'GARCIA ALVAREZ', firstName: 'MARIA JOSE' })
    const company = (await written(pageReturn({ model: '111' }))).page('01000')
    expect(company).toMatchObject({ surnames: 'TALLERES EJEMPLO SL' })
    expect(company).not.toHaveProperty('firstName')
  })
})

describe('the marks of a VAT return', () => {
  test('answer in the last period of the year whether the yearly summary is filed', async () => {
    const inside = (await written(pageReturn())).page('01000')
    expect(inside).toMatchObject({ excusedFrom390: 0, turnoverNotZero: 0, fuelPayments: 0, simplified: 3 })
    const last = await written(pageReturn({ period: '4T', isLastOfYear: true }))
    expect(last.page('01000')).toMatchObject({ excusedFrom390: 2, turnoverNotZero: 0 })
    expect(last.pages).toEqual(['01000', '03000'])
  })

  test('say who keeps cash accounting, and who bought from such a supplier', async () => {
    const own = pageReturn({ filer: { ...COMPANY, cashAccounting: true } })
    expect((await written(own)).page('01000')).toMatchObject({ cashAccounting: 1, cashAccountingReceived: 2 })
    const bought = pageReturn({ boxes: { '74': 10_000, '75': 2_100 } })
    expect((await written(bought)).page('01000')).toMatchObject({
      cashAccounting: 2,
      cashAccountingReceived: 1,
    })
  })

  test('name a period without activity only when there is none', async () => {
    const without = pageReturn({ kind: 'N', boxes: { '65': 10_000 } })
    expect((await written(without)).page('03000')).toMatchObject({ noActivity: 'X' })
    const balanced = pageReturn({ kind: 'N', boxes: { '07': 100, '09': 21, '27': 21, '29': 21, '45': 21 } })
    expect((await written(balanced)).page('03000')).not.toHaveProperty('noActivity')
  })

  test('of a rectification name the earlier receipt and one reason', async () => {
    const choices = { nature: 'rectifying', previousReceipt: '3030000000001' } as const
    const ordinary = (await written(pageReturn({ choices }))).page('03000')
    expect(ordinary).toMatchObject({
      rectifying: 'X',
      previousReceipt: '3030000000001',
      ordinaryRectification: 'X',
    })
    expect(ordinary).not.toHaveProperty('disagreesWithCriterion')
    const other = (await written(pageReturn({ choices: { ...choices, reason: 'criterion' } }))).page('03000')
    expect(other).toMatchObject({ rectifying: 'X', disagreesWithCriterion: 'X' })
    expect(other).not.toHaveProperty('ordinaryRectification')
  })
})

describe('the account', () => {
  const of = async (kind: Declared['kind'], changes: Partial<Declared> = {}, iban = IBAN) =>
    (await written(pageReturn({ kind, choices: { nature: 'first', iban }, ...changes }))).page('DID00')

  test('is named by a direct debit and a refund, and by nothing else', async () => {
    expect(await of('U')).toEqual({ iban: IBAN })
    expect(await of('D')).toEqual({ iban: IBAN, sepa: 1 })
    expect(await of('D', {}, 'FR1420041010050500013M02606')).toMatchObject({ sepa: 2 })
    for (const kind of ['I', 'G', 'N', 'C', 'V'] as const) expect(await of(kind), kind).toBeUndefined()
  })

  test.each(['N', 'C', 'V'] as const)(
    'is named for what was paid in excess, whatever the kind: %s',
    async (kind) => {
      const boxes = { '70': 30_000, '71': -21_000, '111': 21_000 }
      expect(await of(kind, { boxes })).toEqual({ iban: IBAN, sepa: 1 })
    },
  )

  test('stands in the first page of the other forms', async () => {
    for (const model of ['130', '111', '115'] as const) {
      const debited = await written(
        pageReturn({ model, kind: 'U', choices: { nature: 'first', iban: IBAN } }),
      )
      expect(debited.page('01000'), model).toMatchObject({ iban: IBAN, kind: 'U' })
      const paid = await written(pageReturn({ model, kind: 'I', choices: { nature: 'first', iban: IBAN } }))
      expect(paid.page('01000'), model).not.toHaveProperty('iban')
    }
  })
})

test.each(['130', '111', '115'] as const)(
  'a complementary %s has its mark and the receipt',
  async (model) => {
    const previousReceipt = `${model}0000000001`
    const { page } = await written(
      pageReturn({ model, choices: { nature: 'complementary', previousReceipt } }),
    )
    expect(page('01000')).toMatchObject({ complementary: 'X', previousReceipt })
    expect((await written(pageReturn({ model }))).page('01000')).not.toHaveProperty('complementary')
  },
)

describe('the yearly summary', () => {
  const yearly = pageReturn({ model: '390', year: 2025, period: '0A', kind: null, isLastOfYear: true })

  test('has the pages of the general scheme, and says which one it replaces', async () => {
    const first = await written(yearly)
    expect(first.pages).toEqual(['01000', '02000', '02B00', '03000', '04000', '06000', '07000'])
    expect(first.page('01000')).not.toHaveProperty('replaces')
    const choices = { nature: 'substitutive', previousReceipt: '3900000000001' } as const
    expect((await written({ ...yearly, choices })).page('01000')).toMatchObject({
      replaces: 1,
      previousReceipt: '3900000000001',
    })
  })

  test('has no design for 2026 yet, and the refusal names the last one', async () => {
    const error = await refused(pagesOf({ ...yearly, year: 2026 }))
    expect(error).toMatchObject({ code: 'no_file_layout', field: 'year' })
    expect(error.details).toMatchObject({
      model: '390',
      year: 2026,
      lastYear: 2025,
      lastVersion: 'dr390e2025',
      lastPublished: '2025-12-05',
    })
  })
})

describe('boxes that do not fit', () => {
  const codesOf = async (...args: Parameters<typeof faultsOfBoxes>) =>
    (await faultsOfBoxes(...args)).map(({ code, field }) => `${field}: ${code}`)

  test.each(PAGE_MODELS)(
    'every box of model %s is found where it is below zero without a sign',
    async (model, year) => {
      const { records } = await layoutFor(model, year)
      const pages = (await pagesOf(pageReturn({ model, year, period: model === '390' ? '0A' : '1T' }))).map(
        ({ record }) => record,
      )
      const fields = pages.flatMap((page) => records[page] ?? []).filter(({ key }) => /^\d/.test(key))
      let unsigned = 0
      for (const { key, as, is } of fields) {
        const expected =
          is === '0'
            ? ['box_closed']
            : as === 'Num'
              ? ['box_below_zero']
              : as === 'N'
                ? []
                : ['box_not_in_layout']
        if (as === 'Num') unsigned += 1
        expect(await codesOf(model, year, { [key]: -1 }), key).toEqual(
          expected.map((code) => `boxes.${key}: ${code}`),
        )
        expect(await codesOf(model, year, { [key]: 0 }), key).toEqual([])
      }
      expect(unsigned).toBeGreaterThan(0)
    },
  )

  test.each(PAGE_MODELS)('a box that model %s does not have is found', async (model, year) => {
    expect(await codesOf(model, year, { '999': 100 })).toEqual(['boxes.999: box_not_in_layout'])
    // What Sello names itself, as the depreciation of the 130, is no box.
    expect(await codesOf(model, year, { documented: 100, hard: 1 })).toEqual([])
  })

  test('a box of a page that the file does not have is found', async () => {
    expect(await codesOf('303', 2026, { '47': 100 })).toEqual(['boxes.47: box_not_in_layout'])
    expect(await codesOf('303', 2026, { '80': 100 })).toEqual(['boxes.80: box_not_in_layout'])
  })
})

describe('rates that the design of 2026 does not take', () => {
  const faults = (boxes: Record<string, number>, documents: Record<string, number> = {}) =>
    faultsOfRates(2026, boxes, documents)

  test.each([
    ['5 %', { '153': 100_000, '155': 5_000 }, '155', 0],
    ['7.5 %', { '153': 100_000, '155': 7_500 }, '155', 0],
    ['2 %', { '165': 100_000, '167': 2_000 }, '167', 0],
    ['0.62 % of surcharge', { '16': 100_000, '18': 620 }, '18', 0],
    ['0.26 % of surcharge', { '168': 100_000, '170': 260 }, '170', 0.5],
    ['20 % for 21 %', { '07': 100_000, '09': 20_000 }, '09', 21],
  ])('%s', async (_name, boxes, box, rate) => {
    expect(await faults(boxes)).toEqual([
      {
        code: 'rate_not_in_layout',
        field: `boxes.${box}`,
        severity: 'error',
        message: expect.stringContaining(`only ${rate} %`),
        fix: expect.stringContaining('boxes 14 and 15'),
        params: { box, rate },
      },
    ])
  })

  test('are not found in a line of the rate itself, whose documents were rounded', async () => {
    expect(
      await faults({
        '01': 100_000,
        '03': 4_000,
        '04': 100_000,
        '06': 10_000,
        '07': 100_000,
        '09': 21_000,
        '156': 100_000,
        '158': 1_750,
        '168': 100_000,
        '170': 500,
        '19': 100_000,
        '21': 1_400,
        '22': 100_000,
        '24': 5_200,
        '150': 100_000,
        '152': 0,
      }),
    ).toEqual([])
    const rounded = { '07': 100_000, '09': 21_006 }
    expect(await faults(rounded, { '07': 5 })).toEqual([])
    expect(await faults(rounded, { '07': 4 })).toHaveLength(1)
  })
})
