/**
 * Puts the rows of an archive together as books of their own, in a folder whose key is in memory only, and verifies them
 * there. Nothing else is touched until that.
 */
import { FileBulkWriter } from '../../../db/embedded/bulk.ts'
import type { Connection } from '../../../db/embedded/connection.ts'
import type { Keychain } from '../../../db/embedded/keys/keyring.ts'
import { openStore } from '../../../db/embedded/store.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { migrations } from '../../../db/migrations/list.ts'
import { SCHEMA_VERSION } from '../../../db/migrations/version.ts'
import { SANDBOX } from '../../../db/sandbox.ts'
import type { BulkRow, BulkTable } from '../../../db/bulk.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { listBooks } from '../../../platform/books/index.ts'
import type { AppEnvironment, UserActor } from '../../../context.ts'
import { openApplication } from '../../application.ts'
import type { OpenedSello } from '../../environment.ts'
import { checkBook } from '../../integrity/index.ts'
import { shapeOf, tableNamed } from '../../company-rows/index.ts'
import type { Shape } from '../../company-rows/index.ts'
import { MORE_TABLES, rowsPath } from '../format.ts'
import { archivedTables } from '../content.ts'
import type { Report } from '../progress.ts'
import { Released } from '../released.ts'
import { checkArchive, readRows } from '../read/read-apart.ts'
import type { RequestedTable, CheckedArchive } from '../read/types.ts'

/** Of the books that are put together: they are written and read once. */
const CACHE_KIB = 16 * 1024

interface StageOptions {
  /** The archive. */
  file: string
  /** A folder that does not exist or is empty. */
  folder: string
  /** The person whom the history of the company names; null: nobody. */
  person: UserActor | null
  now: () => Date
  loadContracts: AppEnvironment['loadContracts']
  report: Report
  /** Throws if the archive cannot be taken in, before its rows are read. */
  assertMayCome: (archive: CheckedArchive) => Promise<void>
}

/** Verified books; whoever gets them closes them and removes the folder. */
interface StagedBooks {
  sello: OpenedSello
  archive: CheckedArchive
  checks: number
}

/** Returns a keychain in memory: no disk ever has the key of the folder. */
function keychainInMemory(): Keychain {
  const entries = new Map<string, string>()
  return {
    getPassword: async (_service, account) => entries.get(account) ?? null,
    setPassword: async (_service, account, password) => void entries.set(account, password),
    deletePassword: async (_service, account) => entries.delete(account),
    findCredentials: async () =>
      Array.from(entries.entries(), ([account, password]) => ({ account, password })),
  }
}

const changed = (table: string, why: string, details: object = {}): AppError =>
  new AppError('archive_changed', { details: { path: rowsPath(table), why, ...details } })

/** Returns the tables to read, in the order of the manifest. Throws `archive_changed` for others than the schema has. */
function requestedTables(shape: Shape, { tables }: CheckedArchive): RequestedTable[] {
  const kept = new Map<string, RequestedTable>([
    ...Object.entries(MORE_TABLES).map(([name, columns]): [string, RequestedTable] => [
      name,
      {
        name,
        columns: columns.map((column) => ({ name: column, storage: column === 'id' ? 'integer' : 'text' })),
      },
    ]),
    ...archivedTables(shape).map(({ name, columns }): [string, RequestedTable] => [
      name,
      { name, columns: columns.map((column) => ({ name: column.name, storage: column.storage })) },
    ]),
  ])
  const named = new Set(tables.map(({ name }) => name))
  for (const name of named) if (!kept.has(name)) throw changed(name, 'table')
  for (const name of kept.keys()) if (!named.has(name)) throw changed(name, 'missing')
  return tables.flatMap(({ name }) => kept.get(name) ?? [])
}

function bulkTable(shape: Shape, { name, columns }: RequestedTable): BulkTable {
  return name in MORE_TABLES ? { name, columns, key: [] } : tableNamed(shape, name)
}

/** Returns the failure of a row that a table does not admit. */
function refusedRow(table: string, error: unknown): unknown {
  const code = String((error as { code?: unknown }).code ?? '')
  return code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_MISMATCH'
    ? changed(table, 'row', { rule: code })
    : error
}

/** Inserts all rows. Returns their numbers by table. */
async function fill(
  connection: Connection,
  shape: Shape,
  { file, report, archive }: { file: string; report: Report; archive: CheckedArchive },
): Promise<void> {
  const writer = new FileBulkWriter(connection)
  const tables = requestedTables(shape, archive)
  const byName = new Map(tables.map((table) => [table.name, bulkTable(shape, table)]))
  const counts = new Map<string, number>()
  const books = new Set(archive.books.map(({ id }) => id))
  let done = 0
  const released = new Released()
  await readRows(file, tables, async (name, rows: BulkRow[]) => {
    const table = byName.get(name)
    if (!table) throw changed(name, 'table')
    // A setting that is none of these books would change the installation.
    if (name === 'settings')
      for (const [setting] of rows)
        if (!books.has(/^views\/([^/]+)\//.exec(String(setting))?.[1] ?? '')) throw changed(name, 'row')
    try {
      await writer.insert(table, rows)
    } catch (error) {
      throw refusedRow(name, error)
    }
    released.rows(rows)
    counts.set(name, (counts.get(name) ?? 0) + rows.length)
    report({ step: 'reading', done: (done += rows.length), total: archive.rows.total })
  })
  for (const { name, rows } of archive.tables)
    if ((counts.get(name) ?? 0) !== rows) throw changed(name, 'rows')
  assertOneCompany(connection, archive)
  // Never given again, also that of a deleted entry.
  connection.run("update sqlite_sequence set seq = max(seq, ?) where name = 'journal_entries'", [
    archive.rows.lastEntry,
  ])
  // The place where the archive was made may go on issuing (ADR 15).
  connection.run(
    "update registry_chains set held_for = 'restored_copy' where book_id in (select id from books where mode = 'live')",
    [],
  )
  if (archive.sandbox) connection.run('insert into settings (name, value) values (?, ?)', [SANDBOX, 'true'])
}

/** Throws `archive_changed` unless the rows are of the company and the books that the manifest names. */
function assertOneCompany(connection: Connection, { company, books }: CheckedArchive): void {
  const companies = connection.all('select public_id as id, nif from companies', []) as {
    id: string
    nif: string | null
  }[]
  if (companies.length !== 1 || companies[0]?.id !== company.id || companies[0].nif !== company.nif)
    throw changed('companies', 'company')
  const there = connection.all('select public_id as id, mode from books order by books.id', []) as {
    id: string
    mode: string
  }[]
  const expected = books.map(({ id, mode }) => `${id} ${mode}`)
  if (there.length === 0 || there.map(({ id, mode }) => `${id} ${mode}`).join() !== expected.join())
    throw changed('books', 'company')
}

/** Runs the self-check of all books. Throws `archive_unsound`. */
async function verify(sello: OpenedSello, report: Report): Promise<number> {
  let count = 0
  const books = await listBooks(sello.env.store.reader)
  for (const [index, book] of books.entries()) {
    report({ step: 'checking', done: index, total: books.length })
    const { ok, checks } = await checkBook(sello.ctx(book))
    count += checks.length
    if (ok) continue
    const failed = checks.filter((check) => !check.ok)
    throw new AppError('archive_unsound', {
      details: {
        book: book.publicId,
        checks: failed.map(({ invariant, name, detail }) => ({ invariant, name, detail })),
      },
    })
  }
  return count
}

/**
 * Checks an archive, puts its rows together in the folder and verifies them. Throws `archive_unreadable`,
 * `archive_changed`, `archive_newer`, `archive_too_large`, `archive_unsound`, or what `assertMayCome` does.
 */
export async function stageArchive(options: StageOptions): Promise<StagedBooks> {
  const { file, folder, person, now, loadContracts, report, assertMayCome } = options
  const archive = await checkArchive(file, SCHEMA_VERSION, (done, total) =>
    report({ step: 'reading', done, total }),
  )
  await assertMayCome(archive)
  const list = migrations.slice(0, archive.program.schema)
  const keychain = keychainInMemory()
  const store = await openStore({
    folder,
    keychain,
    now,
    create: true,
    cacheKib: CACHE_KIB,
    migrations: list,
  })
  try {
    const shape = shapeOf(list)
    await store.replaceRows((connection) => fill(connection, shape, { file, report, archive }))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'transfer_differs') throw error
    throw changed(String(error.details?.table ?? ''), 'references', { to: error.details?.to })
  } finally {
    store.close()
  }
  failpoint('leaving.staged')
  // Rows of an earlier version are brought to this one when they are opened.
  const sello = await openApplication(
    { dataDir: folder, keychain, now, computer: null, cacheKib: CACHE_KIB },
    loadContracts,
  )
  try {
    if (person)
      for (const book of await listBooks(sello.env.store.reader)) {
        const { company } = archive
        await sello.ctx(book, person).transaction((tx) =>
          recordAudit(tx, {
            action: 'company.taken_in',
            target: { type: 'company', id: company.id, label: company.name },
          }),
        )
      }
    const checks = await verify(sello, report)
    failpoint('leaving.verified')
    return { sello, archive, checks }
  } catch (error) {
    await sello.close()
    throw error
  }
}
