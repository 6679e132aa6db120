/**
 * What the console shows of a company, read from the facts of its live book by indexes. Dates are stored and not what
 * they mean today: a return becomes late by itself.
 */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { recentReturns } from '../../accounting/returns/index.ts'
import { lockedUntil } from '../../accounting/ledger/index.ts'
import { openByDay } from '../../accounting/payments/index.ts'
import { certificateState } from '../../company/certificates/index.ts'
import type { Ctx } from '../../context.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import { countWithoutFile } from '../../purchases/invoices/index.ts'
import { registryTroubles } from '../../registry/index.ts'
import { waitingApprovals } from '../../sales/invoices/index.ts'
import { waitingProposals } from '../approvals/index.ts'

/** Version of this form: rows of another one are computed again. */
export const FACTS_VERSION = 1

/** A return in `SummaryFacts`. */
export interface SummaryReturn {
  model: string
  year: number
  code: string
  dueFrom: BusinessDate
  dueTo: BusinessDate
  applies: true | null
  filedOn: BusinessDate | null
}

/** The figures of a company. Null stands for what cannot be known. */
export interface SummaryFacts {
  version: number
  /** First day of an invoice, issued or received; null: there is none yet. */
  from: BusinessDate | null
  returns: SummaryReturn[]
  lockedUntil: BusinessDate | null
  closedYear: number | null
  registry: {
    needAction: number
    pending: number
    oldestAt: number | null
    chain: 'ok' | 'held' | 'broken'
    stopped: boolean
  }
  /** Last day of the certificate; null: there is none. */
  certificateUntil: BusinessDate | null
  inbox: { waiting: number; oldestAt: number | null }
  /** Null without a bank account. */
  bank: { pending: number; since: BusinessDate | null } | null
  approvals: number
  receipts: number
  owed: { cents: Cents; lateCents: Cents; lateInvoices: number }
  lastActivityAt: number | null
}

/** States in which an incoming document waits for a person or for the reader. */
const INBOX_STATES = ['queued', 'reading', 'ready', 'doubtful', 'duplicate', 'not_invoice', 'failed'] as const
/** How many of the newest entries of the history are looked at for one of a person or a key. */
const NEWEST_ENTRIES = 50

async function firstDay(ctx: Ctx): Promise<BusinessDate | null> {
  const issued = await ctx.db
    .selectFrom('invoices')
    .select('list_date')
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'issued')
    .orderBy('list_date')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const received = await ctx.db
    .selectFrom('received_invoices')
    .select('reception_date')
    .where('book_id', '=', ctx.book.id)
    .orderBy('reception_date')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const days = [issued?.list_date, received?.reception_date].filter((day) => day !== undefined)
  return days.toSorted()[0] ?? null
}

async function returnsOf(ctx: Ctx, from: BusinessDate | null): Promise<SummaryReturn[]> {
  const today = ctx.today()
  return (await recentReturns(ctx))
    .filter(({ to, dueTo, filedOn }) => filedOn !== null || (from === null ? dueTo >= today : to >= from))
    .map(({ model, year, code, dueFrom, dueTo, applies, filedOn }) => ({
      model,
      year,
      code,
      dueFrom,
      dueTo,
      applies,
      filedOn,
    }))
}

async function inboxOf(ctx: Ctx): Promise<SummaryFacts['inbox']> {
  const { waiting, oldest } = await ctx.db
    .selectFrom('incoming_documents')
    .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('received_at').as('oldest')])
    .where('book_id', '=', ctx.book.id)
    .where('state', 'in', INBOX_STATES)
    .executeTakeFirstOrThrow()
  return { waiting, oldestAt: oldest }
}

async function bankOf(ctx: Ctx): Promise<SummaryFacts['bank']> {
  const account = await ctx.db
    .selectFrom('bank_accounts')
    .select('id')
    .where('book_id', '=', ctx.book.id)
    .where('active', '=', 1)
    .limit(1)
    .executeTakeFirst()
  if (!account) return null
  const { pending, since } = await ctx.db
    .selectFrom('bank_transactions')
    .select((eb) => [eb.fn.countAll<number>().as('pending'), eb.fn.min('date').as('since')])
    .where('book_id', '=', ctx.book.id)
    // A literal: the index of pending transactions is a partial one.
    .where(sql<SqlBool>`status = 'pending'`)
    .executeTakeFirstOrThrow()
  return { pending, since }
}

async function owedOf(ctx: Ctx): Promise<SummaryFacts['owed']> {
  const today = ctx.today()
  const owed = { cents: 0, lateCents: 0, lateInvoices: 0 }
  for (const { dueDate, cents, invoices } of await openByDay(ctx, 'receivable')) {
    owed.cents += cents
    if (dueDate === null || dueDate >= today) continue
    owed.lateCents += cents
    owed.lateInvoices += invoices
  }
  return owed
}

async function closedYearOf(ctx: Ctx): Promise<number | null> {
  const { year } = await ctx.db
    .selectFrom('ledger_years')
    .select((eb) => eb.fn.max('year').as('year'))
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirstOrThrow()
  return year
}

/** Returns when a person or a program last did something; what Sello does by itself is no activity. */
async function lastActivityOf(ctx: Ctx): Promise<number | null> {
  const row = await ctx.db
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_events')
        .select(['at', 'actor_id', 'sequence'])
        .where('book_id', '=', ctx.book.id)
        .orderBy('sequence', 'desc')
        .limit(NEWEST_ENTRIES)
        .as('newest'),
    )
    .innerJoin('actors', 'actors.id', 'newest.actor_id')
    .select('newest.at')
    .where('actors.kind', '<>', 'system')
    .orderBy('newest.sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}

/** Reads the figures of the book of a context. */
export async function readFacts(ctx: Ctx): Promise<SummaryFacts> {
  const from = await firstDay(ctx)
  const { needAction, pending, oldestAt, chain, stopped } = await registryTroubles(ctx)
  const { expiresOn } = await certificateState(ctx)
  return {
    version: FACTS_VERSION,
    from,
    returns: await returnsOf(ctx, from),
    lockedUntil: await lockedUntil(ctx),
    closedYear: await closedYearOf(ctx),
    registry: { needAction, pending, oldestAt, chain, stopped },
    certificateUntil: expiresOn ?? null,
    inbox: await inboxOf(ctx),
    bank: await bankOf(ctx),
    approvals: (await waitingApprovals(ctx)) + (await waitingProposals(ctx)),
    receipts: await countWithoutFile(ctx),
    owed: await owedOf(ctx),
    lastActivityAt: await lastActivityOf(ctx),
  }
}
