/** Rows of lists of balances as what a move takes in: open invoices, banks, accounts. Pure. */
import { readIban } from '../../../domain/iban.ts'
import type { Cents } from '../../../domain/money.ts'
import { INSTALMENTS } from '../../../domain/tax/instalments.ts'
import { searchText } from '../../../domain/text.ts'
import { readParty } from '../files/document.ts'
import type { RowCells } from '../files/read-row.ts'
import type { Staged, StagedAccount, StagedBank, StagedOpen } from '../stored.ts'
import type { BalanceContent } from './list-fields.ts'

const NAME = 120
const NUMBER = 60

function readOpen(cells: RowCells, side: StagedOpen['side']): StagedOpen | null {
  const number = cells.limited('number', NUMBER)
  const { name, nif, idType, country } = readParty(cells, { needsNif: false, canBeAnonymous: true })
  const openCents = cells.cents('open')
  const totalCents = cells.cents('total')
  const issueDate = cells.day('issueDate')
  const dueDate = cells.day('dueDate')
  if (number === '') cells.fault('history_number_missing', 'number')
  if (name === '' && nif === null) cells.fault('history_name_missing', 'name')
  if (openCents === null && !cells.failed) cells.fault('history_amount_missing', 'open')
  if (cells.failed || openCents === null) return null
  return {
    kind: 'open',
    side,
    number,
    name,
    nif,
    idType,
    country,
    issueDate,
    dueDate,
    totalCents,
    openCents,
  }
}

/** A row of a list of open invoices. */
interface OpenRow {
  staged: StagedOpen
  row: number
}

const wholeOf = (rows: readonly OpenRow[], openCents: Cents): Cents | null => {
  const totals = rows.map(({ staged }) => staged.totalCents)
  const [first = null] = totals
  // Each row has the total of the invoice, or what falls due on its day.
  if (first !== null && first >= openCents && totals.every((total) => total === first)) return first
  return totals.includes(null) ? null : totals.reduce<Cents>((sum, total) => sum + (total ?? 0), 0)
}

/**
 * Joins the rows of one invoice, which many programs list once for each due date. Rows of the same number that are no
 * instalments are returned as repeated: nothing tells which of them counts.
 */
export function joinInstalments(rows: readonly OpenRow[]): {
  joined: OpenRow[]
  repeated: (OpenRow & { of: number })[]
} {
  const groups = Map.groupBy(rows, ({ staged: { side, number, nif, name, issueDate } }) =>
    [side, number.toUpperCase().replace(/\s+/g, ''), nif ?? searchText(name), issueDate ?? ''].join('|'),
  )
  const joined: OpenRow[] = []
  const repeated: (OpenRow & { of: number })[] = []
  for (const group of groups.values()) {
    const [first, ...others] = group
    if (!first) continue
    const days = new Set(group.map(({ staged }) => staged.dueDate))
    const areInstalments =
      others.length > 0 &&
      group.length <= INSTALMENTS.max &&
      days.size === group.length &&
      !days.has(null) &&
      group.every(({ staged }) => staged.openCents > 0)
    if (!areInstalments) {
      joined.push(first)
      repeated.push(...others.map((other) => ({ ...other, of: first.row })))
      continue
    }
    const openCents = group.reduce((sum, { staged }) => sum + staged.openCents, 0)
    const instalments = group
      .map(({ staged }) => ({ dueDate: staged.dueDate ?? '', cents: staged.openCents }))
      .toSorted((one, other) => one.dueDate.localeCompare(other.dueDate))
    const dueDate = instalments[0]?.dueDate ?? null
    const totalCents = wholeOf(group, openCents)
    joined.push({ ...first, staged: { ...first.staged, dueDate, openCents, totalCents, instalments } })
  }
  return { joined, repeated }
}

function readBank(cells: RowCells): StagedBank | null {
  const written = cells.text('iban')
  const iban = written === '' ? null : readIban(written)
  if (written !== '' && iban === null) cells.fault('history_iban_wrong', 'iban', { text: written })
  const name = cells.limited('name', 80)
  const cents = cells.cents('balance')
  if (name === '' && iban === null) cells.fault('history_name_missing', 'name')
  if (cents === null && !cells.failed) cells.fault('history_amount_missing', 'balance')
  if (cells.failed || cents === null) return null
  return { kind: 'bank', name: name || (iban ?? ''), iban, cents }
}

/** Debits less credits. Both columns are surer than a balance, which programs write with and without its sign. */
function balanceOf(cells: RowCells): Cents | null {
  for (const [debit, credit] of [
    ['debitBalance', 'creditBalance'],
    ['debit', 'credit'],
  ] as const)
    if (cells.isMapped(debit) && cells.isMapped(credit))
      return (cells.cents(debit) ?? 0) - (cells.cents(credit) ?? 0)
  return cells.cents('balance')
}

function readAccount(cells: RowCells): StagedAccount | 'skipped' | null {
  const code = cells.text('account').replace(/[\s.]/g, '')
  // The totals of groups, of one and two digits.
  if (/^\d{1,2}$/.test(code)) return 'skipped'
  if (!/^[1-7]\d{2,11}$/.test(code)) cells.fault('history_account_wrong', 'account', { text: code })
  const cents = balanceOf(cells)
  if (cents === null && !cells.failed) cells.fault('history_amount_missing', 'balance')
  if (cells.failed || cents === null) return null
  return { kind: 'account', code, name: cells.limited('name', NAME) || null, cents }
}

/** Returns what a row is; null after an error, `skipped` for a total. */
export function readBalance(content: BalanceContent, cells: RowCells): Staged | 'skipped' | null {
  if (content === 'bank_balances') return readBank(cells)
  if (content === 'trial_balance') return readAccount(cells)
  return readOpen(cells, content === 'receivable' ? 'issued' : 'received')
}

/** Returns how an entry of a list is called in lists of faults. */
export function labelOfStaged(staged: Staged): string {
  if (staged.kind === 'open') return `${staged.number} ${staged.name}`.trim()
  if (staged.kind === 'bank') return staged.name
  if (staged.kind === 'account') return `${staged.code} ${staged.name ?? ''}`.trim()
  return staged.cells
    .filter((cell) => typeof cell === 'string')
    .join(' ')
    .slice(0, NAME)
}
