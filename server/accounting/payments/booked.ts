/**
 * Ledger data of a payment besides the money: the account of the supplier's invoice, and the VAT under cash
 * accounting that becomes due.
 */
import type { Cents } from '../../domain/money.ts'
import { divideRounded } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { findEntry } from '../ledger/index.ts'
import type { ReleasedVat } from '../ledger/index.ts'
import { prepare } from '../../db/query.ts'
import type { Target } from './targets.ts'

const CASH_ACCOUNTING = '07'

const postedPayables = prepare((db, p: { entryId: number }) =>
  db
    .selectFrom('journal_lines')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'journal_lines.account_id')
    .select('ledger_accounts.code')
    .where('journal_lines.entry_id', '=', p.entryId)
    .orderBy('journal_lines.position'),
)

/** Returns the account on which a received invoice is payable: the one of its entry (400, 410, 523), else 410. */
export async function payableAccount(ctx: Ctx, receivedId: number): Promise<string> {
  const entry = await findEntry(ctx, { type: 'received', id: receivedId })
  if (!entry) return '410'
  const rows = await postedPayables.all(ctx.db, { entryId: entry.id })
  return rows.find(({ code }) => /^(400|410|523|465|173)/.test(code))?.code ?? '410'
}

const cashTaxes = prepare((db, p: { invoiceId: number; regimeKey: string }) =>
  db
    .selectFrom('invoice_taxes')
    .select(['vat_rate_bp', 'tax_cents', 'surcharge_bp', 'surcharge_cents'])
    .where('invoice_id', '=', p.invoiceId)
    .where('regime_key', '=', p.regimeKey)
    .orderBy('position'),
)

const cashLines = prepare((db, p: { receivedId: number }) =>
  db
    .selectFrom('received_lines')
    .innerJoin('received_invoices', 'received_invoices.id', 'received_lines.received_id')
    .select(['received_lines.vat_rate_bp', 'received_lines.deductible_cents as tax_cents'])
    .where('received_lines.received_id', '=', p.receivedId)
    .where('received_invoices.cash_accounting', '=', 1)
    .where('received_lines.self_assessed', '=', 0)
    .orderBy('received_lines.position'),
)

/**
 * Returns the part of a tax that becomes due when `paid` becomes `paid + cents`. Computed cumulatively, so that the
 * last payment releases the rest.
 */
function share(taxCents: Cents, paidCents: Cents, cents: Cents, payableCents: Cents): Cents {
  if (payableCents === 0) return 0
  const upTo = (paid: Cents): number =>
    Number(divideRounded(BigInt(taxCents) * BigInt(paid), BigInt(payableCents)))
  return upTo(paidCents + cents) - upTo(paidCents)
}

/** Returns the VAT under the cash accounting scheme (art. 163 terdecies LIVA) that a payment makes due or deductible. */
export async function releasedVat(ctx: Ctx, target: Target, cents: Cents): Promise<ReleasedVat[]> {
  const { payableCents } = target
  const paidCents = payableCents - target.dueCents
  if (target.kind === 'invoice') {
    const rows = await cashTaxes.all(ctx.db, { invoiceId: target.rowId, regimeKey: CASH_ACCOUNTING })
    return rows.map((row) => ({
      side: 'issued',
      vatRateBp: row.vat_rate_bp,
      taxCents: share(row.tax_cents, paidCents, cents, payableCents),
      surchargeRateBp: row.surcharge_bp,
      surchargeCents: share(row.surcharge_cents, paidCents, cents, payableCents),
    }))
  }
  const rows = await cashLines.all(ctx.db, { receivedId: target.rowId })
  return rows.map((row) => ({
    side: 'received',
    vatRateBp: row.vat_rate_bp,
    taxCents: share(row.tax_cents, paidCents, cents, payableCents),
  }))
}
