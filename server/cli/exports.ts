/** The commands that write a book for others: all its files, and an inspector's pack. */
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { OpenedSello } from '../api/application.ts'
import type { Book } from '../context.ts'
import { AppError } from '../domain/errors/app-error.ts'
import {
  booksOf,
  chosenBook,
  optionFault,
  OWNER,
  READS,
  requiredOption,
  runByName,
  text,
  withSello,
} from './shared.ts'
import type { Command } from './shared.ts'

/** Creates a new folder, so that nothing is overwritten and no older files are mixed in. */
function makeExportFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (readdirSync(folder).length > 0)
      throw optionFault('to', 'Name a folder that is empty or does not exist yet.')
  } catch (error) {
    if (error instanceof AppError) throw error
    throw optionFault('to', `The folder cannot be used (${(error as { code?: string }).code ?? 'unknown'}).`)
  }
}

/** Returns the document of an invoice, waiting for its rendering; null if it was never rendered and cannot be stored. */
async function documentOf(sello: OpenedSello, book: Book, id: string): Promise<Uint8Array | null> {
  for (;;) {
    try {
      return ((await runByName(sello, 'invoices.pdf', book, { id })) as { bytes: Uint8Array }).bytes
    } catch (error) {
      const { name, code } = error as { name: string; code?: string }
      if (sello.env.store.writeFault && (name === 'DocumentPending' || code === 'store_readonly')) return null
      if (name !== 'DocumentPending') throw error
    }
  }
}

/**
 * Writes every issued invoice and its document, one at a time. Returns the numbers of invoices and of missing
 * documents.
 */
async function exportInvoices(
  sello: OpenedSello,
  book: Book,
  to: string,
  name: string,
): Promise<{ invoices: number; withoutDocument: number }> {
  const folders = { invoices: join(to, 'invoices', name), documents: join(to, 'documents', name) }
  let written = 0
  let withoutDocument = 0
  let cursor: string | null = null
  do {
    const page = (await runByName(sello, 'invoices.list', book, {
      state: 'issued',
      sort: 'number',
      limit: 100,
      ...(cursor === null ? {} : { cursor }),
    })) as { items: { id: string; number: string }[]; nextCursor: string | null }
    if (page.items.length > 0)
      for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const { id, number } of page.items) {
      // A series code may contain a slash.
      const file = number.replaceAll('/', '%2F')
      const invoice = await runByName(sello, 'invoices.get', book, { id })
      const options = { mode: 0o600, flag: 'wx' }
      await writeFile(
        join(folders.invoices, `${file}.json`),
        `${JSON.stringify(invoice, null, 2)}\n`,
        options,
      )
      const document = await documentOf(sello, book, id)
      if (document) await writeFile(join(folders.documents, `${file}.pdf`), document, options)
      else withoutDocument += 1
      written += 1
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  return { invoices: written, withoutDocument }
}

const exportAll: Command = {
  usage: 'export --to DIR',
  about:
    'Write the content of the books into an empty folder: registry/ (records as XML, with an index), and the issued invoices as invoices/ (JSON) and documents/ (PDF). It is not encrypted.',
  options: { to: { type: 'string' } },
  forwardable: { files: ['to'] },
  async run(values, settings, io) {
    const to = requiredOption(values, 'to')
    const [{ exportRecordsTo }, { findCompany }] = await Promise.all([
      import('../registry/index.ts'),
      import('../company/index.ts'),
    ])
    const books = await withSello(
      settings,
      async (sello) => {
        makeExportFolder(to)
        const done: { book: string; folder: string; records: number; invoices: number }[] = []
        for (const book of await booksOf(sello)) {
          const ctx = sello.ctx(book, OWNER)
          const folder = `${(await findCompany(ctx)).nif}-${book.mode}`
          const records = await exportRecordsTo(ctx, join(to, 'registry', folder))
          const { invoices, withoutDocument } = await exportInvoices(sello, book, to, folder)
          io.say(`${folder}: ${records} records, ${invoices} invoices with their documents`)
          if (withoutDocument > 0)
            io.say(
              `${folder}: ${withoutDocument} documents have not been created, and cannot be while the books are read-only.`,
            )
          done.push({ book: book.publicId, folder, records, invoices })
        }
        return done
      },
      READS,
    )
    io.say('These files are not encrypted: keep them where only authorized people can read them.')
    return { answer: { to, books } }
  },
}

const pack: Command = {
  usage: 'pack [--book ID | --mode test|live] [--years YYYY[-YYYY]] --out FILE.zip',
  about:
    'Write a book, or some years of it, as one archive for an inspector, with a page that verifies it without Sello. It is not encrypted.',
  options: {
    book: { type: 'string' },
    mode: { type: 'string' },
    years: { type: 'string' },
    out: { type: 'string' },
  },
  forwardable: { files: ['out'] },
  async run(values, settings, io) {
    const out = requiredOption(values, 'out')
    const asked = text(values, 'years')
    const [, from, to = from] = /^(\d{4})(?:-(\d{4}))?$/.exec(asked ?? '') ?? []
    if (asked !== undefined && from === undefined)
      throw optionFault('years', '--years takes a year or a range, such as 2026 or 2024-2026.')
    const input = from === undefined ? {} : { from: Number(from), to: Number(to) }
    if (existsSync(out)) throw optionFault('out', 'Name a file that does not exist yet.')
    const answer = await withSello(settings, async (sello) => {
      const book = await chosenBook(sello, values)
      const { stream } = (await runByName(sello, 'books.inspectorPack', book, input)) as {
        stream: AsyncIterable<Uint8Array>
      }
      const file = createWriteStream(out, { flags: 'wx', mode: 0o600 })
      try {
        await pipeline(stream, file)
      } catch (error) {
        // A partial file must not pass for a complete one.
        rmSync(out, { force: true })
        throw error
      }
      return { out, book: book.publicId, bytes: file.bytesWritten }
    })
    io.say('These files are not encrypted: keep them where only authorized people can read them.')
    return { answer }
  },
}

export const exportCommands = { export: exportAll, pack }
