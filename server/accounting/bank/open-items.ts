/** Reads all open items of the book that a movement may settle, once for many movements. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { findCompany } from '../../company/index.ts'
import { addDays } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { allAccounts } from './accounts.ts'
import { allRules } from './rules.ts'
import type { OpenDocument, OpenItems, OpenPayment, OpenRemittance, TransferHalf } from './match/types.ts'

/** Most open documents considered, oldest first. */
const MOST_DOCUMENTS = 20_000
const PAYMENT_DAYS = 31
const REMITTANCE_DAYS = 20
const TRANSFER_DAYS = 6

interface DocumentRow {
  kind: 'invoice' | 'received'
  in_instalments: number
  id: number
  public_id: string
  number: string
  party: string
  state: string
  nif: string | null
  contact_row: number | null
  contact_id: string | null
  due_cents: Cents
  issue_date: string
  due_date: string | null
}

/** Returns the open instalments of owed invoices, by the row of the invoice. */
async function instalments(ctx: Ctx): Promise<Map<number, OpenDocument['instalments'][number][]>> {
  const rows = await ctx.db
    .selectFrom('invoice_instalments')
    .innerJoin('invoices', 'invoices.id', 'invoice_instalments.invoice_id')
    .select([
      'invoice_instalments.invoice_id',
      'invoice_instalments.position',
      'invoice_instalments.due_date',
      'invoice_instalments.open_cents',
    ])
    .where('invoice_instalments.book_id', '=', ctx.book.id)
    .where(sql<SqlBool>`invoice_instalments.open_cents > 0`)
    .where(sql<SqlBool>`invoices.is_owed = 1`)
    .orderBy('invoice_instalments.invoice_id')
    .orderBy('invoice_instalments.position')
    .execute()
  const found = new Map<number, OpenDocument['instalments'][number][]>()
  for (const row of rows) {
    const list = found.get(row.invoice_id) ?? []
    list.push({ number: row.position, dueDate: row.due_date, effectCents: row.open_cents })
    found.set(row.invoice_id, list)
  }
  return found
}

/**
 * Returns open receivables and payables, including negative ones (credits), which the index of open amounts leaves
 * out.
 */
async function documents(ctx: Ctx): Promise<OpenDocument[]> {
  const book = ctx.book.id
  const issued = sql`select 'invoice' as kind, case when i.instalments is null then 0 else 1 end as in_instalments, i.id, i.public_id, i.number, p.name as party, i.state, p.nif, i.contact_id as contact_row,
    c.public_id as contact_id, i.due_cents, i.issue_date, i.due_date
    from invoices i join parties p on p.id = i.party_id left join contacts c on c.id = i.contact_id`
  const received = sql`select 'received' as kind, 0 as in_instalments, r.id, r.public_id, coalesce(r.supplier_number, '') as number,
    r.supplier_name as party, r.state, r.supplier_nif as nif, r.contact_id as contact_row, c.public_id as contact_id,
    r.payable_cents - r.paid_cents as due_cents, r.issue_date, r.due_date
    from received_invoices r left join contacts c on c.id = r.contact_id`
  const { rows } = await sql<DocumentRow>`
    ${issued} where i.book_id = ${book} and i.is_owed = 1
    union all
    ${issued} where i.book_id = ${book} and i.total_cents < 0 and i.state <> 'draft' and i.is_owed = 0
      and i.cancelled_at is null and i.uncollectible_at is null and i.due_cents < 0
    union all
    ${received} where r.book_id = ${book} and r.is_owed = 1
    union all
    ${received} where r.book_id = ${book} and r.total_cents < 0 and r.state <> 'void' and r.is_owed = 0
      and r.payable_cents - r.paid_cents < 0
    limit ${MOST_DOCUMENTS}`.execute(ctx.db)
  const parts = rows.some((row) => row.in_instalments === 1) ? await instalments(ctx) : null
  return rows.map((row) => ({
    kind: row.kind,
    instalments: row.in_instalments === 1 ? (parts?.get(row.id) ?? []) : [],
    rowId: row.id,
    id: row.public_id,
    number: row.number,
    party: row.party,
    isHistory: row.state === 'history',
    nif: row.nif,
    contactRowId: row.contact_row,
    contactId: row.contact_id,
    iban: null,
    effectCents: row.kind === 'invoice' ? row.due_cents : -row.due_cents,
    issueDate: row.issue_date,
    dueDate: row.due_date,
  }))
}

/** Returns recorded payments without a bank movement. Payments of a remittance are matched with the remittance. */
async function payments(ctx: Ctx, from: string, to: string): Promise<OpenPayment[]> {
  const rows = await ctx.db
    .selectFrom('payments')
    .leftJoin('contacts', 'contacts.id', 'payments.contact_id')
    .select([
      'payments.id',
      'payments.public_id',
      'payments.direction',
      'payments.amount_cents',
      'payments.date',
      'payments.reference',
      'contacts.name',
    ])
    .where('payments.book_id', '=', ctx.book.id)
    .where('payments.kind', '=', 'payment')
    .where('payments.bank_transaction_id', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('remittance_items')
            .select('remittance_items.position')
            .whereRef('remittance_items.payment_id', '=', 'payments.id'),
        ),
      ),
    )
    .where('payments.method', '<>', 'cash')
    .where('payments.date', '>=', addDays(from, -PAYMENT_DAYS))
    .where('payments.date', '<=', addDays(to, PAYMENT_DAYS))
    .orderBy('payments.date')
    .orderBy('payments.id')
    .execute()
  return rows.map((row) => ({
    rowId: row.id,
    id: row.public_id,
    effectCents: row.direction === 'in' ? row.amount_cents : -row.amount_cents,
    date: row.date,
    party: row.name,
    reference: row.reference,
  }))
}

/** Returns remittances without a bank movement; accepting a match settles a prepared one. */
async function remittances(ctx: Ctx, from: string, to: string): Promise<OpenRemittance[]> {
  const rows = await ctx.db
    .selectFrom('remittances')
    .select(['id', 'public_id', 'kind', 'total_cents', 'execution_date', 'name', 'message_id'])
    .where('book_id', '=', ctx.book.id)
    .where('state', '<>', 'discarded')
    .where('execution_date', '>=', addDays(from, -REMITTANCE_DAYS))
    .where('execution_date', '<=', addDays(to, REMITTANCE_DAYS))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('bank_parts')
            .select('bank_parts.position')
            .whereRef('bank_parts.remittance_id', '=', 'remittances.id'),
        ),
      ),
    )
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    rowId: row.id,
    id: row.public_id,
    effectCents: row.kind === 'debit' ? row.total_cents : -row.total_cents,
    date: row.execution_date,
    name: row.message_id,
    kind: row.kind,
  }))
}

/** Returns pending movements of own accounts, and transfers that wait for their other half. */
async function transfers(ctx: Ctx, from: string, to: string): Promise<TransferHalf[]> {
  const rows = await ctx.db
    .selectFrom('bank_transactions')
    .innerJoin('bank_accounts', 'bank_accounts.id', 'bank_transactions.account_id')
    .leftJoin('bank_parts', (join) =>
      join
        .onRef('bank_parts.transaction_id', '=', 'bank_transactions.id')
        .on('bank_parts.kind', '=', 'transfer')
        .on('bank_parts.other_transaction_id', 'is', null),
    )
    .select([
      'bank_transactions.id',
      'bank_transactions.public_id',
      'bank_transactions.account_id',
      'bank_transactions.amount_cents',
      'bank_transactions.date',
      'bank_transactions.status',
      'bank_accounts.public_id as account_public_id',
      'bank_accounts.name',
      'bank_parts.other_account_id',
    ])
    .where('bank_transactions.book_id', '=', ctx.book.id)
    .where('bank_transactions.date', '>=', addDays(from, -TRANSFER_DAYS))
    .where('bank_transactions.date', '<=', addDays(to, TRANSFER_DAYS))
    .where((eb) =>
      eb.or([
        eb('bank_transactions.status', '=', 'pending'),
        eb('bank_parts.other_account_id', 'is not', null),
      ]),
    )
    .orderBy('bank_transactions.id')
    .execute()
  return rows.map((row) => ({
    rowId: row.id,
    id: row.public_id,
    accountId: row.account_id,
    accountPublicId: row.account_public_id,
    accountName: row.name,
    amountCents: row.amount_cents,
    date: row.date,
    waitsFor: row.status === 'pending' ? null : row.other_account_id,
  }))
}

/** Returns the open items for movements of these days. */
export async function openItems(ctx: Ctx, from: string, to: string): Promise<OpenItems> {
  const company = await findCompany(ctx)
  const accounts = (await allAccounts(ctx)).filter((row) => row.active === 1)
  return {
    companyKind: company.kind,
    documents: await documents(ctx),
    payments: await payments(ctx, from, to),
    remittances: await remittances(ctx, from, to),
    // With one account, no transfer is possible.
    transfers: accounts.length > 1 ? await transfers(ctx, from, to) : [],
    accounts: accounts.map((row) => ({
      rowId: row.id,
      id: row.public_id,
      name: row.name,
      iban: row.iban,
      ledgerAccount: row.ledger_account,
    })),
    rules: await allRules(ctx),
  }
}
