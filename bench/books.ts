/** The books for measurements: identical for each size, created through the product's own bulk import. */
import { embedded } from '../server/db/embedded/port.ts'
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

/** State of the record queue: answered by the simulated authority, only marked on the invoices, or unchanged. */
type Settling = 'sent' | 'marked' | 'pending'

export interface BookFolder {
  folder: string
  keyFile: string
  invoices: number
  /** An API key of the test book with every scope. */
  apiKey: string
}

const COMPANY = {
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

/** 3 lines per invoice, 50 drafts per 10,000, 5,000 customers for any size, from the start of the registry on. */
const MANY_CUSTOMERS = 5000
/** Larger books are created separately for each queue state: copying them would take as long and twice the disk space. */
const COPIED_UP_TO = 10_000
const PERSON: Actor = { kind: 'user', id: 'user', name: 'bench' }

/** A temporary folder for all files, deleted at the end. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), 'sello-bench-'))
  private readonly masters = new Map<string, Promise<BookFolder>>()
  private readonly say: (text: string) => void
  private copies = 0

  constructor(say: (text: string) => void) {
    this.say = say
  }

  /** Returns a folder of books of a size, created once per run. Open only copies of it. */
  master(invoices: number, settling: Settling, customers = MANY_CUSTOMERS): Promise<BookFolder> {
    const name = `${invoices}-${settling}-${customers}`
    let made = this.masters.get(name)
    if (!made)
      this.masters.set(name, (made = this.make(join(this.folder, name), invoices, settling, customers)))
    return made
  }

  /** Returns a writable copy of books. */
  copy(book: BookFolder): BookFolder {
    this.copies += 1
    const folder = join(this.folder, `copy-${this.copies}`)
    cpSync(book.folder, folder, { recursive: true })
    return { ...book, folder, keyFile: join(folder, 'bench.key') }
  }

  /** Returns an empty folder. */
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
      embedded(sello.env.store).checkpoint()
      return { folder, keyFile, invoices, apiKey: key }
    } finally {
      await sello.close()
    }
  }
}

/** Creates the company with its books, a key of the test book, and the invoices in it. */
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

/** Returns the test book of opened books. */
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
 * Sets statuses like those of an old book: of 100 invoices 95 accepted, 2 rejected, 1 accepted with errors, 2
 * waiting. Sending a million records takes minutes; lists read the status stored with the invoice, so that only this
 * is set.
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

/** Verifies the chain of a folder of books and reports it; a broken chain fails the run. */
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
