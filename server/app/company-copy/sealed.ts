/** Sealed values of copied rows: opened with the key of the source and sealed with that of the target, row by row. */
import { canonicalJson } from '../../domain/canonical-json.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { sha256Hex } from '../../domain/sha256.ts'
import type { BulkRow, BulkValue } from '../../db/bulk.ts'
import type { Sealer } from '../../db/seal.ts'
import type { Cell, SealedColumn } from '../../db/sealed-columns.ts'
import { SEALED_COLUMNS } from '../maintenance/sealed-values.ts'
import { OF_INSTALLATION } from '../company-rows/index.ts'
import type { Table } from '../company-rows/index.ts'

/** The seal over a key contains the row as it was, with the ids of its book and its maker. */
const SEALED_ROWS: readonly string[] = ['api_keys.facts_seal']

type Facts = Record<string, unknown>

/** Gives the ids in a sealed row the numbers of the copy. */
export type RenumberFacts = (facts: Facts) => Facts

interface SealedPlace {
  column: SealedColumn
  at: number
}

/** Returns the sealed columns of a table. */
function sealedColumnsOf({ name, columns }: Table): SealedPlace[] {
  if (OF_INSTALLATION.includes(name)) return []
  return SEALED_COLUMNS.filter(({ table }) => table === name).map((column) => ({
    column,
    at: columns.findIndex((each) => each.name === column.column),
  }))
}

function recordOf({ columns }: Table, row: BulkRow): Record<string, Cell> {
  return Object.fromEntries(
    columns.flatMap(({ name }, at): [string, Cell][] => {
      const value = row[at] ?? null
      return Buffer.isBuffer(value) ? [] : [[name, value]]
    }),
  )
}

/** Returns true if the row has a sealed value there. */
function isSealed({ rows }: SealedColumn, value: BulkValue, record: Record<string, Cell>): value is string {
  if (typeof value !== 'string') return false
  const [, name, wanted] = /^(\w+) = (\d+)$/.exec(rows ?? '') ?? []
  if (name !== undefined) return record[name] === Number(wanted)
  if (rows !== undefined) throw new Error(`No rule reads the condition "${rows}".`)
  return true
}

function opened(
  table: Table,
  column: SealedColumn,
  cell: string,
  record: Record<string, Cell>,
  sealer: Sealer,
): Buffer {
  try {
    return sealer.open(column.within?.read(cell) ?? cell, column.place(record))
  } catch (error) {
    const row = column.key.map((name) => String(record[name])).join(' ')
    throw new AppError('transfer_refused', {
      details: { reason: 'sealed_unreadable', table: table.name, column: column.column, row },
      cause: error,
    })
  }
}

function renumberedPlain(table: Table, column: SealedColumn, plain: Buffer, renumber: RenumberFacts): Buffer {
  if (!SEALED_ROWS.includes(`${table.name}.${column.column}`)) return plain
  return Buffer.from(canonicalJson(renumber(JSON.parse(plain.toString('utf8')) as Facts)), 'utf8')
}

/** Returns the function that seals the values of a copied row again. */
export function resealing(
  table: Table,
  from: Sealer,
  to: Sealer,
  renumber: RenumberFacts,
): (row: BulkRow, copy: BulkRow) => BulkRow {
  const sealed = sealedColumnsOf(table)
  if (sealed.length === 0) return (_row, copy) => copy
  return (row, copy) => {
    const record = recordOf(table, row)
    for (const { column, at } of sealed) {
      const cell = row[at] ?? null
      if (!isSealed(column, cell, record)) continue
      const plain = renumberedPlain(table, column, opened(table, column, cell, record, from), renumber)
      const again = to.seal(plain, column.place(recordOf(table, copy)))
      plain.fill(0)
      copy[at] = column.within?.write(cell, again) ?? again
    }
    return copy
  }
}

/** Returns the function that replaces sealed values of a row by what is inside, for a digest: sealing gives another text each time. */
export function unsealing(
  table: Table,
  sealer: Sealer,
  renumber: RenumberFacts,
): (row: BulkRow, canonical: BulkRow) => BulkRow {
  const sealed = sealedColumnsOf(table)
  if (sealed.length === 0) return (_row, canonical) => canonical
  return (row, canonical) => {
    const record = recordOf(table, row)
    for (const { column, at } of sealed) {
      const cell = row[at] ?? null
      if (!isSealed(column, cell, record)) continue
      const plain = renumberedPlain(table, column, opened(table, column, cell, record, sealer), renumber)
      canonical[at] = `sealed ${sha256Hex(plain.toString('base64'))}`
      plain.fill(0)
    }
    return canonical
  }
}
