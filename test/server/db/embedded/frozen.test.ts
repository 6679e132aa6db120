/**
 * Issued documents are immutable: every column rejects changes, listed from the tables themselves so that none is
 * forgotten.
 */
import { describe, expect, test } from 'vitest'
import type { Connection } from '../../../../server/db/embedded/connection.ts'
import { openDatabase } from '../../../../server/db/embedded/open.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { madeOf } from '../../../support/documents.ts'
import { openBooks } from '../../../support/books.ts'

/** Columns that may change after the issue. All others of these tables are immutable. */
const ALIVE: Record<string, readonly string[]> = {
  // Its payment, its registry state, its annulment, its contact (if that still exists), and notes of programs.
  invoices: [
    'paid_cents',
    'is_owed',
    'registry_status',
    'cancelled_at',
    'uncollectible_at',
    'contact_id',
    'metadata',
    'updated_at',
  ],
  invoice_lines: [],
  invoice_taxes: [],
  registry_records: [],
  invoice_amendments: [],
  audit_events: [],
  documents: [],
  parties: [],
  actors: [],
}

interface Column {
  name: string
  type: string
}

/**
 * Opens books with one issued and amended invoice and one draft a second time with all protections, as the program
 * does.
 */
async function issuedBooks() {
  const bytes = Buffer.from('%PDF-1.7')
  const world = await openBooks({
    environment: { documents: { make: async () => madeOf(bytes) } },
  })
  const issued = await world.invoice({
    lines: [
      { description: 'Uno', quantity: 1, unitPrice: 10, unit: 'h' },
      { description: 'Dos', quantity: 1, unitPrice: 5, vatRate: 10 },
    ],
    notes: 'Nota',
  })
  await world.send()
  const amendment = { id: issued.id, action: 'amend' as const, changes: { description: 'Otra' } }
  const { confirmation } = await world.run('invoices.validate', amendment)
  const confirmationToken = confirmation?.confirmationToken ?? ''
  await world.run('invoices.amend', { id: issued.id, confirmationToken })
  const draft = await world.draft({ clientName: 'Otro' })
  await world.run('invoices.pdf', { id: issued.id })
  const masterKey = Buffer.from(readFileSync(join(world.folder, 'master.key'), 'utf8').trim(), 'hex')
  const connection = openDatabase({ folder: world.folder, masterKey, role: 'writer', cacheKib: 1024 })
  return { world, issued, draft, connection }
}

const rowOf = (table: string): string =>
  table === 'invoices'
    ? "state = 'issued'"
    : table === 'invoice_lines' || table === 'invoice_taxes'
      ? "invoice_id = (select id from invoices where state = 'issued')"
      : 'true'

/** Returns another value of the same type, so that no other constraint can cause the rejection. */
function changedValue({ name, type }: Column): string {
  if (type === 'INTEGER') return `coalesce(${name}, 0) + 1000`
  if (type === 'BLOB') return `randomblob(coalesce(length(${name}), 1))`
  return `coalesce(${name}, '') || 'x'`
}

function attempt(connection: Connection, sql: string): string {
  try {
    connection.handle.exec('begin')
    connection.handle.exec(sql)
    return 'done'
  } catch (error) {
    return (error as Error).message
  } finally {
    if (connection.handle.inTransaction) connection.handle.exec('rollback')
  }
}

const count = (connection: Connection, table: string): number =>
  (connection.get(`select count(*) as n from ${table} where ${rowOf(table)}`, []) as { n: number }).n

describe('issued', () => {
  test.each(Object.keys(ALIVE))(
    '%s: no immutable column can be changed, no row deleted or replaced',
    async (table) => {
      const { connection } = await issuedBooks()
      const columns = connection.handle.pragma(`table_info(${table})`) as Column[]
      expect(count(connection, table)).toBeGreaterThan(0)
      for (const column of columns) {
        const outcome = attempt(
          connection,
          `update ${table} set ${column.name} = ${changedValue(column)} where ${rowOf(table)}`,
        )
        if (ALIVE[table]?.includes(column.name)) expect(outcome, column.name).not.toMatch(/^frozen/)
        // An invoice's row number is protected by its references; everything else by the triggers.
        else
          expect(outcome, column.name).toMatch(
            column.name === 'id' && table === 'invoices' ? /frozen|FOREIGN KEY/ : /^frozen/,
          )
        if (column.name !== 'id' && !ALIVE[table]?.includes(column.name))
          expect(
            attempt(connection, `update ${table} set ${column.name} = null where ${rowOf(table)}`),
            `${column.name} to null`,
          ).not.toBe('done')
      }
      expect(attempt(connection, `delete from ${table} where ${rowOf(table)}`)).toMatch(/^frozen|FOREIGN KEY/)
      // table_info lists no generated columns, which cannot be written.
      const names = columns.map((column) => column.name).join(', ')
      expect(
        attempt(
          connection,
          `insert or replace into ${table} (${names}) select ${names} from ${table} where ${rowOf(table)}`,
        ),
      ).toMatch(/^frozen|FOREIGN KEY/)
      connection.close()
    },
  )

  test('the mutable columns exist', async () => {
    const { connection } = await issuedBooks()
    for (const [table, alive] of Object.entries(ALIVE)) {
      const names = (connection.handle.pragma(`table_info(${table})`) as Column[]).map(
        (column) => column.name,
      )
      expect(names).toEqual(expect.arrayContaining([...alive]))
    }
    connection.close()
  })

  test('no line or tax can be added, removed or moved in from a draft', async () => {
    const { connection } = await issuedBooks()
    for (const table of ['invoice_lines', 'invoice_taxes']) {
      const draft = "(select id from invoices where state = 'draft')"
      const issued = "(select id from invoices where state = 'issued')"
      const names = (connection.handle.pragma(`table_info(${table})`) as Column[]).map(
        (column) => column.name,
      )
      const others = names.filter((name) => name !== 'invoice_id' && name !== 'position').join(', ')
      expect(
        attempt(
          connection,
          `insert into ${table} (invoice_id, position, ${others}) select ${issued}, 9, ${others} from ${table} where invoice_id = ${draft}`,
        ),
      ).toMatch(/^frozen/)
      expect(
        attempt(
          connection,
          `update ${table} set invoice_id = ${issued}, position = 9 where invoice_id = ${draft}`,
        ),
      ).toMatch(/^frozen/)
      expect(
        attempt(
          connection,
          `update ${table} set invoice_id = ${draft}, position = 9 where invoice_id = ${issued} and position = 0`,
        ),
      ).toMatch(/^frozen/)
      // The draft's own rows may still change.
      expect(attempt(connection, `update ${table} set position = 9 where invoice_id = ${draft}`)).toBe('done')
    }
    connection.close()
  })

  test('a draft cannot be marked as issued without all data of an issue', async () => {
    const { connection } = await issuedBooks()
    expect(attempt(connection, "update invoices set state = 'issued' where state = 'draft'")).toMatch(/CHECK/)
    expect(attempt(connection, "update invoices set number = 'F2026-0009' where state = 'draft'")).toMatch(
      /CHECK/,
    )
    expect(
      attempt(connection, "update invoices set total_cents = total_cents + 1 where state = 'draft'"),
    ).toMatch(/CHECK/)
    connection.close()
  })

  test('a series and a chain only advance', async () => {
    const { connection } = await issuedBooks()
    for (const change of [
      'next_number = next_number - 1',
      'start_number = start_number + 1',
      "code = code || 'x'",
      "kind = 'quote'",
      'book_id = 1',
    ])
      expect(attempt(connection, `update series set ${change} where next_number > 1`), change).toMatch(
        /^frozen/,
      )
    expect(attempt(connection, 'delete from series where next_number > 1')).toMatch(/^frozen/)
    expect(attempt(connection, 'update registry_chains set records = records - 1 where records > 0')).toMatch(
      /^frozen/,
    )
    expect(attempt(connection, 'delete from registry_chains')).toMatch(/^frozen/)
    connection.close()
  })
})
