/** Bank file formats: read to the cent, verified by every total in the file, rejected with a line number when damaged. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ibanOfCcc } from '../../../../server/accounting/bank/formats/ccc.ts'
import { readAmount, readDate } from '../../../../server/accounting/bank/formats/csv.ts'
import { readBankFile } from '../../../../server/accounting/bank/formats/read.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import type { Fault } from '../../../../server/domain/errors/app-error.ts'
import { readIban } from '../../../../server/domain/iban.ts'

const folder = join(import.meta.dirname, '../../../golden/bank')
const bytes = (name: string): Buffer => readFileSync(join(folder, name))
const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

function faultsOf(content: Buffer | string): Fault[] {
  try {
    readBankFile(Buffer.from(content))
  } catch (error) {
    if (error instanceof AppError) return (error.details?.faults ?? []) as Fault[]
    throw error
  }
  return []
}
const codesOf = (content: Buffer | string): string[] => faultsOf(content).map(({ code }) => code)

describe('golden files', () => {
  const names = [
    'two-accounts.n43',
    'camt053-02.xml',
    'camt053-04.xml',
    'camt053-08.xml',
    'newest-first.csv',
    'two-columns.csv',
    'bare.tsv',
  ]
  test.each(names)('%s reads as its expected file says', async (name) => {
    await expect(`${JSON.stringify(readBankFile(bytes(name)), null, 2)}\n`).toMatchFileSnapshot(
      join(folder, `${name}.expected.json`),
    )
  })
})

test('the IBAN of an account number equals the published one', () => {
  expect(ibanOfCcc('2100', '0418', '0200051332')).toBe('ES9121000418450200051332')
  fc.assert(
    fc.property(fc.stringMatching(/^\d{18}$/), (digits) => {
      expect(readIban(ibanOfCcc(digits.slice(0, 4), digits.slice(4, 8), digits.slice(8)))).not.toBeNull()
    }),
    { numRuns: 200 },
  )
})

describe('Norma 43', () => {
  const text = bytes('two-accounts.n43').toString('latin1')
  const lines = text.trimEnd().split('\r\n')
  const withLine = (index: number, change: (line: string) => string): Buffer =>
    latin(lines.map((line, at) => (at === index ? change(line) : line)).join('\r\n'))

  test('any line ending is accepted, with or without trailing blanks, or none at all', () => {
    const expected = readBankFile(latin(text)).statements
    expect(readBankFile(latin(lines.join('\n'))).statements).toEqual(expected)
    expect(readBankFile(latin(lines.map((line) => line.trimEnd()).join('\n'))).statements).toEqual(expected)
    expect(readBankFile(latin(`${lines.join('\r\n')}\r\n\u001a`)).statements).toEqual(expected)
    const unbroken = readBankFile(latin(lines.join(''))).statements
    expect(unbroken.map(({ movements }) => movements.map(({ text }) => text))).toEqual(
      expected.map(({ movements }) => movements.map(({ text }) => text)),
    )
  })

  test('the same file in UTF-8 reads the same', () => {
    const utf8 = readBankFile(Buffer.from(text, 'utf8'))
    expect(utf8.encoding).toBe('utf-8')
    expect(utf8.statements).toEqual(readBankFile(latin(text)).statements)
  })

  test('a changed amount is detected by the totals and reported with its line', () => {
    const faults = faultsOf(withLine(1, (line) => line.replace('00000000121000', '00000000121001')))
    expect(faults.map(({ code, params }) => [code, params?.line])).toEqual([
      ['n43_credit_total', 13],
      ['n43_balance', 13],
    ])
    expect(faults[0]?.params).toMatchObject({ said: '1460.00', counted: '1460.01' })
  })

  test('a missing movement is detected by the count, the total, the balance and the record count', () => {
    const lost = latin(lines.filter((_, index) => index !== 3 && index !== 4).join('\r\n'))
    expect(codesOf(lost)).toEqual(['n43_debits', 'n43_debit_total', 'n43_balance', 'n43_count'])
  })

  test.each([
    [
      'a wrong key of debit or credit',
      1,
      (line: string) => `${line.slice(0, 27)}3${line.slice(28)}`,
      'n43_sign',
    ],
    ['an invalid date', 1, (line: string) => `${line.slice(0, 10)}261340${line.slice(16)}`, 'n43_date'],
    ['letters in an amount', 1, (line: string) => `${line.slice(0, 30)}X${line.slice(31)}`, 'n43_number'],
    ['an unknown record', 2, (line: string) => `77${line.slice(2)}`, 'n43_record_unknown'],
    ['another currency', 0, (line: string) => `${line.slice(0, 47)}840${line.slice(50)}`, 'bank_currency'],
    ['a line that is too long', 2, (line: string) => `${line}tail`, 'n43_record_length'],
    [
      'an end of another account',
      12,
      (line: string) => `33${'9'.repeat(18)}${line.slice(20)}`,
      'n43_account_changed',
    ],
  ])('%s is rejected with its line', (_, index, change, code) => {
    const fault = faultsOf(withLine(index, change)).find((each) => each.code === code)
    expect(fault?.params?.line).toBe(index + 1)
  })

  test('an account without a closing record is incomplete', () => {
    expect(codesOf(latin(lines.slice(0, 8).join('\r\n')))).toContain('n43_no_account_end')
  })

  test('a missing end-of-file record gives a warning', () => {
    const { warnings, statements } = readBankFile(latin(lines.slice(0, -1).join('\r\n')))
    expect(warnings.map(({ code }) => code)).toEqual(['n43_no_end'])
    expect(statements).toHaveLength(2)
  })
})

describe('camt.053', () => {
  const text = bytes('camt053-02.xml').toString()
  test.each([
    ['a document type', text.replace('<Document', '<!DOCTYPE x [<!ENTITY a "b">]><Document'), 'xml_refused'],
    ['broken XML', text.replace('</Stmt>', ''), 'xml_broken'],
    ['an unknown entity', text.replace('RECIBO', '&nope;'), 'xml_broken'],
    ['deeply nested elements', `<a>${'<b>'.repeat(60)}`, 'xml_refused'],
    ['an intraday report', text.replaceAll('camt.053', 'camt.052'), 'camt_other'],
    ['another XML vocabulary', '<?xml version="1.0"?><root/>', 'bank_file_unknown'],
    ['a wrong closing balance', text.replace('2069.50', '2069.51'), 'camt_balance'],
    ['a wrong total', text.replace('<Sum>1694.00', '<Sum>1694.10'), 'camt_total'],
    ['a wrong count', text.replace('<NbOfNtries>4', '<NbOfNtries>7'), 'camt_count'],
    ['another currency', text.replace('<Amt Ccy="EUR">3.50', '<Amt Ccy="USD">3.50'), 'bank_currency'],
  ])('%s is rejected', (_, content, code) => {
    expect(codesOf(content)).toContain(code)
  })

  test('a batch whose operations do not add up gives a warning', () => {
    const { warnings } = readBankFile(
      Buffer.from(text.replace('<TxAmt><Amt Ccy="EUR">242.00', '<TxAmt><Amt Ccy="EUR">240.00')),
    )
    expect(warnings.map(({ code }) => code)).toContain('camt_batch_total')
  })
})

describe('CSV', () => {
  test.each([
    ['1.234,56', ',', 123456],
    ['1234,5', ',', 123450],
    ['-1.234,56 €', ',', -123456],
    ['1,234.56', '.', 123456],
    ['(12,50)', ',', -1250],
    ['12,50-', ',', -1250],
    ['+3', ',', 300],
    ['\u22124,00 EUR', ',', -400],
    ['', ',', undefined],
    ['12.34', ',', null],
    ['1,2,3', ',', null],
    ['12,345', ',', null],
    ['doce', ',', null],
  ] as const)('the amount %s (%s) is %s cents', (cell, sign, cents) => {
    expect(readAmount(cell, sign)).toBe(cents)
  })

  test.each([
    ['02/11/2026', 'dmy', '2026-11-02'],
    ['2-11-26', 'dmy', '2026-11-02'],
    ['2026-11-02T10:00', 'ymd', '2026-11-02'],
    ['11/13/2026', 'mdy', '2026-11-13'],
    ['20261102', 'ymd', '2026-11-02'],
    ['31/02/2026', 'dmy', null],
    ['hoy', 'dmy', null],
  ] as const)('the date %s (%s) is %s', (cell, order, day) => {
    expect(readDate(cell, order)).toBe(day)
  })

  test('an inconsistent balance is reported with its line', () => {
    const text = bytes('newest-first.csv').toString('latin1').replace('11.112,80', '11.112,81')
    const { warnings } = readBankFile(latin(text))
    expect(warnings[0]).toMatchObject({ code: 'csv_balance_breaks', params: { count: 2 } })
  })

  test('a wrong mapping is rejected line by line, and can be corrected', () => {
    const good = readBankFile(bytes('newest-first.csv')).csv?.mapping
    if (!good) throw new Error('It has a mapping.')
    const wrong = { ...good, amount: 2 }
    expect(() => readBankFile(bytes('newest-first.csv'), { given: wrong })).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    )
    const lenient = readBankFile(bytes('newest-first.csv'), { given: wrong }, true)
    expect(lenient.statements).toEqual([])
    expect(lenient.warnings[0]).toMatchObject({ code: 'csv_amount', params: { line: 5, column: 3 } })
  })
})

describe('files that are not bank files', () => {
  test.each([
    ['nothing', '', 'bank_file_empty'],
    ['blanks', ' \n ', 'bank_file_empty'],
    ['a spreadsheet', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0]), 'bank_file_unknown'],
    ['a web page', '<!doctype html><html><body>Sesión caducada</body></html>', 'bank_file_unknown'],
    ['a letter', 'Estimado cliente: adjuntamos su extracto.', 'bank_file_unknown'],
  ])('%s', (_, content, code) => {
    expect(codesOf(content)).toEqual([code])
  })

  test('any bytes are read or rejected, and never crash the reader', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (content) => {
        expect(() => faultsOf(Buffer.from(content))).not.toThrow()
      }),
      { numRuns: 500 },
    )
    const file = bytes('two-accounts.n43')
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.nat(255), (at, byte) => {
        const damaged = Buffer.from(file)
        damaged[at] = byte
        expect(() => faultsOf(damaged)).not.toThrow()
      }),
      { numRuns: 300 },
    )
  })
})
