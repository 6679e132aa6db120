/** What every command works with: its options, the books it opens, and what it reads from files. */
import { accessSync, constants, readFileSync } from 'node:fs'
import type { ParseArgsConfig } from 'node:util'
import type { OpenedSello, OpenOptions } from '../api/application.ts'
import { AppError, validationFailed } from '../domain/errors/catalog.ts'
import type { Actor, Book } from '../context.ts'

export type Options = NonNullable<ParseArgsConfig['options']>
export type Values = Record<string, string | boolean | undefined>

export interface Io {
  env: NodeJS.ProcessEnv
  /** The one line for programs. */
  answer: (line: string) => void
  /** Text for people. */
  say: (text: string) => void
  /** What is written on stdin, to its end. */
  stdin?: () => string
  /** A person reads stdout: no line for programs follows text for people. */
  isTerminal?: boolean
  /** Resolves when the process is asked to end. */
  untilStopped: () => Promise<void>
}

export interface Settings {
  dataDir: string
  keyFile: string | undefined
  upgrading?: () => void
  /** The books as a running Sello has them open, for a command that came in through its door. */
  running?: OpenedSello
}

export interface Command {
  usage: string
  about: string
  options: Options
  /** Runs in a Sello that has the books open, too; `files` are options that name files or folders. */
  whileRunning?: { files?: readonly string[] }
  /** Name under which `values` holds the one word that stands without an option, where a command takes one. */
  word?: string
  /** Answers the JSON for stdout; `undefined` when it has printed it itself. */
  run: (values: Values, settings: Settings, io: Io) => Promise<{ answer?: unknown; exitCode?: number }>
}

/** The person at the terminal: whoever can open the books can do all that a person may. */
export const OWNER: Actor = { kind: 'user', id: 'user', name: 'command line' }

/** The fault of an option, or of what the file it names holds. */
export function wrong(field: string, message: string): AppError {
  return validationFailed([{ code: 'wrong_format', field, severity: 'error', message }])
}

/** The text of an option; undefined when it was not given or is empty. */
export function text(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The text of an option that has to be given. Throws `validation_failed`. */
export function needed(values: Values, name: string): string {
  const value = text(values, name)
  if (value === undefined)
    throw validationFailed([
      {
        code: 'required',
        field: name,
        severity: 'error',
        // A word of its own is written in capitals where the commands are listed, an option in small letters.
        message: `${/[a-z]/.test(name) ? `--${name}` : name} is required.`,
      },
    ])
  return value
}

function notReadable(error: unknown, field: string): AppError {
  return validationFailed([
    {
      code: 'not_readable',
      field,
      severity: 'error',
      message: `The file cannot be read (${(error as { code?: string }).code ?? 'unknown'}).`,
    },
  ])
}

/** Throws `validation_failed` for a file that is not there or not for this user. */
export function assertReadable(file: string, field: string): void {
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    throw notReadable(error, field)
  }
}

/** A file that an option names. Throws `validation_failed` when it cannot be read. */
export function readInputBytes(file: string, field: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw notReadable(error, field)
  }
}

/** The same, as text. */
export function readInputFile(file: string, field: string): string {
  return readInputBytes(file, field).toString('utf8')
}

/** For commands that write nothing in the books: media that cannot be written will do. */
export const READS = { mayOnlyRead: true } as const

/** Opens the books, works with them and closes them again. Throws `store_in_use` while another program has them. */
export async function withSello<T>(
  settings: Settings,
  work: (sello: OpenedSello) => Promise<T>,
  options: {
    create?: boolean
    sandbox?: boolean
    mayOnlyRead?: boolean
    beforeOpening?: OpenOptions['beforeOpening']
  } = {},
) {
  const { running, ...rest } = settings
  if (running) return work(running)
  const { openSello } = await import('../api/application.ts')
  const sello = await openSello({ ...rest, ...options })
  try {
    return await work(sello)
  } finally {
    await sello.close()
  }
}

/** Runs an operation as the person at the terminal. */
export async function runByName(
  sello: OpenedSello,
  name: string,
  book: Book,
  input: unknown,
): Promise<unknown> {
  const [{ loadOperation }, { runOperation }] = await Promise.all([
    import('../api/operations.ts'),
    import('../api/run.ts'),
  ])
  return runOperation(await loadOperation(name), sello.ctx(book, OWNER), input)
}

/** Every book there is. */
export async function booksOf(sello: OpenedSello): Promise<Book[]> {
  const { listBooks } = await import('../company/index.ts')
  return listBooks(sello.env.store.reader)
}

/** The one book that --mode and --book name. Throws `validation_failed` when they name several. */
export async function chosenBook(sello: OpenedSello, values: Values): Promise<Book> {
  const books = await booksOf(sello)
  const wanted = text(values, 'book')
  const mode = text(values, 'mode')
  if (wanted === undefined && mode === undefined) throw wrong('mode', '--mode is test or live.')
  if (mode !== undefined && mode !== 'test' && mode !== 'live') throw wrong('mode', '--mode is test or live.')
  const fitting = books.filter(
    (book) =>
      (wanted === undefined || book.publicId === wanted) && (mode === undefined || book.mode === mode),
  )
  const [book, ...others] = fitting
  if (!book) throw new AppError('not_found', { field: 'book' })
  if (others.length > 0)
    throw wrong(
      'book',
      `Several companies are kept here; name the book with --book: ${fitting.map((one) => one.publicId).join(', ')}.`,
    )
  return book
}
