/** A company of an office with something in every list, and all that can be read of it without further input. */
import { officeOperations } from '../../../server/api/office.ts'
import { PERSON } from '../../../server/api/http/index.ts'
import { runOperation } from '../../../server/api/run.ts'
import { fillBook, fillEveryday, FIRST_DAY } from '../../../server/app/demo/index.ts'
import type { OpenedSello } from '../../../server/app/environment.ts'
import { NO_BOOK } from '../../../server/context.ts'
import type { Book } from '../../../server/context.ts'
import { AppError } from '../../../server/domain/errors/app-error.ts'
import { loadBook } from '../../../server/platform/books/index.ts'
import { EXAMPLE_COMPANY } from '../store.ts'

/** Of the installation by their nature, or about other systems. */
const isOfInstallation = (name: string): boolean =>
  ['session.get', 'demo.state'].includes(name) || /^(?:companies|console|people)\./.test(name)

async function run(sello: OpenedSello, name: string, input: unknown, book: Book): Promise<unknown> {
  const entry = officeOperations.find(({ facts }) => facts.name === name)
  if (!entry) throw new Error(`No operation is called ${name}.`)
  return runOperation(await entry.load(), sello.ctx(book, PERSON), input)
}

/** Creates a company and returns its test book, with 40 invoices and what a business does on its days. */
export async function makeCompany(sello: OpenedSello): Promise<Book> {
  const { books } = (await run(sello, 'company.create', EXAMPLE_COMPANY, NO_BOOK)) as {
    books: { id: string; mode: string }[]
  }
  const book = await loadBook(sello.env.store.reader, books.find(({ mode }) => mode === 'test')?.id ?? '')
  if (!book) throw new Error('The book was not made.')
  await fillBook(sello.ctx(book), { invoices: 40, contacts: 12, lines: 2 })
  await fillEveryday(sello.ctx(book), FIRST_DAY)
  return book
}

/** Returns the operations that read a book and answer without input, by name. */
export async function readOperations(
  sello: OpenedSello,
  book: Book,
): Promise<ReadonlyMap<string, () => Promise<unknown>>> {
  const found = new Map<string, () => Promise<unknown>>()
  for (const { facts } of officeOperations) {
    if (facts.effect !== 'read' || isOfInstallation(facts.name)) continue
    const read = () => run(sello, facts.name, {}, book)
    try {
      await read()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      continue
    }
    found.set(facts.name, read)
  }
  return found
}
