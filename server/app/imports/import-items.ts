/** Imports rows as items, matched by code, else by name. */
import { checkItem, findItemByRow, findSameItems, insertItem, isItemUsed } from '../../catalog/items/index.ts'
import { removeItem, restoreItem, rewriteItem } from '../../catalog/items/index.ts'
import type { ItemRecord } from '../../catalog/items/index.ts'
import { createItemContract, updateItemContract } from '../../catalog/items/contract.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { TAX_TREATMENTS } from '../../domain/tax/totals.ts'
import { orNotFound } from '../../context.ts'
import { contractFaults, omitUndefined } from './importer.ts'
import type { RowReader, Importer } from './importer.ts'

type Input = ContractInput<typeof createItemContract>

const TREATMENTS = TAX_TREATMENTS.map((treatment) => [treatment, new RegExp(`^${treatment}$`, 'i')] as const)
const PRICE_DECIMALS = 1_000_000

/** Removes the binary rounding error from a spreadsheet price. */
function exactPrice(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * PRICE_DECIMALS) / PRICE_DECIMALS
}

function inputOf(row: RowReader): Input {
  const gross = row.flag('priceMode')
  // Some programs write 0.21 for 21 %.
  const rate = row.number('vatRate')
  return omitUndefined({
    sku: row.text('sku'),
    name: row.text('name') ?? '',
    description: row.text('description'),
    unit: row.text('unit'),
    unitPrice: exactPrice(row.number('unitPrice')),
    priceMode: gross === undefined ? undefined : gross ? ('gross' as const) : ('net' as const),
    vatRate: rate !== undefined && rate > 0 && rate < 0.3 ? Math.round(rate * 10_000) / 100 : rate,
    taxTreatment: row.choice('taxTreatment', TREATMENTS, (text) => text.trim()),
    cause: row.text('cause'),
    account: row.text('account'),
    active: row.flag('active'),
  }) as Input
}

export const itemImporter: Importer = {
  async check(ctx, row) {
    const input = inputOf(row)
    const faults = contractFaults(createItemContract.input, input)
    const unread = new Set(row.faults.map((fault) => fault.field))
    const all = [...row.faults, ...faults.filter((fault) => !unread.has(fault.field))]
    if (!all.some((fault) => fault.severity === 'error')) {
      try {
        checkItem(input)
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== 'validation_failed') throw thrown
        all.push(...(thrown.details?.faults as Fault[]))
      }
    }
    const number = input.sku ?? null
    const same = await findSameItems(ctx, number, input.name)
    return {
      label: [input.sku, input.name].filter(Boolean).join(' '),
      identity: { group: '', number, name: input.name },
      known: same.map((row) => ({
        rowId: row.id,
        hasSameNumber: number !== null && row.sku === number,
        group: '',
        number: number ?? row.sku,
        name: input.name,
      })),
      faults: all,
      input,
    }
  },

  async create(tx, input) {
    return insertItem(tx, createItemContract.input.parse(input))
  },

  async update(tx, targetId, input) {
    const before = orNotFound(await findItemByRow(tx, targetId))
    const {
      id: _id,
      expectedVersion: _version,
      ...changes
    } = updateItemContract.input.parse({ ...(input as Input), id: before.public_id })
    const after = await rewriteItem(tx, before, changes)
    return { id: after.id, version: after.version, before }
  },

  async undo(tx, target) {
    const row = await findItemByRow(tx, target.id)
    if (!row) return true
    if (row.version !== target.version || (await isItemUsed(tx, row.id))) return false
    await removeItem(tx, row.id)
    return true
  },

  async putBack(tx, target, before) {
    const row = await findItemByRow(tx, target.id)
    if (!row || row.version !== target.version) return false
    await restoreItem(tx, row, before as ItemRecord)
    return true
  },
}
