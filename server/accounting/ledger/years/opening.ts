/** Opening balances from another program: validated, previewed, and booked as the first entry. */
import { recordAudit } from '../../../platform/audit/index.ts'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import type { openBalancesContract } from '../contract.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { centsFromEuros, eurosFromCents } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { addAccount, accountExists } from '../chart/accounts.ts'
import { nameOf } from '../chart/chart.ts'
import { dayNumber } from '../journal/days.ts'
import { entryIdOf } from '../journal/entry-id.ts'
import { assertOpenPeriod } from './lock.ts'
import { readBalancesInChildProcess } from './opening-file.ts'
import type { OpeningBalance } from './opening-file.ts'
import { dropEntry, postAsWritten } from '../journal/post.ts'
import { SOURCE_TYPES } from '../journal/sources.ts'
import { isResult } from '../reports/trial-balance.ts'

const MAX_ISSUES = 50

type Input = ContractInput<typeof openBalancesContract>

function givenRows(rows: NonNullable<Input['rows']>): OpeningBalance[] {
  return rows.map(({ account, name, debit, credit }) => ({
    account,
    name: name?.trim() || null,
    cents: (centsFromEuros(debit ?? 0) ?? 0) - (centsFromEuros(credit ?? 0) ?? 0),
  }))
}

/** Merges the rows of each account. */
function merged(rows: readonly OpeningBalance[]): OpeningBalance[] {
  const byCode = new Map<string, OpeningBalance>()
  for (const row of rows) {
    const before = byCode.get(row.account)
    if (before) before.cents += row.cents
    else byCode.set(row.account, { ...row })
  }
  return [...byCode.values()]
    .filter((row) => row.cents !== 0)
    .sort((a, b) => (a.account < b.account ? -1 : 1))
}

function faultsOf(rows: readonly OpeningBalance[], date: BusinessDate): Fault[] {
  const faults: Fault[] = []
  for (const [index, { account }] of rows.entries()) {
    if (!/^[1-7]\d{2,11}$/.test(account))
      faults.push({
        code: 'account_unknown',
        field: `rows[${index}].account`,
        severity: 'error',
        message: 'Accounts have 3 to 12 digits and begin with 1 to 7.',
        fix: 'Correct the code.',
        params: { account },
      })
    else if (isResult(account) && date.endsWith('-01-01'))
      faults.push({
        code: 'opening_with_results',
        field: `rows[${index}].account`,
        severity: 'error',
        message: 'A year opens without income and expenses.',
        fix: 'Bring them to 129 first (the balance after the closing), or open on another day of the year.',
        params: { account },
      })
  }
  const balance = rows.reduce((sum, row) => sum + row.cents, 0)
  if (rows.length === 0)
    faults.push({
      code: 'opening_empty',
      field: 'rows',
      severity: 'error',
      message: 'There is no balance to book.',
      fix: 'Give accounts with their balances.',
    })
  else if (balance !== 0)
    faults.push({
      code: 'entry_unbalanced',
      field: 'rows',
      severity: 'error',
      message: 'Debits and credits differ.',
      fix: 'Look for the account that is missing, or that is there twice.',
      params: { difference: (Math.abs(balance) / 100).toFixed(2) },
    })
  return faults
}

async function openingOf(ctx: Ctx, date: BusinessDate): Promise<number | null> {
  const row = await ctx.db
    .selectFrom('journal_entries')
    .select('id')
    .where('book_id', '=', ctx.book.id)
    .where('day', '=', dayNumber(date))
    .where('source_type', '=', SOURCE_TYPES.opening)
    .executeTakeFirst()
  return row?.id ?? null
}

async function book(
  ctx: Ctx,
  date: BusinessDate,
  rows: readonly OpeningBalance[],
): Promise<{ entryId: string; replaces: boolean }> {
  await assertOpenPeriod(ctx, date)
  const before = await openingOf(ctx, date)
  if (before !== null) await dropEntry(ctx, before)
  for (const { account, name } of rows)
    if (!(await accountExists(ctx, account))) await addAccount(ctx, account, name ?? nameOf(account, 'es'))
  const row = await postAsWritten(ctx, {
    date,
    source: { type: 'opening', id: null },
    lines: rows.map(({ account, cents }) => ({ account, amountCents: cents })),
  })
  const entryId = entryIdOf(ctx.book, row ?? 0)
  await recordAudit(ctx, {
    action: 'ledger.opened',
    target: { type: 'entry', id: entryId, label: date },
  })
  await emitEvent(ctx, 'ledger.changed', { entryId })
  return { entryId, replaces: before !== null }
}

/** Returns the entry for the balances with all faults; books it with `write` when there are none. */
export const openBalances: UseCase<typeof openBalancesContract> = async (
  ctx,
  { date, rows: given, csv, write },
) => {
  const read = csv === undefined ? { rows: [], faults: [] } : await readBalancesInChildProcess(csv)
  const rows = merged([...givenRows(given ?? []), ...read.rows])
  const issues = [...read.faults, ...faultsOf(rows, date)]
  if (write && issues.length > 0) throw validationFailed(issues.slice(0, MAX_ISSUES))
  const { entryId, replaces } = write
    ? await ctx.transaction((tx) => book(tx, date, rows))
    : { entryId: null, replaces: (await openingOf(ctx, date)) !== null }
  const sum = (sign: 1 | -1) => rows.reduce((total, row) => total + Math.max(sign * row.cents, 0), 0)
  return {
    rows: rows.map(({ account, name, cents }) => ({
      account,
      name: name ?? nameOf(account, 'es'),
      debit: eurosFromCents(Math.max(cents, 0)),
      credit: eurosFromCents(Math.max(-cents, 0)),
    })),
    debit: eurosFromCents(sum(1)),
    credit: eurosFromCents(sum(-1)),
    issues: issues.slice(0, MAX_ISSUES),
    entryId,
    replaces,
  }
}
