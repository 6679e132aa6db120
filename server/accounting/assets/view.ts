/** Fixed assets as they are shown. */
import type { Ctx } from '../../context.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { entryIdOf, SOURCE_TYPES } from '../ledger/index.ts'
import { warningsOf } from './checks.ts'
import type { Stated } from './checks.ts'
import type { Asset, AssetSummary } from './contract.ts'
import { accumulatedOn, depreciableOf, depreciationOfYear, lastOf, planOf, yearOf } from './plan.ts'
import type { PlanYear } from './plan.ts'
import { costOf, findEntryRows, termsOf, vatGoodOf } from './rows.ts'
import type { AssetRow, BookingRow } from './rows.ts'
import { isVatGood } from './vat.ts'

/** Returns what is booked of an asset, with what was depreciated before these books. */
export function bookedOf(row: AssetRow, bookings: readonly BookingRow[]): Cents {
  return bookings.reduce((sum, { cents }) => sum + cents, row.prior_cents)
}

function stateOf(row: AssetRow, accumulatedCents: Cents): AssetSummary['state'] {
  if (row.out_on !== null) return 'disposed'
  const depreciable = depreciableOf(termsOf(row))
  return depreciable > 0 && accumulatedCents >= depreciable ? 'depreciated' : 'in_use'
}

/** Returns a row of the register as of a day. */
export function summaryOf(row: AssetRow, bookings: readonly BookingRow[], today: string): AssetSummary {
  const terms = termsOf(row)
  const accumulatedCents = accumulatedOn(terms, bookings, today)
  return {
    id: row.public_id,
    description: row.description,
    kind: row.kind,
    identifier: row.identifier,
    account: row.account,
    acquiredOn: row.acquired_on,
    inUseOn: row.in_use_on,
    cost: eurosFromCents(costOf(row)),
    residual: eurosFromCents(row.residual_cents),
    method: row.method,
    percent: row.rate_bp === null ? null : percentFromBasisPoints(row.rate_bp),
    years: row.years,
    accumulated: eurosFromCents(accumulatedCents),
    booked: eurosFromCents(bookedOf(row, bookings)),
    net: eurosFromCents(row.out_on !== null && row.out_on <= today ? 0 : costOf(row) - accumulatedCents),
    yearAmount: eurosFromCents(depreciationOfYear(terms, bookings, lastOf(yearOf(today)))),
    state: stateOf(row, accumulatedCents),
    outOn: row.out_on,
    supplier: row.received_supplier ?? row.supplier_name,
    version: row.version,
  }
}

/** Returns the years of a plan in euros. */
export function planView(plan: readonly PlanYear[]): Asset['plan'] {
  return plan.map(({ year, from, to, days, cents, bookedCents, accumulatedCents, pendingCents }) => ({
    year,
    from,
    to,
    days,
    amount: eurosFromCents(cents),
    booked: eurosFromCents(bookedCents),
    accumulated: eurosFromCents(accumulatedCents),
    pending: eurosFromCents(pendingCents),
  }))
}

/** Returns the terms of a row as a person stated them. */
function statedOf(row: AssetRow): Stated {
  return {
    kind: row.kind,
    acquiredOn: row.acquired_on,
    inUseOn: row.in_use_on,
    baseCents: row.base_cents,
    vatCents: row.vat_cents,
    vatDeductedCents: row.vat_deducted_cents,
    residualCents: row.residual_cents,
    method: row.method,
    rateBp: row.rate_bp,
    years: row.years,
    table: row.table_row,
    pace: row.pace,
    priorCents: row.prior_cents,
    priorUntil: row.prior_cents === 0 ? null : row.prior_until,
    priorOfYearCents: row.prior_year_cents,
  }
}

const INVOICE_VOID: Fault = {
  code: 'asset_invoice_void',
  field: 'receivedId',
  severity: 'warning',
  message: 'The invoice with which it was bought is void.',
}

/** Returns what the disposal of an asset brings: the price without what is left of the cost. */
function resultOf(row: AssetRow, bookings: readonly BookingRow[]): Cents {
  return (row.sale_cents ?? 0) + bookedOf(row, bookings) - costOf(row)
}

/** Returns an asset with its plan, its bookings and its disposal. */
export async function assetView(ctx: Ctx, row: AssetRow, bookings: readonly BookingRow[]): Promise<Asset> {
  const entries = await findEntryRows(
    ctx,
    SOURCE_TYPES.depreciation,
    bookings.map(({ id }) => id),
  )
  const disposals =
    row.out_on === null
      ? new Map<number, number>()
      : await findEntryRows(ctx, SOURCE_TYPES.asset_disposal, [row.id])
  const entryOf = (entry: number | undefined) => (entry === undefined ? null : entryIdOf(ctx.book, entry))
  const terms = termsOf(row)
  return {
    ...summaryOf(row, bookings, ctx.today()),
    accumulatedAccount: row.accumulated_account,
    expenseAccount: row.expense_account,
    base: eurosFromCents(row.base_cents),
    vat: eurosFromCents(row.vat_cents),
    vatPercent: row.vat_bp === null ? null : percentFromBasisPoints(row.vat_bp),
    vatDeducted: eurosFromCents(row.vat_deducted_cents),
    table: row.table_row,
    pace: row.pace,
    accumulatedBefore: eurosFromCents(row.prior_cents),
    accumulatedUntil: row.prior_cents === 0 ? null : row.prior_until,
    accumulatedInYear: eurosFromCents(row.prior_year_cents),
    received:
      row.received_public_id === null || row.received_date === null
        ? null
        : {
            id: row.received_public_id,
            line: row.received_position ?? 0,
            number: row.received_number,
            date: row.received_date,
          },
    supplierNif: row.received_id === null ? row.supplier_nif : row.received_nif,
    supplierCountry: row.received_id === null ? row.supplier_country : row.received_country,
    invoiceNumber: row.received_id === null ? row.invoice_number : row.received_number,
    invoiceDate: row.received_id === null ? row.invoice_date : row.received_date,
    notes: row.notes,
    plan: planView(planOf(terms, bookings)),
    bookings: bookings.map(({ id, from, to, cents, by }) => ({
      from,
      to,
      amount: eurosFromCents(cents),
      entryId: entryOf(entries.get(id)),
      by,
    })),
    disposal:
      row.out_on === null || row.out_cause === null
        ? null
        : {
            on: row.out_on,
            cause: row.out_cause,
            price: row.sale_cents === null ? null : eurosFromCents(row.sale_cents),
            saleVat: row.sale_vat,
            saleVatAmount: row.sale_vat_cents === null ? null : eurosFromCents(row.sale_vat_cents),
            invoice: row.sale_public_id === null ? null : { id: row.sale_public_id, number: row.sale_number },
            result: eurosFromCents(resultOf(row, bookings)),
            entryId: entryOf(disposals.get(row.id)),
          },
    isVatGood: isVatGood(vatGoodOf(row)),
    warnings: [...warningsOf(statedOf(row)), ...(row.received_state === 'void' ? [INVOICE_VOID] : [])],
    canDelete: bookings.length === 0 && row.out_on === null,
    untrusted: true,
  }
}
