/** Types of the tables: generated from the migrations, and reported when they differ from them. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { generate } from '../../build/generated/schema.ts'
import type { Room } from '../../build/schema/room.ts'
import { ROOMS } from '../../build/schema/rooms/index.ts'
import { allowedValues, readTables } from '../../build/schema/tables.ts'
import type { Table } from '../../build/schema/tables.ts'
import { schemaFiles } from '../../build/schema/types.ts'
import { migrate } from '../../server/db/embedded/migrate.ts'
import { migrations } from '../../server/db/migrations/list.ts'
import { openScratch } from '../../server/db/embedded/open.ts'

const root = resolve(import.meta.dirname, '../..')

/** Reads the tables of a new database after the migrations and the given SQL. */
function tablesWith(sql = ''): Table[] {
  const connection = openScratch()
  try {
    migrate(connection, [...migrations, { number: migrations.length + 1, name: 'planted', sql }])
    return readTables(connection)
  } finally {
    connection.close()
  }
}

/** Returns the paths of the generated files that differ from those in the repository. */
const outOfDate = (files: Record<string, string>): string[] =>
  Object.entries(files).flatMap(([path, content]) =>
    readFileSync(resolve(root, path), 'utf8') === content ? [] : [path],
  )

const withSales = (sales: Partial<Room>): Record<string, Room> => ({
  ...ROOMS,
  sales: { ...ROOMS.sales!, ...sales },
})

test('the types of the tables are those of the newest schema', async () => {
  expect(outOfDate(await generate())).toEqual([])
})

test('a new column, default or list of values makes the types outdated', async () => {
  for (const sql of [
    'alter table quotes add column internal_reference text',
    'alter table quotes add column internal_reference text not null default 1',
    "alter table quotes add column internal_reference text check (internal_reference in ('a', 'b'))",
  ])
    expect(outOfDate(await schemaFiles(tablesWith(sql), ROOMS))).toEqual(['server/db/schema/sales.ts'])
})

test('columns become optional, nullable or read-only as the schema says', async () => {
  const tables = tablesWith(`
    create table planted (
      id integer primary key,
      quote_id integer not null references quotes,
      -- A comment with a check (kind in ('x')) and an apostrophe: it's no constraint.
      kind text not null default 'a' check (kind in ('a', 'it''s')),
      state text check (state is null or state in ('open')),
      "order" text not null check ("order" in ('first', 'last')),
      paid integer not null check (paid in (0, 1)),
      month integer not null check (month in (1, 2)),
      currency text not null check (currency = 'EUR'),
      bytes blob,
      double integer as (month * 2),
      check (kind in ('a') or state = 'open')
    ) strict;
    create table planted_rows (
      planted_id integer primary key references planted,
      share real not null
    ) strict`)
  const sales = { ...ROOMS.sales, tables: { ...ROOMS.sales!.tables, planted: {}, planted_rows: {} } }
  const written = (await schemaFiles(tables, withSales(sales)))['server/db/schema/sales.ts']
  expect(written).toContain(`export interface PlantedTable {
  id: Generated<number>
  quote_id: number
  kind: Generated<'a' | "it's">
  state: Nullable<'open'>
  order: 'first' | 'last'
  paid: Flag
  month: number
  currency: 'EUR'
  bytes: Nullable<Uint8Array>
  double: GeneratedAlways<number | null>
}`)
  expect(written).toContain(`export interface PlantedRowsTable {
  planted_id: number
  share: number
}`)
})

test('notes on a table, column or type that does not exist are refused, and so is a table without a room', async () => {
  const tables = tablesWith()
  const { quotes: _, ...others } = ROOMS.sales!.tables
  for (const [room, message] of [
    [{ tables: others }, 'The table quotes belongs to no room'],
    [{ tables: { ...others, quotes: {}, proposals: {} } }, 'Both platform and sales own the table proposals'],
    [{ tables: { ...others, quotes: {}, offers: {} } }, 'the table offers, which does not exist'],
    [
      { tables: { ...others, quotes: { columns: { colour: { doc: 'Red.' } } } } },
      'quotes.colour does not exist',
    ],
    [{ tables: { ...others, quotes: { columns: { number: { type: 'Cents' } } } } }, 'unknown type Cents'],
    [{ tables: { ...others, quotes: { columns: { number: { union: 'N' } } } } }, 'No CHECK lists the values'],
    [{ imports: { ...ROOMS.sales!.imports, Cents: 'domain/money.ts' } }, 'imports Cents without using it'],
  ] as const)
    await expect(schemaFiles(tables, withSales(room))).rejects.toThrow(message)
})

test('only a CHECK of one column against literals lists its values', () => {
  const listed = (check: string) => Object.fromEntries(allowedValues(`create table t (${check})`))
  expect(listed("a text check (a in ('x', 'y'))")).toEqual({ a: ['"x"', '"y"'] })
  expect(listed("a text CHECK (a is null or a in ('x'))")).toEqual({ a: ['"x"'] })
  expect(listed("a text, check (a in ('x') or b = 'y')")).toEqual({})
  expect(listed("a text, check ((a in ('x')) = (b is not null))")).toEqual({})
  expect(listed('a text check (a in (b, c))')).toEqual({})
  expect(listed('a integer check (a > 0), b text check (length(b) = 3)')).toEqual({})
})
