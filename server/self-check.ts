/** The proof that the books are whole: the file, its references, and of each book the chains, the numbers and the sums. */
import { sql } from 'kysely'
import { verifyAudit } from './audit/index.ts'
import { listBooks } from './company/index.ts'
import type { AppEnvironment, Book, Ctx } from './ctx.ts'
import { verifyNumbering, verifyTotals } from './invoices/index.ts'
import { verifyLedger } from './ledger/index.ts'
import { verifyPayments } from './payments/index.ts'
import { verifyChain } from './registry/index.ts'

export interface Check {
  name: string
  /** Absent for what belongs to the whole store. */
  book?: string
  ok: boolean
  detail: string
}

export interface SelfCheck {
  ok: boolean
  checks: Check[]
}

async function pragma(env: AppEnvironment, name: 'integrity_check' | 'foreign_key_check'): Promise<string[]> {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(env.store.reader)
  return rows.map((row) => Object.values(row).join(' '))
}

async function checksOfStore(env: AppEnvironment): Promise<Check[]> {
  const integrity = await pragma(env, 'integrity_check')
  const dangling = await pragma(env, 'foreign_key_check')
  const whole = integrity.length === 1 && integrity[0] === 'ok'
  return [
    { name: 'integrity', ok: whole, detail: whole ? 'The file is whole.' : integrity.slice(0, 5).join('; ') },
    {
      name: 'references',
      ok: dangling.length === 0,
      detail: dangling.length === 0 ? 'Every reference leads somewhere.' : dangling.slice(0, 5).join('; '),
    },
  ]
}

async function checksOfBook(ctx: Ctx, book: Book): Promise<Check[]> {
  const name = `${book.publicId} (${book.mode})`
  const chain = await verifyChain(ctx, {})
  const audit = await verifyAudit(ctx, {})
  const numbering = await verifyNumbering(ctx)
  const totals = await verifyTotals(ctx)
  const ledger = await verifyLedger(ctx)
  const payments = await verifyPayments(ctx)
  return [
    {
      name: 'chain',
      book: name,
      ok: chain.ok,
      detail: chain.broken
        ? `Record ${chain.broken.sequence}: ${chain.broken.why}.`
        : `${chain.records} records, each linked to the one before.`,
    },
    {
      name: 'audit',
      book: name,
      ok: audit.ok,
      detail: audit.broken
        ? `${audit.broken.id}: ${audit.broken.why}.`
        : `${audit.events} events, each linked to the one before.`,
    },
    {
      name: 'numbering',
      book: name,
      ok: numbering.ok,
      detail: numbering.ok ? `${numbering.checked} numbers without gaps.` : numbering.faults.join(' '),
    },
    {
      name: 'totals',
      book: name,
      ok: totals.ok,
      detail: totals.ok ? `${totals.checked} invoices add up.` : totals.faults.join(' '),
    },
    {
      name: 'ledger',
      book: name,
      ok: ledger.ok,
      detail: ledger.ok ? `${ledger.checked} entries balance.` : ledger.faults.join(' '),
    },
    {
      name: 'payments',
      book: name,
      ok: payments.ok,
      detail: payments.ok ? `${payments.checked} payments are what they settle.` : payments.faults.join(' '),
    },
  ]
}

/** Runs every check; `ok` when all are. The result about a record chain is kept: a broken one stops issuing. */
export async function checkBooks(env: AppEnvironment, ctxOf: (book: Book) => Ctx): Promise<SelfCheck> {
  const checks = await checksOfStore(env)
  for (const book of await listBooks(env.store.reader))
    checks.push(...(await checksOfBook(ctxOf(book), book)))
  return { ok: checks.every((check) => check.ok), checks }
}
