/** Adds, changes and removes fixed assets, and shows the plan that terms would give. */
import type { Insertable } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { AssetsTable } from '../../db/schema.ts'
import { assertVersion } from '../../domain/contract/version-guard.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { addDays } from '../../domain/dates.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import {
  basisPointsFromPercent,
  centsFromEuros,
  eurosFromCents,
  percentFromBasisPoints,
} from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { normalizeText, trimmedOrNull } from '../../domain/text.ts'
import { accountExists } from '../ledger/index.ts'
import { faultsOf, warningsOf } from './checks.ts'
import type { Stated } from './checks.ts'
import type {
  createAssetContract,
  deleteAssetContract,
  previewAssetContract,
  updateAssetContract,
} from './contract.ts'
import { accountsOf, kindFacts } from './kinds.ts'
import { assetById } from './list.ts'
import { depreciableOf, planOf, priorOfYear } from './plan.ts'
import type { Terms } from './plan.ts'
import {
  changeAsset,
  findAsset,
  findAssetOfLine,
  findBookings,
  findReceivedLine,
  insertAsset,
  removeAsset,
} from './rows.ts'
import type { AssetColumns, AssetRow, BookingRow } from './rows.ts'
import { maxRateOf, tableRow } from './tables.ts'
import { bookedOf, planView } from './view.ts'

type New = ContractInput<typeof createAssetContract>
type Changes = ContractInput<typeof updateAssetContract>
type Preview = ContractInput<typeof previewAssetContract>

const cents = (euros: number): Cents => centsFromEuros(euros) ?? 0
const basisPoints = (percent: number | null | undefined) =>
  percent === null || percent === undefined ? null : basisPointsFromPercent(percent)

/** Returns typed terms, in cents. */
function stated(input: Omit<Preview, 'id'>): Stated {
  const vatCents = cents(input.vat ?? 0)
  return {
    kind: input.kind,
    acquiredOn: input.acquiredOn,
    inUseOn: input.inUseOn,
    baseCents: cents(input.base),
    vatCents,
    vatDeductedCents: input.vatDeducted === undefined ? vatCents : cents(input.vatDeducted),
    residualCents: cents(input.residual ?? 0),
    method: input.method,
    rateBp: input.method === 'percent' ? basisPoints(input.percent) : null,
    years: input.method === 'years' ? (input.years ?? null) : null,
    table: input.table ?? null,
    pace: input.pace ?? 'normal',
    priorCents: cents(input.accumulatedBefore ?? 0),
    priorUntil: input.accumulatedUntil ?? null,
    priorOfYearCents: input.accumulatedInYear === undefined ? null : cents(input.accumulatedInYear),
  }
}

/** Columns of the terms; of an asset with bookings, new ones count from the day after the last. */
type TermColumns = Pick<
  AssetColumns,
  | 'kind'
  | 'acquired_on'
  | 'in_use_on'
  | 'base_cents'
  | 'vat_cents'
  | 'vat_deducted_cents'
  | 'residual_cents'
  | 'method'
  | 'rate_bp'
  | 'years'
  | 'table_row'
  | 'pace'
  | 'prior_cents'
  | 'prior_until'
  | 'prior_year_cents'
  | 'counted_until'
  | 'counted_cents'
>

function termColumns(from: Stated): TermColumns {
  const priorUntil = from.priorCents === 0 ? addDays(from.inUseOn, -1) : (from.priorUntil ?? from.inUseOn)
  const terms = {
    costCents: from.baseCents + from.vatCents - from.vatDeductedCents,
    residualCents: from.residualCents,
    method: from.method,
    rateBp: from.rateBp,
    years: from.years,
    inUseOn: from.inUseOn,
    priorUntil,
    priorCents: from.priorCents,
  }
  return {
    kind: from.kind,
    acquired_on: from.acquiredOn,
    in_use_on: from.inUseOn,
    base_cents: from.baseCents,
    vat_cents: from.vatCents,
    vat_deducted_cents: from.vatDeductedCents,
    residual_cents: from.residualCents,
    method: from.method,
    rate_bp: from.rateBp,
    years: from.years,
    table_row: from.table,
    pace: from.pace,
    prior_cents: from.priorCents,
    prior_until: priorUntil,
    prior_year_cents: from.priorCents === 0 ? 0 : (from.priorOfYearCents ?? priorOfYear(terms)),
    counted_until: priorUntil,
    counted_cents: from.priorCents,
  }
}

/** Returns the columns of new terms of an asset of which something is booked. */
function afterBookings(row: AssetRow, bookings: readonly BookingRow[], next: TermColumns): TermColumns {
  const last = bookings.at(-1)
  const isSame =
    next.method === row.method &&
    next.rate_bp === row.rate_bp &&
    next.years === row.years &&
    next.residual_cents === row.residual_cents
  if (!last) return next
  return {
    ...next,
    prior_cents: row.prior_cents,
    prior_until: row.prior_until,
    prior_year_cents: row.prior_year_cents,
    counted_until: isSame ? row.counted_until : last.to,
    counted_cents: isSame ? row.counted_cents : bookedOf(row, bookings),
  }
}

async function accountFaults(
  ctx: Ctx,
  accounts: Readonly<Record<'account' | 'accumulatedAccount' | 'expenseAccount', string>>,
): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const [field, code] of Object.entries(accounts))
    if (!(await accountExists(ctx, code)))
      faults.push({
        code: 'account_unknown',
        field,
        severity: 'error',
        message: 'There is no account with that code.',
        fix: 'Choose one of the chart, or add it first.',
      })
  return faults
}

interface Written {
  account: string
  accumulated_account: string
  expense_account: string
}

function accountColumns(
  input: Pick<New, 'kind' | 'account' | 'accumulatedAccount' | 'expenseAccount'>,
): Written {
  const account = input.account ?? kindFacts(input.kind).account
  const usual = accountsOf(account)
  return {
    account,
    accumulated_account: input.accumulatedAccount ?? usual.accumulated,
    expense_account: input.expenseAccount ?? usual.expense,
  }
}

/** Returns the columns of the purchase. Throws `asset_taken` for a line that has an asset. */
async function purchaseColumns(tx: Ctx, input: Partial<New>, self: string | null) {
  const own = {
    supplier_name: trimmedOrNull(input.supplierName ?? null),
    supplier_nif: input.supplierNif ? normalizeNif(input.supplierNif) : null,
    supplier_country: input.supplierCountry ?? null,
    invoice_number: trimmedOrNull(input.invoiceNumber ?? null),
    invoice_date: input.invoiceDate ?? null,
  }
  if (input.receivedId === undefined || input.receivedId === null)
    return { ...own, received_id: null, received_position: null }
  const position = input.receivedLine ?? 0
  const { id, hasLine } = await findReceivedLine(tx, input.receivedId, position)
  if (!hasLine)
    throw validationFailed([
      {
        code: 'asset_line',
        field: 'receivedLine',
        severity: 'error',
        message: 'The invoice does not have that line.',
        fix: 'Choose one of its lines.',
      },
    ])
  const taken = await findAssetOfLine(tx, id, position)
  if (taken !== null && taken !== self) throw new AppError('asset_taken', { details: { assetId: taken } })
  // The invoice itself says who sold it and when.
  return {
    supplier_name: null,
    supplier_nif: null,
    supplier_country: null,
    invoice_number: null,
    invoice_date: null,
    received_id: id,
    received_position: position,
  }
}

async function recordChange(tx: Ctx, action: string, publicId: string, label: string): Promise<void> {
  await recordAudit(tx, { action, target: { type: 'asset', id: publicId, label } })
  await emitEvent(tx, 'asset.changed', { assetId: publicId })
}

/** Returns the values of a new row. Throws `validation_failed`. */
async function newRow(tx: Ctx, input: New): Promise<Insertable<AssetsTable>> {
  const from = stated(input)
  const accounts = accountColumns(input)
  const faults = [
    ...faultsOf(from, tx.today()),
    ...(await accountFaults(tx, {
      account: accounts.account,
      accumulatedAccount: accounts.accumulated_account,
      expenseAccount: accounts.expense_account,
    })),
  ]
  if (faults.length > 0) throw validationFailed(faults)
  const now = tx.now().getTime()
  return {
    book_id: tx.book.id,
    public_id: tx.newId('ast'),
    description: normalizeText(input.description),
    identifier: trimmedOrNull(input.identifier ?? null),
    ...accounts,
    ...termColumns(from),
    vat_bp: basisPoints(input.vatPercent),
    notes: trimmedOrNull(input.notes ?? null),
    ...(await purchaseColumns(tx, input, null)),
    created_at: now,
    updated_at: now,
  }
}

/** Adds an asset within a transaction; returns its identifier. */
export async function addAsset(tx: Ctx, input: New, action = 'asset.created'): Promise<string> {
  const values = await newRow(tx, input)
  await insertAsset(tx, values)
  await recordChange(tx, action, values.public_id, values.description)
  return values.public_id
}

export const createAsset: UseCase<typeof createAssetContract> = (ctx, input) =>
  ctx.transaction(async (tx) => assetById(tx, await addAsset(tx, input)))

/** Fields that nothing may change once something is booked. */
const FIXED = [
  'acquiredOn',
  'inUseOn',
  'base',
  'vat',
  'vatDeducted',
  'account',
  'accumulatedAccount',
  'expenseAccount',
  'accumulatedBefore',
  'accumulatedUntil',
  'accumulatedInYear',
] as const satisfies readonly (keyof New)[]

/** Returns a row as the input that would create it. */
function inputOf(row: AssetRow): New {
  return {
    description: row.description,
    identifier: row.identifier,
    account: row.account,
    accumulatedAccount: row.accumulated_account,
    expenseAccount: row.expense_account,
    vatPercent: row.vat_bp === null ? null : percentFromBasisPoints(row.vat_bp),
    receivedId: row.received_public_id,
    receivedLine: row.received_position,
    supplierName: row.supplier_name,
    supplierNif: row.supplier_nif,
    supplierCountry: row.supplier_country,
    invoiceNumber: row.invoice_number,
    invoiceDate: row.invoice_date,
    notes: row.notes,
    kind: row.kind,
    acquiredOn: row.acquired_on,
    inUseOn: row.in_use_on,
    base: eurosFromCents(row.base_cents),
    vat: eurosFromCents(row.vat_cents),
    vatDeducted: eurosFromCents(row.vat_deducted_cents),
    residual: eurosFromCents(row.residual_cents),
    method: row.method,
    percent: row.rate_bp === null ? null : percentFromBasisPoints(row.rate_bp),
    years: row.years,
    table: row.table_row,
    pace: row.pace,
    accumulatedBefore: eurosFromCents(row.prior_cents),
    accumulatedUntil: row.prior_cents === 0 ? null : row.prior_until,
    accumulatedInYear: eurosFromCents(row.prior_year_cents),
  }
}

/** Returns the whole input that changes leave. */
function merged(row: AssetRow, changes: Omit<Changes, 'id' | 'expectedVersion'>): New {
  const before = inputOf(row)
  // A new amount or day makes the part of the year that was stated before another one.
  const { accumulatedInYear: _part, ...rest } = before
  const restated = changes.accumulatedBefore !== undefined || changes.accumulatedUntil !== undefined
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return { ...(restated ? rest : before), ...given } as New
}

export const updateAsset: UseCase<typeof updateAssetContract> = (ctx, { id, expectedVersion, ...changes }) =>
  ctx.transaction(async (tx) => {
    const row = await findAsset(tx, id)
    assertVersion(expectedVersion, row.version)
    if (row.out_on !== null) throw new AppError('asset_disposed', { details: { on: row.out_on } })
    const bookings = (await findBookings(tx)).get(row.id) ?? []
    const input = merged(row, changes)
    if (bookings.length > 0) {
      const before = inputOf(row)
      const field = FIXED.find((name) => (input[name] ?? null) !== (before[name] ?? null))
      if (field !== undefined) throw new AppError('asset_booked', { field })
    }
    const from = stated(input)
    const accounts = accountColumns(input)
    const faults = [
      ...faultsOf(from, tx.today()),
      ...(await accountFaults(tx, {
        account: accounts.account,
        accumulatedAccount: accounts.accumulated_account,
        expenseAccount: accounts.expense_account,
      })),
    ]
    if (from.residualCents + bookedOf(row, bookings) > from.baseCents + from.vatCents - from.vatDeductedCents)
      faults.push({
        code: 'asset_residual_booked',
        field: 'residual',
        severity: 'error',
        message: 'More than that is depreciated already.',
        fix: 'Undo what is booked first, or type less.',
      })
    if (faults.length > 0) throw validationFailed(faults)
    const description = normalizeText(input.description)
    await changeAsset(tx, row, {
      description,
      identifier: trimmedOrNull(input.identifier ?? null),
      ...accounts,
      ...afterBookings(row, bookings, termColumns(from)),
      vat_bp: basisPoints(input.vatPercent),
      notes: trimmedOrNull(input.notes ?? null),
      ...(await purchaseColumns(tx, input, row.public_id)),
    })
    await recordChange(tx, 'asset.updated', id, description)
    return assetById(tx, id)
  })

/** Throws unless nothing of an asset is booked. */
async function assertNothingBooked(tx: Ctx, row: AssetRow): Promise<void> {
  if (row.out_on !== null) throw new AppError('asset_disposed', { details: { on: row.out_on } })
  if (((await findBookings(tx)).get(row.id) ?? []).length > 0) throw new AppError('asset_booked')
}

/** Removes an asset of which nothing is booked, within a transaction. */
export async function dropAsset(tx: Ctx, row: AssetRow, action = 'asset.deleted'): Promise<void> {
  await assertNothingBooked(tx, row)
  await removeAsset(tx, row.id)
  await recordChange(tx, action, row.public_id, row.description)
}

export const deleteAsset: UseCase<typeof deleteAssetContract> = (ctx, { id, expectedVersion }) =>
  ctx.transaction(async (tx) => {
    const row = await findAsset(tx, id)
    assertVersion(expectedVersion, row.version)
    await dropAsset(tx, row)
    return { deleted: true as const }
  })

export const previewAsset: UseCase<typeof previewAssetContract> = async (ctx, { id, ...typed }) => {
  const from = stated(typed)
  const faults = faultsOf(from, ctx.today())
  if (faults.length > 0) throw validationFailed(faults)
  const row = id === undefined ? null : await findAsset(ctx, id)
  const bookings = row ? ((await findBookings(ctx)).get(row.id) ?? []) : []
  const columns = row ? afterBookings(row, bookings, termColumns(from)) : termColumns(from)
  const terms: Terms = {
    costCents: from.baseCents + from.vatCents - from.vatDeductedCents,
    residualCents: columns.residual_cents,
    method: columns.method,
    rateBp: columns.rate_bp,
    years: columns.years,
    inUseOn: columns.in_use_on,
    priorUntil: columns.prior_until,
    priorCents: columns.prior_cents,
    priorOfYearCents: columns.prior_year_cents,
    countedUntil: columns.counted_until,
    countedCents: columns.counted_cents,
    outOn: row?.out_on ?? null,
  }
  const limits = from.table === null ? undefined : tableRow(from.table, from.inUseOn)
  return {
    cost: eurosFromCents(terms.costCents),
    depreciable: eurosFromCents(depreciableOf(terms)),
    maxPercent: limits ? percentFromBasisPoints(maxRateOf(limits, from.pace)) : null,
    maxYears: limits?.maxYears ?? null,
    plan: planView(planOf(terms, bookings)),
    warnings: warningsOf(from),
  }
}
