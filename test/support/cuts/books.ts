/** Checks that books after a power cut or a fault keep their guarantees. */
import { openSello } from '../../../server/api/application.ts'
import type { OpenedSello } from '../../../server/api/application.ts'
import { listBooks } from '../../../server/platform/books/index.ts'
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import type { Book, Mode } from '../../../server/context.ts'
import { PERSON } from '../../../server/api/http/index.ts'
import { loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import { checkBooks } from '../../../server/app/integrity/index.ts'
import { draftOf } from './load.ts'

type Invoice = OutputOf<'invoices.get'>

/** The acknowledged content of the books, by id. */
type Promised = Map<string, Pick<Invoice, 'number' | 'contentHash'> & { recordHash: string | null }>

function isInvoice(data: unknown): data is Invoice {
  const { id, registry, lines } = (data ?? {}) as Partial<Invoice>
  return typeof id === 'string' && registry !== undefined && lines !== undefined
}

/** Returns the invoices and drafts in successful answers. The last answer on each counts. */
export function promisedIn(answers: readonly unknown[]): Promised {
  const promised: Promised = new Map()
  for (const answer of answers) {
    const { data } = (answer ?? {}) as { data?: unknown }
    if (!isInvoice(data)) continue
    const { id, number, contentHash, registry } = data
    promised.set(id, { number, contentHash, recordHash: registry.hash ?? null })
  }
  return promised
}

/** Opens the books of a folder as the next start does. */
function openBooks(folder: string): Promise<OpenedSello> {
  return openSello({ dataDir: folder, create: true, keychain: null, cacheKib: 1024 })
}

/** Counts drafts and issued invoices of a folder, in all its books. */
export async function countInvoices(folder: string): Promise<number> {
  const sello = await openBooks(folder)
  try {
    return (await sello.env.store.reader.selectFrom('invoices').select('id').execute()).length
  } finally {
    await sello.close()
  }
}

/**
 * Lists the violated guarantees of a book as sentences; empty if there are none. With `goOn` another invoice must be
 * issuable.
 */
export async function broken(
  folder: string,
  promised: Promised,
  { goOn = true, mode = 'test' }: { goOn?: boolean; mode?: Mode } = {},
): Promise<string[]> {
  const sello = await openBooks(folder)
  try {
    const faults: string[] = []
    const { checks } = await checkBooks(sello.env, (book) => sello.ctx(book))
    for (const { ok, name, detail } of checks) if (!ok) faults.push(`${name}: ${detail}`)
    const book = (await listBooks(sello.env.store.reader)).find((one) => one.mode === mode)
    if (!book) return promised.size > 0 ? [...faults, 'There are no books.'] : faults
    const { reader } = sello.env.store
    const rows = await reader
      .selectFrom('invoices')
      .leftJoin('registry_records', 'registry_records.invoice_id', 'invoices.id')
      .leftJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
      .where('invoices.book_id', '=', book.id)
      .select(['invoices.public_id', 'invoices.number', 'content_hash', 'registry_records.hash', 'status'])
      .execute()
    const hex = (hash: Uint8Array | null): string | null =>
      hash === null ? null : Buffer.from(hash).toString('hex')
    const held = new Map(rows.map((row) => [row.public_id, row]))
    for (const [id, { number, contentHash, recordHash }] of promised) {
      const row = held.get(id)
      if (!row) faults.push(`${number ?? 'A draft'} is lost.`)
      else if (number !== null && row.number !== number) faults.push(`${number} is ${row.number} now.`)
      else if (number !== null && hex(row.content_hash) !== contentHash?.toLowerCase())
        faults.push(`${number} has other contents.`)
      else if (recordHash !== null && hex(row.hash) !== recordHash.toLowerCase())
        faults.push(`${number} has lost its record.`)
      else if (recordHash !== null && row.status === null) faults.push(`${number} is not in the queue.`)
    }
    if (goOn) faults.push(...(await goesOn(sello, book, rows.filter(({ number }) => number !== null).length)))
    return faults
  } finally {
    await sello.close()
  }
}

async function goesOn(sello: OpenedSello, book: Book, issued: number): Promise<string[]> {
  const run = async <Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
  ): Promise<OutputOf<Name>> => {
    const operation = await loadOperation(name)
    return (await runOperation(operation, sello.ctx(book, PERSON), input)) as OutputOf<Name>
  }
  const { id } = await run('invoices.create', draftOf(issued))
  const { confirmation, issues } = await run('invoices.validate', { id })
  if (!confirmation) return [`Nothing can be issued: ${issues.map(({ code }) => code).join(', ')}.`]
  const { confirmationToken } = confirmation
  const { number } = await run('invoices.issue', { id, confirmationToken })
  return Number(number?.split('-').at(-1)) === issued + 1 ? [] : [`After ${issued} invoices comes ${number}.`]
}
