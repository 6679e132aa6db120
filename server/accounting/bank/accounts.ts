/**
 * Use cases of bank accounts: add, change, and remove while they have no movements. Balances follow from the
 * movements.
 */
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import { softDelete } from '../../platform/trash/index.ts'
import { readIban } from '../../domain/iban.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { centsFromEuros, eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { normalizeText } from '../../domain/text.ts'
import { assertVersion } from '../../domain/contract/version-guard.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { saveAccount } from '../ledger/index.ts'
import { prepare } from '../../db/query.ts'
import type { BankAccountsTable } from '../../db/schema.ts'
import type {
  BankAccount,
  createBankAccountContract,
  deleteBankAccountContract,
  getBankAccountContract,
  listBankAccountsContract,
  updateBankAccountContract,
} from './contract.ts'

export type BankAccountRow = Selectable<BankAccountsTable>

const BANKS = '572'
const MOST_SUBACCOUNTS = 999

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('bank_accounts')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('public_id', '=', p.publicId),
)

const byIban = prepare((db, p: { bookId: number; iban: string }) =>
  db.selectFrom('bank_accounts').selectAll().where('book_id', '=', p.bookId).where('iban', '=', p.iban),
)

const all = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('bank_accounts')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .orderBy('active', 'desc')
    .orderBy('id'),
)

/** Returns an account of the book. Throws `not_found`. */
export async function findAccount(ctx: Ctx, publicId: string): Promise<BankAccountRow> {
  return orNotFound(await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId }))
}

export async function findAccountByIban(ctx: Ctx, iban: string): Promise<BankAccountRow | null> {
  return (await byIban.first(ctx.db, { bookId: ctx.book.id, iban })) ?? null
}

export function allAccounts(ctx: Ctx): Promise<BankAccountRow[]> {
  return all.all(ctx.db, { bookId: ctx.book.id })
}

const sums = prepare((db, p: { id: number; from: string; to: string }) =>
  db
    .selectFrom('bank_transactions')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(case when date >= ${p.from} then amount_cents else 0 end), 0)`.as('cents'),
      eb.fn.max('date').as('last'),
    ])
    .where('account_id', '=', p.id)
    .where('date', '<=', p.to),
)

const pendingCount = prepare((db, p: { bookId: number; id: number }) =>
  db
    .selectFrom('bank_transactions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', p.bookId)
    .where('account_id', '=', p.id)
    .where('status', '=', 'pending'),
)

const END = '9999-12-31'

/** Returns the balance of the bank at the end of a day: the opening balance plus all movements since. */
export async function bankBalance(
  ctx: Ctx,
  account: BankAccountRow,
  to: string = END,
): Promise<{ cents: Cents; count: number; last: string | null }> {
  const row = await sums.first(ctx.db, { id: account.id, from: account.opening_date, to })
  return { cents: account.opening_cents + (row?.cents ?? 0), count: row?.count ?? 0, last: row?.last ?? null }
}

async function view(ctx: Ctx, row: BankAccountRow): Promise<BankAccount> {
  const { cents, count, last } = await bankBalance(ctx, row)
  const pending = await pendingCount.first(ctx.db, { bookId: ctx.book.id, id: row.id })
  return {
    id: row.public_id,
    name: row.name,
    iban: row.iban,
    currency: row.currency,
    ledgerAccount: row.ledger_account,
    openingBalance: eurosFromCents(row.opening_cents),
    openingDate: row.opening_date,
    active: row.active === 1,
    balance: eurosFromCents(cents),
    movements: count,
    pending: pending?.count ?? 0,
    lastMovementOn: last,
    version: row.version,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

/** Lists the bank accounts, the active ones first. */
export const listBankAccounts: UseCase<typeof listBankAccountsContract> = async (ctx) => {
  const items: BankAccount[] = []
  for (const row of await allAccounts(ctx)) items.push(await view(ctx, row))
  return { items }
}

export const getBankAccount: UseCase<typeof getBankAccountContract> = async (ctx, { id }) =>
  view(ctx, await findAccount(ctx, id))

/** Returns an IBAN in its stored form. Throws `validation_failed` when its shape or check digits are wrong. */
export function checkedIban(text: string | null | undefined, field: string): string | null {
  if (text === null || text === undefined || text.trim() === '') return null
  const iban = readIban(text)
  if (iban === null)
    throw validationFailed([
      {
        code: 'iban_invalid',
        field,
        severity: 'error',
        message: 'That is no IBAN: its length or its check digits are wrong.',
        fix: 'Copy it again from the bank.',
      },
    ])
  return iban
}

/** Rejects ledger accounts outside 572: bank money must not mix with other accounts. */
function checkedLedgerAccount(code: string): string {
  if (!code.startsWith(BANKS))
    throw validationFailed([
      {
        code: 'bank_ledger_account',
        field: 'ledgerAccount',
        severity: 'error',
        message: 'The ledger account of a bank begins with 572.',
        fix: 'Choose 572 or one below it, such as 5720001.',
      },
    ])
  return code
}

/** Returns the next free ledger account: 572 for the first bank, a subaccount of 572 for each further one. */
async function nextLedgerAccount(ctx: Ctx): Promise<string> {
  const taken = new Set((await allAccounts(ctx)).map((row) => row.ledger_account))
  if (!taken.has(BANKS)) return BANKS
  for (let number = 1; number <= MOST_SUBACCOUNTS; number++) {
    const code = `${BANKS}${String(number).padStart(4, '0')}`
    if (!taken.has(code)) return code
  }
  throw new AppError('bank_account_taken', { field: 'ledgerAccount' })
}

/** Creates the ledger account, named after the bank; 572 itself keeps the name from the chart of accounts. */
async function ensureLedgerAccount(tx: Ctx, code: string, name: string): Promise<void> {
  if (code !== BANKS) await saveAccount(tx, { code, name })
}

async function assertFree(
  ctx: Ctx,
  self: number | null,
  iban: string | null,
  ledgerAccount: string,
): Promise<void> {
  for (const row of await allAccounts(ctx)) {
    if (row.id === self) continue
    if (iban !== null && row.iban === iban)
      throw new AppError('bank_account_taken', {
        field: 'iban',
        details: { accountId: row.public_id, name: row.name },
      })
    if (row.ledger_account === ledgerAccount)
      throw new AppError('bank_account_taken', {
        field: 'ledgerAccount',
        details: { accountId: row.public_id, name: row.name },
      })
  }
}

async function recordAccountChange(tx: Ctx, action: string, row: BankAccountRow): Promise<void> {
  await recordAudit(tx, { action, target: { type: 'bank_account', id: row.public_id, label: row.name } })
  await emitEvent(tx, 'bank.changed', { accountId: row.public_id })
}

const cents = (euros: number): Cents => centsFromEuros(euros) ?? 0

/** Returns the total balance of the active accounts and the number of their pending movements. */
export async function bankStanding(
  ctx: Ctx,
): Promise<{ accounts: number; cents: Cents; pending: number; last: string | null }> {
  const standing = { accounts: 0, cents: 0, pending: 0, last: null as string | null }
  for (const row of await allAccounts(ctx)) {
    if (row.active !== 1) continue
    const { cents: held, last } = await bankBalance(ctx, row)
    standing.accounts += 1
    standing.cents += held
    standing.pending += (await pendingCount.first(ctx.db, { bookId: ctx.book.id, id: row.id }))?.count ?? 0
    if (last !== null && (standing.last === null || last > standing.last)) standing.last = last
  }
  return standing
}

/** Adds a bank account and its ledger account. */
export const createBankAccount: UseCase<typeof createBankAccountContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const iban = checkedIban(input.iban, 'iban')
    const ledgerAccount =
      input.ledgerAccount === undefined
        ? await nextLedgerAccount(tx)
        : checkedLedgerAccount(input.ledgerAccount)
    await assertFree(tx, null, iban, ledgerAccount)
    const now = tx.now().getTime()
    const publicId = tx.newId('bac')
    const name = normalizeText(input.name)
    await tx.db
      .insertInto('bank_accounts')
      .values({
        book_id: tx.book.id,
        public_id: publicId,
        name,
        iban,
        ledger_account: ledgerAccount,
        opening_cents: cents(input.openingBalance ?? 0),
        opening_date: input.openingDate ?? tx.today(),
        created_at: now,
        updated_at: now,
      })
      .execute()
    await ensureLedgerAccount(tx, ledgerAccount, name)
    const row = await findAccount(tx, publicId)
    await recordAccountChange(tx, 'bank_account.created', row)
    return view(tx, row)
  })

/** Changes a bank account. Its ledger account cannot change once it has entries. */
export const updateBankAccount: UseCase<typeof updateBankAccountContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const before = await findAccount(tx, input.id)
    if (input.expectedVersion !== undefined && input.expectedVersion !== before.version)
      throw new AppError('version_conflict', { details: { version: before.version } })
    const iban = input.iban === undefined ? before.iban : checkedIban(input.iban, 'iban')
    const ledgerAccount =
      input.ledgerAccount === undefined ? before.ledger_account : checkedLedgerAccount(input.ledgerAccount)
    await assertFree(tx, before.id, iban, ledgerAccount)
    if (ledgerAccount !== before.ledger_account) {
      if (await hasMatched(tx, before.id))
        throw new AppError('bank_account_in_use', { field: 'ledgerAccount' })
      await ensureLedgerAccount(tx, ledgerAccount, input.name ?? before.name)
    }
    await tx.db
      .updateTable('bank_accounts')
      .set({
        name: input.name === undefined ? before.name : normalizeText(input.name),
        iban,
        ledger_account: ledgerAccount,
        opening_cents:
          input.openingBalance === undefined ? before.opening_cents : cents(input.openingBalance),
        opening_date: input.openingDate ?? before.opening_date,
        active: input.active === undefined ? before.active : input.active ? 1 : 0,
        version: before.version + 1,
        updated_at: tx.now().getTime(),
      })
      .where('id', '=', before.id)
      .execute()
    const row = await findAccount(tx, input.id)
    await recordAccountChange(tx, 'bank_account.updated', row)
    return view(tx, row)
  })

async function hasMatched(tx: Ctx, accountId: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('bank_transactions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'matched')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes a bank account that has no movements. */
export const deleteBankAccount: UseCase<typeof deleteBankAccountContract> = (ctx, { id, expectedVersion }) =>
  ctx.transaction(async (tx) => {
    const row = await findAccount(tx, id)
    assertVersion(expectedVersion, row.version)
    const { count } = await bankBalance(tx, row)
    const transfers = await tx.db
      .selectFrom('bank_parts')
      .select('transaction_id')
      .where('other_account_id', '=', row.id)
      .limit(1)
      .execute()
    if (count > 0 || transfers.length > 0)
      throw new AppError('bank_account_in_use', { details: { movements: count } })
    const statements = await tx.db
      .selectFrom('bank_statements')
      .select('id')
      .where('account_id', '=', row.id)
      .execute()
    await softDelete(tx, {
      rows: [
        ...statements.map(({ id: statement }) => ({ table: 'bank_statements', id: statement })),
        { table: 'bank_accounts', id: row.id },
      ],
      action: 'bank_account.restored',
      target: { type: 'bank_account', id: row.public_id, label: row.name },
      event: { type: 'bank.changed', data: { accountId: row.public_id } },
    })
    await recordAccountChange(tx, 'bank_account.deleted', row)
    return { deleted: true }
  })

/** Returns the rows of an account's version and whether nothing refers to it; null if it is gone. */
async function unusedAccount(
  ctx: Ctx,
  rowId: number,
): Promise<{ version: number; isUnused: boolean } | null> {
  const row = await ctx.db
    .selectFrom('bank_accounts')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('id', '=', rowId)
    .executeTakeFirst()
  if (!row) return null
  const { count } = await bankBalance(ctx, row)
  const statement = await ctx.db
    .selectFrom('bank_statements')
    .select('id')
    .where('account_id', '=', rowId)
    .limit(1)
    .executeTakeFirst()
  const transfer = await ctx.db
    .selectFrom('bank_parts')
    .select('transaction_id')
    .where('other_account_id', '=', rowId)
    .limit(1)
    .executeTakeFirst()
  return { version: row.version, isUnused: count === 0 && !statement && !transfer }
}

/** Deletes an account that a move made. One that a person has changed or used since stays. */
export async function removeMovedAccount(
  tx: Ctx,
  { rowId, version }: { rowId: number; version: number | null },
): Promise<void> {
  const found = await unusedAccount(tx, rowId)
  if (!found?.isUnused || found.version !== version) return
  await tx.db.deleteFrom('bank_accounts').where('id', '=', rowId).execute()
}
