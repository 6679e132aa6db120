/** A real encrypted store in a separate folder, with a clock controlled by the test and the example company. */
import { ledger } from '../../server/accounting/ledger/port.ts'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createCompany } from '../../server/company/index.ts'
import { loadBook } from '../../server/platform/books/index.ts'
import { createIdMaker } from '../../server/domain/ids.ts'
import { loadContracts } from '../../server/api/operations.ts'
import type { InputOf } from '../../server/api/contracts.ts'
import { createCtx, NO_BOOK } from '../../server/context.ts'
import type { Actor, AppEnvironment, Book, Ctx, Mode, PersonCheck } from '../../server/context.ts'
import { openStore } from '../../server/db/embedded/store.ts'
import type { Store } from '../../server/db/store.ts'
import { openDatabase } from '../../server/db/embedded/open.ts'
import type { TestDatabase } from './postgres/databases.ts'
import {
  copyDatabase,
  ENGINE,
  giveBackDatabase,
  openOn,
  takeDatabase,
  tamperWith,
} from './postgres/databases.ts'
import { copyTemplate } from './setup/store-template.ts'
import { truth } from '../../server/documents/truth/port.ts'
import { related } from '../../server/app/related.ts'

const PERSON: Actor = { kind: 'user', id: 'user', name: 'Persona' }

/** The company of the tests; its NIF has a valid control digit and belongs to no known company. */
export const EXAMPLE_COMPANY: InputOf<'company.create'> = {
  legalName: 'Talleres Ejemplo, S.L.',
  nif: 'B12345674',
  address: {
    street: 'Calle Mayor, 1',
    postalCode: '28013',
    city: 'Madrid',
    province: 'Madrid',
    country: 'ES',
  },
}

/** The owner at the computer, who confirms every check. */
export const OWNER_PRESENT: PersonCheck = { available: () => true, ask: async () => true }

/** The content of a store that was kept: a folder or a database, which new stores copy. */
export interface KeptStore {
  /** The folder, on the embedded engine. */
  content: string
  database?: TestDatabase
  at: string
  remove(): Promise<void>
}

export interface TestStore {
  env: AppEnvironment
  folder: string
  /** Moves the clock. */
  setTime(at: string): void
  /** Closes the store and opens it again, like a restart of the program; earlier contexts become invalid. */
  restart(): Promise<void>
  /** Runs SQL without any protection, like an attacker with the file and its key, or with the database. */
  tamper(...statements: string[]): Promise<void>
  /** Closes the store and keeps its content for others; its contexts become invalid. */
  keep(): Promise<KeptStore>
  /** Names of the background jobs that were woken. */
  wakes: string[]
  /** Returns a context without a book, as at set-up. */
  bookless(): Ctx
  /** Returns a context in a book, by default of the person in the window. */
  ctx(book: Book, actor?: Actor): Ctx
  /** Creates a company and returns its two books. */
  company(changes?: Partial<InputOf<'company.create'>>): Promise<Record<Mode, Book>>
}

interface NewStore {
  open: () => Promise<Store>
  tamper: TestStore['tamper']
  keep: () => Promise<Omit<KeptStore, 'at'>>
  remove: () => Promise<void>
}

/** Runs statements on the file without triggers, references and conditions. */
function tamperWithFile(folder: string, statements: readonly string[]): void {
  const masterKey = Buffer.from(readFileSync(join(folder, 'master.key'), 'utf8').trim(), 'hex')
  const connection = openDatabase({ folder, masterKey, role: 'writer', cacheKib: 1024 })
  try {
    const text = statements.join('\n')
    const triggers = (
      connection.all("select name, sql, tbl_name from sqlite_master where type = 'trigger'", []) as {
        name: string
        sql: string
        tbl_name: string
      }[]
    ).filter(({ tbl_name: table }) => text.includes(table))
    const { handle } = connection
    handle.pragma('foreign_keys = 0')
    handle.pragma('ignore_check_constraints = 1')
    for (const { name } of triggers) handle.exec(`drop trigger ${name}`)
    for (const statement of statements) handle.exec(statement)
    // Restored, so that only the change itself can be detected.
    for (const { sql } of triggers) handle.exec(sql)
  } finally {
    connection.close()
  }
}

/** Prepares an empty store of the engine that is tested: in a folder, or in a database of its own. */
async function newStore(folder: string, now: () => Date, from?: KeptStore): Promise<NewStore> {
  if (ENGINE === 'pg') {
    const database = from?.database ? await copyDatabase(from.database) : await takeDatabase()
    return {
      open: () => openOn(database, now),
      tamper: (...statements) => tamperWith(database, statements),
      keep: async () => {
        const kept = await copyDatabase(database)
        return { content: '', database: kept, remove: () => giveBackDatabase(kept) }
      },
      remove: () => giveBackDatabase(database),
    }
  }
  if (from) cpSync(from.content, folder, { recursive: true })
  else await copyTemplate(folder)
  return {
    open: () => openStore({ folder, keychain: null, now, create: true, cacheKib: 2048 }),
    tamper: async (...statements) => tamperWithFile(folder, statements),
    keep: async () => {
      const content = mkdtempSync(join(tmpdir(), 'sello-kept-'))
      cpSync(folder, content, { recursive: true })
      return { content, remove: async () => rmSync(content, { recursive: true, force: true }) }
    },
    remove: async () => {},
  }
}

/** Opens a store that is closed and removed at the end of the test. */
export async function openTestStore(
  options: { at?: string; environment?: Partial<AppEnvironment>; from?: KeptStore } = {},
): Promise<TestStore> {
  let now = new Date(options.at ?? options.from?.at ?? '2026-11-21T10:00:00+01:00')
  const folder = mkdtempSync(join(tmpdir(), 'sello-test-'))
  const { open, tamper, keep, remove } = await newStore(folder, () => now, options.from)
  const store = await open()
  onTestFinished(async () => {
    env.store.close()
    rmSync(folder, { recursive: true, force: true })
    await remove()
  })
  const wakes: string[] = []
  const env: AppEnvironment = {
    loadContracts,
    store,
    servers: null,
    people: null,
    version: '0.1.0',
    build: null,
    producer: { name: '', nif: '', address: '', systemId: '' },
    sandbox: false,
    mockEndpoint: null,
    portalMockEndpoint: null,
    platformMockEndpoint: null,
    returnsMockEndpoint: null,
    erpMockEndpoint: null,
    address: { restUrl: null, mcpUrl: null },
    person: OWNER_PRESENT,
    window: { pages: 0 },
    closeForRestore: null,
    now: () => now,
    newId: createIdMaker(() => now.getTime()),
    ledger,
    truth,
    related,
    documents: {
      make: async () => {
        throw new Error('This store draws no documents.')
      },
    },
    report: () => {},
    wake: (work) => wakes.push(work),
    ...options.environment,
  }
  const ctx = (book: Book, actor: Actor = PERSON): Ctx =>
    createCtx({
      env,
      book,
      actor,
      channel: actor.kind === 'key' ? 'rest' : 'ui',
      requestId: env.newId('req'),
    })
  const bookOf = async (id: string | undefined): Promise<Book> => {
    const book = await loadBook(env.store.reader, id ?? '')
    if (!book) throw new Error('The book was not made.')
    return book
  }
  return {
    env,
    folder,
    setTime: (at) => {
      now = new Date(at)
    },
    restart: async () => {
      env.store.close()
      env.store = await open()
    },
    tamper,
    keep: async () => {
      env.store.close()
      return { at: now.toISOString(), ...(await keep()) }
    },
    wakes,
    bookless: () => ctx(NO_BOOK),
    ctx,
    company: async (changes = {}) => {
      const { books } = await createCompany(ctx(NO_BOOK), companyInput(changes))
      return {
        live: await bookOf(books.find((book) => book.mode === 'live')?.id),
        test: await bookOf(books.find((book) => book.mode === 'test')?.id),
      }
    },
  }
}

/** Returns the example company with changes, as parsed by the contract. */
export function companyInput(
  changes: Partial<InputOf<'company.create'>> = {},
): Parameters<typeof createCompany>[1] {
  const { address, ...input } = { ...EXAMPLE_COMPANY, ...changes }
  return { ...input, ...(address === undefined ? {} : { address: address && { country: 'ES', ...address } }) }
}
