/**
 * Rows in bulk from and to a database, on one connection of its own and in one transaction: a process that ends before
 * the commit has written nothing. Until it enters a company it sees what work for the whole installation sees (ADR 43).
 */
import pg from 'pg'
import { batches, pageRows, quoted } from '../bulk.ts'
import type { BulkColumn, BulkRow, BulkTable, BulkValue, BulkWriter } from '../bulk.ts'
import { refusalOf, WAIT_MS } from './pool.ts'
import { valueTypes } from './values.ts'

/** Longest time that the transaction may stand idle, while the other store is read. */
const IDLE_MS = 120_000

const SCOPE =
  "select set_config('sello.company', $1, $3::boolean), set_config('sello.scope', $2, $3::boolean)"

const TYPES: Record<BulkColumn['storage'], string> = { integer: 'bigint', text: 'text', blob: 'bytea' }

/** Statements of a large copy may take long; waiting for others may not. */
const LIMITS = `set local lock_timeout = ${WAIT_MS}; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = ${IDLE_MS}`

export class DatabaseBulk implements BulkWriter {
  readonly engine = 'pg'
  private readonly client: pg.Client
  private cursors = 0

  private constructor(client: pg.Client) {
    this.client = client
  }

  /**
   * Connects. Throws `store_readonly` if the database is out of reach. `setsSession: false`: nothing is set but within a
   * transaction, since the connection may be one of a pool whose other users would inherit it.
   */
  static async open(url: string, { setsSession = true } = {}): Promise<DatabaseBulk> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'sello-transfer',
      connectionTimeoutMillis: WAIT_MS,
      keepAlive: true,
      types: valueTypes,
    })
    // Without a listener the loss of the connection ends the process; the statement under way fails as well.
    client.on('error', () => {})
    try {
      await client.connect()
      if (setsSession) await client.query(SCOPE, ['', 'installation', 'false'])
    } catch (error) {
      throw refusalOf(error)
    }
    return new DatabaseBulk(client)
  }

  /** Begins a transaction: one that writes, or one that reads a single state. */
  async begin(how: 'write' | 'read'): Promise<void> {
    await this.client.query(how === 'write' ? 'begin' : 'begin isolation level repeatable read read only')
    await this.client.query(LIMITS)
    await this.execute(SCOPE, ['', 'installation', 'true'])
  }

  /** From now on until the end of the transaction, reads and writes only rows of a company; it may be missing yet. */
  async enter(companyId: number): Promise<void> {
    await this.execute(SCOPE, [String(companyId), 'company', 'true'])
  }

  /** Checks what was deferred, now. */
  async checkDeferred(): Promise<void> {
    await this.client.query('set constraints all immediate')
  }

  async commit(): Promise<void> {
    const { command } = await this.client.query('commit')
    if (command !== 'COMMIT') throw new Error('The transaction had failed.')
  }

  async rollback(): Promise<void> {
    await this.client.query('rollback').catch(() => {})
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => {})
  }

  async *pages(table: BulkTable, condition: string): AsyncGenerator<BulkRow[]> {
    const { name, columns, key } = table
    const order = key.map((each) =>
      columns.find((column) => column.name === each)?.storage === 'text'
        ? `${quoted(each)} collate "C"`
        : quoted(each),
    )
    const cursor = `rows_${(this.cursors += 1)}`
    await this.client.query(
      `declare ${cursor} no scroll cursor for
       select ${columns.map((column) => quoted(column.name)).join(', ')} from ${quoted(name)}
       where ${condition} order by ${order.join(', ')}`,
    )
    const text = `fetch forward ${pageRows(table)} from ${cursor}`
    for (;;) {
      const { rows } = await this.client.query<BulkValue[]>({ text, rowMode: 'array' })
      if (rows.length === 0) break
      yield rows
    }
    await this.client.query(`close ${cursor}`)
  }

  /** Runs a statement as the driver does. */
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    return this.client.query(text, values)
  }

  async select<Row extends object>(text: string, values: readonly BulkValue[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, [...values])).rows
  }

  async execute(text: string, values: readonly BulkValue[] = []): Promise<number> {
    return (await this.client.query(text, [...values])).rowCount ?? 0
  }

  async insert({ name, columns }: BulkTable, rows: readonly BulkRow[]): Promise<void> {
    const lists = columns.map(({ storage }, at) => `$${at + 1}::${TYPES[storage]}[]`)
    const text = `insert into ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')})
      select * from unnest(${lists.join(', ')})`
    for (const batch of batches(rows))
      await this.client.query(
        text,
        columns.map((_, at) => batch.map((row) => row[at] ?? null)),
      )
  }

  async update(
    table: string,
    id: string,
    columns: readonly BulkColumn[],
    rows: readonly BulkRow[],
  ): Promise<void> {
    const lists = columns.map(({ storage }, at) => `$${at + 2}::${TYPES[storage]}[]`)
    const text = `update ${quoted(table)} as t set ${columns.map(({ name }, at) => `${quoted(name)} = v.c${at}`).join(', ')}
      from unnest($1::bigint[], ${lists.join(', ')}) as v(id, ${columns.map((_, at) => `c${at}`).join(', ')})
      where t.${quoted(id)} = v.id`
    for (const batch of batches(rows))
      await this.client.query(
        text,
        [null, ...columns].map((_, at) => batch.map((row) => row[at] ?? null)),
      )
  }
}
