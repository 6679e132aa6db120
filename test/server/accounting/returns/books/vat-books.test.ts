/** VAT books: content, rule checks, and the same values from an independent reader. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { checkVatBook, createBookChecker } from '../../../../../server/accounting/returns/books/check.ts'
import {
  amountCell,
  dateCell,
  nifCell,
  textCell,
} from '../../../../../server/accounting/returns/books/cells.ts'
import {
  columnLetter,
  ISSUED_COLUMNS,
  RECEIVED_COLUMNS,
  GOODS_COLUMNS,
} from '../../../../../server/domain/formats/vat-book-columns.ts'
import type { SheetName } from '../../../../../server/domain/formats/vat-book-columns.ts'
import { centsOf } from '../../../../../server/accounting/returns/books/rules.ts'
import { bookRows } from '../../../../../server/accounting/returns/books/rows.ts'
import type { BookRow } from '../../../../../server/accounting/returns/books/book-row.ts'
import { openBooks } from '../../../../support/books.ts'
import { openWorld } from '../../../../support/world.ts'
import type { Ctx } from '../../../../../server/context.ts'
import { line, purchase, workedQuarter } from '../worked.ts'

const YEAR = { from: '2026-01-01', to: '2026-12-31' }
const RULES = { ownNif: 'B12345674', isLegal: true, today: '2026-12-31' }
const COLUMNS = { issued: ISSUED_COLUMNS, received: RECEIVED_COLUMNS, goods: GOODS_COLUMNS }

async function rowsOf(ctx: Ctx): Promise<BookRow[]> {
  const rows: BookRow[] = []
  for await (const page of bookRows(ctx, YEAR)) rows.push(...page)
  return rows
}

async function rowIssued(): Promise<BookRow> {
  const world = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  await world.invoice({ issueDate: '2026-10-20', lines: [line(1000)] })
  const [row] = await rowsOf(world.test)
  return row!
}

async function rowReceived(): Promise<BookRow> {
  const world = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  await world.run(
    'received.create',
    purchase({ supplierNumber: 'A1', taxLines: [{ base: 100, vatRate: 21 }] }),
  )
  const [row] = await rowsOf(world.test)
  return row!
}

/** Returns a row as an object, to read and to change. */
const named = (row: BookRow): Record<string, string> =>
  Object.fromEntries(COLUMNS[row.sheet].map(({ id }, index) => [id, row.cells[index] ?? '']))

const changed = (row: BookRow, changes: Record<string, string>): BookRow => ({
  ...row,
  cells: COLUMNS[row.sheet].map(({ id }, index) => changes[id] ?? row.cells[index] ?? ''),
})

const sum = (rows: readonly BookRow[], column: string) =>
  rows.reduce((total, row) => total + (centsOf(named(row)[column] ?? '') ?? 0), 0) / 100

describe('the layout', () => {
  test('has the columns of the template', () => {
    expect([ISSUED_COLUMNS.length, RECEIVED_COLUMNS.length, GOODS_COLUMNS.length]).toEqual([36, 42, 40])
    const letter = (columns: readonly { id: string }[], id: string) =>
      columnLetter(columns.findIndex((column) => column.id === id))
    expect([letter(ISSUED_COLUMNS, 'total'), letter(ISSUED_COLUMNS, 'externalRef')]).toEqual(['U', 'AJ'])
    expect([letter(RECEIVED_COLUMNS, 'deductible'), letter(RECEIVED_COLUMNS, 'externalRef')]).toEqual([
      'AD',
      'AP',
    ])
  })

  test('writes amounts, dates and numbers as the rules require', () => {
    expect([
      amountCell(6_632_512),
      amountCell(13_500),
      amountCell(-50_236),
      amountCell(0),
      amountCell(null),
    ]).toEqual(['66325,12', '135,00', '-502,36', '0,00', ''])
    expect([
      dateCell('2018-05-02'),
      nifCell('a-12.345 678'),
      textCell('=1+1', 40),
      textCell('@x', 40),
    ]).toEqual(['02/05/2018', 'A12345678', "'=1+1", "'@x"])
    expect(textCell('ñ'.repeat(50), 40)).toHaveLength(40)
  })
})

describe('the rows', () => {
  test('are one for each document and tax, and add up to the tax totals', async () => {
    const world = await workedQuarter()
    const rows = await rowsOf(world.test)
    const issued = rows.filter(({ sheet }) => sheet === 'issued')
    const received = rows.filter(({ sheet }) => sheet === 'received')
    expect([issued.length, received.length, rows.length - issued.length - received.length]).toEqual([
      12, 8, 1,
    ])
    const summary = await world.run('fiscal.summary', { year: 2026, quarter: 4 })
    expect(sum(issued, 'base')).toBe(summary.output.base)
    expect(sum(issued, 'tax') + sum(issued, 'surcharge')).toBe(summary.output.quota)
    expect(sum(issued, 'total')).toBe(summary.output.total)
    expect(sum(received, 'deductible')).toBe(summary.input.deductible)
    expect(named(issued[0]!)).toMatchObject({
      year: '2026',
      period: '4T',
      kind: 'F1',
      series: 'T-F2026',
      number: '0001',
      issueDate: '20/10/2026',
      operationDate: '',
      nif: 'B87654323',
      regimeKey: '01',
      qualification: 'S1',
      base: '1000,00',
      rate: '21,00',
      tax: '210,00',
      total: '1210,00',
      surcharge: '',
      income: '',
    })
  })

  test('contain income, expenses and withholding once, for a natural person only', async () => {
    const world = await workedQuarter('natural')
    const rows = (await rowsOf(world.test)).map(named)
    expect(
      rows.find(
        (row) => row.withholdingRate === '15,00' && row.sheet === undefined && row.income === '500,00',
      ),
    ).toMatchObject({
      concept: 'I01',
      withholding: '75,00',
    })
    expect(rows.filter((row) => row.withholding === '30,00')).toHaveLength(1)
    expect(rows.filter((row) => row.concept === 'I01')).toHaveLength(12)
  })

  test('of a correction by substitution are two: the reversed original, and the new one', async () => {
    const world = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
    const wrong = await world.invoice({ lines: [line(1000)] })
    await world.invoice({
      kind: 'R4',
      rectifies: [{ id: wrong.id }],
      rectification: { method: 'S', cause: 'wrong_text', reason: 'Datos' },
      lines: [line(800)],
    })
    const rows = (await rowsOf(world.test)).map(named)
    expect(rows.map(({ kind, base, tax }) => [kind, base, tax])).toEqual([
      ['F1', '1000,00', '210,00'],
      ['F1', '-1000,00', '-210,00'],
      ['R4', '800,00', '168,00'],
    ])
    const { output } = await world.run('fiscal.summary', { year: 2026, quarter: 4 })
    expect([output.base, output.quota]).toEqual([800, 168])
  })

  test('of a ticket without a NIF are a sale to consumers', async () => {
    const world = await openBooks()
    await world.invoice({ kind: 'F2', clientName: 'Público', clientNif: null, lines: [line(10)] })
    expect(named((await rowsOf(world.test))[0]!)).toMatchObject({
      kind: 'F2',
      name: 'VENTAS A CONSUMIDOR FINAL',
      nif: '',
    })
  })
})

describe('the rules', () => {
  test('find no fault in books kept by Sello, except an activity that was never set', async () => {
    const world = await workedQuarter()
    const answer = await world.run('fiscal.checkVatBooks', { year: 2026, quarter: 4 })
    expect(answer.faults.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(answer).toMatchObject({ ok: true, rows: { issued: 12, received: 8, goods: 1 } })
    expect(new Set(answer.faults.map(({ code }) => code))).toEqual(
      new Set(['activity_missing', 'not_for_companies'].slice(0, 1)),
    )
    await world.run('fiscal.setProfile', {
      activityCode: 'A',
      activityType: '03',
      iae: '6533',
      incomeMethod: 'none',
    })
    expect((await world.run('fiscal.checkVatBooks', { year: 2026, quarter: 4 })).faults).toEqual([])
  })

  const ISSUED: [string, Record<string, string>, string][] = [
    ['1', { issueDate: '01/01/2027' }, 'date_in_future'],
    ['2', { nif: 'A12345678' }, 'nif_invalid'],
    ['2', { idType: '04', country: '' }, 'country_missing'],
    ['2', { idType: '99' }, 'id_type_unknown'],
    ['3', { base: '1000.00' }, 'decimal_wrong'],
    ['3', { base: '1.000,00' }, 'decimal_wrong'],
    ['3', { base: '1000' }, 'decimal_wrong'],
    ['4', { name: 'x'.repeat(41) }, 'text_long'],
    ['4', { name: '=HYPERLINK("x")' }, 'formula'],
    ['5', { issueDate: '2/5/2026' }, 'date_wrong'],
    ['5', { issueDate: '30/02/2026' }, 'date_wrong'],
    ['6', { regimeKey: '16' }, 'key_unknown'],
    ['9', { kind: 'F9' }, 'kind_unknown'],
    ['11', { period: '1T' }, 'period_wrong'],
    ['11', { year: '2025' }, 'period_wrong'],
    ['17', { withholding: '1,00' }, 'not_for_companies'],
    ['19', { qualification: '' }, 'qualification_or_exemption'],
    ['19', { exemption: 'E1' }, 'qualification_or_exemption'],
    ['20', { qualification: '', exemption: 'E9' }, 'exemption_unknown'],
    ['21', { rate: '' }, 'rate_missing'],
    ['21', { tax: '209,00' }, 'tax_wrong'],
    ['21', { tax: '-210,00' }, 'signs_differ'],
    ['22', { qualification: 'S2' }, 'reverse_with_tax'],
    ['22', { qualification: 'S2', regimeKey: '02', rate: '0,00', tax: '0,00' }, 'reverse_key'],
    ['30', { qualification: 'S2', kind: 'F2' }, 'reverse_kind'],
    ['23', { regimeKey: '03', qualification: 'N1' }, 'used_goods_taxed'],
    ['24', { regimeKey: '08' }, 'other_tax'],
    ['25', { operationDate: '01/11/2026' }, 'issued_before_operation'],
    ['26', { regimeKey: '14' }, 'deferred_public'],
    ['27', { qualification: '', exemption: 'E2' }, 'export_key'],
    ['27', { qualification: '', exemption: 'E5' }, 'eu_without_vat_number'],
    ['28', { regimeKey: '10' }, 'third_party_collection'],
    ['29', { idType: '02', kind: 'F2' }, 'kind_with_vat_number'],
    ['31', { regimeKey: '07', qualification: 'N2' }, 'cash_not_possible'],
    ['32', { kind: 'R3', idType: '04', country: 'US' }, 'insolvency_nif'],
    ['33', { nif: '' }, 'nif_missing'],
    ['34', { kind: 'F2', base: '2500,00', tax: '525,00', total: '3025,00' }, 'simplified_too_large'],
    ['35', { surchargeRate: '1,40', surcharge: '14,00' }, 'surcharge_wrong'],
    ['36', { regimeKey: '11', rate: '10,00' }, 'rent_rate'],
    ['37', { total: '1210,01' }, 'total_wrong'],
    ['37', { qualification: 'N1', rate: '21,00' }, 'tax_without_tax'],
    ['38', { regimeKey: '17', issueDate: '01/06/2021' }, 'one_stop_shop_day'],
    ['39', { rate: '7,50', tax: '75,00' }, 'rate_not_allowed'],
    ['39', { rate: '0,00', tax: '0,00' }, 'rate_not_allowed'],
  ]
  /** Made once: the tests change copies of it. */
  let issuedRow: BookRow | undefined
  test.each(ISSUED)('issued %s: %j is %s', async (rule, changes, code) => {
    issuedRow ??= await rowIssued()
    const row = issuedRow
    const { faults } = checkVatBook(
      [changed(row, { activityCode: 'A', activityType: '03', iae: '6533', ...changes })],
      RULES,
    )
    expect(faults.map((fault) => `${fault.rule} ${fault.code}`)).toContain(`${rule} ${code}`)
    const untouched = checkVatBook(
      [changed(row, { activityCode: 'A', activityType: '03', iae: '6533' })],
      RULES,
    )
    expect(untouched.faults).toEqual([])
  })

  const RECEIVED: [string, Record<string, string>, string][] = [
    ['2', { nif: '' }, 'nif_missing'],
    ['7', { regimeKey: '14' }, 'key_unknown'],
    ['10', { kind: 'DV' }, 'kind_unknown'],
    ['12', { period: '3T' }, 'period_wrong'],
    ['18', { concept: 'G01' }, 'not_for_companies'],
    ['19', { receptionDate: '01/10/2026' }, 'received_too_early'],
    ['19', { receptionDate: '' }, 'reception_missing'],
    ['20', { regimeKey: '02', investment: 'S' }, 'good_not_possible'],
    ['23', { regimeKey: '09', reverseCharge: 'S' }, 'reverse_not_possible'],
    ['25', { issueDate: '31/12/2027' }, 'date_in_future'],
    ['26', { regimeKey: '09' }, 'eu_without_vat_number'],
    [
      '27',
      { kind: 'F2', base: '2500,00', tax: '525,00', total: '3025,00', deductible: '0,00' },
      'simplified_too_large',
    ],
    ['28', { kind: 'F5' }, 'customs_nif'],
    ['28', { kind: 'LC' }, 'customs_number'],
    ['29', { regimeKey: '08' }, 'other_tax'],
    ['30', { regimeKey: '02', surcharge: '1,00' }, 'farmer_surcharge'],
    ['32', { total: '120,00' }, 'total_wrong'],
    ['33', { surcharge: '5,20', surchargeRate: '5,20', total: '126,20' }, 'surcharge_not_deductible'],
    ['33', { deductible: '-21,00' }, 'signs_differ'],
    ['33', { deductible: '22,00' }, 'deducted_too_much'],
    ['33', { regimeKey: '13' }, 'key_not_deductible'],
    ['33', { kind: 'F2' }, 'simplified_not_deductible'],
    ['33', { tax: '20,00' }, 'tax_wrong'],
    ['34', { deductionYear: '2027', deductedLater: 'S' }, 'deduction_half'],
    ['34', { deductionYear: '2026', deductionPeriod: '3T', deductedLater: 'S' }, 'deduction_not_later'],
    ['35', { deductionYear: '2027', deductionPeriod: '1T' }, 'deducted_later'],
    ['36', { regimeKey: '03' }, 'scheme_not_deductible'],
    ['37', { reception: '' }, 'reception_number'],
    ['38', { rate: '5,00', tax: '5,00', deductible: '5,00' }, 'rate_not_allowed'],
    ['39', { regimeKey: '12' }, 'property_missing'],
  ]
  let receivedRow: BookRow | undefined
  test.each(RECEIVED)('received %s: %j is %s', async (rule, changes, code) => {
    receivedRow ??= await rowReceived()
    const row = receivedRow
    const activity = { activityCode: 'A', activityType: '03', iae: '6533' }
    const { faults } = checkVatBook([changed(row, { ...activity, ...changes })], RULES)
    expect(faults.map((fault) => `${fault.rule} ${fault.code}`)).toContain(`${rule} ${code}`)
    expect(checkVatBook([changed(row, activity)], RULES).faults).toEqual([])
  })

  test('count all faults and keep the first ones', () => {
    const checker = createBookChecker(RULES, 10)
    for (let index = 0; index < 30; index++) checker.check({ sheet: 'goods', cells: [] })
    const { faults, total } = checker.done()
    expect(faults).toHaveLength(10)
    expect(total).toBeGreaterThan(30)
  })
})

/** Returns true when Python with openpyxl (from Debian) is available: a reader that shares no code with Sello. */
function hasOpenpyxl(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import openpyxl'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const READER = `
import json, sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
print(json.dumps({sheet.title: [[("" if cell.value is None else cell.value) for cell in row] for row in sheet.iter_rows()] for sheet in book}))
print(json.dumps([cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]))
`

describe('the files', () => {
  const EVIL = '=HYPERLINK("http://evil","x")'

  test.skipIf(!hasOpenpyxl())('are read back by an independent reader and pass the rules', async () => {
    const world = await workedQuarter()
    await world.run('fiscal.setProfile', {
      activityCode: 'A',
      activityType: '03',
      iae: '6533',
      incomeMethod: 'none',
    })
    await world.invoice({ issueDate: '2026-12-01', clientName: EVIL, lines: [line(1)] })
    const { bytes, fileName } = await world.run('fiscal.vatBooks', {
      year: 2026,
      quarter: 4,
      format: 'xlsx',
    })
    expect(fileName).toBe('2026B12345674TTalleres Ejemplo, S.L..xlsx')
    const path = join(world.folder, 'book.xlsx')
    writeFileSync(path, bytes)
    const [text = '', formulas = ''] = execFileSync('/usr/bin/python3', ['-c', READER, path], {
      encoding: 'utf8',
    }).split('\n')
    expect(JSON.parse(formulas)).toEqual([])
    const sheets = JSON.parse(text) as Record<string, string[][]>
    expect(Object.keys(sheets)).toEqual(['EXPEDIDAS_INGRESOS', 'RECIBIDAS_GASTOS', 'BIENES-INVERSIÓN'])
    const names: Record<string, SheetName> = {
      EXPEDIDAS_INGRESOS: 'issued',
      RECIBIDAS_GASTOS: 'received',
      'BIENES-INVERSIÓN': 'goods',
    }
    const read = Object.entries(sheets).flatMap(([title, rows]) =>
      rows.slice(3).map((cells) => ({ sheet: names[title]!, cells })),
    )
    const written = await rowsOf(world.test)
    expect(read.map(({ cells }) => cells)).toEqual(
      (['issued', 'received', 'goods'] as const).flatMap((sheet) =>
        written.filter((row) => row.sheet === sheet).map((row) => row.cells),
      ),
    )
    expect(read.some(({ cells }) => cells.includes(`'${EVIL}`))).toBe(true)
    const { faults, rows } = checkVatBook(read, RULES)
    expect(faults).toEqual([])
    expect(rows).toEqual({ issued: 13, received: 8, goods: 1 })
    expect(sheets.EXPEDIDAS_INGRESOS?.[2]?.slice(10, 13)).toEqual(['Serie', 'Número', 'Número-Final'])
  })

  test('are available as CSV over REST, with name and media type', async () => {
    const world = await openWorld({ at: '2026-12-30T12:00:00+01:00' })
    const draft = await world.createDraft()
    await world.issue(draft.id)
    const answer = await world.get('/api/v1/fiscal/vat-books?year=2026&quarter=4&format=csv')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/zip')
    const files = unzipSync(new Uint8Array(answer.raw.rawPayload))
    expect(Object.keys(files)).toEqual([
      'EXPEDIDAS_INGRESOS.csv',
      'RECIBIDAS_GASTOS.csv',
      'BIENES-INVERSIÓN.csv',
    ])
    const lines = strFromU8(files['EXPEDIDAS_INGRESOS.csv']!).split('\r\n')
    expect([...files['EXPEDIDAS_INGRESOS.csv']!.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(lines[0]).toContain('LIBRO REGISTRO FACTURAS EXPEDIDAS')
    expect(lines).toHaveLength(5)
    expect(lines[3]?.split(';')).toHaveLength(36)
    const xlsx = await world.get('/api/v1/fiscal/vat-books?year=2026&quarter=4')
    expect(xlsx.headers['content-type']).toContain('spreadsheetml')
    expect((await world.get('/api/v1/fiscal/vat-books?year=2026&quarter=5')).status).toBe(422)
    const blind = await world.makeKey({ scopes: ['invoices.read'] })
    expect((await world.get('/api/v1/fiscal/vat-books?year=2026', { key: blind.key })).status).toBe(403)
  })
})
