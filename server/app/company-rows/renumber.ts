/** Gives rows other ids, in their own key, in references, and inside JSON texts. */
import type { BulkReader, BulkRow, BulkValue } from '../../db/bulk.ts'
import { LOOSE } from './references.ts'
import type { JSON_WITH_IDS } from './references.ts'
import type { Shape, Table } from './shape.ts'
import { tableNamed } from './shape.ts'

/** Returns the number to add to the ids of a table. */
export type Shift = (table: string) => number

/** Values by row id of the columns that say of which table a reference is. */
export type Kinds = ReadonlyMap<string, ReadonlyMap<number, string>>

export interface Renumbering {
  shift: Shift
  kinds: Kinds
  /** What stands for a row of `actors`, which all companies share. */
  actor: (id: number) => BulkValue
}

type Values = Record<string, unknown>

/** Reads the kinds that loose references need. */
export async function readKinds(
  reader: BulkReader,
  conditionOf: (table: string) => string,
): Promise<Map<string, Map<number, string>>> {
  const kinds = new Map<string, Map<number, string>>()
  for (const { to, through } of Object.values(LOOSE)) {
    if (!through || typeof to === 'string' || kinds.has(through.table)) continue
    const rows = await reader.select<{ id: number; kind: string }>(
      `select id, ${to.by} as kind from ${through.table} where ${conditionOf(through.table)}`,
    )
    kinds.set(through.table, new Map(rows.map(({ id, kind }) => [id, kind])))
  }
  return kinds
}

/** Returns the table that a loose reference of a row leads to, or null. */
function looseTarget(
  name: string,
  value: number,
  valueOf: (column: string) => unknown,
  kinds: Kinds,
): string | null {
  const loose = LOOSE[name]
  if (!loose || value < (loose.from ?? Number.NEGATIVE_INFINITY)) return null
  if (typeof loose.to === 'string') return loose.to
  const kind = loose.through
    ? kinds.get(loose.through.table)?.get(Number(valueOf(loose.through.column)))
    : String(valueOf(loose.to.by))
  const table = kind === undefined ? undefined : loose.to.tables[kind]
  if (table !== undefined) return table
  // A part that counts operations is no id; of any other column each id has to be understood.
  if (loose.from !== undefined) return null
  throw new Error(`${name} ${value}: no table is known for ${String(kind)}.`)
}

/** Returns the value of a column with other ids. */
function renumbered(
  table: Table,
  column: Table['columns'][number],
  value: BulkValue,
  valueOf: (column: string) => unknown,
  { shift, kinds, actor }: Renumbering,
): BulkValue {
  if (typeof value !== 'number') return value
  if (column.refersTo === 'actors') return actor(value)
  if (column.refersTo !== null) return value + shift(column.refersTo)
  if (table.hasIds && column.name === 'id') return value + shift(table.name)
  const name = `${table.name}.${column.name}`
  const target = looseTarget(name, value, valueOf, kinds)
  return target === null ? value : value + shift(target) * (LOOSE[name]?.factor ?? 1)
}

/** Returns values of a row inside JSON with other ids, without columns that only another engine has. */
function renumberedValues(shape: Shape, name: string, values: Values, by: Renumbering): Values {
  const table = tableNamed(shape, name)
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const column = table.columns.find((each) => each.name === key)
      if (!column) return []
      const place: string = `${name}.${key}`
      if (typeof value === 'string' && isRenumberedJson(place))
        return [[key, renumberedJson(shape, place, value, by)]]
      if (typeof value !== 'number') return [[key, value]]
      return [[key, renumbered(table, column, value, (other) => values[other], by)]]
    }),
  )
}

interface Named {
  table: string
  by: Values
  copy?: Values
}
interface TrashContent {
  roots: {
    rows: { table: string; values: Values; points: Record<string, Named> }[]
    links: { to: { table: string; id: number }; from: { table: string; column: string; by: Values } }[]
  }[]
  sides: { table: string; publicId: string; version: number; values: Values }[]
}

function renumberedTrash(shape: Shape, { roots, sides, ...rest }: TrashContent, by: Renumbering): unknown {
  const valuesOf = (table: string, values: Values): Values => renumberedValues(shape, table, values, by)
  const named = ({ table, by: key, copy, ...more }: Named): Named => ({
    table,
    by: valuesOf(table, key),
    ...(copy === undefined ? {} : { copy: valuesOf(table, copy) }),
    ...more,
  })
  return {
    roots: roots.map(({ rows, links }) => ({
      rows: rows.map(({ table, values, points }) => ({
        table,
        values: valuesOf(table, values),
        points: Object.fromEntries(Object.entries(points).map(([column, point]) => [column, named(point)])),
      })),
      links: links.map(({ to, from }) => ({
        to: { table: to.table, id: to.id + by.shift(to.table) },
        from: { ...from, by: valuesOf(from.table, from.by) },
      })),
    })),
    sides: sides.map((side) => ({ ...side, values: valuesOf(side.table, side.values) })),
    ...rest,
  }
}

/** Tables whose moved rows have no id of their own, with the table of the first part of their key. */
const FIRST_OF_KEY: Readonly<Record<string, string>> = {
  bank_parts: 'bank_transactions',
  journal_lines: 'journal_entries',
}

type JsonWithIds = (typeof JSON_WITH_IDS)[number]

const RENUMBERED: Record<
  JsonWithIds,
  (shape: Shape, value: never, by: Renumbering, row: (column: string) => unknown) => unknown
> = {
  'bin.content': (shape, value: TrashContent, by) => renumberedTrash(shape, value, by),
  'cash_operations.operation': (_shape, value: { source: { type: string; id: number } }, { shift }) => ({
    ...value,
    source: {
      ...value.source,
      id: value.source.id + shift(value.source.type === 'invoice' ? 'invoices' : 'received_invoices'),
    },
  }),
  'contact_merges.moved': (_shape, value: Record<string, (number | number[])[]>, { shift }) =>
    Object.fromEntries(
      Object.entries(value).map(([table, ids]) => {
        const by = shift(FIRST_OF_KEY[table] ?? table)
        return [
          table,
          ids.map((id) =>
            typeof id === 'number' ? id + by : id.map((part, at) => (at === 0 ? part + by : part)),
          ),
        ]
      }),
    ),
  'import_rows.before': (shape, value: Values | null, by, row) => {
    const kind = by.kinds.get('import_runs')?.get(Number(row('run_id')))
    return value === null || kind === undefined || kind === 'received'
      ? value
      : renumberedValues(shape, kind, value, by)
  },
}

function isRenumberedJson(name: string): name is JsonWithIds {
  return Object.hasOwn(RENUMBERED, name)
}

function renumberedJson(
  shape: Shape,
  name: JsonWithIds,
  text: string,
  by: Renumbering,
  row: (column: string) => unknown = () => undefined,
): string {
  return JSON.stringify(RENUMBERED[name](shape, JSON.parse(text) as never, by, row))
}

/** Returns the function that gives rows of a table other ids. */
export function rowRenumbering(shape: Shape, table: Table, by: Renumbering): (row: BulkRow) => BulkRow {
  const places = new Map(table.columns.map(({ name }, at) => [name, at]))
  const changing = table.columns.flatMap((column, at) => {
    const name = `${table.name}.${column.name}`
    const isId =
      column.refersTo !== null || (table.hasIds && column.name === 'id') || LOOSE[name] !== undefined
    return isId || isRenumberedJson(name) ? [{ column, name, at }] : []
  })
  return (row) => {
    const valueOf = (column: string): unknown => row[places.get(column) ?? -1]
    const copy = [...row]
    for (const { column, name, at } of changing) {
      const value = row[at] ?? null
      copy[at] =
        typeof value === 'string' && isRenumberedJson(name)
          ? renumberedJson(shape, name, value, by, valueOf)
          : renumbered(table, column, value, valueOf, by)
    }
    return copy
  }
}
