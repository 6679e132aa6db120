/**
 * Readers of the files, written from public programs and not from the writers: what each line posts, by entry and
 * account. Amounts are cents.
 */
import { strFromU8, unzipSync } from 'fflate'
import Papa from 'papaparse'
import { readSheet } from 'read-excel-file/node'

/** Sums by account of each entry, in the order of the file. */
export type Posted = Map<string, number>[]

const cents = (text: string): number => {
  const match = /^([+-]?)0*(\d+)[.,](\d\d)$/.exec(text.trim())
  if (!match) throw new Error(`No amount: ${text}.`)
  const value = Number(match[2]) * 100 + Number(match[3])
  return match[1] === '-' ? -value : value
}

function post(sums: Map<string, number>, account: string, amount: number): void {
  if (amount === 0) return
  const sum = (sums.get(account) ?? 0) + amount
  if (sum === 0) sums.delete(account)
  else sums.set(account, sum)
}

export const latin = (bytes: Uint8Array): string => new TextDecoder('windows-1252').decode(bytes)

interface A3Record {
  type: string
  text: string
}

/**
 * Reads SUENLACE.DAT as tl_suenlace_import of Tecniloop/TecniloopAddons does (suenlace_parser.py, and the literal entries
 * of suenlace_import.py): positions, sides of sales and purchases, rectifying ones turned round.
 */
export function readA3(bytes: Uint8Array): { posted: Posted; records: A3Record[] } {
  const records = latin(bytes)
    .split('\r\n')
    .filter((line) => line.trim() !== '')
    .map((text) => ({ type: text.slice(14, 15), text }))
  const at = (text: string, from: number, length: number) => text.slice(from - 1, from - 1 + length)
  const posted: Posted = []
  let sums = new Map<string, number>()
  let side = 1
  for (const { type, text } of records) {
    const account = at(text, 16, 12).trim()
    const place = at(text, 69, 1)
    if (type === '0') {
      if (place === 'I') posted.push((sums = new Map()))
      post(sums, account, (at(text, 58, 1) === 'D' ? 1 : -1) * cents(at(text, 100, 14)))
    } else if (type === '1' || type === '2') {
      posted.push((sums = new Map()))
      const isSale = at(text, 58, 1) === '1'
      side = (isSale ? 1 : -1) * (type === '2' ? -1 : 1)
      post(sums, account, side * cents(at(text, 100, 14)))
    } else if (type === '9') {
      const base = at(text, 58, 1) === 'A' ? side : -side
      const vat = cents(at(text, 121, 14))
      const vatAccount = at(text, 192, 12).trim()
      const outputAccount = at(text, 228, 12).trim()
      post(sums, account, base * cents(at(text, 102, 14)))
      if (vatAccount !== '') post(sums, vatAccount, base * vat)
      if (outputAccount !== '') post(sums, outputAccount, -base * vat)
      if (vat !== 0 && vatAccount === '' && outputAccount === '') throw new Error('VAT without an account.')
      const surcharge = cents(at(text, 140, 14))
      if (surcharge !== 0) post(sums, at(text, 204, 12).trim(), base * surcharge)
      const withheld = cents(at(text, 159, 14))
      if (withheld !== 0) post(sums, at(text, 216, 12).trim(), -base * withheld)
    }
  }
  return { posted, records }
}

/** Positions of NaN-tic/trytond-account_import_contaplus (ENTRY_RECORD), from 1. */
const DIARY = {
  asien: [1, 6],
  fecha: [7, 8],
  subCta: [15, 12],
  concepto: [55, 25],
  iva: [120, 5],
  euroDebe: [239, 16],
  euroHaber: [255, 16],
  baseEuro: [271, 16],
} as const

interface DiaryLine {
  entry: string
  date: string
  account: string
  debit: number
  credit: number
  base: number
  rate: string
  text: string
}

export function readDiary(bytes: Uint8Array): { posted: Posted; lines: DiaryLine[] } {
  const lines = latin(bytes)
    .split('\r\n')
    .filter((line) => line !== '')
    .map((text) => {
      const field = ([from, length]: readonly [number, number]) =>
        text.slice(from - 1, from - 1 + length).trim()
      return {
        entry: field(DIARY.asien),
        date: field(DIARY.fecha),
        account: field(DIARY.subCta),
        text: field(DIARY.concepto),
        rate: field(DIARY.iva),
        debit: cents(field(DIARY.euroDebe)),
        credit: cents(field(DIARY.euroHaber)),
        base: cents(field(DIARY.baseEuro)),
      }
    })
  return { posted: byEntry(lines), lines }
}

function byEntry(
  lines: readonly { entry: string; account: string; debit: number; credit: number }[],
): Posted {
  return [...Map.groupBy(lines, ({ entry }) => entry).values()].map((own) => {
    const sums = new Map<string, number>()
    for (const { account, debit, credit } of own) post(sums, account, debit - credit)
    return sums
  })
}

export const filesIn = (zip: Uint8Array): Record<string, Uint8Array> => unzipSync(zip)

type Cell = string | number | boolean | Date | null

/** Reads the first sheet of a workbook with another program's reader. */
export async function sheetOf(bytes: Uint8Array): Promise<Cell[][]> {
  return (await readSheet(Buffer.from(bytes))) as unknown as Cell[][]
}

const centsOf = (value: Cell | undefined): number => Math.round(Number(value) * 100)

/** The journal of ContaSOL: columns C number, E account, I debit, J credit. */
export async function readContasol(bytes: Uint8Array): Promise<Posted> {
  return byEntry(
    (await sheetOf(bytes)).map((row) => ({
      entry: String(row[2]),
      account: String(row[4]),
      debit: centsOf(row[8]),
      credit: centsOf(row[9]),
    })),
  )
}

/** The template of Holded: number, date, name and number of the account, debit, credit. */
export async function readHolded(bytes: Uint8Array): Promise<Posted> {
  const [, ...rows] = await sheetOf(bytes)
  return byEntry(
    rows.map((row) => ({
      entry: String(row[0]),
      account: String(row[3]),
      debit: centsOf(row[4]),
      credit: centsOf(row[5]),
    })),
  )
}

function table(bytes: Uint8Array, delimiter: string): Record<string, string>[] {
  return Papa.parse<Record<string, string>>(strFromU8(bytes).replace(/^\ufeff/, ''), {
    header: true,
    delimiter,
    skipEmptyLines: true,
  }).data
}

/** Entries of Odoo's import: rows without `id` belong to the entry before. */
export function readOdoo(bytes: Uint8Array): Posted {
  let entry = ''
  return byEntry(
    table(bytes, ',').map((row) => {
      entry = row.id || entry
      return {
        entry,
        account: row['line_ids/account_id'] ?? '',
        debit: cents(row['line_ids/debit'] ?? ''),
        credit: cents(row['line_ids/credit'] ?? ''),
      }
    }),
  )
}

export function readPlain(bytes: Uint8Array): Posted {
  return byEntry(
    table(bytes, ';').map((row) => ({
      entry: row.Asiento ?? '',
      account: row.Cuenta ?? '',
      debit: cents(row.Debe ?? ''),
      credit: cents(row.Haber ?? ''),
    })),
  )
}
