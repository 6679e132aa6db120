/** The books that are measured: always the same ones for a size, made through the product's own bulk path. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSello } from '../server/api/application.ts'
import type { OpenedSello } from '../server/api/application.ts'
import { listBooks } from '../server/platform/books/index.ts'
import { SCOPES } from '../server/domain/contract/scopes.ts'
import { NO_BOOK } from '../server/context.ts'
import type { Actor, Book } from '../server/context.ts'
import { fillBook } from '../server/app/demo/index.ts'
import { setRegistryStatus } from '../server/sales/invoices/index.ts'
import { loadOperation } from '../server/api/operations.ts'
import { proveChain, sendBook } from '../server/registry/index.ts'
import { runOperation } from '../server/api/run.ts'

/** How the queue of records is left: answered by the simulated authority, only marked on the invoices, or untouched. */
export type Settling = 'sent' | 'marked' | 'pending'

export interface BookFolder {
  folder: string
  keyFile: string
  invoices: number
  /** An API key of the test book with every scope. */
  apiKey: string
}

export const COMPANY = {
  legalName: 'Talleres Norte SL',
  nif: 'B12345674',
  address: {
    street: 'Calle Mayor 1',
    postalCode: '28013',
    city: 'Madrid',
    province: 'Madrid',
    country: 'ES',
  },
}

/** 3 lines an invoice, 50 drafts for 10,000, 5,000 customers whatever the size, since the registry began. */
export const MANY_CUSTOMERS = 5000
/** Larger books are filled anew for each way of settling: copying them would take as long and twice the disk. */
const COPIED_UP_TO = 10_000
const PERSON: Actor = { kind: 'user', id: 'user', name: 'bench' }

/** A temporary folder for everything, deleted at the end. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), 'sello-bench-'))
  private readonly masters = new Map<string, Promise<BookFolder>>()
  private readonly say: (text: string) => void
  private copies = 0

  constructor(say: (text: string) => void) {
    this.say = say
  }

  /** A folder of books of a size, made once in a run. Open copies of it, never itself. */
  master(invoices: number, settling: Settling, customers = MANY_CUSTOMERS): Promise<BookFolder> {
    const name = `${invoices}-${settling}-${customers}`
    let made = this.masters.get(name)
    if (!made)
      this.masters.set(name, (made = this.make(join(this.folder, name), invoices, settling, customers)))
    return made
  }

  /** A copy of books that may be changed. */
  copy(book: BookFolder): BookFolder {
    this.copies += 1
    const folder = join(this.folder, `copy-${this.copies}`)
    cpSync(book.folder, folder, { recursive: true })
    return { ...book, folder, keyFile: join(folder, 'bench.key') }
  }

  /** An empty folder. */
  empty(name: string): string {
    const folder = join(this.folder, name)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  private async make(
    folder: string,
    invoices: number,
    settling: Settling,
    customers: number,
  ): Promise<BookFolder> {
    const keyFile = join(folder, 'bench.key')
    const filled =
      settling !== 'pending' && invoices <= COPIED_UP_TO
        ? await this.master(invoices, 'pending', customers)
        : null
    if (filled) cpSync(filled.folder, folder, { recursive: true })
    else this.say(`Filling books with ${invoices} invoices…`)
    const sello = await openSello({ dataDir: folder, keyFile, create: filled === null, keychain: null })
    try {
      const { book, key } = filled
        ? { book: await testBook(sello), key: filled.apiKey }
        : await fill(sello, invoices, customers)
      if (settling === 'sent') await sendBook(sello.env, book, setRegistryStatus)
      if (settling === 'marked') await markStatuses(sello, book)
      const proof = await proveChain(sello.ctx(book))
      if (!proof.ok)
        throw new Error(`The chain of the benchmark's books is wrong: ${JSON.stringify(proof.broken)}`)
      this.say(`chain ok ${proof.records}`)
      sello.env.store.checkpoint()
      return { folder, keyFile, invoices, apiKey: key }
    } finally {
      await sello.close()
    }
  }
}

/** The company with its books, a key of the test book, and the invoices in it. */
async function fill(
  sello: OpenedSello,
  invoices: number,
  contacts: number,
): Promise<{ book: Book; key: string }> {
  await call(sello, NO_BOOK, 'company.create', COMPANY)
  const book = await testBook(sello)
  const { key } = await call<{ key: string }>(sello, book, 'keys.createByPerson', {
    name: 'bench',
    scopes: [...SCOPES],
  })
  if (invoices > 0)
    await fillBook(sello.ctx(book), { invoices, lines: 3, contacts, drafts: Math.ceil(invoices / 200) })
  return { book, key }
}

/** The test book of opened books. */
export async function testBook(sello: OpenedSello): Promise<Book> {
  const book = (await listBooks(sello.env.store.reader)).find(({ mode }) => mode === 'test')
  if (!book) throw new Error('The benchmark has no test book.')
  return book
}

/** Runs an operation as the person at the computer. */
export async function call<T>(sello: OpenedSello, book: Book, name: string, input: unknown): Promise<T> {
  const operation = await loadOperation(name)
  return (await runOperation(operation, sello.ctx(book, PERSON), input)) as T
}

/**
 * Gives the invoices states as an old book has them: of 100, 95 accepted, 2 rejected, 1 accepted with errors, 2 waiting.
 * Sending a million records takes minutes; lists look at the invoices' own copy of the state, so that is what is set.
 */
async function markStatuses(sello: OpenedSello, book: Book): Promise<void> {
  const rows = await sello.env.store.reader
    .selectFrom('invoices')
    .select(['id', 'sequence'])
    .where('book_id', '=', book.id)
    .where('state', '=', 'issued')
    .execute()
  for (let at = 0; at < rows.length; at += 5000) {
    await sello.ctx(book).transaction(async (tx) => {
      for (const { id, sequence } of rows.slice(at, at + 5000)) {
        const place = (sequence ?? 0) % 100
        if (place < 95) await setRegistryStatus(tx, id, 'accepted')
        else if (place < 97) await setRegistryStatus(tx, id, 'rejected')
        else if (place === 97) await setRegistryStatus(tx, id, 'accepted_with_errors')
      }
    })
  }
}

/** Proves the chain of a folder of books and says so; a wrong chain fails the run. */
export async function proveBooks(book: BookFolder, say: (text: string) => void): Promise<void> {
  const sello = await openSello({ dataDir: book.folder, keyFile: book.keyFile, keychain: null })
  try {
    const proof = await proveChain(sello.ctx(await testBook(sello)))
    if (!proof.ok) throw new Error(`The chain is wrong after the run: ${JSON.stringify(proof.broken)}`)
    say(`chain ok ${proof.records}`)
  } finally {
    await sello.close()
  }
}
