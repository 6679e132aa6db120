/**
 * The command line. Programs read one JSON object, the last line of stdout; people read stderr. Secrets are read from
 * files and written to stdout, never passed in arguments; the environment may name the database of an office.
 */
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenedSello } from '../api/application.ts'
import { accessCommands } from './access.ts'
import { backupCommands } from './backups.ts'
import { buildCommands } from './build.ts'
import type { CommandDoor, CommandRequest } from './door.ts'
import { exportCommands } from './exports.ts'
import { leavingCommands } from './leaving.ts'
import { InvalidArgument, leftOut, LONGEST_NAME, readInvocation, unknownCommand } from './invocation.ts'
import type { Commands, Invocation } from './invocation.ts'
import {
  chosenBook,
  requiredOption,
  OWNER,
  portOf,
  printOnStdout,
  readFileOrStdin,
  readInputFile,
  readStdin,
  runByName,
  text,
  withSello,
  optionFault,
  folderOf,
} from './shared.ts'
import type { Command, Io, Settings } from './shared.ts'
import { platform } from './platform.ts'
import { serveCommands } from './serve.ts'
import { AppError } from '../domain/errors/app-error.ts'
import type { ErrorBody } from '../domain/errors/app-error.ts'
import { isDiskFull } from '../db/disk-space.ts'

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
    'authority [--registry NAME] [--returns [--powers HOLDER:FILER[:HOW],…]] [--port N] [--client-ca F] [--out DIR] [--wait SECONDS] [--certificate-for NIF --name N [--kind person|representative|seal]]',
  about:
    'Run the simulated authority as a server on this computer until it is stopped: the registry of invoices or, with --returns, the services that take tax returns. Needs no books.',
  options: {
    registry: { type: 'string' },
    returns: { type: 'boolean' },
    port: { type: 'string' },
    'client-ca': { type: 'string' },
    out: { type: 'string' },
    wait: { type: 'string' },
    powers: { type: 'string' },
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
    if (wait !== undefined && values['returns'] === true)
      throw optionFault('wait', '--wait is for the registry: the services of returns ask for no wait.')
    const powers = text(values, 'powers')
    if (powers !== undefined && values['returns'] !== true)
      throw optionFault('powers', '--powers is for the services of returns: add --returns.')
    const command = {
      port: portOf(text(values, 'port') ?? '0'),
      ...(clientCa === undefined ? {} : { clientCa: readInputFile(clientCa, 'client-ca') }),
      ...(outDir === undefined ? {} : { outDir }),
      ...(nif === undefined
        ? {}
        : {
            certificate: {
              nif,
              name: requiredOption(values, 'name'),
              ...(kind === undefined ? {} : { kind }),
            },
          }),
    }
    if (values['returns'] === true) {
      const { runReturnsAuthority } = await import('../accounting/returns/index.ts')
      await runReturnsAuthority({ ...command, ...(powers === undefined ? {} : { powers }) }, io)
    } else {
      const { REGISTRIES, runAuthority } = await import('../registry/index.ts')
      const registry = text(values, 'registry')
      if (registry !== undefined && !REGISTRIES.includes(registry))
        throw optionFault('registry', `--registry is one of: ${REGISTRIES.join(', ')}.`)
      await runAuthority(
        registry,
        { ...command, ...(wait === undefined ? {} : { waitSeconds: Number(wait) }) },
        io,
      )
    }
    return {}
  },
}

const portal: Command = {
  usage:
    'portal [--port N] [--units F] [--out DIR] [--certificate-for NIF --name N [--kind person|representative|seal]]',
  about:
    'Run the simulated portal for invoices to public bodies (FACe) as a server on this computer until it is stopped. It takes the same signed messages, and its control port moves invoices to other states. --units names a file of OFFICE;BODY;UNIT, one a line; without it every office is known. Needs no books.',
  options: {
    port: { type: 'string' },
    units: { type: 'string' },
    out: { type: 'string' },
    'certificate-for': { type: 'string' },
    name: { type: 'string' },
    kind: { type: 'string' },
  },
  async run(values, _settings, io) {
    const [units, outDir, nif, kind] = ['units', 'out', 'certificate-for', 'kind'].map((name) =>
      text(values, name),
    )
    const { runPortal } = await import('../integrations/portal/index.ts')
    await runPortal(
      {
        port: portOf(text(values, 'port') ?? '0'),
        ...(units === undefined ? {} : { units: readInputFile(units, 'units') }),
        ...(outDir === undefined ? {} : { outDir }),
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

/** Commands that need no books. */
const OUTSIDE_BOOKS = ['help', 'version', 'verify-build', 'authority', 'platform', 'portal', 'serve', 'open']

function helpOf(name: string, { usage, about, forwardable, inOffice }: Command): string {
  if (inOffice) return `Usage: sello ${usage}\n\n${about}\n\n${inOffice}`
  const running = forwardable
    ? 'While Sello runs, the running one does it.'
    : 'Works on books that no Sello has open.'
  const isOfBooks = !OUTSIDE_BOOKS.includes(name)
  return `Usage: sello ${usage}\n\n${about}${isOfBooks ? `\n${running}` : ''}\n\n${EVERYWHERE}`
}

const help: Command = {
  usage: 'help [COMMAND]',
  about: 'Show the commands, or one of them.',
  options: {},
  positional: 'COMMAND',
  async run(values, _settings, io) {
    const name = text(values, 'COMMAND')
    const office = await loadOfficeCommands()
    if (!office && isOfOffice(name)) throw leftOut(name)
    const commands = office ? withOffice(office) : ON_DESK
    const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
    if (name !== undefined && command) {
      const details = await command.details?.()
      const shown = [helpOf(name, command), ...(details === undefined ? [] : [details])].join('\n\n')
      return printOnStdout(io, shown, { command: name })
    }
    const group = Object.entries(commands).filter(([each]) => each.startsWith(`${name ?? ''} `))
    if (name !== undefined && group.length === 0) throw unknownCommand(name, commands)
    const listed = name === undefined ? Object.entries(commands) : group
    const lines = listed.map(([, { usage, about }]) => `  ${usage}\n      ${about}`)
    const inOffice = listed.find(([, each]) => each.inOffice)?.[1].inOffice
    const everywhere = [EVERYWHERE, ...(inOffice ? [inOffice] : [])].join('\n')
    return printOnStdout(io, `Commands:\n${lines.join('\n')}\n\n${everywhere}`, {
      commands: listed.map(([each]) => each),
    })
  },
}

/** The commands of a desk; those of an office are loaded when they are needed, as a start does not. */
const ON_DESK: Commands = {
  init,
  ...accessCommands,
  ...serveCommands(openDoor),
  verify,
  ...buildCommands,
  ...backupCommands,
  ...exportCommands,
  ...leavingCommands,
  demo,
  authority,
  platform,
  portal,
  help,
}

/** Returns all commands in the order of the help. */
function withOffice(office: Commands): Commands {
  const { help: last, ...others } = ON_DESK
  return { ...others, ...office, ...(last ? { help: last } : {}) }
}

/** Loads the commands of an office; null if this package leaves them out. Any other missing file is damage. */
async function loadOfficeCommands(): Promise<Commands | null> {
  try {
    const { officeCommands } = await import('./office/index.ts')
    return officeCommands(init)
  } catch (error) {
    const { code, url = '' } = error as { code?: unknown; url?: string }
    if (code === 'ERR_MODULE_NOT_FOUND' && /\/office\b[\w-]*\.js$/.test(url)) return null
    throw error
  }
}

function isOfOffice(name: string | undefined): name is string {
  return name === 'office' || name?.startsWith('office ') === true
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
    const command = Object.hasOwn(ON_DESK, name) ? ON_DESK[name] : undefined
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

/** Returns the commands among which these arguments name one. */
async function commandsFor(argv: readonly string[]): Promise<Commands> {
  if (!isOfOffice(argv[0])) return ON_DESK
  const office = await loadOfficeCommands()
  if (office) return withOffice(office)
  throw leftOut(
    argv
      .slice(0, LONGEST_NAME)
      .filter((word) => !word.startsWith('-'))
      .join(' '),
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
        throw command.inOffice ? error : pathFault(error, settings)
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
    const invocation = readInvocation(argv, await commandsFor(argv), help)
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
