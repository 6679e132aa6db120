/** The trial balance of an earlier program as one opening entry, and the accounts that a move makes. */
import { openBalances } from '../../../accounting/ledger/index.ts'
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { noteRecord } from '../rows.ts'
import type { StagedAccount } from '../stored.ts'
import type { Outcome } from '../take.ts'

async function idsOf(
  tx: Ctx,
  table: 'ledger_accounts' | 'journal_entries',
  after: number,
): Promise<number[]> {
  const rows = await tx.db
    .selectFrom(table)
    .select('id')
    .where('book_id', '=', tx.book.id)
    .where('id', '>', after)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}

async function lastId(tx: Ctx, table: 'ledger_accounts' | 'journal_entries'): Promise<number> {
  const row = await tx.db
    .selectFrom(table)
    .select('id')
    .where('book_id', '=', tx.book.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}

/** Does some work, and notes the ledger accounts that it made. */
export async function noteNewAccounts(tx: Ctx, runId: number, work: () => Promise<void>): Promise<void> {
  const last = await lastId(tx, 'ledger_accounts')
  await work()
  for (const id of await idsOf(tx, 'ledger_accounts', last)) await noteRecord(tx, runId, 'account', { id })
}

/**
 * The day of the opening entry: the last day before the first one, so that income and expenses of the year so far stay
 * in it. A year that is begun here opens on its first day, as every year does.
 */
const openingDay = (firstDay: BusinessDate): BusinessDate =>
  firstDay.endsWith('-01-01') ? firstDay : addDays(firstDay, -1)

/** Books the accounts as one entry, or returns what is wrong with them: then none is booked. */
export async function takeAccounts(
  tx: Ctx,
  accounts: readonly StagedAccount[],
  { runId, firstDay }: { runId: number; firstDay: BusinessDate },
): Promise<Outcome> {
  const given = {
    date: openingDay(firstDay),
    rows: accounts.map(({ code, name, cents }) => ({
      account: code,
      name,
      debit: eurosFromCents(Math.max(cents, 0)),
      credit: eurosFromCents(Math.max(-cents, 0)),
    })),
  }
  const { issues, replaces } = await openBalances(tx, { ...given, write: false })
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) return { outcome: 'failed', faults: errors }
  if (replaces)
    return {
      outcome: 'failed',
      faults: [
        {
          code: 'opening_is_here',
          field: 'account',
          severity: 'error',
          message: 'These books have an opening entry of that day already.',
          fix: 'Remove it first, or leave the balances out.',
          params: { date: given.date },
        },
      ],
    }
  const last = await lastId(tx, 'journal_entries')
  await noteNewAccounts(tx, runId, async () => {
    await openBalances(tx, { ...given, write: true })
  })
  for (const id of await idsOf(tx, 'journal_entries', last)) await noteRecord(tx, runId, 'entry', { id })
  return { outcome: 'created', faults: [] }
}
