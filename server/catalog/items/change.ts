/** Adds, changes and removes items. Invoices made with an item keep their text. */
import { sql } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import { softDelete } from '../../platform/trash/index.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type { createItemContract, deleteItemContract, updateItemContract } from './contract.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { storedMetadata } from '../../domain/contract/metadata.ts'
import { basisPointsFromPercent, microFromNumber } from '../../domain/money.ts'
import { searchText, trimmedOrNull, normalizeText } from '../../domain/text.ts'
import { assertVersion } from '../../domain/contract/version-guard.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { findCompany } from '../../company/index.ts'
import { taxSystemOf, VAT_SYSTEM } from '../../tax/systems/index.ts'
import type { TaxSystem } from '../../tax/systems/index.ts'
import { itemView } from './list.ts'
import { findItem, findItemBySku } from './rows.ts'
import type { ItemRecord } from './rows.ts'

type NewItem = ContractInput<typeof createItemContract>
type Changes = Omit<ContractInput<typeof updateItemContract>, 'id' | 'expectedVersion'>
type StoredColumns = Omit<
  ItemRecord,
  'id' | 'book_id' | 'public_id' | 'created_at' | 'updated_at' | 'version'
>

const EMPTY: StoredColumns = {
  sku: null,
  name: '',
  description: null,
  unit: null,
  unit_price_micro: 0,
  price_mode: 'net',
  tax_treatment: 'S1',
  regime_key: null,
  cause: null,
  vat_rate_bp: null,
  withholdable: 1,
  account: null,
  supply: null,
  active: 1,
  metadata: '{}',
  search: '',
  name_key: '',
}

const fault = (code: string, field: string, message: string, fix: string): Fault => ({
  code,
  field,
  severity: 'error',
  message,
  fix,
})

/**
 * Returns the columns after a change: an omitted field stays, null clears it. Rejects a tax that does not fit its
 * cause.
 */
function changed(before: StoredColumns, input: Changes, system: TaxSystem): StoredColumns {
  const after: StoredColumns = { ...before }
  if (input.sku !== undefined) after.sku = trimmedOrNull(input.sku)
  if (input.name !== undefined) after.name = normalizeText(input.name)
  if (input.description !== undefined) after.description = trimmedOrNull(input.description)
  if (input.unit !== undefined) after.unit = trimmedOrNull(input.unit)
  // The contract accepts only values that can be stored exactly.
  if (input.unitPrice !== undefined) after.unit_price_micro = orNotFound(microFromNumber(input.unitPrice))
  if (input.priceMode !== undefined) after.price_mode = input.priceMode
  if (input.vatRate !== undefined)
    after.vat_rate_bp = input.vatRate === null ? null : orNotFound(basisPointsFromPercent(input.vatRate))
  if (input.regimeKey !== undefined) after.regime_key = input.regimeKey
  if (input.withholdable !== undefined) after.withholdable = input.withholdable ? 1 : 0
  if (input.account !== undefined) after.account = input.account
  if (input.supply !== undefined) after.supply = input.supply
  if (input.active !== undefined) after.active = input.active ? 1 : 0
  if (input.metadata !== undefined) after.metadata = storedMetadata(input.metadata)
  setTax(after, input, system)
  after.search = searchText([after.name, after.sku].filter(Boolean).join(' '))
  after.name_key = searchText(after.name)
  return after
}

/**
 * Sets treatment and cause together: a cause determines its treatment, and another treatment clears the previous
 * cause.
 */
function setTax(after: StoredColumns, input: Changes, system: TaxSystem): void {
  if (input.taxTreatment !== undefined && input.taxTreatment !== after.tax_treatment) {
    after.tax_treatment = input.taxTreatment
    if (input.cause === undefined) after.cause = null
    if (input.regimeKey === undefined) after.regime_key = null
  }
  if (input.cause !== undefined) {
    after.cause = input.cause
    const cause = input.cause === null ? null : system.findCause(input.cause)
    if (cause === undefined)
      throw validationFailed([
        fault('cause_unknown', 'cause', 'There is no such cause.', 'Take a code of GET /tax/causes.'),
      ])
    if (cause !== null) {
      if (input.taxTreatment !== undefined && input.taxTreatment !== cause.taxTreatment)
        throw validationFailed([
          fault(
            'cause_mismatch',
            'cause',
            `That cause goes with ${cause.taxTreatment}.`,
            'Send the treatment of the cause, or leave it out.',
          ),
        ])
      after.tax_treatment = cause.taxTreatment
      if (input.regimeKey === undefined) after.regime_key = cause.regimeKey === '01' ? null : cause.regimeKey
    }
  }
  // Only operations taxed here have a rate.
  if (after.tax_treatment !== 'S1') {
    if (input.vatRate)
      throw validationFailed([
        fault('rate_without_tax', 'vatRate', 'Only what is taxed has a rate.', 'Leave the rate out.'),
      ])
    after.vat_rate_bp = null
  }
}

function warningsFor(tx: Ctx, row: ItemRecord, system: TaxSystem): Fault[] {
  const rateBp = row.vat_rate_bp
  if (rateBp === null || row.regime_key === '17' || row.regime_key === '08') return []
  if (system.rateAt(rateBp, tx.today())) return []
  return [
    {
      code: 'item_rate_not_in_force',
      field: 'vatRate',
      severity: 'warning',
      message: 'That VAT rate is not in force today.',
      fix: 'Choose one of GET /tax/rates.',
      params: { rate: rateBp / 100 },
    },
  ]
}

async function assertFreeSku(tx: Ctx, sku: string | null, rowId: number | null): Promise<void> {
  const twin = sku === null ? null : await findItemBySku(tx, sku)
  if (!twin || twin.id === rowId) return
  throw validationFailed([
    {
      ...fault('sku_taken', 'sku', 'Another item has that code.', 'Choose another code.'),
      params: { name: twin.name },
    },
  ])
}

/** Records a change in the history and emits its event. */
export async function recordItemChange(tx: Ctx, action: string, row: ItemRecord): Promise<void> {
  await recordAudit(tx, { action, target: { type: 'item', id: row.public_id, label: row.name } })
  await emitEvent(tx, 'item.changed', { itemId: row.public_id })
}

/** Returns the tax of the company. */
async function systemOf(tx: Ctx): Promise<TaxSystem> {
  return taxSystemOf((await findCompany(tx)).territory)
}

/** The same for a change, read only when it names a cause: imports change thousands that name none. */
async function systemFor(tx: Ctx, { cause }: Pick<Changes, 'cause'>): Promise<TaxSystem> {
  return cause == null ? VAT_SYSTEM : systemOf(tx)
}

/** Inserts an item without a history entry: for operations that add many at once and record them as one. */
export async function insertItem(tx: Ctx, input: NewItem): Promise<ItemRecord> {
  const columns = changed(EMPTY, input, await systemFor(tx, input))
  await assertFreeSku(tx, columns.sku, null)
  const now = tx.now().getTime()
  const publicId = tx.newId('itm')
  await tx.db
    .insertInto('items')
    .values({ ...columns, book_id: tx.book.id, public_id: publicId, created_at: now, updated_at: now })
    .execute()
  return orNotFound(await findItem(tx, publicId))
}

/** Throws `validation_failed` for an invalid new item; does not check whether its code is taken. Writes nothing. */
export function checkItem(input: NewItem): void {
  changed(EMPTY, input, VAT_SYSTEM)
}

/** Restores the columns of an earlier state; the version increases, because this is a change. */
export async function restoreItem(tx: Ctx, row: ItemRecord, before: ItemRecord): Promise<void> {
  const {
    id: _id,
    book_id: _book,
    public_id: _publicId,
    created_at: _created,
    updated_at: _updated,
    version: _version,
    ...columns
  } = before
  await tx.db
    .updateTable('items')
    .set({ ...columns, version: row.version + 1, updated_at: tx.now().getTime() })
    .where('id', '=', row.id)
    .execute()
}

/** Deletes the row of an item without references. */
export async function removeItem(tx: Ctx, rowId: number): Promise<void> {
  await tx.db.deleteFrom('items').where('id', '=', rowId).execute()
}

/** Writes a changed item without a history entry. */
export async function rewriteItem(tx: Ctx, before: ItemRecord, changes: Changes): Promise<ItemRecord> {
  const {
    id: rowId,
    book_id: _book,
    public_id: publicId,
    created_at: _created,
    updated_at: _updated,
    version,
    ...kept
  } = before
  const columns = changed(kept, changes, await systemFor(tx, changes))
  await assertFreeSku(tx, columns.sku, rowId)
  await tx.db
    .updateTable('items')
    .set({ ...columns, version: version + 1, updated_at: tx.now().getTime() })
    .where('id', '=', rowId)
    .execute()
  return orNotFound(await findItem(tx, publicId))
}

/** Adds an item. */
export const createItem: UseCase<typeof createItemContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await insertItem(tx, input)
    await recordItemChange(tx, 'item.created', row)
    return { ...itemView(row), warnings: warningsFor(tx, row, await systemOf(tx)) }
  })

/** Changes an item; `expectedVersion` prevents overwriting another change. */
export const updateItem: UseCase<typeof updateItemContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { id, expectedVersion, ...changes } = input
    const before = orNotFound(await findItem(tx, id))
    if (expectedVersion !== undefined && expectedVersion !== before.version)
      throw new AppError('version_conflict', { details: { version: before.version } })
    const row = await rewriteItem(tx, before, changes)
    await recordItemChange(tx, 'item.updated', row)
    return { ...itemView(row), warnings: warningsFor(tx, row, await systemOf(tx)) }
  })

/** Returns true if an item is on a draft or an invoice. */
export async function isItemUsed(ctx: Ctx, rowId: number): Promise<boolean> {
  const { rows } = await sql<{ used: number }>`select
    exists (select 1 from invoice_lines where item_id = ${rowId}) as used`.execute(ctx.db)
  return rows[0]?.used === 1
}

/** Removes an item; one in use stays for its invoices and is no longer offered. */
export const deleteItem: UseCase<typeof deleteItemContract> = (ctx, { id, expectedVersion }) =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(await findItem(tx, id))
    assertVersion(expectedVersion, row.version)
    if (await isItemUsed(tx, row.id)) {
      if (row.active === 1)
        await recordItemChange(tx, 'item.updated', await rewriteItem(tx, row, { active: false }))
      return { deleted: false }
    }
    await softDelete(tx, {
      rows: [{ table: 'items', id: row.id }],
      action: 'item.restored',
      target: { type: 'item', id: row.public_id, label: row.name },
      event: { type: 'item.changed', data: { itemId: row.public_id } },
    })
    await recordItemChange(tx, 'item.deleted', row)
    return { deleted: true }
  })
