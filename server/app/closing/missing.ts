/** What is missing in a quarter before its returns: the SQL of each step, with the count and the first rows. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { BusinessDate } from '../../domain/dates.ts'
import { businessDateOf } from '../../domain/dates.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { foreignVatDocuments } from '../../accounting/returns/index.ts'
import type { ReturnPeriod } from '../../accounting/returns/index.ts'
import { countWithoutFile } from '../../purchases/invoices/index.ts'
import { waitingApprovals } from '../../sales/invoices/index.ts'
import { waitingProposals } from '../approvals/index.ts'
import type { ClosingItem, ClosingStep, Reason, StepId, StepState } from './contract.ts'

const ITEMS_SHOWN = 20

interface Found {
  count: number
  cents: number | null
  items: ClosingItem[]
}

/** Builds a step: missing while something was found, else the given state. */
function stepOf(
  id: StepId,
  { count, cents, items }: Found,
  otherwise: { state: StepState; why?: Reason } = { state: 'done' },
): ClosingStep {
  const state = count > 0 ? 'missing' : otherwise.state
  return {
    id,
    state,
    why: count > 0 ? null : (otherwise.why ?? null),
    count,
    total: cents === null || count === 0 ? null : eurosFromCents(cents),
    items,
  }
}

interface ItemRow {
  id: string
  label: string
  date: BusinessDate | null
  cents: number | null
  code?: string | null
}

const itemOf = ({ id, label, date, cents, code }: ItemRow, page: string): ClosingItem => ({
  id,
  label,
  date,
  amount: cents === null ? null : eurosFromCents(cents),
  code: code ?? null,
  page,
})

const UNREGISTERED = ['pending', 'sending', 'rejected', 'unknown'] as const

/** The day that decides the quarter of an invoice; a draft without one counts on the day it was made. */
const DAY = sql<BusinessDate>`case when invoices.kind like 'R%' then coalesce(invoices.issue_date, invoices.list_date)
  else coalesce(invoices.operation_date, invoices.issue_date, invoices.list_date) end`

/** Returns the invoices of a quarter in some states of the registry; drafts are `not_issued`. */
async function invoicesIn(
  ctx: Ctx,
  { from, to }: ReturnPeriod,
  statuses: readonly ('not_issued' | (typeof UNREGISTERED)[number])[],
): Promise<Found> {
  const matching = () =>
    ctx.db
      .selectFrom('invoices')
      .where('invoices.book_id', '=', ctx.book.id)
      .where('invoices.registry_status', 'in', statuses)
      // Allows the partial index of records that are not accepted.
      .where(sql<SqlBool>`invoices.registry_status <> 'accepted'`)
      .where(sql<SqlBool>`${DAY} between ${from} and ${to}`)
  const { count, cents } = await matching()
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(invoices.total_cents), 0)`.as('cents'),
    ])
    .executeTakeFirstOrThrow()
  if (count === 0) return { count, cents, items: [] }
  const rows = await matching()
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .select([
      'invoices.public_id',
      'invoices.number',
      DAY.as('day'),
      'invoices.total_cents',
      'invoices.registry_status',
      'parties.name',
    ])
    .orderBy('day')
    .orderBy('invoices.id')
    .limit(ITEMS_SHOWN)
    .execute()
  return {
    count,
    cents,
    items: rows.map((row) =>
      itemOf(
        {
          id: row.public_id,
          label: row.number === null ? row.name : `${row.number} · ${row.name}`,
          date: row.day,
          cents: row.total_cents,
          code: row.registry_status === 'not_issued' ? null : row.registry_status,
        },
        `/invoices/${row.public_id}`,
      ),
    ),
  }
}

/** Returns the drafts dated in a quarter: they count in no figure until they are issued. */
export async function draftsStep(ctx: Ctx, period: ReturnPeriod): Promise<ClosingStep> {
  return stepOf('drafts', await invoicesIn(ctx, period, ['not_issued']))
}

/** Returns the issued invoices of a quarter whose record the registry has not accepted. */
export async function registryStep(ctx: Ctx, period: ReturnPeriod): Promise<ClosingStep> {
  const found = await invoicesIn(ctx, period, UNREGISTERED)
  const issued = await ctx.db
    .selectFrom('invoices')
    .select('id')
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'issued')
    .where('list_date', '>=', period.from)
    .where('list_date', '<=', period.to)
    .limit(1)
    .executeTakeFirst()
  return stepOf(
    'registry',
    found,
    issued ? { state: 'done' } : { state: 'not_needed', why: 'nothing_issued' },
  )
}

/**
 * Returns the active bank accounts that had begun by the end of a quarter, each with the last day up to which its
 * movements are known: that of a statement or of a movement.
 */
async function bankCoverage(ctx: Ctx, to: BusinessDate): Promise<{ until: BusinessDate | null }[]> {
  const accounts = await ctx.db
    .selectFrom('bank_accounts')
    .select((eb) => [
      eb
        .selectFrom('bank_transactions')
        .select((inner) => inner.fn.max('date').as('last'))
        .whereRef('bank_transactions.account_id', '=', 'bank_accounts.id')
        .as('moved'),
      eb
        .selectFrom('bank_statements')
        .select((inner) => inner.fn.max('to_date').as('last'))
        .whereRef('bank_statements.account_id', '=', 'bank_accounts.id')
        .as('stated'),
    ])
    .where('book_id', '=', ctx.book.id)
    .where('active', '=', 1)
    .where('opening_date', '<=', to)
    .execute()
  return accounts.map(({ moved, stated }) => ({
    until: moved !== null && stated !== null ? (moved > stated ? moved : stated) : (moved ?? stated),
  }))
}

/** What is known of the movements of the bank on a day. */
type BankKnowledge = 'complete' | 'bank_behind' | 'no_bank'

/** Returns whether the movements of every account are known up to a day. */
export async function bankKnownUntil(ctx: Ctx, day: BusinessDate): Promise<BankKnowledge> {
  const accounts = await bankCoverage(ctx, day)
  if (accounts.length === 0) return 'no_bank'
  return accounts.every(({ until }) => until !== null && until >= day) ? 'complete' : 'bank_behind'
}

/** Returns the movements of a quarter that nobody has matched. */
export async function bankStep(ctx: Ctx, { from, to }: ReturnPeriod): Promise<ClosingStep> {
  const matching = () =>
    ctx.db
      .selectFrom('bank_transactions')
      .where('book_id', '=', ctx.book.id)
      .where('status', '=', 'pending')
      .where('date', '>=', from)
      .where('date', '<=', to)
  const { count, cents } = await matching()
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(amount_cents), 0)`.as('cents'),
    ])
    .executeTakeFirstOrThrow()
  const rows = await matching()
    .select(['public_id', 'text', 'counterparty', 'date', 'amount_cents'])
    .orderBy('date')
    .orderBy('id')
    .limit(ITEMS_SHOWN)
    .execute()
  const items = rows.map((row) =>
    itemOf(
      {
        id: row.public_id,
        label: row.counterparty ?? row.text,
        date: row.date,
        cents: row.amount_cents,
      },
      `/bank/${row.public_id}`,
    ),
  )
  const known = await bankKnownUntil(ctx, to)
  return stepOf(
    'bank',
    { count, cents, items },
    known === 'complete' ? { state: 'done' } : { state: 'unknown', why: known },
  )
}

function receivedIn(ctx: Ctx, { from, to }: ReturnPeriod) {
  return ctx.db
    .selectFrom('received_invoices')
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'entered')
    .where('reception_date', '>=', from)
    .where('reception_date', '<=', to)
}

async function hasReceived(ctx: Ctx, period: ReturnPeriod): Promise<boolean> {
  return (await receivedIn(ctx, period).select('id').limit(1).executeTakeFirst()) !== undefined
}

const RECEIVED_COLUMNS = [
  'public_id',
  'supplier_number',
  'supplier_name',
  'reception_date',
  'total_cents',
] as const

interface ReceivedRow {
  public_id: string
  supplier_number: string | null
  supplier_name: string
  reception_date: BusinessDate
  total_cents: number
}

function receivedItem(row: ReceivedRow, code: string | null): ClosingItem {
  const { public_id: id, supplier_number: number, supplier_name: name } = row
  const label = number === null ? name : `${number} · ${name}`
  return itemOf({ id, label, date: row.reception_date, cents: row.total_cents, code }, `/received/${id}`)
}

/** Returns the received invoices of a quarter without a document. Without any, purchases are not known to be none. */
export async function receivedFilesStep(ctx: Ctx, period: ReturnPeriod): Promise<ClosingStep> {
  if (!(await hasReceived(ctx, period)))
    return stepOf(
      'received_files',
      { count: 0, cents: null, items: [] },
      { state: 'unknown', why: 'no_purchases' },
    )
  const without = () => receivedIn(ctx, period).where('files', '=', 0)
  // Nearly always none: the index of those without a file answers for all periods at once.
  if ((await countWithoutFile(ctx)) === 0)
    return stepOf('received_files', { count: 0, cents: null, items: [] })
  const { count, cents } = await without()
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(total_cents), 0)`.as('cents'),
    ])
    .executeTakeFirstOrThrow()
  const rows = await without()
    .select(RECEIVED_COLUMNS)
    .orderBy('reception_date')
    .orderBy('id')
    .limit(ITEMS_SHOWN)
    .execute()
  return stepOf('received_files', { count, cents, items: rows.map((row) => receivedItem(row, null)) })
}

/**
 * Returns the received invoices of a quarter whose data leave a doubt in a return: VAT deducted without the supplier's
 * tax number, VAT that looks like another country's, and a withholding that no return declares. `code` tells which.
 */
export async function receivedDataStep(ctx: Ctx, period: ReturnPeriod): Promise<ClosingStep> {
  if (!(await hasReceived(ctx, period)))
    return stepOf(
      'received_data',
      { count: 0, cents: null, items: [] },
      { state: 'unknown', why: 'no_purchases' },
    )
  const abroad = new Set(await foreignVatDocuments(ctx, period.months))
  const rows = await receivedIn(ctx, period)
    .select(['id', ...RECEIVED_COLUMNS, 'withholding_cents', 'withholding_reason', 'supplier_nif'])
    .where((eb) =>
      eb.or([
        eb.and([
          eb('supplier_nif', 'is', null),
          eb('deductible_cents', '<>', 0),
          // A customs document bears the number of the importer.
          eb('kind', '<>', 'customs'),
        ]),
        eb.and([eb('withholding_reason', '=', 'other'), eb('withholding_cents', '<>', 0)]),
        ...(abroad.size > 0 ? [eb('id', 'in', [...abroad])] : []),
      ]),
    )
    .orderBy('reception_date')
    .orderBy('id')
    .execute()
  const codeOf = (row: (typeof rows)[number]) => {
    if (row.withholding_reason === 'other' && row.withholding_cents !== 0) return 'withheld_other'
    return row.supplier_nif === null ? 'nif_missing' : 'foreign_vat'
  }
  return stepOf('received_data', {
    count: rows.length,
    cents: rows.reduce((sum, row) => sum + row.total_cents, 0),
    items: rows.slice(0, ITEMS_SHOWN).map((row) => receivedItem(row, codeOf(row))),
  })
}

/** Returns the requests of programs that wait for the owner; they have no period. Only a person sees which. */
export async function approvalsStep(ctx: Ctx): Promise<ClosingStep> {
  const count = (await waitingApprovals(ctx)) + (await waitingProposals(ctx))
  if (count === 0 || ctx.actor.kind !== 'user') return stepOf('approvals', { count, cents: null, items: [] })
  const now = ctx.now().getTime()
  const steps = await ctx.db
    .selectFrom('approvals')
    .innerJoin('invoices', 'invoices.id', 'approvals.invoice_id')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .select([
      'approvals.public_id',
      'approvals.action as code',
      'approvals.created_at',
      'invoices.number',
      'invoices.total_cents',
      'parties.name',
    ])
    .where('approvals.book_id', '=', ctx.book.id)
    .where('approvals.status', '=', 'pending')
    .where('approvals.expires_at', '>', now)
    .orderBy('approvals.id')
    .limit(ITEMS_SHOWN)
    .execute()
  const proposals = await ctx.db
    .selectFrom('proposals')
    .leftJoin('api_keys', 'api_keys.id', 'proposals.key_id')
    .select(['proposals.public_id', 'proposals.action as code', 'proposals.created_at', 'api_keys.name'])
    .where('proposals.book_id', '=', ctx.book.id)
    .where('proposals.status', '=', 'pending_user')
    .where('proposals.expires_at', '>', now)
    .orderBy('proposals.id')
    .limit(ITEMS_SHOWN)
    .execute()
  const day = (at: number) => businessDateOf(new Date(at))
  const items = [
    ...steps.map((row) =>
      itemOf(
        {
          id: row.public_id,
          label: row.number === null ? row.name : `${row.number} · ${row.name}`,
          date: day(row.created_at),
          cents: row.total_cents,
          code: row.code,
        },
        `/inbox/${row.public_id}`,
      ),
    ),
    ...proposals.map((row) =>
      itemOf(
        {
          id: row.public_id,
          label: row.name ?? '',
          date: day(row.created_at),
          cents: null,
          code: row.code,
        },
        `/inbox/${row.public_id}`,
      ),
    ),
  ]
  return stepOf('approvals', { count, cents: null, items: items.slice(0, ITEMS_SHOWN) })
}

/** Returns the recurring invoices with a day of the quarter that has come and has no invoice. */
export async function recurringStep(ctx: Ctx, { to }: ReturnPeriod): Promise<ClosingStep> {
  const today = ctx.today()
  const day = to < today ? to : today
  const any = await ctx.db
    .selectFrom('recurrences')
    .select('id')
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  const due = () =>
    ctx.db
      .selectFrom('recurrences')
      .where('book_id', '=', ctx.book.id)
      .where('state', '=', 'active')
      .where('next_date', '<=', day)
  const { count, cents } = await due()
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(total_cents), 0)`.as('cents'),
    ])
    .executeTakeFirstOrThrow()
  const rows = await due()
    .select(['public_id', 'name', 'client_name', 'next_date', 'total_cents', 'trouble'])
    .orderBy('next_date')
    .orderBy('id')
    .limit(ITEMS_SHOWN)
    .execute()
  const items = rows.map((row) =>
    itemOf(
      {
        id: row.public_id,
        label: row.name === '' ? row.client_name : `${row.name} · ${row.client_name}`,
        date: row.next_date,
        cents: row.total_cents,
        code: row.trouble === null ? null : 'trouble',
      },
      `/recurring/${row.public_id}`,
    ),
  )
  return stepOf(
    'recurring',
    { count, cents, items },
    any ? { state: 'done' } : { state: 'not_needed', why: 'no_recurring' },
  )
}
