/** Replaces the copy of a client's books by the state that arrived, in one transaction. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../../../domain/errors/app-error.ts'
import { FileBulkWriter } from '../../../db/embedded/bulk.ts'
import type { Connection } from '../../../db/embedded/connection.ts'
import type { EmbeddedStore } from '../../../db/embedded/port.ts'
import { failpoint } from '../../../db/failpoints.ts'
import type { BulkRow } from '../../../db/bulk.ts'
import { belongsTo, LOOSE, rowRenumbering, shapeOfBuild, tableNamed } from '../../company-rows/index.ts'
import type { Kinds, Shape, Table } from '../../company-rows/index.ts'
import { BookRows } from './read-rows.ts'
import { sharedTables } from './shared-tables.ts'
import { FILE_BYTES } from './write-books.ts'

/** Rows that are inserted at a time. */
const PAGE = 500
/** Contents of files that the new state names and does not bring. */
const SAVED_BYTES = 'saved_file_bytes'

interface ArrivedBooks {
  /** Public identifier of the company. */
  company: string
  /** Public identifier of the pairing. */
  pairing: string
  rows: Buffer
  /** Milliseconds. */
  at: number
  /** Writes what else belongs to the arrival, in the same transaction. */
  also: (connection: Connection) => void
}

interface Ids {
  min: number
  max: number
}

const single = <T>(connection: Connection, text: string, ...values: (string | number)[]): T | undefined =>
  connection.handle
    .prepare(text)
    .pluck()
    .get(...values) as T | undefined

class Replacing {
  private readonly connection: Connection
  private readonly arrived: ArrivedBooks
  private readonly shape: Shape
  private readonly shared: Table[]
  private readonly rows: BookRows
  private readonly shifts = new Map<string, number>()

  constructor(connection: Connection, arrived: ArrivedBooks) {
    this.connection = connection
    this.arrived = arrived
    this.shape = shapeOfBuild()
    this.shared = sharedTables(this.shape)
    this.rows = new BookRows(arrived.rows, this.shared)
  }

  async run(): Promise<void> {
    const { company, pairing, at } = this.arrived
    const before = this.known()
    const books = before === null ? null : this.idsThere('books', `company_id = ${before}`)
    if (before !== null) this.remove(before)
    this.reserve('companies', before === null ? null : { min: before, max: before })
    this.reserve('books', books)
    for (const { name, hasIds } of this.shared)
      if (hasIds && !this.shifts.has(name)) this.shifts.set(name, this.highest(name))
    await this.insert()
    this.takeSaved()
    const companyId = single<number>(this.connection, 'select id from companies where public_id = ?', company)
    if (companyId === undefined) throw new AppError('bundle_foreign', { details: { company } })
    this.connection.run(
      `insert into advised_companies (company_id, pairing, entry_shift, rebased, arrived_at)
       values (?, ?, ?, 0, ?)
       on conflict (company_id) do update set pairing = excluded.pairing,
         entry_shift = excluded.entry_shift, rebased = 0, arrived_at = excluded.arrived_at`,
      [companyId, pairing, this.shifts.get('journal_entries') ?? 0, at],
    )
    this.arrived.also(this.connection)
  }

  /** Returns the row id of the copy; null for the first books. Throws `company_here` for a company of this installation. */
  private known(): number | null {
    const { company } = this.arrived
    const id = single<number>(this.connection, 'select id from companies where public_id = ?', company)
    if (id === undefined) return this.assertUnknown()
    const pairing = single<string>(
      this.connection,
      'select pairing from advised_companies where company_id = ?',
      id,
    )
    if (pairing !== this.arrived.pairing) throw new AppError('company_here', { details: { company } })
    return id
  }

  /** Throws `company_here` if this installation keeps a company with the same tax number. */
  private assertUnknown(): null {
    const table = tableNamed(this.shape, 'companies')
    const at = table.columns.findIndex(({ name }) => name === 'nif')
    const [row] = this.rows.of(table)
    const nif = row?.[at]
    if (
      typeof nif === 'string' &&
      single(this.connection, 'select 1 from companies where nif = ?', nif) !== undefined
    )
      throw new AppError('company_here', { details: { company: this.arrived.company, nif } })
    return null
  }

  private idsThere(table: string, condition: string): Ids | null {
    const [row] = this.connection.all(
      `select min(id) as min, max(id) as max from ${table} where ${condition}`,
      [],
    ) as { min: number | null; max: number | null }[]
    return row && row.min !== null && row.max !== null ? { min: row.min, max: row.max } : null
  }

  private highest(table: string): number {
    const max = single<number | null>(this.connection, `select max(id) from ${table}`) ?? 0
    const given = single<number>(this.connection, 'select seq from sqlite_sequence where name = ?', table)
    return Math.max(max, given ?? 0)
  }

  /** Gives the rows of a table the ids that they had here before, if these are free. */
  private reserve(name: string, before: Ids | null): void {
    const ids = [...this.rows.of(tableNamed(this.shape, name))].map((row) => Number(row[0]))
    const first = Math.min(...ids)
    const shift = before === null ? null : before.min - first
    const isFree =
      shift !== null &&
      single<number>(
        this.connection,
        `select count(*) from ${name} where id in (${ids.map((id) => id + shift).join(', ')})`,
      ) === 0
    this.shifts.set(name, isFree && shift !== null ? shift : this.highest(name))
  }

  private remove(companyId: number): void {
    const { handle } = this.connection
    const condition = (name: string): string =>
      belongsTo(this.shape, tableNamed(this.shape, name), companyId, 'sqlite')
    handle.exec(`create table ${SAVED_BYTES} (sha256 blob primary key, bytes blob not null) strict`)
    handle.exec(
      `insert or ignore into ${SAVED_BYTES} (sha256, bytes) select f.sha256, b.bytes from files f
       join file_bytes b on b.file_id = f.id where f.${condition('files')}`,
    )
    // Rows find their company through others, which go after them.
    const order = [...this.shared].sort((a, b) => depthOf(this.shape, b) - depthOf(this.shape, a))
    for (const { name } of order) handle.exec(`delete from ${name} where ${condition(name)}`)
  }

  /** Adds the contents of files that came with earlier books. */
  private takeSaved(): void {
    const { handle } = this.connection
    const there = single(
      this.connection,
      "select 1 from sqlite_master where type = 'table' and name = ?",
      SAVED_BYTES,
    )
    if (there === undefined) return
    handle.exec(
      `insert into file_bytes (file_id, bytes)
       select f.id, s.bytes from files f join ${SAVED_BYTES} s on s.sha256 = f.sha256
       where not exists (select 1 from file_bytes b where b.file_id = f.id)`,
    )
    handle.exec(`drop table ${SAVED_BYTES}`)
  }

  private actors(): Map<number, number> {
    const ids = new Map<number, number>()
    for (const { id, kind, publicId, name } of this.rows.actors()) {
      const values = [kind, publicId, name]
      this.connection.run(
        'insert into actors (kind, public_id, name) values (?, ?, ?) on conflict do nothing',
        values,
      )
      const there = single<number>(
        this.connection,
        'select id from actors where kind = ? and public_id = ? and name = ?',
        ...values,
      )
      ids.set(id, there ?? 0)
    }
    return ids
  }

  /** Reads the columns that tell of which table a reference is. */
  private kinds(): Kinds {
    const kinds = new Map<string, Map<number, string>>()
    for (const { to, through } of Object.values(LOOSE)) {
      if (!through || typeof to === 'string' || kinds.has(through.table)) continue
      const table = tableNamed(this.shape, through.table)
      const place = (name: string): number => table.columns.findIndex((column) => column.name === name)
      const [id, kind] = [place('id'), place(to.by)]
      kinds.set(
        through.table,
        new Map([...this.rows.of(table)].map((row) => [Number(row[id]), String(row[kind])])),
      )
    }
    return kinds
  }

  private async insert(): Promise<void> {
    const actors = this.actors()
    const by = {
      shift: (name: string): number => this.shifts.get(name) ?? 0,
      kinds: this.kinds(),
      actor: (id: number): number => actors.get(id) ?? 0,
    }
    const writer = new FileBulkWriter(this.connection)
    for (const table of this.shared) {
      const renumber = rowRenumbering(this.shape, table, by)
      let page: BulkRow[] = []
      for (const row of this.rows.of(table)) {
        page.push(renumber(row))
        if (page.length < (table.name === FILE_BYTES ? 1 : PAGE)) continue
        await writer.insert(table, page)
        page = []
        await nextTurn()
      }
      if (page.length > 0) await writer.insert(table, page)
    }
    failpoint('bundles.books_written')
  }
}

/** Returns by how many references a row finds its company. */
function depthOf(shape: Shape, table: Table): number {
  const has = (name: string): boolean => table.columns.some((column) => column.name === name)
  if (table.name === 'companies') return -2
  if (table.name === 'books') return -1
  if (has('company_id') || has('book_id')) return 0
  const parent = table.columns.find(
    ({ refersTo, isRequired }) => isRequired && refersTo !== null && refersTo !== table.name,
  )
  return parent?.refersTo ? 1 + depthOf(shape, tableNamed(shape, parent.refersTo)) : 0
}

/**
 * Replaces the copy of a client's company, or creates it. Throws `company_here`, `bundle_foreign` and
 * `bundle_unreadable`, or an error of the database; the copy is unchanged then.
 */
export function replaceBooks(store: EmbeddedStore, arrived: ArrivedBooks): Promise<void> {
  return store.replaceRows((connection) => new Replacing(connection, arrived).run())
}
