/** Ids for the rows of a company among those of others: a block of each sequence, above all ids that the source has. */
import { AppError } from '../../domain/errors/app-error.ts'
import type { BulkReader, BulkWriter } from '../../db/bulk.ts'
import { tableNamed } from '../company-rows/index.ts'
import type { Shape, Shift } from '../company-rows/index.ts'
import type { Span } from './side.ts'

/**
 * Ids left free between those given so far and a block: other servers may take some while the block is reserved. A
 * collision would be refused by the primary key.
 */
const MARGIN = 10_000
/** Any number: blocks are reserved one at a time. */
const LOCK = 7_235_913

/** Returns the highest id that a store has ever given in a table; 0 if it does not know. */
export async function highestGiven(reader: BulkReader, shape: Shape, name: string): Promise<number> {
  if (reader.engine === 'pg') {
    const [row] = await reader.select<{ last: number | null }>(
      `select pg_sequence_last_value(pg_get_serial_sequence('${name}', 'id')) as last`,
    )
    return row?.last ?? 0
  }
  if (!tableNamed(shape, name).isCounted) return 0
  const [row] = await reader.select<{ seq: number }>(`select seq from sqlite_sequence where name = '${name}'`)
  return row?.seq ?? 0
}

/** Returns the spans, up to the highest id ever given where none may be given again. */
export async function withGiven(
  reader: BulkReader,
  shape: Shape,
  spans: ReadonlyMap<string, Span>,
): Promise<Map<string, Span>> {
  const all = new Map<string, Span>()
  for (const [name, span] of spans) {
    const { isCounted } = tableNamed(shape, name)
    const last = isCounted ? Math.max(span.last, await highestGiven(reader, shape, name)) : span.last
    all.set(name, { first: span.first, last })
  }
  return all
}

/** Returns one span over the same tables of several companies. */
export function united(all: readonly ReadonlyMap<string, Span>[]): Map<string, Span> {
  const joined = new Map<string, Span>()
  for (const spans of all)
    for (const [name, { first, last }] of spans) {
      const known = joined.get(name)
      joined.set(name, {
        first: Math.min(first, known?.first ?? first),
        last: Math.max(last, known?.last ?? last),
      })
    }
  return joined
}

/**
 * Reserves ids for the rows of a company, and returns by how much they differ from those of the source: never less, so
 * that a position that a client remembers does not lie behind what it has not read. Works on the sequences, which no
 * rollback takes back.
 */
export async function reserveIds(writer: BulkWriter, spans: ReadonlyMap<string, Span>): Promise<Shift> {
  const shifts = new Map<string, number>()
  await writer.execute('select pg_advisory_lock($1)', [LOCK])
  try {
    for (const [name, { first, last }] of spans) {
      const length = last - first + 1
      const sequence = `pg_get_serial_sequence('${name}', 'id')`
      const [row] = await writer.select<{ begin: number }>(
        `select setval(${sequence}, greatest(nextval(${sequence}) + ${MARGIN}, ${first}) + ${length}) - ${length} as begin`,
      )
      const begin = row?.begin ?? 0
      if (!Number.isSafeInteger(begin + length))
        throw new AppError('transfer_refused', { details: { reason: 'ids_used_up', table: name } })
      shifts.set(name, begin - first)
    }
  } finally {
    await writer.execute('select pg_advisory_unlock($1)', [LOCK])
  }
  return (table) => shifts.get(table) ?? 0
}

/** Makes the sequences go on behind rows that kept their ids. */
export async function continueIds(writer: BulkWriter, spans: ReadonlyMap<string, Span>): Promise<void> {
  for (const [name, { last }] of spans) {
    if (last < 1) continue
    if (writer.engine === 'pg')
      await writer.execute(
        `select setval(s, greatest(coalesce(pg_sequence_last_value(s), 0), ${last}))
         from (select pg_get_serial_sequence('${name}', 'id')::regclass as s) as sequence`,
      )
    else await writer.execute('update sqlite_sequence set seq = max(seq, ?) where name = ?', [last, name])
  }
}
