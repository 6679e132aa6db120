/** Reads the rows of a client's books from an opened file, table by table. */
import { z } from 'zod'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { BulkRow, BulkValue } from '../../../db/bulk.ts'
import type { Table } from '../../company-rows/index.ts'

const TableLine = z.strictObject({
  table: z.string(),
  columns: z.array(z.string()),
  rows: z.int().min(0),
  bytes: z.int().min(0),
})

const LINE_END = 0x0a
const ACTOR_COLUMNS = ['id', 'kind', 'public_id', 'name']

const unreadable = (): AppError => new AppError('bundle_unreadable')

interface ActorLine {
  id: number
  kind: string
  publicId: string
  name: string
}

/** The rows of a file, whose tables and columns are those of this build. */
export class BookRows {
  private readonly whole: Buffer
  private readonly places = new Map<string, { at: number; end: number }>()

  constructor(whole: Buffer, shared: readonly Table[]) {
    this.whole = whole
    const known = new Map<string, readonly string[]>(
      shared.map(({ name, columns }) => [name, columns.map((column) => column.name)]),
    )
    known.set('actors', ACTOR_COLUMNS)
    for (let at = 0; at < whole.length;) {
      const end = whole.indexOf(LINE_END, at)
      if (end < 0) throw unreadable()
      const line = TableLine.safeParse(parsed(whole.subarray(at, end)))
      if (!line.success) throw unreadable()
      const { table, columns, bytes } = line.data
      const expected = known.get(table)
      if (!expected || columns.join() !== expected.join() || this.places.has(table)) throw unreadable()
      const begin = end + 1
      if (begin + bytes > whole.length) throw unreadable()
      this.places.set(table, { at: begin, end: begin + bytes })
      at = begin + bytes
    }
  }

  /** Yields the rows of a table. Throws `bundle_unreadable` for a value that its column cannot hold. */
  *of(table: Table): Generator<BulkRow> {
    for (const values of this.lines(table.name)) {
      if (values.length !== table.columns.length) throw unreadable()
      yield values.map((value, at) => valueOf(value, table.columns[at]))
    }
  }

  *actors(): Generator<ActorLine> {
    for (const [id, kind, publicId, name] of this.lines('actors')) {
      if (
        typeof id !== 'number' ||
        typeof kind !== 'string' ||
        typeof publicId !== 'string' ||
        typeof name !== 'string'
      )
        throw unreadable()
      yield { id, kind, publicId, name }
    }
  }

  private *lines(table: string): Generator<unknown[]> {
    const place = this.places.get(table)
    if (!place) return
    for (let { at } = place; at < place.end;) {
      const end = this.whole.indexOf(LINE_END, at)
      if (end < 0 || end >= place.end) throw unreadable()
      const values = parsed(this.whole.subarray(at, end))
      if (!Array.isArray(values)) throw unreadable()
      yield values
      at = end + 1
    }
  }
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    throw unreadable()
  }
}

function valueOf(value: unknown, column: Table['columns'][number] | undefined): BulkValue {
  if (!column) throw unreadable()
  if (value === null) return null
  if (column.storage === 'blob') {
    const { b } = value as { b?: unknown }
    if (typeof b !== 'string') throw unreadable()
    return Buffer.from(b, 'base64')
  }
  if (column.storage === 'text') {
    if (typeof value !== 'string') throw unreadable()
    return value
  }
  const isReference = column.refersTo !== null || column.name === 'id'
  // Shifted, a lower id could be that of a row of another company.
  if (!Number.isSafeInteger(value) || (isReference && (value as number) < 1)) throw unreadable()
  return value as number
}
