/** Texts that PostgreSQL refuses: a file can contain U+0000, and JSON its escape or that of half a surrogate pair. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { storableText, unstorablePart } from '../../../domain/storable-text.ts'
import type { BulkReader, BulkRow, BulkTable, BulkValue } from '../../../db/bulk.ts'
import { conditionOf } from '../../company-copy/index.ts'
import type { Side } from '../../company-copy/index.ts'
import { tablesOf } from '../../company-rows/index.ts'
import type { Table } from '../../company-rows/index.ts'

/** Tables whose texts are part of a hash, a seal, or an identity: nothing in them can be replaced. */
const FIXED: readonly string[] = [
  'api_keys',
  'audit_events',
  'books',
  'certificates',
  'companies',
  'confirmations',
  'documents',
  'document_signatures',
  'idempotency_keys',
  'invoice_lines',
  'invoice_references',
  'invoice_taxes',
  'invoices',
  'parties',
  'registry_chains',
  'registry_installations',
  'registry_records',
  'simulator_records',
]

/** Columns elsewhere that are compared with a digest, or that name the row to others. */
const FIXED_COLUMNS = /(^|\.)(public_id|party_key|code|number|lookup|external_id|record)$/

/** A text that cannot be copied. */
export interface UnstorableText {
  table: string
  column: string
  /** Public identifier of the row, else its key. */
  row: string
  has: 'nul' | 'surrogate'
  /** It may be replaced: no hash covers it. */
  replaceable: boolean
}

const ESCAPE = /\\u(0000|d[89a-f][0-9a-f]{2})/i

/** Returns what a stored text has that PostgreSQL does not store, or does not read in JSON. */
function partOf(text: string, isJson: boolean): UnstorableText['has'] | null {
  const part = unstorablePart(text)
  if (part !== null || !isJson || !ESCAPE.test(text)) return part
  let found: UnstorableText['has'] | null = null
  JSON.parse(text, (key, value: unknown) => {
    found ??= unstorablePart(key) ?? (typeof value === 'string' ? unstorablePart(value) : null)
    return value
  })
  return found
}

function replaced(text: string, isJson: boolean): string {
  if (!isJson) return storableText(text)
  const clean = (value: unknown): unknown =>
    typeof value === 'string'
      ? storableText(value)
      : Array.isArray(value)
        ? value.map(clean)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, each]) => [storableText(key), clean(each)]))
          : value
  return JSON.stringify(clean(JSON.parse(storableText(text))))
}

function isReplaceable(table: Table, column: string): boolean {
  return !FIXED.includes(table.name) && !table.key.includes(column) && !FIXED_COLUMNS.test(column)
}

/** The first ones are enough to know where to look. */
const MOST_LISTED = 100

/** Lists the texts of a company that cannot be copied. */
export async function findUnstorable(side: Side): Promise<UnstorableText[]> {
  const found: UnstorableText[] = []
  for (const table of tablesOf(side.shape)) {
    const texts = table.columns.filter(({ storage }) => storage === 'text')
    if (texts.length === 0) continue
    const suspect = texts.flatMap(({ name, isJson }) => [
      `instr("${name}", char(0)) > 0`,
      ...(isJson ? [`"${name}" like '%\\u0000%'`, `"${name}" like '%\\ud%'`] : []),
    ])
    const condition = `${conditionOf(side, table)} and (${suspect.join(' or ')})`
    for await (const page of side.reader.pages(table, condition))
      for (const row of page)
        for (const bad of badIn(table, row)) if (found.length < MOST_LISTED) found.push(bad)
  }
  return found
}

function* badIn(table: Table, row: BulkRow): Generator<UnstorableText> {
  const { columns, key } = table
  const valueOf = (name: string): BulkValue => row[columns.findIndex((each) => each.name === name)] ?? null
  for (const [at, { name, isJson }] of columns.entries()) {
    const value = row[at]
    const has = typeof value === 'string' ? partOf(value, isJson) : null
    if (has === null) continue
    const publicId = valueOf('public_id')
    yield {
      table: table.name,
      column: name,
      row:
        typeof publicId === 'string'
          ? publicId
          : key.map((each) => `${each} ${String(valueOf(each))}`).join(', '),
      has,
      replaceable: isReplaceable(table, name),
    }
  }
}

/** Throws `transfer_refused` for texts that cannot be copied: all, or those that may not be replaced. */
export function refuseUnstorable(found: readonly UnstorableText[], mayReplace: boolean): void {
  const refused = mayReplace ? found.filter(({ replaceable }) => !replaceable) : found
  if (refused.length === 0) return
  throw new AppError('transfer_refused', { details: { reason: 'text_unstorable', texts: refused } })
}

/** Reads rows with U+FFFD in place of what cannot be stored, where it may be replaced. */
export class ReplacingReader implements BulkReader {
  readonly engine = 'sqlite'
  private readonly reader: BulkReader
  private readonly shapes: ReadonlyMap<string, Table>

  constructor(reader: BulkReader, shapes: ReadonlyMap<string, Table>) {
    this.reader = reader
    this.shapes = shapes
  }

  async *pages(table: BulkTable, condition: string): AsyncGenerator<BulkRow[]> {
    const shape = this.shapes.get(table.name)
    const columns = table.columns.map(({ name, storage }) =>
      storage === 'text' && shape && isReplaceable(shape, name)
        ? (shape.columns.find((each) => each.name === name) ?? null)
        : null,
    )
    for await (const page of this.reader.pages(table, condition))
      yield page.map((row) =>
        row.map((value, at) => {
          const column = columns[at]
          if (!column || typeof value !== 'string' || partOf(value, column.isJson) === null) return value
          return replaced(value, column.isJson)
        }),
      )
  }

  select<Row extends object>(text: string, values: readonly BulkValue[] = []): Promise<Row[]> {
    return this.reader.select<Row>(text, values)
  }
}
