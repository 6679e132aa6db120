/** Reads the trial balance of another program from CSV, with any separator, column order and number format. */
import type { Fault } from '../../../domain/errors/app-error.ts'
import { scaleText } from '../../../domain/money.ts'
import { parse, ParserFailure } from '../../../platform/processes/parsers.ts'
import type { Cents } from '../../../domain/money.ts'
import { searchText } from '../../../domain/text.ts'

export interface OpeningBalance {
  account: string
  name: string | null
  /** Debits less credits. */
  cents: Cents
}

const COLUMNS: Record<'account' | 'name' | 'debit' | 'credit' | 'balance', readonly string[]> = {
  account: ['cuenta', 'codigo', 'subcuenta', 'account', 'code', 'n cuenta', 'num cuenta'],
  name: ['nombre', 'descripcion', 'titulo', 'concepto', 'denominacion', 'name', 'description'],
  debit: ['saldo deudor', 'deudor', 'debe', 'debit', 'sumas debe'],
  credit: ['saldo acreedor', 'acreedor', 'haber', 'credit', 'sumas haber'],
  balance: ['saldo', 'saldo final', 'balance', 'importe'],
}

const CENT_DECIMALS = 2

/** More accounts would stop all other requests for half a second while they are booked as one entry. */
export const MAX_ACCOUNTS = 20_000

/** Parses an amount: `1.234,56`, `1,234.56`, `1234.5`, `(12,00)`, `12,00-`; returns null when it is not an amount. */
export function readAmount(text: string): Cents | null {
  const bare = text.replace(/[\s€'\u00a0]/g, '').replace(/EUR$/i, '')
  if (bare === '' || bare === '-') return 0
  const negative = /^\(.*\)$|^-|-$/.test(bare)
  const digits = bare.replace(/[()\-+]/g, '')
  if (!/^[\d.,]+$/.test(digits)) return null
  const comma = digits.lastIndexOf(',')
  const point = digits.lastIndexOf('.')
  let plain = digits
  if (comma >= 0 && point >= 0) {
    const [decimal, thousands] = comma > point ? [',', '.'] : ['.', ',']
    plain = digits.split(thousands).join('').replace(decimal, '.')
  } else if (comma >= 0) plain = digits.replace(',', '.')
  else if (/^\d{1,3}(\.\d{3})+$/.test(digits)) plain = digits.split('.').join('')
  const cents = scaleText(plain, CENT_DECIMALS)
  return cents === null ? null : negative && cents !== 0 ? -cents : cents
}

function columnsOf(header: readonly string[]): Partial<Record<keyof typeof COLUMNS, number>> {
  const names = header.map((cell) =>
    searchText(cell)
      .replace(/[.º°:]/g, '')
      .trim(),
  )
  const found: Partial<Record<keyof typeof COLUMNS, number>> = {}
  for (const [column, words] of Object.entries(COLUMNS) as [keyof typeof COLUMNS, readonly string[]][])
    for (const word of words) {
      const index = names.indexOf(word)
      if (index >= 0) {
        found[column] = index
        break
      }
    }
  return found
}

interface Group {
  code: string
  /** Sum of the accounts of the group, without the groups in it. */
  total: Cents
}

/** Removes group totals, which would count twice: a row is dropped when the rows with longer codes add up to it. */
export function withoutGroups(rows: readonly OpeningBalance[]): OpeningBalance[] {
  const groups = new Map<string, Group>()
  // In the order of the codes, the accounts of a group follow it, so that one pass finds the groups of each account.
  const sorted = [...rows].sort((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : 0))
  const codes = [...new Set(sorted.map(({ account }) => account))]
  for (const [index, code] of codes.entries())
    if (codes[index + 1]?.startsWith(code)) groups.set(code, { code, total: 0 })
  const above: Group[] = []
  for (const { account, cents } of sorted) {
    while (above.length > 0 && !account.startsWith(above.at(-1)?.code ?? '')) above.pop()
    const group = groups.get(account)
    if (!group) for (const each of above) each.total += cents
    else if (above.at(-1) !== group) above.push(group)
  }
  return rows.filter(({ account, cents }) => groups.get(account)?.total !== cents)
}

/** Returns the balances of a file and the lines that could not be read. */
export async function readBalances(csv: string): Promise<{ rows: OpeningBalance[]; faults: Fault[] }> {
  const { default: Papa } = await import('papaparse')
  const lines = Papa.parse<string[]>(csv.trim(), { skipEmptyLines: 'greedy' }).data
  const headerAt = lines.findIndex((line) => {
    const { account, debit, balance } = columnsOf(line)
    return account !== undefined && (debit !== undefined || balance !== undefined)
  })
  if (headerAt < 0)
    return {
      rows: [],
      faults: [
        {
          code: 'columns_missing',
          field: 'csv',
          severity: 'error',
          message: 'No line names the columns.',
          fix: 'Put a first line with the names: cuenta, nombre, debe, haber; or cuenta, nombre, saldo.',
        },
      ],
    }
  const columns = columnsOf(lines[headerAt] ?? [])
  const rows: OpeningBalance[] = []
  const faults: Fault[] = []
  for (const [index, cells] of lines.entries()) {
    if (index <= headerAt) continue
    const cell = (column: keyof typeof COLUMNS) => {
      const at = columns[column]
      return at === undefined ? '' : (cells[at] ?? '').trim()
    }
    const account = cell('account').replace(/[.\s-]/g, '')
    // Total and heading lines have no account.
    if (!/^\d+$/.test(account) || account.length < 3) continue
    const parts = columns.balance === undefined ? null : readAmount(cell('balance'))
    const [debit, credit] = [readAmount(cell('debit')), readAmount(cell('credit'))]
    const cents = columns.balance === undefined ? (debit ?? NaN) - (credit ?? NaN) : (parts ?? NaN)
    if (Number.isNaN(cents))
      faults.push({
        code: 'amount_unreadable',
        field: `csv[${index + 1}]`,
        severity: 'error',
        message: 'The amount of this line cannot be read.',
        fix: 'Write amounts such as 1234,56.',
        params: { line: index + 1, account },
      })
    else if (cents !== 0) rows.push({ account, name: cell('name') || null, cents })
  }
  const accounts = withoutGroups(rows)
  if (accounts.length <= MAX_ACCOUNTS) return { rows: accounts, faults }
  return {
    rows: [],
    faults: [
      {
        code: 'opening_too_many_accounts',
        field: 'csv',
        severity: 'error',
        message: 'The file has too many accounts for one entry.',
        fix: 'Group the accounts of customers and suppliers.',
        params: { most: MAX_ACCOUNTS },
      },
    ],
  }
}

export interface ReadBalances {
  rows: OpeningBalance[]
  faults: Fault[]
}

const TIMEOUT_MS = 20_000

/**
 * Does what `readBalances` does, in a child process; reports a fault when the file exceeds the limits of memory or
 * time.
 */
export async function readBalancesInChildProcess(csv: string): Promise<ReadBalances> {
  try {
    return await parse<string, ReadBalances>('opening', csv, { from: import.meta.url, timeoutMs: TIMEOUT_MS })
  } catch (error) {
    if (!(error instanceof ParserFailure)) throw error
    return {
      rows: [],
      faults: [
        {
          code: 'opening_file_too_large',
          field: 'csv',
          severity: 'error',
          message: 'The file needs more memory or time than a trial balance may take.',
          fix: 'Leave only the accounts with their balances.',
        },
      ],
    }
  }
}
