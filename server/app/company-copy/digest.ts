/**
 * Canonical digest of a company: the same for the same content on both engines and whatever ids its rows have. Ids
 * count from the first one of their table, a sealed value and a document outside the database are replaced by their content, and people by what identifies
 * them. The time of the last check is left out. Included are the settings of its books and the numbers in the identifiers of events and entries.
 */
import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { AppError } from '../../domain/errors/app-error.ts'
import { SCHEMA_VERSION } from '../../db/migrations/version.ts'
import type { BulkRow, BulkValue } from '../../db/bulk.ts'
import { rowsOf } from './contents.ts'
import { rowRenumbering, tableNamed, tablesOf } from '../company-rows/index.ts'
import type { Renumbering, Shape, Table } from '../company-rows/index.ts'
import { unsealing } from './sealed.ts'
import type { RenumberFacts } from './sealed.ts'
import { settingsOf, survey } from './side.ts'
import type { Side, Survey } from './side.ts'

/** Rows and digest of one table. */
export interface TableDigest {
  rows: number
  sha256: string
}

export interface CompanyDigest {
  sha256: string
  rows: number
  tables: ReadonlyMap<string, TableDigest>
}

/** When something was verified last: no content, and a move verifies what it has copied. */
const TIMES_OF_CHECKS: readonly string[] = ['registry_chains.verified_at']

/** Returns a value with its type, on one line. */
function written(value: BulkValue): string {
  if (value === null) return '-'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  return `x${value.toString('base64')}`
}

/** Returns the function that gives the ids in the content of a key's seal other numbers, without columns of one engine alone. */
export function factsRenumbering(shape: Shape, by: Pick<Renumbering, 'shift'>): RenumberFacts {
  const { columns } = tableNamed(shape, 'api_keys')
  return (facts) =>
    Object.fromEntries(
      Object.entries(facts).flatMap(([name, value]) => {
        const column = columns.find((each) => each.name === name)
        if (!column) return []
        const { refersTo } = column
        return [[name, typeof value === 'number' && refersTo !== null ? value + by.shift(refersTo) : value]]
      }),
    )
}

/** Returns the function that writes a row of a table in its canonical form. */
export function canonicalLine(
  side: Side,
  table: Table,
  { spans, kinds, actors }: Survey,
): (row: BulkRow) => string {
  const by: Renumbering = {
    shift: (name) => -(spans.get(name)?.first ?? 0),
    kinds,
    actor: (id) => actors.get(id) ?? id,
  }
  const renumber = rowRenumbering(side.shape, table, by)
  const unseal = unsealing(table, side.sealer, factsRenumbering(side.shape, by))
  const checked = table.columns.map(({ name }) => TIMES_OF_CHECKS.includes(`${table.name}.${name}`))
  return (row) => {
    const values = unseal(row, renumber(row))
    return `${values.map((value, at) => (checked[at] ? '.' : written(value))).join(' ')}\n`
  }
}

/** Collects the lines of one table. */
export class TableHash {
  private readonly hash: Hash
  private rows = 0

  constructor({ name, columns }: Table) {
    this.hash = createHash('sha256').update(
      `table ${name} (${columns.map((column) => column.name).join(', ')})\n`,
    )
  }

  add(line: string): void {
    this.hash.update(line, 'utf8')
    this.rows += 1
  }

  end(): TableDigest {
    return { rows: this.rows, sha256: this.hash.digest('hex') }
  }
}

/** Returns the digest of a company from those of its tables. */
export async function digestFrom(
  side: Side,
  { spans, bases }: Survey,
  tables: ReadonlyMap<string, TableDigest>,
): Promise<CompanyDigest> {
  const hash = createHash('sha256').update(`sello company ${SCHEMA_VERSION}\n`)
  for (const name of ['events', 'journal_entries'] as const) {
    const first = spans.get(name)?.first
    hash.update(`first of ${name} ${first === undefined ? '-' : first - bases[name]}\n`)
  }
  let rows = 0
  for (const { name } of tablesOf(side.shape)) {
    const table = tables.get(name)
    if (!table) throw new Error(`The table ${name} was not read.`)
    rows += table.rows
    hash.update(`${name} ${table.rows} ${table.sha256}\n`)
  }
  for (const { name, value } of await settingsOf(side)) {
    rows += 1
    hash.update(`${JSON.stringify(name)} ${JSON.stringify(value)}\n`)
  }
  return { sha256: hash.digest('hex'), rows, tables }
}

/** Returns the canonical digest of a company. */
export async function companyDigest(side: Side, known?: Survey): Promise<CompanyDigest> {
  const found = known ?? (await survey(side))
  const tables = new Map<string, TableDigest>()
  for (const table of tablesOf(side.shape)) {
    const hash = new TableHash(table)
    const line = canonicalLine(side, table, found)
    for await (const page of rowsOf(side, table)) for (const row of page) hash.add(line(row))
    tables.set(table.name, hash.end())
  }
  return digestFrom(side, found, tables)
}

function nameOf({ columns, key }: Table, row: BulkRow): string {
  const place = (column: string): number => columns.findIndex(({ name }) => name === column)
  const publicId = row[place('public_id')]
  if (typeof publicId === 'string') return publicId
  return key.map((column) => `${column} ${written(row[place(column)] ?? null)}`).join(', ')
}

/** Returns the first row of a table that differs, read from both sides; null if none does. */
async function firstDifference(
  table: Table,
  one: { side: Side; survey: Survey },
  other: { side: Side; survey: Survey },
): Promise<string | null> {
  const linesOf = async function* ({
    side,
    survey: known,
  }: typeof one): AsyncGenerator<{ line: string; name: string }> {
    const line = canonicalLine(side, table, known)
    for await (const page of rowsOf(side, table))
      for (const row of page) yield { line: line(row), name: nameOf(table, row) }
  }
  const [left, right] = [linesOf(one), linesOf(other)]
  try {
    for (;;) {
      const [a, b] = [await left.next(), await right.next()]
      if (a.done && b.done) return null
      if (a.done || b.done || a.value.line !== b.value.line)
        return (a.done ? null : a.value.name) ?? (b.done ? null : b.value.name)
    }
  } finally {
    await left.return(undefined)
    await right.return(undefined)
  }
}

/** Throws `transfer_differs` with the first table and row that differ, unless both digests are the same. */
export async function assertSame(
  source: { side: Side; survey: Survey; digest: CompanyDigest },
  target: { side: Side; survey: Survey; digest: CompanyDigest },
): Promise<void> {
  if (source.digest.sha256 === target.digest.sha256) return
  for (const table of tablesOf(source.side.shape)) {
    if (source.digest.tables.get(table.name)?.sha256 === target.digest.tables.get(table.name)?.sha256)
      continue
    const row = await firstDifference(table, source, target)
    throw new AppError('transfer_differs', { details: { table: table.name, row } })
  }
  throw new AppError('transfer_differs', { details: { table: 'settings', row: null } })
}
