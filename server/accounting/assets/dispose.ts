/** Takes a fixed asset out: it is depreciated until then, its cost and depreciation leave the books, gain or loss is booked. */
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { assertVersion } from '../../domain/contract/version-guard.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { addDays } from '../../domain/dates.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { centsFromEuros } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { accountExists, postEntry, removeEntry, SOURCE_TYPES } from '../ledger/index.ts'
import type { EntryLine } from '../ledger/index.ts'
import type { disposeAssetContract, undoDisposalContract } from './contract.ts'
import { bookDepreciation, unbook } from './depreciate.ts'
import { accountsOf } from './kinds.ts'
import { assetById } from './list.ts'
import { unbooked } from './plan.ts'
import { changeAsset, costOf, findAsset, findBookings, findSaleInvoice, termsOf } from './rows.ts'
import type { AssetRow } from './rows.ts'
import { bookedOf } from './view.ts'

type DisposalRequest = ContractInput<typeof disposeAssetContract>

/** Claims for assets sold, where no invoice of these books has the price. */
const CLAIMS = '543'

interface SaleTerms {
  sale_cents: Cents
  sale_vat: NonNullable<DisposalRequest['saleVat']>
  sale_vat_cents: Cents
  sale_invoice_id: number | null
  sale_account: string
}

const refused = (code: string, field: string, message: string, fix: string): Fault => ({
  code,
  field,
  severity: 'error',
  message,
  fix,
})

/** Returns the terms of a sale; those of its invoice where nothing else is said. */
async function saleTerms(tx: Ctx, request: DisposalRequest): Promise<SaleTerms> {
  const faults: Fault[] = []
  const invoice =
    request.invoiceId === undefined || request.invoiceId === null
      ? null
      : await findSaleInvoice(tx, request.invoiceId, SOURCE_TYPES.invoice)
  if (invoice && !invoice.isSale)
    faults.push(
      refused('asset_sale_invoice', 'invoiceId', 'That invoice is a draft or cancelled.', 'Choose another.'),
    )
  const price = request.price === undefined ? invoice?.baseCents : (centsFromEuros(request.price) ?? 0)
  if (price === undefined || price < 0)
    faults.push(refused('asset_sale_price', 'price', 'The price of the sale is missing.', 'Type the price.'))
  const taxCents =
    request.saleVatAmount === undefined
      ? (invoice?.taxCents ?? 0)
      : (centsFromEuros(request.saleVatAmount) ?? 0)
  const account = request.saleAccount ?? invoice?.account ?? CLAIMS
  if (!(await accountExists(tx, account)))
    faults.push(
      refused(
        'account_unknown',
        'saleAccount',
        'There is no account with that code.',
        'Choose one of the chart, or add it first.',
      ),
    )
  if (faults.length > 0) throw validationFailed(faults)
  return {
    sale_cents: price ?? 0,
    sale_vat: request.saleVat ?? (taxCents > 0 ? 'taxed' : 'exempt'),
    sale_vat_cents: Math.max(0, taxCents),
    sale_invoice_id: invoice?.id ?? null,
    sale_account: account,
  }
}

/** Returns the lines of the entry: cost and depreciation leave, the price is taken from its account, the rest is gain or loss. */
function disposalLines(row: AssetRow, accumulatedCents: Cents, sale: SaleTerms | null): EntryLine[] {
  const { loss, gain } = accountsOf(row.account)
  const resultCents = (sale?.sale_cents ?? 0) + accumulatedCents - costOf(row)
  return [
    { account: row.accumulated_account, amountCents: accumulatedCents },
    ...(sale ? [{ account: sale.sale_account, amountCents: sale.sale_cents }] : []),
    { account: row.account, amountCents: -costOf(row) },
    { account: resultCents >= 0 ? gain : loss, amountCents: -resultCents },
  ]
}

export const disposeAsset: UseCase<typeof disposeAssetContract> = (ctx, request) =>
  ctx.transaction(async (tx) => {
    const row = await findAsset(tx, request.id)
    assertVersion(request.expectedVersion, row.version)
    if (row.out_on !== null) throw new AppError('asset_disposed', { details: { on: row.out_on } })
    const bookings = (await findBookings(tx)).get(row.id) ?? []
    const faults: Fault[] = []
    if (request.on < row.in_use_on || request.on <= row.prior_until)
      faults.push(
        refused(
          'asset_out_early',
          'on',
          'It goes before its first use, or before a day that is depreciated.',
          'Check the day.',
        ),
      )
    if (request.on > tx.today())
      faults.push(
        refused('asset_out_future', 'on', 'That day has not come.', 'Choose today or an earlier day.'),
      )
    const last = bookings.at(-1)
    if (last && last.to >= request.on)
      faults.push(
        refused(
          'asset_out_booked',
          'on',
          'Depreciation of later days is booked.',
          'Undo it first, or choose a later day.',
        ),
      )
    if (faults.length > 0) throw validationFailed(faults)
    const sale = request.cause === 'sale' ? await saleTerms(tx, request) : null
    const until = { ...termsOf(row), outOn: request.on }
    const rest = unbooked(until, bookings, addDays(request.on, -1))
    if (rest) await bookDepreciation(tx, row, rest, true)
    await changeAsset(tx, row, { out_on: request.on, out_cause: request.cause, ...sale })
    const accumulated = bookedOf(row, bookings) + (rest?.cents ?? 0)
    await postEntry(tx, {
      date: request.on,
      source: { type: 'asset_disposal', id: row.id },
      lines: disposalLines(row, accumulated, sale),
    })
    await recordChange(tx, 'asset.disposed', row)
    return assetById(tx, request.id)
  })

async function recordChange(tx: Ctx, action: string, row: AssetRow): Promise<void> {
  await recordAudit(tx, { action, target: { type: 'asset', id: row.public_id, label: row.description } })
  await emitEvent(tx, 'asset.changed', { assetId: row.public_id })
  await emitEvent(tx, 'ledger.changed', {})
}

export const undoDisposal: UseCase<typeof undoDisposalContract> = (ctx, { id, expectedVersion }) =>
  ctx.transaction(async (tx) => {
    const row = await findAsset(tx, id)
    assertVersion(expectedVersion, row.version)
    if (row.out_on === null) throw new AppError('asset_not_disposed')
    await removeEntry(tx, { type: 'asset_disposal', id: row.id })
    for (const booking of (await findBookings(tx)).get(row.id) ?? [])
      if (booking.ofDisposal) await unbook(tx, booking)
    await changeAsset(tx, row, {
      out_on: null,
      out_cause: null,
      sale_cents: null,
      sale_vat: null,
      sale_vat_cents: null,
      sale_invoice_id: null,
      sale_account: null,
    })
    await recordChange(tx, 'asset.disposal_undone', row)
    return assetById(tx, id)
  })
