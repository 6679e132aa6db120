/** Chart of accounts for the window: accounts of the standard plan and of the book, with their balances. */
import { recordAudit } from '../../../platform/audit/index.ts'
import type { ContractOutput } from '../../../domain/contract/define-contract.ts'
import type { accountsContract, removeAccountContract, saveAccountContract } from '../contract.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import { searchText } from '../../../domain/text.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { addAccount, findAccountRow } from './accounts.ts'
import { CHART, GROUPS } from './chart-table.ts'
import { isPlanAccount, isVatByRate, kindOf, nameOf } from './chart.ts'
import { accountNames } from './own-names.ts'
import type { Language } from './chart.ts'

type Account = ContractOutput<typeof accountsContract>['items'][number]

interface Row {
  code: string
  name: string | null
  active: number
  used: number
  balance: number
}

async function ownRows(ctx: Ctx): Promise<Row[]> {
  return ctx.db
    .selectFrom('ledger_accounts')
    .leftJoin('account_months', 'account_months.account_id', 'ledger_accounts.id')
    .select((eb) => [
      'ledger_accounts.code',
      'ledger_accounts.name',
      'ledger_accounts.active',
      eb.fn.count<number>('account_months.month').as('used'),
      eb.fn
        .coalesce(
          eb.fn.sum<number>(eb('account_months.debit_cents', '-', eb.ref('account_months.credit_cents'))),
          eb.lit(0),
        )
        .as('balance'),
    ])
    .where('ledger_accounts.book_id', '=', ctx.book.id)
    .groupBy('ledger_accounts.id')
    .execute()
}

async function wholeChart(ctx: Ctx, language: Language): Promise<Account[]> {
  const named = await accountNames(ctx, language)
  const rows = new Map((await ownRows(ctx)).map((row) => [row.code, row]))
  const codes = new Set([...GROUPS.map(({ code }) => code), ...CHART.keys(), ...rows.keys()])
  const sums = new Map<string, { balance: number; used: boolean }>()
  for (const row of rows.values())
    for (let length = 1; length <= row.code.length; length += 1) {
      const code = row.code.slice(0, length)
      const sum = sums.get(code) ?? { balance: 0, used: false }
      sum.balance += row.balance
      sum.used ||= row.used > 0
      sums.set(code, sum)
    }
  return [...codes].sort().map((code) => {
    const row = rows.get(code)
    return {
      code,
      name: row?.name ?? named(code),
      kind: kindOf(code),
      inPlan: CHART.has(code) || code.length === 1 || isVatByRate(code),
      postable: code.length >= 3,
      active: row ? row.active === 1 : true,
      used: sums.get(code)?.used ?? false,
      balance: eurosFromCents(sums.get(code)?.balance ?? 0),
    }
  })
}

/** Lists the chart, or the requested part of it. */
export const listAccounts: UseCase<typeof accountsContract> = async (
  ctx,
  { text, used, language = 'es' },
) => {
  const wanted = text?.trim() ?? ''
  const words = searchText(wanted)
  const all = await wholeChart(ctx, language)
  return {
    items: all.filter(
      (account) =>
        (!used || account.used) &&
        (wanted === '' || account.code.startsWith(wanted) || searchText(account.name).includes(words)),
    ),
  }
}

async function viewAccount(ctx: Ctx, code: string): Promise<Account> {
  return orNotFound((await wholeChart(ctx, 'es')).find((account) => account.code === code))
}

/** Adds, renames or deactivates an account. */
export const saveAccount: UseCase<typeof saveAccountContract> = async (ctx, { code, name, active }) =>
  ctx.transaction(async (tx) => {
    const row = await findAccountRow(tx, code)
    const given = name?.trim() || null
    if (!row && given === null && !isPlanAccount(code))
      throw validationFailed([
        {
          code: 'required',
          field: 'name',
          severity: 'error',
          message: 'An account outside the plan needs a name.',
        },
      ])
    if (!row) await addAccount(tx, code, given)
    const changes = {
      ...(name === undefined ? {} : { name: given }),
      ...(active === undefined ? {} : { active: active ? 1 : 0 }),
    }
    if (Object.keys(changes).length > 0)
      await tx.db
        .updateTable('ledger_accounts')
        .set(changes)
        .where('book_id', '=', tx.book.id)
        .where('code', '=', code)
        .execute()
    await recordAudit(tx, {
      action: row ? 'ledger.account_changed' : 'ledger.account_added',
      target: { type: 'account', id: code, label: given ?? nameOf(code, 'es') },
    })
    await emitEvent(tx, 'ledger.changed', { account: code })
    return viewAccount(tx, code)
  })

/** Removes an account of the book that nothing refers to. */
export const removeAccount: UseCase<typeof removeAccountContract> = async (ctx, { code }) =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(await findAccountRow(tx, code))
    const line = await tx.db
      .selectFrom('journal_lines')
      .select('entry_id')
      .where('account_id', '=', row.id)
      .limit(1)
      .executeTakeFirst()
    if (line) throw new AppError('account_in_use', { details: { code } })
    await tx.db.deleteFrom('account_months').where('account_id', '=', row.id).execute()
    await tx.db.deleteFrom('ledger_accounts').where('id', '=', row.id).execute()
    await recordAudit(tx, {
      action: 'ledger.account_removed',
      target: { type: 'account', id: code, label: row.name ?? nameOf(code, 'es') },
    })
    await emitEvent(tx, 'ledger.changed', { account: code })
    return { removed: true as const }
  })
