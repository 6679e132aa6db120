/** Shared parts of the commands: options, opening the books, and reading input files. */
import type { EmbeddedStore } from '../db/embedded/port.ts'
import { accessSync, constants, readFileSync } from 'node:fs'
import type { ParseArgsConfig } from 'node:util'
import type { OpenedSello, OpenOptions } from '../api/application.ts'
import { AppError, validationFailed } from '../domain/errors/app-error.ts'
import type { Actor, Book } from '../context.ts'

export type Options = NonNullable<ParseArgsConfig['options']>
export type Values = Record<string, string | boolean | undefined>

export interface Io {
  env: NodeJS.ProcessEnv
  /** Prints the one line for programs. */
  answer: (line: string) => void
  /** Prints text for people. */
  say: (text: string) => void
  /** Returns stdin up to its end; without it the stdin of the process is read. */
  stdin?: () => string
  /** True if a person reads stdout: no line for programs follows text for people. */
  isTerminal?: boolean
  /** Resolves when the process is asked to end. */
  untilStopped: () => Promise<void>
}

export interface Settings {
  dataDir: string
  keyFile: string | undefined
  upgrading?: () => void
  /** The books opened by a running Sello, for a command received through its channel. */
  running?: OpenedSello
}

export interface Command {
  usage: string
  about: string
  /** More text for its own help, loaded when it is shown. */
  details?: () => Promise<string>
  options: Options
  /** Works on the database of an office, without a folder of books: what all such commands have in common, for their help. */
  inOffice?: string
  /** Forwarded to a running Sello that has the books open; `files` are options that name files or folders. */
  forwardable?: { files?: readonly string[] }
  /** Name in `values` of the one argument without an option, if the command has one. */
  positional?: string
  /** Returns the JSON for stdout; `undefined` if it has printed it itself. */
  run: (values: Values, settings: Settings, io: Io) => Promise<{ answer?: unknown; exitCode?: number }>
}

/** The person at the terminal: a user who can open the books may do everything that a person may. */
export const OWNER: Actor = { kind: 'user', id: 'user', name: 'command line' }

/** Creates the fault of an option, or of the content of its file. */
export function optionFault(field: string, message: string): AppError {
  return validationFailed([{ code: 'wrong_format', field, severity: 'error', message }])
}

const DEFAULT_PORT = 4545

/** Returns the port of an option. Throws `validation_failed`. */
export function portOf(value: string | undefined): number {
  if (value === undefined) return DEFAULT_PORT
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw optionFault('port', 'A port is a number from 0 to 65535.')
  return port
}

/** Returns the text of an option; undefined if it is missing or empty. */
export function text(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the text of a required option. Throws `validation_failed`. */
export function requiredOption(values: Values, name: string): string {
  const value = text(values, name)
  if (value === undefined)
    throw validationFailed([
      {
        code: 'required',
        field: name,
        severity: 'error',
        // Arguments without an option are in upper case in the list of commands, options in lower case.
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

/** Throws `validation_failed` for a file that does not exist or is not readable by this user. */
export function assertReadable(file: string, field: string): void {
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    throw notReadable(error, field)
  }
}

/** Reads the file of an option. Throws `validation_failed` if it cannot be read. */
export function readInputBytes(file: string, field: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw notReadable(error, field)
  }
}

/** Reads it as text. */
export function readInputFile(file: string, field: string): string {
  return readInputBytes(file, field).toString('utf8')
}

/** Returns what the command was given on stdin. */
export function readStdin(io: Pick<Io, 'stdin'>): string {
  return io.stdin?.() ?? readFileSync(0, 'utf8')
}

/** Reads a file as text, or stdin if the file is `-`. */
export function readFileOrStdin(file: string, field: string, io: Pick<Io, 'stdin'>): string {
  return file === '-' ? readStdin(io) : readInputFile(file, field)
}

/** For commands that write nothing in the books: read-only media are allowed. */
export const READS = { mayOnlyRead: true } as const

/** Opens the books, runs the work and closes them again. Throws `store_in_use` while another program has them open. */
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

/** Returns the folder of the open books; only those of a desk are opened here. */
export function folderOf({ env }: OpenedSello): string {
  return (env.store as EmbeddedStore).folder
}

/** Returns all books. */
export async function booksOf(sello: OpenedSello): Promise<Book[]> {
  const { listBooks } = await import('../company/index.ts')
  return listBooks(sello.env.store.reader)
}

/** Returns the one book selected by --mode and --book. Throws `validation_failed` if several match. */
export async function chosenBook(sello: OpenedSello, values: Values): Promise<Book> {
  const books = await booksOf(sello)
  const wanted = text(values, 'book')
  const mode = text(values, 'mode')
  if (wanted === undefined && mode === undefined) throw optionFault('mode', '--mode is test or live.')
  if (mode !== undefined && mode !== 'test' && mode !== 'live')
    throw optionFault('mode', '--mode is test or live.')
  const fitting = books.filter(
    (book) =>
      (wanted === undefined || book.publicId === wanted) && (mode === undefined || book.mode === mode),
  )
  const [book, ...others] = fitting
  if (!book) throw new AppError('not_found', { field: 'book' })
  if (others.length > 0)
    throw optionFault(
      'book',
      `These books contain several companies; name the book with --book: ${fitting.map((one) => one.publicId).join(', ')}.`,
    )
  return book
}

/** Writes text for people on stdout, followed by the line for programs unless stdout is a terminal. */
export function printOnStdout(io: Io, text: string, answer: unknown): { answer?: unknown } {
  io.answer(text)
  return io.isTerminal ? {} : { answer }
}
