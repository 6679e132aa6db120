/** Folders of books for transfers, and what a transfer is asked about them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { openSello } from '../../../server/api/application.ts'
import type { OpenedSello, OpenOptions } from '../../../server/api/application.ts'
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import { loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import { NO_BOOK } from '../../../server/context.ts'
import type { Actor, Book } from '../../../server/context.ts'
import { listBooks } from '../../../server/platform/books/index.ts'
import { FileBulkReader } from '../../../server/db/embedded/bulk.ts'
import { openDatabase } from '../../../server/db/embedded/open.ts'
import { companyDigest } from '../../../server/app/company-copy/digest.ts'
import type { CompanyDigest } from '../../../server/app/company-copy/digest.ts'
import { shapeOfBuild } from '../../../server/app/company-rows/shape.ts'
import { inRows } from '../../../server/db/outside/objects.ts'
import { DatabaseBulk } from '../../../server/db/postgres/bulk.ts'
import { SERVER_ROLE } from '../../../server/db/postgres/migrate.ts'
import { sealerOf } from '../../../server/db/seal.ts'
import { keyOf } from '../key-of.ts'
import { OWNER_ROLE } from '../postgres/cluster.ts'
import { giveBackDatabase, takeDatabase, testKey } from '../postgres/databases.ts'
import type { TestDatabase } from '../postgres/databases.ts'
import { EXAMPLE_COMPANY } from '../store.ts'

export const NOW = new Date('2026-11-24T09:00:00Z')
export const now = (): Date => NOW

/** Returns a folder that is removed at the end of the test. */
export function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-move-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Gives the test a folder for temporary files that no other test uses, and returns it. */
export function ownTemporaryFolder(): string {
  const folder = folderForTest()
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  return folder
}

export function openFolder(folder: string, options: Partial<OpenOptions> = {}): Promise<OpenedSello> {
  return openSello({ dataDir: folder, keychain: null, now, cacheKib: 2048, ...options })
}

/** Returns the canonical digest of the company of a folder; the one with this identifier, if it has several. */
export async function digestOfFolder(folder: string, publicId?: string): Promise<CompanyDigest> {
  const masterKey = keyOf(folder)
  const connection = openDatabase({ folder, masterKey, role: 'reader', cacheKib: 2048 })
  try {
    const reader = new FileBulkReader(connection)
    const rows = await reader.select<{ id: number; public_id: string }>(
      'select id, public_id from companies order by id',
    )
    const row = publicId === undefined ? rows[0] : rows.find((each) => each.public_id === publicId)
    return await companyDigest({
      shape: shapeOfBuild(),
      reader,
      sealer: sealerOf(masterKey),
      objects: inRows,
      companyId: row?.id ?? 0,
    })
  } finally {
    connection.close()
  }
}

/** Returns the canonical digest of a company of an office. */
export async function digestOfOffice(url: string, publicId: string): Promise<CompanyDigest> {
  const reader = await DatabaseBulk.open(url)
  try {
    const [row] = await reader.select<{ id: number }>('select id from companies where public_id = $1', [
      publicId,
    ])
    await reader.begin('read')
    await reader.enter(row?.id ?? 0)
    return await companyDigest({
      shape: shapeOfBuild(),
      reader,
      sealer: sealerOf(testKey()),
      objects: inRows,
      companyId: row?.id ?? 0,
    })
  } finally {
    await reader.close()
  }
}

/** An empty database, in which companies are moved by the role that owns its tables. */
interface OwnedDatabase {
  url: string
  database: TestDatabase
}

/** Returns an empty database for the time of a test. */
export async function databaseForTest(): Promise<OwnedDatabase> {
  const database = await takeDatabase()
  onTestFinished(() => giveBackDatabase(database))
  return { url: database.ownerUrl, database }
}

/** Returns the address of a database for its servers. */
export const forServers = (url: string): string => url.replace(OWNER_ROLE, SERVER_ROLE)

/** Company, live book and its test book of an open Sello, by the order of their companies. */
export async function bookOf(sello: OpenedSello, mode: 'live' | 'test', nth: number): Promise<Book> {
  const books = (await listBooks(sello.env.store.reader)).filter((book) => book.mode === mode)
  const book = books[nth]
  if (!book) throw new Error('There is no such book.')
  return book
}

const PERSON: Actor = { kind: 'user', id: 'user', name: 'Persona' }

/** Runs an operation as the person. */
export async function run<Name extends OperationName>(
  sello: OpenedSello,
  book: Book,
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  return (await runOperation(await loadOperation(name), sello.ctx(book, PERSON), input)) as OutputOf<Name>
}

/** Issues an invoice in a book, and returns its number. */
export async function issueIn(sello: OpenedSello, mode: 'live' | 'test', nth = 0): Promise<string> {
  const book = await bookOf(sello, mode, nth)
  const draft = await run(sello, book, 'invoices.create', {
    clientName: 'Ana Ruiz Gil',
    clientNif: '12345678Z',
    lines: [{ description: 'Mano de obra', quantity: 2, unitPrice: 10 }],
  })
  const { confirmation } = await run(sello, book, 'invoices.validate', { id: draft.id })
  const issued = await run(sello, book, 'invoices.issue', {
    id: draft.id,
    confirmationToken: confirmation?.confirmationToken ?? '',
  })
  return issued.number ?? ''
}

interface MadeFolder {
  company: string
  /** Identifiers of the first entry and the last event of the test book. */
  entry: string | null
  event: string | null
}

/** Returns identifiers that are made of row ids: the first entry and the first event of the test book of a company. */
export async function identifiersOf(
  sello: OpenedSello,
  company: string,
): Promise<Pick<MadeFolder, 'entry' | 'event'>> {
  const row = await sello.env.store.reader
    .selectFrom('companies')
    .select('id')
    .where('public_id', '=', company)
    .executeTakeFirstOrThrow()
  const book = (await listBooks(sello.env.store.reader)).find(
    (each) => each.companyId === row.id && each.mode === 'test',
  )
  if (!book) throw new Error('There is no such book.')
  const entries = await run(sello, book, 'ledger.journal', {})
  const events = await run(sello, book, 'events.list', { limit: 100 })
  return { entry: entries.items.at(-1)?.id ?? null, event: events.items.at(-1)?.id ?? null }
}

/** Creates a folder with a company that has issued invoices in its test book, and a draft that was deleted. */
export async function createFolder(
  folder: string,
  { invoices, nif = 'B12345674' }: { invoices: number; nif?: string },
): Promise<MadeFolder> {
  const sello = await openFolder(folder, { create: true, sandbox: true })
  try {
    const { companyId: company } = await run(sello, NO_BOOK, 'company.create', { ...EXAMPLE_COMPANY, nif })
    for (let nth = 0; nth < invoices; nth += 1) await issueIn(sello, 'test')
    const book = await bookOf(sello, 'test', 0)
    const contact = await run(sello, book, 'contacts.create', { name: 'Zoe Sanz' })
    const draft = await run(sello, book, 'invoices.create', {
      clientName: 'Zoe Sanz',
      clientId: contact.id,
      lines: [{ description: 'Nada', quantity: 1, unitPrice: 1 }],
    })
    await run(sello, book, 'invoices.delete', { id: draft.id })
    await run(sello, book, 'keys.createByPerson', { name: 'llave', scopes: ['invoices.read'] })
    return { company, ...(await identifiersOf(sello, company)) }
  } finally {
    await sello.close()
  }
}
