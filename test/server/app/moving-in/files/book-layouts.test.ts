/** The forms in which programs write the tax agency's books: with groups or without, with or without income tax. */
import { describe, expect, test } from 'vitest'
import { recognizeFile } from '../../../../../server/app/moving-in/files/read.ts'
import {
  headerRows,
  ISSUED_COLUMNS,
  RECEIVED_COLUMNS,
} from '../../../../../server/domain/formats/vat-book-columns.ts'
import type { BookColumn } from '../../../../../server/domain/formats/vat-book-columns.ts'
import { excelOf, readFileOf } from '../../../../support/files/history-files.ts'

const ISSUED: Record<string, string> = {
  year: '2026',
  period: '1T',
  activityCode: 'A',
  activityType: '03',
  iae: '6533',
  kind: 'F1',
  concept: 'I01',
  income: '100,00',
  issueDate: '15/01/2026',
  series: 'A',
  number: '7',
  nif: 'B12345674',
  name: 'Talleres Beltrán, S.L.',
  regimeKey: '01',
  qualification: 'S1',
  total: '121,00',
  base: '100,00',
  rate: '21,00',
  tax: '21,00',
  withholdingRate: '15,00',
  withholding: '15,00',
}
const RECEIVED: Record<string, string> = {
  year: '2026',
  period: '1T',
  kind: 'F1',
  concept: 'G22',
  expense: '100,00',
  issueDate: '15/01/2026',
  number: 'LS-1',
  receptionDate: '20/01/2026',
  reception: '12',
  nif: 'A58818501',
  name: 'Luz del Sur, S.A.',
  regimeKey: '01',
  investment: 'N',
  reverseCharge: 'N',
  total: '121,00',
  base: '100,00',
  rate: '21,00',
  tax: '21,00',
  deductible: '21,00',
}
/** Columns of income tax and of the activity, which the books of VAT alone lack. */
const INCOME_TAX = [
  'activityCode',
  'activityType',
  'iae',
  'concept',
  'income',
  'expense',
  'withholdingRate',
  'withholding',
]

type Row = (string | null)[]
const cellsOf = (columns: readonly BookColumn[], values: Record<string, string>): Row =>
  columns.map(({ id }) => values[id] || null)
const grouped = (columns: readonly BookColumn[]): Row[] => [
  columns.map(({ top }, index) => (columns[index - 1]?.top === top ? null : top)),
  columns.map(({ sub }) => sub || null),
]
const flat =
  (join: string) =>
  (columns: readonly BookColumn[]): Row[] => [
    columns.map(({ top, sub }) => (sub === '' ? top : `${top}${join}${sub}`)),
  ]
const bare = (columns: readonly BookColumn[]): Row[] => [columns.map(({ top, sub }) => sub || top)]
const described = (columns: readonly BookColumn[]): Row[] => [
  ['AGENCIA TRIBUTARIA', null, null],
  ...grouped(columns),
  columns.map(({ type }) =>
    type.kind === 'text'
      ? `ALFANUMÉRICO(${type.length})`
      : type.kind === 'date'
        ? 'FECHA(DD/MM/AAAA)'
        : 'DECIMAL(12,2)',
  ),
]

const HEADS: [string, (columns: readonly BookColumn[]) => Row[]][] = [
  ['two rows of titles', grouped],
  ['one row with groups', flat(' ')],
  ['one row with groups and points', flat('. ')],
  ['one row of columns only', bare],
  ['two rows of titles below another, and a row of formats', described],
]

describe.each(HEADS)('%s', (_, head) => {
  test.each([
    ['unified', []],
    ['of VAT alone', INCOME_TAX],
  ] as [string, string[]][])('%s', async (_name, missing) => {
    const issued = ISSUED_COLUMNS.filter(({ id }) => !missing.includes(id))
    const bytes = await excelOf([...head(issued), cellsOf(issued, ISSUED)], 'EXPEDIDAS')
    const { tables } = await recognizeFile(bytes, 'libro.xlsx')
    expect(tables).toMatchObject([
      {
        content: 'books_issued',
        sure: 'certain',
        reason: { code: missing.length > 0 ? 'recognized_vat_book' : 'recognized_unified_book' },
      },
    ])
    const read = await readFileOf(bytes, {}, 'libro.xlsx')
    expect(read.faults).toEqual([])
    expect(read.documents).toMatchObject([
      {
        side: 'issued',
        kind: 'F1',
        number: 'A-7',
        issueDate: '2026-01-15',
        party: { nif: 'B12345674', name: 'Talleres Beltrán, S.L.' },
        taxes: [{ baseCents: 10_000, taxCents: 2_100, vatRateBp: 2100 }],
        withholding: missing.length > 0 ? null : { rateBp: 1500, amountCents: 1_500, baseCents: 10_000 },
      },
    ])

    const received = RECEIVED_COLUMNS.filter(({ id }) => !missing.includes(id))
    const purchases = await readFileOf(
      await excelOf([...head(received), cellsOf(received, RECEIVED)], 'RECIBIDAS'),
      {},
      'libro.xlsx',
    )
    expect(purchases.faults).toEqual([])
    expect(purchases.documents).toMatchObject([
      {
        side: 'received',
        number: 'LS-1',
        reception: '12',
        receptionDate: '2026-01-20',
        taxes: [{ baseCents: 10_000, deductibleCents: 2_100, concept: missing.length > 0 ? null : 'G22' }],
      },
    ])
  })
})

test('numbers and dates as such, points as decimals, and sums below are read or skipped', async () => {
  const columns = ISSUED_COLUMNS
  const row = columns.map(({ id }): string | number | Date | null =>
    id === 'issueDate'
      ? new Date('2026-01-15T00:00:00Z')
      : ['base', 'tax', 'total', 'income', 'rate'].includes(id)
        ? Number((ISSUED[id] ?? '').replace(',', '.'))
        : (ISSUED[id] ?? null),
  )
  const sums = columns.map(({ id }) =>
    id === 'base' ? 100 : id === 'tax' ? 21 : id === 'name' ? 'TOTAL' : null,
  )
  const { documents, skipped, faults } = await readFileOf(
    await excelOf([...headerRows('issued', 2026), row, sums], 'EXPEDIDAS_INGRESOS'),
    {},
    'libro.xlsx',
  )
  expect(faults).toEqual([])
  expect(documents).toMatchObject([{ issueDate: '2026-01-15', totalCents: 12_100 }])
  expect(skipped).toMatchObject([{ row: 5, reason: 'skipped_total' }])
})

test('payments of cash accounting that stand apart belong to their document', async () => {
  const columns = ISSUED_COLUMNS
  const cash = { ...ISSUED, regimeKey: '07', withholdingRate: '', withholding: '' }
  const paid = {
    ...Object.fromEntries(
      ['kind', 'issueDate', 'series', 'number', 'nif', 'name'].map((id) => [id, ISSUED[id] ?? '']),
    ),
    year: '2026',
    period: '2T',
    regimeKey: '07',
    paidOn: '10/04/2026',
    paid: '60,50',
    method: '01',
  }
  const other = { ...ISSUED, number: '8' }
  const { documents } = await readFileOf(
    await excelOf([
      ...headerRows('issued', 2026),
      ...[cash, other, paid].map((values) => cellsOf(columns, values)),
    ]),
    {},
    'libro.xlsx',
  )
  expect(documents.map(({ number, payments, source }) => [number, payments, source.rows])).toEqual([
    ['A-8', [], [5]],
    ['A-7', [{ date: '2026-04-10', cents: 6_050, method: '01' }], [4, 6]],
  ])
})

test('wrong cells of a book are named by the titles of group and column', async () => {
  const columns = ISSUED_COLUMNS
  const rows = [
    { ...ISSUED, number: '1', issueDate: '31/02/2026' },
    { ...ISSUED, number: '2', base: 'cien' },
    { ...ISSUED, number: '3', total: '120,99' },
    { ...ISSUED, number: '4', kind: 'ZZ' },
    { ...ISSUED, number: '5', qualification: '' },
    { ...ISSUED, number: '6', rate: '18,00', tax: '18,00', total: '118,00' },
    { ...ISSUED, number: '7' },
    { ...ISSUED, number: '8' },
    { ...ISSUED, number: '7', issueDate: '16/01/2026' },
  ]
  const { documents, faults } = await readFileOf(
    await excelOf([...headerRows('issued', 2026), ...rows.map((values) => cellsOf(columns, values))]),
    {},
    'libro.xlsx',
  )
  expect(documents.map(({ number }) => number)).toEqual(['A-7', 'A-8'])
  expect(faults.map(({ row, column, code }) => [row, column, code])).toEqual([
    [4, 'Fecha Expedición', 'history_not_a_day'],
    [5, 'Base Imponible', 'history_not_a_number'],
    [6, 'Total Factura', 'history_total_differs'],
    [7, 'Tipo de Factura', 'history_kind_unknown'],
    [8, 'Calificación de la Operación', 'history_qualification_unknown'],
    [9, 'Tipo de IVA', 'history_rate_unknown'],
    [12, 'Identificación de la Factura: Número', 'history_number_repeated'],
  ])
})
