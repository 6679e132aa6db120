/** Ledger files: opening balances of another program, and exports for a spreadsheet. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  exportLedger,
  openBalances,
  trialBalance,
  writeEntry,
} from '../../../../server/accounting/ledger/index.ts'
import {
  MAX_ACCOUNTS,
  readAmount,
  readBalances,
} from '../../../../server/accounting/ledger/years/opening-file.ts'
import { openLedger } from './support.ts'

test.each<[string, number | null]>([
  ['1.234,56', 123_456],
  ['1,234.56', 123_456],
  ['1234.5', 123_450],
  ['1.234', 123_400],
  ['12,5', 1_250],
  ['-12,50', -1_250],
  ['(12,50)', -1_250],
  ['12,50-', -1_250],
  ['12,50 €', 1_250],
  ['', 0],
  ['12,505', null],
  ['doce', null],
])('the amount %j is read as %j cents', (text, expected) => {
  expect(readAmount(text)).toBe(expected)
})

const CSV = `Balance de sumas y saldos;;;
Ejercicio 2025;;;
Cuenta;Título;Saldo deudor;Saldo acreedor
1;Financiación básica;;6.000,00
100;Capital social;;3.000,00
129;Resultado;;3.000,00
430;Clientes;2.420,00;
430.00001;Cliente Uno;1.210,00;
430.00002;Cliente Dos;1.210,00;
572;Bancos;3.580,00;
;Total;6.000,00;6.000,00`

describe('opening balances', () => {
  test('leave out group totals and keep the names of accounts', async () => {
    const { rows, faults } = await readBalances(CSV)
    expect(faults).toEqual([])
    expect(rows.map((row) => [row.account, row.cents])).toEqual([
      ['100', -300_000],
      ['129', -300_000],
      ['43000001', 121_000],
      ['43000002', 121_000],
      ['572', 358_000],
    ])
  })

  test('leave out totals of groups within groups, in any order, and keep a total that is not one', async () => {
    const csv = 'cuenta;saldo\n43000001;5\n4300;12\n43000002;7\n430;12\n5720001;-12\n572;-11'
    const { rows } = await readBalances(csv)
    expect(rows.map(({ account }) => account)).toEqual(['43000001', '43000002', '5720001', '572'])
  })

  test('have the groups that a comparison of every two accounts finds', async () => {
    const accounts = fc.array(fc.tuple(fc.stringMatching(/^4[0-2]{2,6}$/), fc.integer({ min: 1, max: 3 })))
    await fc.assert(
      fc.asyncProperty(accounts, async (given) => {
        const isAbove = (code: string) => given.some(([other]) => other !== code && other.startsWith(code))
        const below = (code: string) =>
          given.reduce(
            (sum, [other, euros]) => (other.startsWith(code) && !isAbove(other) ? sum + euros : sum),
            0,
          )
        const expected = given.filter(([code, euros]) => !isAbove(code) || below(code) !== euros)
        const csv = ['cuenta;saldo', ...given.map(([code, euros]) => `${code};${euros}`)].join('\n')
        const { rows } = await readBalances(csv)
        expect(rows.map(({ account, cents }) => [account, cents / 100])).toEqual(expected)
      }),
    )
  })

  test('of more accounts than one entry takes are refused', async () => {
    const csv = (count: number): string =>
      `cuenta;saldo\n${Array.from({ length: count }, (_, index) => `${43_000_000 + index};1`).join('\n')}`
    expect((await readBalances(csv(MAX_ACCOUNTS))).rows).toHaveLength(MAX_ACCOUNTS)
    const { rows, faults } = await readBalances(csv(MAX_ACCOUNTS + 1))
    expect([rows, faults.map(({ code }) => code)]).toEqual([[], ['opening_too_many_accounts']])
  })

  test('are previewed, then booked, and replaced when booked again', async () => {
    const book = await openLedger()
    const looked = await openBalances(book.test, { date: '2026-01-01', csv: CSV, write: false })
    expect(looked).toMatchObject({ debit: 6000, credit: 6000, issues: [], entryId: null, replaces: false })
    await openBalances(book.test, { date: '2026-01-01', csv: CSV, write: true })
    const again = await openBalances(book.test, { date: '2026-01-01', csv: CSV, write: true })
    expect(again.replaces).toBe(true)
    const { rows } = await trialBalance(book.test, { year: 2026 })
    expect(rows.find((row) => row.code === '43000001')).toMatchObject({
      name: 'Cliente Uno',
      opening: 1210,
      debit: 0,
      balance: 1210,
    })
  })

  test('are rejected as a whole when they do not balance, contain income, or name no account', async () => {
    const book = await openLedger()
    const rows = [
      { account: '572', debit: 100 },
      { account: '705', credit: 90 },
      { account: '100', credit: 5 },
    ]
    const looked = await openBalances(book.test, { date: '2026-01-01', rows, write: false })
    expect(looked.issues.map((issue) => issue.code)).toEqual(['opening_with_results', 'entry_unbalanced'])
    await expect(openBalances(book.test, { date: '2026-01-01', rows, write: true })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    const july = await openBalances(book.test, { date: '2026-07-01', rows, write: false })
    expect(july.issues.map((issue) => issue.code)).toEqual(['entry_unbalanced'])
    const balanced = [...rows, { account: '100', credit: 5 }]
    const booked = await openBalances(book.test, { date: '2026-07-01', rows: balanced, write: true })
    expect(booked).toMatchObject({ issues: [], debit: 100, credit: 100, replaces: false })
    const again = await openBalances(book.test, { date: '2026-07-01', rows: balanced, write: true })
    expect(again.replaces).toBe(true)
    const nothing = await openBalances(book.test, {
      date: '2026-01-01',
      csv: 'hola;adios\n1;2',
      write: false,
    })
    expect(nothing.issues.map((issue) => issue.code)).toEqual(['columns_missing', 'opening_empty'])
    const broken = await openBalances(book.test, {
      date: '2026-01-01',
      csv: 'cuenta;saldo\n572;mil',
      write: false,
    })
    expect(broken.issues[0]).toMatchObject({ code: 'amount_unreadable', field: 'csv[2]' })
  })
})

describe('exports', () => {
  async function someBooks() {
    const book = await openLedger()
    await writeEntry(book.test, {
      date: '2026-05-31',
      text: '=HYPERLINK("http://x";"y")',
      lines: [
        { account: '572', debit: 1234.5 },
        { account: '705', credit: 1234.5 },
      ],
    })
    return book
  }

  test('as CSV use semicolons and decimal commas, and contain no text that a spreadsheet would run', async () => {
    const book = await someBooks()
    const { bytes, fileName, mediaType } = await exportLedger(book.test, {
      what: 'journal',
      format: 'csv',
      year: 2026,
    })
    expect([fileName, mediaType]).toEqual(['Diario 2026-01-01 2026-12-31.csv', 'text/csv; charset=utf-8'])
    expect(Buffer.from(bytes).toString('utf8')).toBe(
      [
        '\ufeffAsiento;Fecha;Concepto;Documento;Cuenta;Nombre;Debe;Haber',
        `;31/05/2026;"'=HYPERLINK(""http://x"";""y"")";;572;Bancos e instituciones de crédito, euros;1234,50;0,00`,
        `;31/05/2026;"'=HYPERLINK(""http://x"";""y"")";;705;Prestaciones de servicios;0,00;1234,50`,
        '',
      ].join('\r\n'),
    )
  })

  test.each(['journal', 'ledger', 'trial_balance', 'profit_and_loss', 'balance_sheet'] as const)(
    '%s as XLSX reads back with the same amounts',
    async (what) => {
      const book = await someBooks()
      const { bytes } = await exportLedger(book.test, { what, format: 'xlsx', year: 2026, language: 'en' })
      const { readSheet } = await import('read-excel-file/node')
      const rows = await readSheet(Buffer.from(bytes))
      const cells = rows.flat()
      expect(cells).toContain(1234.5)
      expect(cells.filter((cell) => typeof cell === 'string' && cell.startsWith('='))).toEqual([])
      const words = { journal: 'Entry', ledger: 'Account', trial_balance: 'Opening balance' } as Record<
        string,
        string
      >
      expect(rows[0]).toContain(words[what] ?? 'Heading')
    },
  )
})
