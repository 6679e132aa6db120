/** The rows of a company as lines of JSON, one file for each table. */
import type { BulkRow, BulkValue } from '../../../db/bulk.ts'
import type { ZipEntry } from '../../../domain/formats/zip-stream.ts'
import { rowRenumbering } from '../../company-rows/index.ts'
import type { Table } from '../../company-rows/index.ts'
import { rowsOf, settingsOf } from '../../company-copy/index.ts'
import type { Side, Survey } from '../../company-copy/index.ts'
import { MORE_TABLES, rowsPath } from '../format.ts'
import type { FilePart } from '../format.ts'
import { archivedTables, rowCleaning } from '../content.ts'
import type { PlacedFiles } from './files.ts'

type Written = string | number | null | FilePart

/** Names the tables with their numbers of rows, in the order in which they were written. */
export type CountedTables = { name: string; rows: number }[]

const written = (value: BulkValue | FilePart): Written =>
  Buffer.isBuffer(value) ? value.toString('base64') : value

function line(names: readonly string[], row: readonly (BulkValue | FilePart)[]): string {
  return `${JSON.stringify(Object.fromEntries(names.map((name, at) => [name, written(row[at] ?? null)])))}\n`
}

interface RowsOptions {
  side: Side
  known: Survey
  files: PlacedFiles
  /** Milliseconds: certificates count as removed then. */
  at: number
  counted: CountedTables
  seen: (rows: number) => void
}

/** Yields the files of rows. Ids are those of a store that has this company alone. */
export async function* rowEntries(options: RowsOptions): AsyncGenerator<ZipEntry, void, undefined> {
  const { side, known, files, at, counted, seen } = options
  let total = 0
  const count = (name: string, lines: AsyncIterable<string[]>): ZipEntry => ({
    name: rowsPath(name),
    parts: (async function* () {
      let rows = 0
      for await (const page of lines) {
        rows += page.length
        total += page.length
        seen(total)
        yield page.join('')
      }
      counted.push({ name, rows })
    })(),
  })
  async function* actors(): AsyncGenerator<string[]> {
    yield [...known.actors].map(([id, identity]) =>
      line(MORE_TABLES.actors, [id, ...(JSON.parse(identity) as string[])]),
    )
  }
  async function* settings(): AsyncGenerator<string[]> {
    yield (await settingsOf(side)).map(({ name, value }) => line(MORE_TABLES.settings, [name, value]))
  }
  async function* rows(table: Table): AsyncGenerator<string[]> {
    const names = table.columns.map(({ name }) => name)
    const clean = rowCleaning(side.shape, table, at)
    const renumber = rowRenumbering(side.shape, table, {
      // Numbers in the identifiers of entries begin with the first one of the company.
      shift: (name) => (name === 'journal_entries' ? -known.bases.journal_entries : 0),
      kinds: known.kinds,
      actor: (id) => id,
    })
    const placed = files.rows.get(table.name)
    // Contents and their rows were written before; none of their columns is changed.
    if (placed) return yield placed.map((row) => line(names, row))
    for await (const page of rowsOf(side, table))
      yield page.map((row: BulkRow) => line(names, clean(renumber(row))))
  }
  yield count('actors', actors())
  yield count('settings', settings())
  for (const table of archivedTables(side.shape)) yield count(table.name, rows(table))
}
