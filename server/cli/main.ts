/**
 * The command line. Programs read one JSON object, the last line of stdout; people read stderr. Secrets are read from
 * files and written to stdout, never passed in arguments; the environment may name the database of an office.
 */
import { createWriteStream, existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { OpenedSello } from '../api/application.ts'
import { accessCommands } from './access.ts'
import { backupCommands } from './backups.ts'
import { buildCommands } from './build.ts'
import type { CommandDoor, CommandRequest } from './door.ts'
import {
  booksOf,
  chosenBook,
  requiredOption,
  OWNER,
  portOf,
  printOnStdout,
  readFileOrStdin,
  readInputFile,
  readStdin,
  READS,
  runByName,
  text,
  withSello,
  optionFault,
  folderOf,
} from './shared.ts'
import type { Command, Io, Options, Settings, Values } from './shared.ts'
import { officeCommands } from './office/index.ts'
import { IN_OFFICE } from './office/settings.ts'
import { serveCommands } from './serve.ts'
import { AppError } from '../domain/errors/app-error.ts'
import type { ErrorBody } from '../domain/errors/app-error.ts'
import { isDiskFull } from '../db/disk-space.ts'
import type { Book } from '../context.ts'

const COMMON: Options = { data: { type: 'string' }, 'key-file': { type: 'string' } }

/** Returns the system's folder for application data, which Electron uses too. */
export function defaultDataDir(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const home = homedir()
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'sello')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'sello')
  return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'sello')
}

async function readJsonFile(file: string, field: string, io: Io): Promise<unknown> {
  const content = readFileOrStdin(file, field, io)
  const { readJson } = await import('../api/http/bodies.ts')
  try {
    return readJson(Buffer.from(content, 'utf8'))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw optionFault(field, `The file is not well-formed JSON (${String(error.details?.why)}).`)
  }
}

/** Error codes of the system or the database for an unusable folder or file; any other failure is a bug. */
const UNUSABLE =
  /^(EACCES|EEXIST|EISDIR|ELOOP|ENAMETOOLONG|ENOTDIR|EPERM|EROFS|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_IOERR|SQLITE_PERM)/

/** Converts the error of an unusable data folder or key file to a fault of its option; returns other errors unchanged. */
function pathFault(error: unknown, { dataDir, keyFile }: Settings): unknown {
  const { code, path } = error as { code?: unknown; path?: unknown }
  if (typeof code === 'string' && isDiskFull(code, dataDir))
    return new AppError('disk_full', { cause: error })
  if (typeof code !== 'string' || !UNUSABLE.test(code)) return error
  // The error for a folder read as a file contains no path, and only the key file is read without a check.
  if (keyFile !== undefined && (path === keyFile || code === 'EISDIR'))
    return optionFault(
      'key-file',
      `The key file cannot be used (${code}). Name a file that this user may read.`,
    )
  return optionFault(
    'data',
    `The folder or a file in it cannot be used (${code}). Name a folder that this user may write; verify, export and key list also read one that is not writable.`,
  )
}

const init: Command = {
  usage: 'init --company FILE.json|- [--sandbox]',
  about: 'Set up a company with its live and its test book. The company comes from a file or stdin (-).',
  options: { company: { type: 'string' }, sandbox: { type: 'boolean' } },
  forwardable: { files: ['company'] },
  async run(values, settings, io) {
    const file = requiredOption(values, 'company')
    const company = await readJsonFile(file, 'company', io)
    const [{ parseInput }, { createCompanyContract }, { NO_BOOK }] = await Promise.all([
      import('../api/run.ts'),
      import('../company/contract.ts'),
      import('../context.ts'),
    ])
    // Before the store is created, so that a mistake in the file leaves nothing behind.
    parseInput(createCompanyContract, company)
    const sandbox = values.sandbox === true
    const made = await withSello(
      settings,
      async (sello) => {
        if (sandbox && !sello.env.sandbox)
          throw optionFault('sandbox', 'These books were not created as a sandbox and cannot become one.')
        return (await runByName(sello, 'company.create', NO_BOOK, company)) as {
          companyId: string
          books: unknown
          warnings: { message: string }[]
        }
      },
      { create: true, sandbox },
    )
    for (const warning of made.warnings) io.say(warning.message)
    return { answer: { companyId: made.companyId, books: made.books } }
  },
}

/** Opens the channel from other command lines to this running Sello. */
export async function openDoor(sello: OpenedSello): Promise<CommandDoor> {
  const { openDoor: open } = await import('./door.ts')
  return open(sello, runRequest)
}

const verify: Command = {
  usage: 'verify',
  about: 'Verify the integrity of the books.',
  forwardable: {},
  options: {},
  async run(_values, settings, io) {
    const { checkLine, proveBooksOf, unseenLine } = await import('./verify.ts')
    const result = await proveBooksOf(settings)
    for (const check of result.checks) io.say(checkLine(check))
    for (const unseen of result.unseen) io.say(unseenLine(unseen))
    return { answer: result, exitCode: result.ok ? 0 : 1 }
  },
}

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

const demo: Command = {
  usage: 'demo [--invoices N] [--book ID]',
  about: 'Fill a test book with invented customers, invoices, purchases and payments.',
  options: { invoices: { type: 'string' }, book: { type: 'string' } },
  forwardable: {},
  async run(values, settings, io) {
    const asked = text(values, 'invoices') ?? '60'
    const invoices = Number(asked)
    if (!/^\d{1,7}$/.test(asked) || invoices < 1)
      throw optionFault('invoices', '--invoices is a whole number from 1.')
    const [{ fillBook, fillEveryday, FIRST_DAY }, { sendBook }, { setRegistryStatus }] = await Promise.all([
      import('../app/demo/index.ts'),
      import('../registry/index.ts'),
      import('../sales/invoices/index.ts'),
    ])
    const answer = await withSello(settings, async (sello) => {
      const book = await chosenBook(sello, { ...values, mode: 'test' })
      const filled = await fillBook(sello.ctx(book, OWNER), {
        invoices,
        progress: (done) => io.say(`${done} of ${invoices} invoices`),
      })
      const everyday = await fillEveryday(sello.ctx(book, OWNER), FIRST_DAY)
      await sendBook(sello.env, book, setRegistryStatus)
      return { book: book.publicId, ...filled, ...everyday }
    })
    return { answer }
  },
}

const authority: Command = {
  usage:
    'authority [--port N] [--client-ca F] [--out DIR] [--wait SECONDS] [--certificate-for NIF --name N [--kind person|representative|seal]]',
  about: 'Run the simulated authority as a SOAP server on this computer until it is stopped. Needs no books.',
  options: {
    port: { type: 'string' },
    'client-ca': { type: 'string' },
    out: { type: 'string' },
    wait: { type: 'string' },
    'certificate-for': { type: 'string' },
    name: { type: 'string' },
    kind: { type: 'string' },
  },
  async run(values, _settings, io) {
    const [clientCa, outDir, nif, kind] = ['client-ca', 'out', 'certificate-for', 'kind'].map((name) =>
      text(values, name),
    )
    const wait = text(values, 'wait')
    if (wait !== undefined && !/^\d{1,4}$/.test(wait))
      throw optionFault('wait', '--wait is a number of seconds up to 9999.')
    const { runAuthority } = await import('../registry/index.ts')
    await runAuthority(
      {
        port: portOf(text(values, 'port') ?? '0'),
        ...(clientCa === undefined ? {} : { clientCa: readInputFile(clientCa, 'client-ca') }),
        ...(outDir === undefined ? {} : { outDir }),
        ...(wait === undefined ? {} : { waitSeconds: Number(wait) }),
        ...(nif === undefined
          ? {}
          : {
              certificate: {
                nif,
                name: requiredOption(values, 'name'),
                ...(kind === undefined ? {} : { kind }),
              },
            }),
      },
      io,
    )
    return {}
  },
}

/** Options of every command of a desk. */
const EVERYWHERE =
  'Everywhere: --data DIR (or SELLO_DATA), --key-file F (or SELLO_KEY_FILE), --help, --version; serve and open also read SELLO_PORT.'

function helpOf(name: string, { usage, about, forwardable, inOffice }: Command): string {
  if (inOffice) return `Usage: sello ${usage}\n\n${about}\n\n${IN_OFFICE}`
  const running = forwardable
    ? 'While Sello runs, the running one does it.'
    : 'Works on books that no Sello has open.'
  const isOfBooks = !['help', 'version', 'verify-build', 'authority', 'serve', 'open'].includes(name)
  return `Usage: sello ${usage}\n\n${about}${isOfBooks ? `\n${running}` : ''}\n\n${EVERYWHERE}`
}

const help: Command = {
  usage: 'help [COMMAND]',
  about: 'Show the commands, or one of them.',
  options: {},
  positional: 'COMMAND',
  async run(values, _settings, io) {
    const name = text(values, 'COMMAND')
    const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (name !== undefined && command) return printOnStdout(io, helpOf(name, command), { command: name })
    const group = Object.entries(COMMANDS).filter(([each]) => each.startsWith(`${name ?? ''} `))
    if (name !== undefined && group.length === 0) throw unknownCommand(name)
    const listed = name === undefined ? Object.entries(COMMANDS) : group
    const lines = listed.map(([, { usage, about }]) => `  ${usage}\n      ${about}`)
    return printOnStdout(io, `Commands:\n${lines.join('\n')}\n\n${EVERYWHERE}\n${IN_OFFICE}`, {
      commands: listed.map(([each]) => each),
    })
  },
}

const COMMANDS: Readonly<Record<string, Command>> = {
  init,
  ...accessCommands,
  ...serveCommands(openDoor),
  verify,
  ...buildCommands,
  ...backupCommands,
  export: exportAll,
  pack,
  demo,
  authority,
  ...officeCommands(init),
  help,
}

interface Invocation {
  name: string
  command: Command
  values: Values
}

/** An error that names the wrong argument of a command line, for people. */
class InvalidArgument extends AppError {
  readonly explanation: string

  constructor(explanation: string, details: Record<string, unknown>) {
    super('command_unknown', { details })
    this.explanation = explanation
  }
}

function unknownCommand(name: string): InvalidArgument {
  const [first = ''] = name.split(' ')
  const group = Object.keys(COMMANDS).filter((each) => each.startsWith(`${first} `))
  const others = group.length > 0 ? ` Commands of this group: ${group.join(', ')}.` : ''
  return new InvalidArgument(`"${name}" is not a command.${others}`, { command: name })
}

/** Converts an error of `parseArgs` to a message of this program. */
function wrongOption(name: string, { usage, options, inOffice }: Command, error: unknown): InvalidArgument {
  const { code = 'unknown', message } = error as { code?: string; message: string }
  const [, option] = /'(-{1,2}[^\s']+)/.exec(message) ?? []
  const names = Object.keys({ ...(inOffice ? {} : COMMON), ...options }).map((each) => `--${each}`)
  const explanation =
    code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
      ? `${option ?? 'That'} is not an option of ${name}. Its options: ${names.join(', ')}.`
      : code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE'
        ? `${option ?? 'An option'} is used incorrectly: it needs a value, or does not accept one.`
        : 'There are too many arguments.'
  const details = { usage, why: code, ...(option ? { option } : {}) }
  return new InvalidArgument(`${explanation}\nUsage: sello ${usage}`, details)
}

/** Most words in the name of a command. */
const MOST_WORDS = 3

/** Returns the name of the command in the first arguments, and their number. */
function commandName(argv: readonly string[]): { name: string; words: number } {
  const [first = 'help', second] = argv
  for (let words = Math.min(MOST_WORDS, argv.length); words > 1; words -= 1) {
    const name = argv.slice(0, words).join(' ')
    if (Object.hasOwn(COMMANDS, name)) return { name, words }
  }
  const twoWords = `${first} ${second ?? ''}`.trim()
  const isGroup = Object.keys(COMMANDS).some((each) => each.startsWith(`${first} `))
  return { name: isGroup && second !== undefined && !second.startsWith('-') ? twoWords : first, words: 1 }
}

/** Finds the command and parses its options. Throws `command_unknown`. */
function readInvocation(argv: readonly string[]): Invocation {
  const isHelp = (word: string): boolean => word === '--help' || word === '-h'
  const { name, words } = commandName(argv.filter((word) => !isHelp(word)))
  if (['--version', '-V'].includes(argv[0] ?? ''))
    return { name: 'version', command: buildCommands.version, values: {} }
  if (argv.some(isHelp))
    return { name: 'help', command: help, values: name === 'help' ? {} : { COMMAND: name } }
  if (name === 'help' && argv.length > 1)
    return { name, command: help, values: { COMMAND: argv.slice(1).join(' ') } }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw unknownCommand(name)
  try {
    const { positional } = command
    const { values, positionals } = parseArgs({
      args: argv.slice(words),
      options: { ...(command.inOffice ? {} : COMMON), ...command.options },
      strict: true,
      allowPositionals: positional !== undefined,
    })
    if (positionals.length > 1)
      throw Object.assign(new Error('Too many arguments.'), { code: 'TOO_MANY_WORDS' })
    return {
      name,
      command,
      values: { ...(values as Values), ...(positional ? { [positional]: positionals[0] } : {}) },
    }
  } catch (error) {
    throw wrongOption(name, command, error)
  }
}

/** Prints a failure for people and for programs; returns the exit code. */
function printFailure(error: unknown, io: Io): number {
  const failure = error instanceof AppError ? error : new AppError('internal', { cause: error })
  if (failure.code === 'internal') io.say(String((error as Error).stack ?? error))
  else if (failure instanceof InvalidArgument) io.say(`${failure.explanation}\n${failure.text.next}`)
  else io.say(`${failure.text.message} ${failure.text.next}`)
  const faults = (failure.details?.faults ?? []) as { field: string; message: string }[]
  for (const fault of faults) io.say(`  ${fault.field}: ${fault.message}`)
  io.answer(JSON.stringify({ error: failure.toBody() }))
  return EXIT_CODES[failure.code] ?? 1
}

/** Runs a command received through the channel of this Sello. */
export async function runRequest(request: CommandRequest, sello: OpenedSello, io: Io): Promise<number> {
  try {
    const { command: name, values } = request
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (!command?.forwardable) throw new AppError('command_unknown', { details: { command: name } })
    const known = Object.entries(command.options)
    const fits = Object.entries(values).every(([each, value]) =>
      known.some(([option, { type }]) => option === each && typeof value === type),
    )
    if (!fits) throw new AppError('command_unknown', { details: { usage: command.usage } })
    const settings: Settings = { dataDir: folderOf(sello), keyFile: undefined, running: sello }
    const { answer, exitCode = 0 } = await command.run(values, settings, io)
    if (answer !== undefined) io.answer(JSON.stringify(answer))
    return exitCode
  } catch (error) {
    return printFailure(error, io)
  }
}

/** Number and interval of attempts to reach a Sello that holds the lock but does not answer yet: it may be starting. */
const DOOR_TRIES = 10
const DOOR_PAUSE_MS = 300

/** Runs a command in the Sello that has the books open; null if there is none. */
async function runElsewhere(
  { name, command, values }: Invocation,
  dataDir: string,
  io: Io,
): Promise<number | null> {
  const { forwardable } = command
  if (!forwardable || !existsSync(dataDir)) return null
  const { absolutePaths, callRunningSello: askDoor } = await import('./door.ts')
  const { data: _data, 'key-file': _keyFile, ...options } = values
  const stdin = Object.values(options).includes('-') ? readStdin(io) : null
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const request: CommandRequest = {
    version: 1,
    command: name,
    values: absolutePaths(given, forwardable.files ?? []),
    stdin,
  }
  return askDoor(dataDir, request, io)
}

/** Returns the refusal of a command whose parts this package leaves out; any other error unchanged. */
function withoutOffice(name: string, error: unknown): unknown {
  const { code, url = '' } = error as { code?: unknown; url?: string }
  // Any other missing file is damage.
  if (code !== 'ERR_MODULE_NOT_FOUND' || !/\/office\b[\w-]*\.js$/.test(url)) return error
  return new InvalidArgument(
    'This package of Sello is for one computer and has no parts of an office: use the Debian package, or the sources.',
    { command: name, why: 'left_out' },
  )
}

/** Runs a command on the books directly, or in a Sello that opened them in the meantime. */
async function runHere(invocation: Invocation, settings: Settings, io: Io): Promise<number> {
  const { command, values } = invocation
  for (let tries = 0; ; tries += 1)
    try {
      const { answer, exitCode = 0 } = await command.run(values, settings, io)
      if (answer !== undefined) io.answer(JSON.stringify(answer))
      return exitCode
    } catch (error) {
      const isInUse = error instanceof AppError && error.code === 'store_in_use'
      if (!isInUse || !command.forwardable || tries === DOOR_TRIES)
        throw command.inOffice ? withoutOffice(invocation.name, error) : pathFault(error, settings)
      const exit = await runElsewhere(invocation, settings.dataDir, io)
      if (exit !== null) return exit
      await pause(DOOR_PAUSE_MS)
    }
}

const EXIT_CODES: Readonly<Partial<Record<ErrorBody['code'], number>>> = {
  store_in_use: 3,
  port_taken: 3,
  command_unknown: 2,
}

/** Returns the same streams with a stdin that can be read again: for a running Sello, and then here. */
function withStdinStored(io: Io): Io {
  let given: string | undefined
  return { ...io, stdin: () => (given ??= readStdin(io)) }
}

/** Runs one command; returns the exit code of the process. */
export async function runCommand(argv: readonly string[], streams: Io): Promise<number> {
  const io = withStdinStored(streams)
  try {
    const invocation = readInvocation(argv)
    const { values } = invocation
    const settings: Settings = {
      dataDir: text(values, 'data') ?? (io.env.SELLO_DATA || defaultDataDir(io.env)),
      keyFile: text(values, 'key-file') ?? (io.env.SELLO_KEY_FILE || undefined),
      upgrading: () =>
        io.say('Upgrading the books to this version, after a backup: very large books take some minutes.'),
    }
    return (await runElsewhere(invocation, settings.dataDir, io)) ?? (await runHere(invocation, settings, io))
  } catch (error) {
    return printFailure(error, io)
  }
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process immediately. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        resolve()
      })
  })
}

// Runs only as a program, from source or as a bundle; tests import `runCommand`.
if (
  process.argv[1] &&
  existsSync(process.argv[1]) &&
  realpathSync(process.argv[1]) === realpathSync(import.meta.filename)
) {
  // The reader of stdout may stop early, as in `help | head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  process.exitCode = await runCommand(process.argv.slice(2), {
    env: process.env,
    answer: (line) => void process.stdout.write(`${line}\n`),
    say: (line) => void process.stderr.write(`${line}\n`),
    isTerminal: process.stdout.isTTY,
    untilStopped,
  })
}
