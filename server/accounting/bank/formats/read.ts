/** Reads a bank file of any format into statements. Pure: no lookups and no stored state. */
import type { CsvMapping } from '../contract.ts'
import { decodeText } from './bytes.ts'
import { csvRows, guessMapping, readCsv } from './csv.ts'
import { looksLikeXml, readCamt053 } from './camt053.ts'
import { looksLikeNorma43, readNorma43 } from './norma43.ts'
import { cleanText, fileFault, refuseFile } from './statement.ts'
import type { BankFile } from './statement.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'

const SHOWN_ROWS = 8

export interface ReadBankFile extends BankFile {
  csv: {
    mapping: CsvMapping
    source: 'guessed' | 'remembered' | 'given'
    columns: string[]
    rows: string[][]
  } | null
}

export interface CsvChoice {
  given?: CsvMapping | undefined
  /** Mapping of the last file read for the account. */
  remembered?: CsvMapping | null | undefined
}

/**
 * Reads a file. Throws `validation_failed` when its totals do not add up, when it is damaged, or when it is not a
 * bank file. With `lenient`, a CSV whose columns are mapped wrongly returns no movements and its faults as warnings,
 * so that the mapping can be corrected.
 */
export function readBankFile(bytes: Uint8Array, choice: CsvChoice = {}, lenient = false): ReadBankFile {
  const { text, encoding } = decodeText(bytes)
  if (text.trim() === '') refuseFile('bank_file_empty', 'The file is empty.')
  if (looksLikeXml(text)) {
    if (/^\s*(<!doctype html|<html)/i.test(text)) unknown()
    return { format: 'camt053', encoding, ...readCamt053(text), csv: null }
  }
  if (looksLikeNorma43(text)) return { format: 'n43', encoding, ...readNorma43(text), csv: null }
  return readCsvFile(text, encoding, choice, lenient)
}

function unknown(): never {
  return refuseFile(
    'bank_file_unknown',
    'That is no file of movements Sello knows.',
    {},
    'Download Norma 43, camt.053 or CSV from the bank.',
  )
}

function readCsvFile(text: string, encoding: string, choice: CsvChoice, lenient: boolean): ReadBankFile {
  const guessed = choice.given ? null : guessMapping(text)
  const remembered =
    !choice.given && choice.remembered && fits(text, choice.remembered) ? choice.remembered : null
  const mapping = choice.given ?? remembered ?? guessed
  if (!mapping) unknown()
  const rows = csvRows(text, mapping.delimiter)
  const csv = {
    mapping,
    source: choice.given ? ('given' as const) : remembered ? ('remembered' as const) : ('guessed' as const),
    columns: columnsOf(rows, mapping),
    rows: rows
      .slice(mapping.headerRow + 1)
      .filter((row) => row.some((cell) => cell.trim() !== ''))
      .slice(0, SHOWN_ROWS)
      .map((row) => row.map(cleanText)),
  }
  try {
    const { statement, warnings } = readCsv(text, mapping)
    return { format: 'csv', encoding, statements: [statement], warnings, csv }
  } catch (error) {
    if (!lenient || !(error instanceof AppError)) throw error
    const faults = (error.details?.faults ?? []) as Fault[]
    const warnings = faults.length > 0 ? faults : [fileFault('bank_file_unknown', 'The file cannot be read.')]
    return { format: 'csv', encoding, statements: [], warnings, csv }
  }
}

/** Returns true when the stored mapping still reads the file. */
function fits(text: string, mapping: CsvMapping): boolean {
  try {
    readCsv(text, mapping)
    return true
  } catch {
    return false
  }
}

function columnsOf(rows: string[][], mapping: CsvMapping): string[] {
  const width = rows.slice(0, 60).reduce((most, row) => Math.max(most, row.length), 0)
  const titles = mapping.headerRow >= 0 ? (rows[mapping.headerRow] ?? []) : []
  return Array.from(
    { length: width },
    (_, index) => cleanText(titles[index] ?? '').slice(0, 60) || `${index + 1}`,
  )
}
