/** A file that another program made: compared with the figures here, and stored as what was filed. */
import { expect, test } from 'vitest'
import type { ReturnFile } from '../../../../server/accounting/returns/files/file.ts'
import { importFiling } from '../../../../server/accounting/returns/import-filing.ts'
import { faultsOfRefusal, openBooks, refusal, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { openWorld } from '../../../support/world.ts'
import { contentOf, EXAMPLES, fileWithBoxes } from './files-examples.ts'
import { workedQuarter } from './worked.ts'

const Q4 = { year: 2026, quarter: 4 } as const
const FIRST = { kind: 'I', nif: EXAMPLE_COMPANY.nif, name: 'EMPRESA SL', year: 2026, period: '4T' }

const cents = (euros: number): number => Math.round(euros * 100)

/** Returns the 303 of the quarter as another program would write it, with some boxes changed by cents. */
async function file303(
  books: TestBooks,
  changes: Readonly<Record<string, number>> = {},
): Promise<ReturnFile> {
  const { boxes } = await books.run('fiscal.model', { model: '303', ...Q4 })
  const values = Object.fromEntries(boxes.map(({ box, amount }) => [box, cents(amount)]))
  for (const [box, more] of Object.entries(changes)) values[box] = (values[box] ?? 0) + more
  return fileWithBoxes('303', FIRST, values)
}

const read = async (books: TestBooks, file: ReturnFile) =>
  books.run('fiscal.readFile', { content: await contentOf(file) })

const store = async (
  books: TestBooks,
  file: ReturnFile,
  more: { filedOn?: string; reference?: string } = {},
) => books.run('fiscal.importFiling', { content: await contentOf(file), ...more })

const of = (file: ReturnFile, values: Record<string, number | string>): ReturnFile => ({
  ...file,
  records: file.records.map((record, index) =>
    index === 0 ? { ...record, values: { ...record.values, ...values } } : record,
  ),
})

test('the file of the same figures differs nowhere; a changed box shows with both figures', async () => {
  const books = await workedQuarter()
  const same = await read(books, await file303(books))
  expect(same).toMatchObject({
    model: '303',
    year: 2026,
    period: '4T',
    kind: 'I',
    nature: 'first',
    taxNumber: EXAMPLE_COMPANY.nif,
    name: 'EMPRESA SL',
    software: { version: '0100', nif: 'B87654323' },
    otherFiler: false,
    notCompared: null,
    canImport: true,
    comparison: { against: 'computed', differences: 0 },
  })
  expect(same.comparison?.boxes.length).toBeGreaterThan(10)
  const { boxes } = await books.run('fiscal.model', { model: '303', ...Q4 })
  const box27 = boxes.find(({ box }) => box === '27')?.amount ?? NaN
  const other = await read(books, await file303(books, { '27': 150, '42': 700 }))
  expect(other.comparison?.differences).toBe(2)
  expect(other.comparison?.boxes.filter(({ differs }) => differs)).toEqual([
    { box: '27', kind: 'amount', file: box27 + 1.5, sello: box27, differs: true },
    { box: '42', kind: 'amount', file: 7, sello: 0, differs: true },
  ])
})

test('the return of another filer is shown and not compared, and is not stored', async () => {
  const books = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  const foreign = of(EXAMPLES['303'], { nif: 'B87654323' })
  expect(await read(books, foreign)).toMatchObject({
    otherFiler: true,
    comparison: null,
    notCompared: 'other_filer',
    canImport: false,
  })
  expect(await faultsOfRefusal(store(books, foreign))).toEqual(['content: return_file_other_filer'])
})

test('returns that nobody has typed, or filed by month, say why they are not compared', async () => {
  const books = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  const monthly = of({ ...EXAMPLES['111'], period: '11' }, { period: '11' })
  const shown = await Promise.all(
    [EXAMPLES['123'], monthly, EXAMPLES['131']].map((file) => read(books, file)),
  )
  expect(shown.map(({ notCompared, canImport }) => [notCompared, canImport])).toEqual([
    ['not_computed', true],
    ['other_period', false],
    ['not_computed', true],
  ])
  expect(await faultsOfRefusal(store(books, monthly))).toEqual(['content: return_file_not_listed'])
  expect((await store(books, EXAMPLES['123'])).number).toBe('123')
})

test('a stored file is the filing of its period: its figures count, and stand until they are withdrawn', async () => {
  const books = await workedQuarter()
  const file = await file303(books, { '71': 100, '69': 100 })
  const stored = await store(books, file, { filedOn: '2026-12-20', reference: '3031234567890' })
  expect(stored).toMatchObject({ number: '303', year: 2026, period: '4T' })
  const { filing, result } = stored.model
  expect(filing).toMatchObject({ filedOn: '2026-12-20', outcome: 'pay', reference: '3031234567890' })
  expect(filing?.result).toBe(((result ?? NaN) * 100 + 100) / 100)
  expect(filing?.differences.map(({ box, filed, now }) => [box, cents(filed - now)])).toEqual([
    ['69', 100],
    ['71', 100],
  ])
  const again = await read(books, file)
  expect(again).toMatchObject({ canImport: false, comparison: { against: 'filed', differences: 0 } })
  expect(await refusal(store(books, file))).toBe('already_filed')
  await books.run('fiscal.withdrawFiling', { model: '303', ...Q4 })
  expect((await read(books, file)).comparison).toMatchObject({ against: 'computed', differences: 2 })
  expect((await store(books, file)).model.filing?.filedOn).toBe('2026-12-30')
})

test('what the agency’s letter says is the outcome of the stored return', async () => {
  const books = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  const outcomes = []
  for (const [kind, more] of [
    ['C', {}],
    ['D', {}],
    ['N', { '71': 0, '69': 0 }],
  ] as const) {
    const [first, second] = EXAMPLES['303'].records
    const values = Object.fromEntries(
      Object.entries({ ...second?.values, ...more }).filter(([, value]) => value !== 0),
    )
    const file = of({ ...EXAMPLES['303'], records: [first!, { record: '03000', values }] }, { kind })
    const { model } = await store(books, file)
    outcomes.push([model.filing?.outcome, model.filing?.result])
    await books.run('fiscal.withdrawFiling', { model: '303', ...Q4 })
  }
  expect(outcomes).toEqual([
    ['offset', -50],
    ['refund', -50],
    ['none', 0],
  ])
})

test('a day outside the period, and a declaration that only adds to another, are not stored', async () => {
  const books = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  for (const filedOn of ['2026-12-31', '2026-10-01'])
    expect(await faultsOfRefusal(store(books, EXAMPLES['303'], { filedOn }))).toEqual([
      'filedOn: date_out_of_range',
    ])
  const adding = of(EXAMPLES['347'], { complementary: 'C', previousNumber: 3471234567890 })
  expect(await read(books, adding)).toMatchObject({ nature: 'complementary', canImport: false })
  expect(await faultsOfRefusal(store(books, adding))).toEqual(['content: return_file_partial'])
})

test('lists are compared by their totals, and stored with them', async () => {
  const books = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  const shown = await read(books, EXAMPLES['347'])
  expect(shown).toMatchObject({ kind: null, software: null, partyCount: 3, canImport: true })
  expect(shown.comparison?.boxes).toEqual([
    { box: '01', kind: 'count', file: 2, sello: 0, differs: true },
    { box: '02', kind: 'amount', file: 5000, sello: 0, differs: true },
  ])
  expect(shown.parties[1]).toEqual({
    record: '2D',
    taxNumber: 'DE136695976',
    name: '',
    key: 'B',
    amount: -1000,
  })
  const { model } = await store(books, EXAMPLES['347'])
  expect(model.filing?.differences).toEqual([
    { box: '01', filed: 2, now: 0 },
    { box: '02', filed: 5000, now: 0 },
  ])
})

test('of a list the record of the filer is enough, and filings of one period exclude each other', async () => {
  const books = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  const list = EXAMPLES['347']
  const head = { ...list, records: list.records.slice(0, 1) }
  const both = await Promise.allSettled([
    importFiling(books.test, head, '2026-12-30', null),
    importFiling(books.test, list, '2026-12-30', 'R1'),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'already_filed' },
  })
  const { filing } = await books.run('fiscal.model', { model: '347', year: 2026 })
  expect(filing?.differences.map(({ box, filed }) => [box, filed])).toEqual([
    ['01', 2],
    ['02', 5000],
  ])
})

test('a broken file says where; an exercise without a design says which is known', async () => {
  const books = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  expect(await faultsOfRefusal(books.run('fiscal.readFile', { content: '' }))).toEqual([
    'content: return_file_empty',
  ])
  expect(await faultsOfRefusal(books.run('fiscal.readFile', { content: 'no base64' }))).toEqual([
    'content: wrong_format',
  ])
  const bytes = Buffer.from(await contentOf(EXAMPLES['347']), 'base64')
  const cut = books.run('fiscal.readFile', { content: bytes.subarray(0, 700).toString('base64') })
  expect(await faultsOfRefusal(cut)).toEqual(['records[1]: return_record_length'])
  const old = Buffer.from(bytes.toString('latin1').replaceAll('2026', '2001'), 'latin1').toString('base64')
  const error = await refused(books.run('fiscal.readFile', { content: old }))
  expect([error.code, error.details?.['lastVersion']]).toEqual(['no_file_layout', 'Orden HAC/1431/2025'])
})

test('only a person reads or stores such a file: no route does, and the window finds its faults', async () => {
  const world = await openWorld({ at: '2026-12-30T12:00:00+01:00' })
  expect((await world.post('/api/v1/fiscal/read-file', { content: '' })).status).toBe(404)
  const content = await contentOf(EXAMPLES['303'])
  const shown = await world.call('fiscal.readFile', { content })
  expect([shown.status, shown.body.data.model]).toEqual([200, '303'])
  const refusedByWindow = await world.call('fiscal.readFile', { content: 'AAAA' })
  expect([refusedByWindow.status, refusedByWindow.body.error.field]).toEqual([422, 'content'])
})
