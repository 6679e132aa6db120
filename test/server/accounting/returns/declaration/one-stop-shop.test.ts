/** The file of the one-stop shop: what the list says, state by state, and what the books do not say. */
import { expect, test } from 'vitest'
import { decodeFile } from '../../../../../server/accounting/returns/files/file.ts'
import type { FileRecord } from '../../../../../server/accounting/returns/files/file.ts'
import { CLIENT_ADDRESS, faultsOfRefusal, openBooks } from '../../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../../support/books.ts'
import { line } from '../worked.ts'

const Q4 = { year: 2026, quarter: 4 } as const
const NRC = '3690000000001ABCDEFGHI'

const consumer = (country: string): Partial<DraftInput> => ({
  clientName: 'Consumer',
  clientNif: '123456789',
  client: { country, idType: '04' as const, address: { ...CLIENT_ADDRESS, country } },
})

async function sell(
  books: TestBooks,
  country: string,
  issueDate: string,
  lines: Partial<DraftInput>['lines'],
  more: Partial<DraftInput> = {},
) {
  return books.invoice({ ...consumer(country), issueDate, lines, ...more })
}

const oss = (unitPrice: number, vatRate: number, account?: string) =>
  line(unitPrice, {
    taxTreatment: 'N2',
    regimeKey: '17',
    cause: 'oss',
    vatRate,
    account: account ?? '700',
  })

const credit = (id: string): Partial<DraftInput> => ({
  kind: 'R1',
  rectifies: [{ id }],
  rectification: { method: 'I', cause: 'returned_goods', reason: 'Devolución' },
})

/** Goods to Germany and Greece, services to France, and a credit of the third quarter to Germany and to Italy. */
async function sold() {
  const books = await openBooks({ at: '2026-09-30T12:00:00+02:00' })
  const german = await sell(books, 'DE', '2026-09-10', [oss(300, 19)])
  const italian = await sell(books, 'IT', '2026-09-11', [oss(100, 22)])
  books.setTime('2026-12-30T12:00:00+01:00')
  await sell(books, 'DE', '2026-11-02', [oss(1000, 19), oss(200, 7)])
  const french = await sell(books, 'FR', '2026-11-03', [oss(500, 20, '705')])
  await sell(books, 'FR', '2026-11-04', [oss(-50, 20, '705')], credit(french.id))
  await sell(books, 'DE', '2026-11-05', [oss(-100, 19)], credit(german.id))
  await sell(books, 'IT', '2026-11-06', [oss(-100, 22)], credit(italian.id))
  books.setTime('2027-01-12T10:00:00+01:00')
  return books
}

/** Returns the groups of numbered fields of the pages of a name. */
function groupsOf(records: readonly FileRecord[], name: string): Record<string, number | string>[] {
  return records
    .filter(({ record }) => record === name)
    .flatMap(({ values }) =>
      Array.from({ length: 28 }, (_, at) => at + 1).flatMap((n) =>
        values[`state${n}`] === undefined
          ? []
          : [
              Object.fromEntries(
                Object.entries(values)
                  .filter(
                    ([key]) =>
                      /[a-z]$/i.test(key.replace(/\d+$/, '')) && key.match(/\d+$/)?.[0] === String(n),
                  )
                  .map(([key, value]) => [key.replace(/\d+$/, ''), value]),
              ),
            ],
      ),
    )
}

test('says what the list says: states, rates, goods and services apart, and corrections with their quarter', async () => {
  const books = await sold()
  const model = await books.run('fiscal.model', { model: '369', ...Q4 })
  expect(model.lists[0]?.rows).toEqual([
    ['DE', 19, 'goods', 1000, 190, 1],
    ['DE', 7, 'goods', 200, 14, 1],
    ['FR', 20, 'services', 450, 90, 2],
  ])
  expect(model.lists[1]?.rows).toEqual([
    ['DE', '2026', '3T', -19, 1],
    ['IT', '2026', '3T', -22, 1],
  ])
  // 190 + 14 − 19 to Germany and 90 to France; Italy refunds its own 22.
  expect(model.result).toBe(275)
  const { bytes } = await books.run('fiscal.returnFile', {
    model: '369',
    ...Q4,
    kind: 'I',
    paymentReference: NRC,
  })
  const text = Buffer.from(bytes).toString('latin1')
  const file = await decodeFile(bytes)
  expect(file.records.map(({ record }) => record)).toEqual(['00', '04', '05', '08', '09'])
  expect(file.filer).toBe(file.records[1]?.values.nif)
  expect(groupsOf(file.records, '04')).toEqual([
    { state: 'FR', rate: 2000, rateKind: 'S', base: 45_000, tax: 9_000 },
  ])
  expect(groupsOf(file.records, '05')).toEqual([
    { state: 'DE', rate: 1900, rateKind: 'S', base: 100_000, tax: 19_000 },
    { state: 'DE', rate: 700, rateKind: 'R', base: 20_000, tax: 1_400 },
  ])
  expect(groupsOf(file.records, '08')).toEqual([
    {
      state: 'DE',
      correctedYear: 2026,
      correctedPeriodKind: 'T',
      correctedPeriod: '03',
      correctedTax: -1_900,
    },
    {
      state: 'IT',
      correctedYear: 2026,
      correctedPeriodKind: 'T',
      correctedPeriod: '03',
      correctedTax: -2_200,
    },
  ])
  expect(file.records[1]?.values).toMatchObject({
    regime: 'MOSS',
    category: 'D',
    kind: 'I',
    nrc: NRC,
    paid: 27_500,
    country: 'ES',
    year: 2026,
    periodKind: 'T',
    quarter: 4,
    noActivity: '0',
  })
  // Positions by hand, from the published table: page 04 begins after the envelope (328) and page 00 (110).
  const page04 = text.slice(328 + 110, 328 + 110 + 1423)
  expect(page04.slice(0, 15)).toBe('<T36904>MOSS DI')
  expect(page04.slice(37, 54)).toBe('00000000000027500')
  expect(page04.slice(197, 221)).toBe('2026T04' + ' '.repeat(16) + '0')
  expect(page04.slice(221, 263)).toBe('FR' + '02000' + 'S' + '00000000000045000' + '00000000000009000')
  // What is empty is blank, numbers too: note 6 of the design.
  expect(page04.slice(263, 1414)).toBe(' '.repeat(1151))
  const page08 = text.slice(328 + 110 + 1423 + 1211)
  expect(page08.slice(0, 35)).toBe('<T36908> DE2026T03-0000000000001900')
})

test('a reader of files finds what the page says', async () => {
  const books = await sold()
  const { bytes } = await books.run('fiscal.returnFile', { model: '369', ...Q4, kind: 'O' })
  const read = await books.run('fiscal.readFile', { content: Buffer.from(bytes).toString('base64') })
  expect(read).toMatchObject({ kind: 'O', otherFiler: false, comparison: { differences: 0 } })
  expect(read.boxes.map(({ box, amount }) => [box, amount])).toEqual([
    ['01', 1650],
    ['02', 275],
  ])
})

test('is paid with the reference in the file, or owed without it; nothing else', async () => {
  const books = await sold()
  const file = (more: object) => books.run('fiscal.returnFile', { model: '369', ...Q4, ...more })
  expect(await faultsOfRefusal(file({ kind: 'I' }))).toContain('paymentReference: payment_reference_missing')
  expect(await faultsOfRefusal(file({ kind: 'U' }))).toContain('kind: kind_not_of_result')
  const owed = await decodeFile((await file({ kind: 'O' })).bytes)
  expect(owed.records[1]?.values).not.toHaveProperty('paid')
})

test('of a quarter without sales says so', async () => {
  const books = await openBooks({ at: '2027-01-12T10:00:00+01:00' })
  const preview = await books.run('fiscal.prepareFiling', { model: '369', ...Q4 })
  expect(preview).toMatchObject({ kind: 'N', kinds: ['N'], result: 0 })
  const { bytes } = await books.run('fiscal.returnFile', { model: '369', ...Q4 })
  const { records } = await decodeFile(bytes)
  expect(records.map(({ record }) => record)).toEqual(['00', '04', '09'])
  expect(records[1]?.values).toMatchObject({ kind: 'N', noActivity: '1' })
})

test('is uploaded, in a test book as well, and warns of what the books do not say', async () => {
  const books = await sold()
  const preview = await books.run('fiscal.prepareFiling', { model: '369', ...Q4, kind: 'O' })
  expect(preview).toMatchObject({
    way: 'upload',
    wayWhy: 'not_in_service',
    confirmationToken: null,
    fileName: '369-2026-4T.txt',
  })
  expect(preview.faults.map(({ code, severity }) => [code, severity])).toContainEqual([
    'oss_from_spain',
    'warning',
  ])
})

test('a rate that the state does not have, a sum below zero and an unclear original keep it back', async () => {
  const books = await openBooks({ at: '2026-09-30T12:00:00+02:00' })
  const first = await sell(books, 'FR', '2026-09-03', [oss(200, 20)])
  books.setTime('2026-12-30T12:00:00+01:00')
  await sell(books, 'DE', '2026-11-02', [oss(1000, 18)])
  const second = await sell(books, 'FR', '2026-11-03', [oss(50, 20)])
  await sell(books, 'FR', '2026-11-04', [oss(-150, 20)], {
    ...credit(first.id),
    rectifies: [{ id: first.id }, { id: second.id }],
  })
  books.setTime('2027-01-12T10:00:00+01:00')
  const faults = await faultsOfRefusal(books.run('fiscal.returnFile', { model: '369', ...Q4, kind: 'O' }))
  expect(faults).toEqual(
    expect.arrayContaining([
      'lines: oss_rate_unknown',
      'lines: oss_below_zero',
      'corrections: oss_correction_unclear',
    ]),
  )
})

test('more lines than a page has go on an additional page', async () => {
  const books = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  const rates: Record<string, number[]> = {
    AT: [20, 13, 10],
    BE: [21, 12, 6],
    CY: [19, 9, 5, 3],
    FR: [20, 10, 5.5, 2.1],
    PL: [23, 8, 5],
    HR: [25, 13, 5],
    IE: [23, 13.5, 9],
    IT: [22, 10, 5, 4],
    LU: [17, 14, 8, 3],
  }
  for (const [country, each] of Object.entries(rates))
    await sell(
      books,
      country,
      '2026-11-02',
      each.map((rate) => oss(100, rate)),
      { clientName: `Consumer ${country}` },
    )
  books.setTime('2027-01-12T10:00:00+01:00')
  const { bytes } = await books.run('fiscal.returnFile', { model: '369', ...Q4, kind: 'O' })
  const { records } = await decodeFile(bytes)
  const pages = records.filter(({ record }) => record === '05')
  expect(pages.map(({ values }) => values.additionalPage)).toEqual([undefined, 'C'])
  const groups = groupsOf(records, '05')
  expect(groups).toHaveLength(31)
  expect(groups.filter(({ state }) => state === 'PL').map(({ rateKind }) => rateKind)).toEqual([
    'S',
    'R',
    'R',
  ])
})
