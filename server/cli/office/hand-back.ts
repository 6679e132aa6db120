/** The commands that hand a company back to its owner as one file, and take it back. */
import { createWriteStream, existsSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { OpenedSello } from '../../api/application.ts'
import type { Book } from '../../context.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { optionFault, OWNER, readFileOrStdin, requiredOption, text } from '../shared.ts'
import type { Command, Values } from '../shared.ts'
import { withOffice } from './open.ts'
import { IN_OFFICE, OFFICE_OPTIONS } from './settings.ts'

/** Returns the file that does not exist yet. Throws `validation_failed`. */
function newFile(values: Values): string {
  const file = resolve(requiredOption(values, 'file'))
  if (existsSync(file)) throw optionFault('file', 'That file exists already. Name one that does not exist.')
  if (!existsSync(dirname(file))) throw optionFault('file', 'The folder of that file does not exist.')
  return file
}

/** Returns the live book of a company. Throws `company_not_here`. */
async function liveBookOf({ env }: OpenedSello, company: string): Promise<Book> {
  const { booksOfCompany } = await import('../../platform/books/index.ts')
  const row = await env.store.reader
    .selectFrom('companies')
    .select('id')
    .where('public_id', '=', company)
    .executeTakeFirst()
  const books = row ? await booksOfCompany(env.store.readerOf(row.id), row.id) : []
  const live = books.find(({ mode }) => mode === 'live')
  if (!live) throw new AppError('company_not_here', { details: { company } })
  return live
}

/** Runs an operation of an office as whoever has the command line, who has read what it does. */
async function runInOffice(
  sello: OpenedSello,
  book: Book,
  name: `companies.${'handBack' | 'handBackOffer' | 'takeBack'}`,
  input: object,
): Promise<unknown> {
  const [{ officeOperations }, { runOperation }] = await Promise.all([
    import('../../api/office.ts'),
    import('../../api/run.ts'),
  ])
  const found = officeOperations.find(({ facts }) => facts.name === name)
  if (!found) throw new Error(`No operation is called ${name}.`)
  return runOperation(await found.load(), sello.ctx(book, OWNER), input)
}

interface Offer {
  nif: string
  code: string
  groups: string[]
}

/** Writes what arrives to a file that appears when it is whole. */
async function writeWhole(stream: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const { renameDurably, syncFile } = await import('../../db/embedded/files/atomic-files.ts')
  const part = `${file}.part`
  try {
    await pipeline(stream, createWriteStream(part, { mode: 0o600 }))
    syncFile(part)
    renameDurably(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

const handBack: Command = {
  usage: 'office hand-back COMPANY --file FILE [--code-file F|-]',
  about:
    'Hand a company back to its owner: all of it in one encrypted file that the restore of a desk opens with a code. From then on the office only reads the company. Without --code-file a code is made and shown once. Run again for the same rows in another file.',
  positional: 'COMPANY',
  inOffice: IN_OFFICE,
  options: { ...OFFICE_OPTIONS, file: { type: 'string' }, 'code-file': { type: 'string' } },
  run: (values, _settings, io) => {
    const company = requiredOption(values, 'COMPANY')
    const file = newFile(values)
    const codeFile = text(values, 'code-file')
    const given = codeFile === undefined ? null : readFileOrStdin(codeFile, 'code-file', io).trim()
    return withOffice(values, io, async (sello) => {
      const book = await liveBookOf(sello, company)
      const offer = (await runInOffice(sello, book, 'companies.handBackOffer', {})) as Offer
      const { stream } = (await runInOffice(sello, book, 'companies.handBack', {
        nif: offer.nif,
        code: given ?? offer.code,
      })) as { stream: AsyncIterable<Uint8Array> }
      await writeWhole(stream, file)
      if (given === null)
        io.say('Write the code down and hand it over apart from the file: it is shown only now.')
      return {
        answer: {
          company,
          file,
          bytes: statSync(file).size,
          ...(given === null ? { code: offer.groups.join('-') } : {}),
        },
      }
    })
  },
}

const takeBack: Command = {
  usage: 'office take-back COMPANY',
  about:
    'Let a company that was handed back be written in the office again, if nobody has opened the file. Its live book issues nothing before a new installation is begun in it.',
  positional: 'COMPANY',
  inOffice: IN_OFFICE,
  options: OFFICE_OPTIONS,
  run: (values, _settings, io) => {
    const company = requiredOption(values, 'COMPANY')
    return withOffice(values, io, async (sello) => {
      const book = await liveBookOf(sello, company)
      const { nif } = (await runInOffice(sello, book, 'companies.handBackOffer', {})) as Offer
      await runInOffice(sello, book, 'companies.takeBack', { nif })
      return { answer: { company } }
    })
  },
}

export const handBackCommands: Readonly<Record<string, Command>> = {
  'office hand-back': handBack,
  'office take-back': takeBack,
}
