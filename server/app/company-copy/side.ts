/** One side of a transfer: a company in a store, with what tells its rows from those of others. */
import { quoted } from '../../db/bulk.ts'
import type { BulkReader, BulkValue } from '../../db/bulk.ts'
import type { Objects } from '../../db/outside/objects.ts'
import type { Sealer } from '../../db/seal.ts'
import { belongsTo, LOOSE, NOT_COPIED, readKinds, tableNamed, tablesOf } from '../company-rows/index.ts'
import type { Kinds, Shape, Table } from '../company-rows/index.ts'

export interface Side<Reader extends BulkReader = BulkReader> {
  shape: Shape
  reader: Reader
  sealer: Sealer
  /** Where the content of its documents is. */
  objects: Objects
  /** Row id of the company. */
  companyId: number
}

/** Returns the condition that a row of a table belongs to the company. */
export function conditionOf({ shape, reader, companyId }: Side, table: Table): string {
  return belongsTo(shape, table, companyId, reader.engine)
}

/** The ids that a table's rows have, and that references to them hold. */
export interface Span {
  first: number
  last: number
}

/** What has to be known of a company before its rows are read. */
export interface Survey {
  spans: ReadonlyMap<string, Span>
  kinds: Kinds
  /** Rows of `actors` in the company's history, as text that identifies them. */
  actors: ReadonlyMap<number, string>
  /** Subtracted from the ids of events and entries for the numbers in their identifiers. */
  bases: Readonly<Record<'events' | 'journal_entries', number>>
}

function joined(known: Span | undefined, first: number | null, last: number | null): Span | undefined {
  if (first === null || last === null) return known
  return known ? { first: Math.min(known.first, first), last: Math.max(known.last, last) } : { first, last }
}

/**
 * Returns the span of ids of each table. Its begin depends on the rows of the table alone, as long as there are any, so
 * that the distance of an id from it is the same on both sides.
 */
async function spansOf(side: Side): Promise<Map<string, Span>> {
  const { shape, reader } = side
  const spans = new Map<string, Span>()
  const extent = async (
    table: Table,
    column: string,
    more: string,
  ): Promise<[number | null, number | null]> => {
    const [row] = await reader.select<{ low: number | null; high: number | null }>(
      `select min(${column}) as low, max(${column}) as high from ${table.name} where ${conditionOf(side, table)}${more}`,
    )
    return [row?.low ?? null, row?.high ?? null]
  }
  for (const table of tablesOf(shape).filter(({ hasIds }) => hasIds)) {
    const found = joined(undefined, ...(await extent(table, 'id', '')))
    if (found) spans.set(table.name, found)
  }
  const withRows = new Set(spans.keys())
  for (const [name, { to, through, factor = 1, from }] of Object.entries(LOOSE)) {
    const [tableName = '', column = ''] = name.split('.')
    const table = tableNamed(shape, tableName)
    const targets: [string, string][] =
      typeof to === 'string'
        ? [[to, '']]
        : Object.entries(to.tables).map(([kind, target]) => [
            target,
            through
              ? ` and ${through.column} in (select id from ${through.table} where ${to.by} = '${kind}')`
              : ` and ${to.by} = ${/^\d+$/.test(kind) ? kind : `'${kind}'`}`,
          ])
    for (const [target, kind] of targets) {
      const least = from === undefined ? '' : ` and ${column} >= ${from}`
      const [low, high] = await extent(table, column, `${kind}${least}`)
      if (low === null || high === null) continue
      const known = spans.get(target)
      const last = Math.floor(high / factor)
      spans.set(target, {
        first:
          withRows.has(target) && known
            ? known.first
            : Math.min(known?.first ?? last, Math.floor(low / factor)),
        last: Math.max(known?.last ?? last, last),
      })
    }
  }
  return spans
}

async function actorsOf(side: Side): Promise<Map<number, string>> {
  const history = tableNamed(side.shape, 'audit_events')
  const rows = await side.reader.select<{ id: number; kind: string; public_id: string; name: string }>(
    `select id, kind, public_id, name from actors
     where id in (select actor_id from audit_events where ${conditionOf(side, history)}) order by id`,
  )
  return new Map(
    rows.map(({ id, kind, public_id: publicId, name }) => [id, JSON.stringify([kind, publicId, name])]),
  )
}

async function basesOf({ reader, companyId }: Side): Promise<Survey['bases']> {
  if (reader.engine === 'sqlite') return { events: 0, journal_entries: 0 }
  const [row] = await reader.select<{ events: number; entries: number }>(
    'select max(event_base) as events, max(entry_base) as entries from books where company_id = $1',
    [companyId],
  )
  return { events: row?.events ?? 0, journal_entries: row?.entries ?? 0 }
}

export async function survey(side: Side): Promise<Survey> {
  const { shape, reader, companyId } = side
  return {
    spans: await spansOf(side),
    kinds: await readKinds(reader, (name) =>
      belongsTo(shape, tableNamed(shape, name), companyId, reader.engine),
    ),
    actors: await actorsOf(side),
    bases: await basesOf(side),
  }
}

/** Names of the settings of a company's books, which are stored among those of the installation. */
export async function settingsOf({ reader, companyId }: Side): Promise<{ name: string; value: string }[]> {
  const books = await reader.select<{ id: string }>(
    `select public_id as id from books where company_id = ${companyId} order by id`,
  )
  const found: { name: string; value: string }[] = []
  for (const { id } of books)
    for (const row of await reader.select<{ name: string; value: string }>(
      `select name, value from settings where substr(name, 1, ${id.length + 7}) = ${placeholder(reader)} order by name`,
      [`views/${id}/`],
    ))
      found.push(row)
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns the first parameter of a text. */
export function placeholder({ engine }: Pick<BulkReader, 'engine'>, nth = 1): string {
  return engine === 'pg' ? `$${nth}` : '?'
}

/** Returns a row of `companies`, by the public identifier; null if there is none. */
export async function companyRow(
  reader: BulkReader,
  publicId: string,
): Promise<Record<string, BulkValue> | null> {
  const [row] = await reader.select<Record<string, BulkValue>>(
    `select * from companies where public_id = ${placeholder(reader)}`,
    [publicId],
  )
  return row ?? null
}

/** Returns the tables of the database that the schema of a file does not have, and that have rows of companies. */
export async function officeTables(reader: BulkReader, { byName }: Shape): Promise<string[]> {
  const rows = await reader.select<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = 'company_id'
       and not a.attisdropped order by c.relname`,
  )
  return rows.map(({ name }) => name).filter((name) => !byName.has(name))
}

/** Returns the names of such tables with rows of the company, other than those that are declared. */
export async function leftBehind({ reader, shape, companyId }: Side): Promise<string[]> {
  const left: string[] = []
  for (const name of await officeTables(reader, shape)) {
    if (name in NOT_COPIED) continue
    const rows = await reader.select(`select 1 from ${quoted(name)} where company_id = ${companyId} limit 1`)
    if (rows.length > 0) left.push(name)
  }
  return left
}
