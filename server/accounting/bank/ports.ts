/** Port of the bank slice to payments and remittances, which belong to the payments slice. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { linkToBank, settleRemittance, unsettleRemittance } from '../payments/index.ts'
import { prepare } from '../../db/query.ts'

interface KnownPayment {
  rowId: number
  effectCents: Cents
  /** Ledger account in which the payment was recorded. */
  account: string
  bankTransactionId: number | null
}

const paymentByPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('payments')
    .select(['id', 'direction', 'amount_cents', 'account', 'bank_transaction_id'])
    .where('book_id', '=', p.bookId)
    .where('public_id', '=', p.publicId)
    .where('kind', '=', 'payment'),
)

/** Returns a payment of the book. Throws `not_found`. */
export async function openPayment(ctx: Ctx, publicId: string): Promise<KnownPayment> {
  const row = orNotFound(await paymentByPublicId.first(ctx.db, { bookId: ctx.book.id, publicId }))
  return {
    rowId: row.id,
    effectCents: row.direction === 'in' ? row.amount_cents : -row.amount_cents,
    account: row.account ?? '572',
    bankTransactionId: row.bank_transaction_id,
  }
}

/** Links a payment to its bank movement, or unlinks it. */
export async function linkPayment(tx: Ctx, rowId: number, transactionId: number | null): Promise<void> {
  await linkToBank(tx, rowId, transactionId)
}

interface KnownRemittance {
  rowId: number
  publicId: string
  state: 'prepared' | 'settled' | 'discarded'
  effectCents: Cents
  account: string
  onBank: boolean
}

const remittanceByPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('remittances')
    .leftJoin('bank_parts', 'bank_parts.remittance_id', 'remittances.id')
    .select([
      'remittances.id',
      'remittances.public_id',
      'remittances.state',
      'remittances.kind',
      'remittances.total_cents',
      'remittances.account',
      'bank_parts.transaction_id',
    ])
    .where('remittances.book_id', '=', p.bookId)
    .where('remittances.public_id', '=', p.publicId)
    .where('remittances.state', '<>', 'discarded'),
)

/** Returns a remittance. Throws `not_found`, also for a discarded one. */
export async function openRemittance(ctx: Ctx, publicId: string): Promise<KnownRemittance> {
  const row = orNotFound(await remittanceByPublicId.first(ctx.db, { bookId: ctx.book.id, publicId }))
  return {
    rowId: row.id,
    publicId: row.public_id,
    state: row.state,
    effectCents: row.kind === 'debit' ? row.total_cents : -row.total_cents,
    account: row.account,
    onBank: row.transaction_id !== null,
  }
}

/**
 * Records the payments of a remittance that the bank has executed. Returns false when a person had recorded them
 * before.
 */
export async function settlePrepared(
  tx: Ctx,
  remittance: KnownRemittance,
  date: BusinessDate,
): Promise<boolean> {
  if (remittance.state !== 'prepared') return false
  await settleRemittance(tx, { id: remittance.publicId, date })
  return true
}

const paymentsOfRemittance = prepare((db, p: { id: number }) =>
  db.selectFrom('remittance_items').select('payment_id').where('remittance_id', '=', p.id),
)

/**
 * Links the payments of a remittance to the movement, so that none of them can be removed while the movement is
 * matched.
 */
export async function linkRemittance(tx: Ctx, rowId: number, transactionId: number | null): Promise<void> {
  for (const { payment_id } of await paymentsOfRemittance.all(tx.db, { id: rowId }))
    if (payment_id !== null) await linkToBank(tx, payment_id, transactionId)
}

const publicIdOf = prepare((db, p: { id: number }) =>
  db.selectFrom('remittances').select('public_id').where('id', '=', p.id),
)

/** Undoes `settlePrepared`. */
export async function undoSettlement(tx: Ctx, rowId: number): Promise<void> {
  await unsettleRemittance(tx, { id: orNotFound(await publicIdOf.first(tx.db, { id: rowId })).public_id })
}
