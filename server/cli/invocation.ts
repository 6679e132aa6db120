/** Reads the arguments of a command line: which command, with which options, and what is wrong with them. */
import { parseArgs } from 'node:util'
import { AppError } from '../domain/errors/app-error.ts'
import { buildCommands } from './build.ts'
import type { Command, Options, Values } from './shared.ts'

export type Commands = Readonly<Record<string, Command>>

const COMMON: Options = { data: { type: 'string' }, 'key-file': { type: 'string' } }

export interface Invocation {
  name: string
  command: Command
  values: Values
}

/** An error that names the wrong argument of a command line, for people. */
export class InvalidArgument extends AppError {
  readonly explanation: string

  constructor(explanation: string, details: Record<string, unknown>) {
    super('command_unknown', { details })
    this.explanation = explanation
  }
}

export function unknownCommand(name: string, commands: Commands): InvalidArgument {
  const [first = ''] = name.split(' ')
  const group = Object.keys(commands).filter((each) => each.startsWith(`${first} `))
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

/** Words in the longest name of a command. */
export const LONGEST_NAME = 3

/** Returns the name of the command in the first arguments, and their number. */
function commandName(argv: readonly string[], commands: Commands): { name: string; words: number } {
  const [first = 'help', second] = argv
  for (let words = Math.min(LONGEST_NAME, argv.length); words > 1; words -= 1) {
    const name = argv.slice(0, words).join(' ')
    if (Object.hasOwn(commands, name)) return { name, words }
  }
  const twoWords = `${first} ${second ?? ''}`.trim()
  const isGroup = Object.keys(commands).some((each) => each.startsWith(`${first} `))
  return { name: isGroup && second !== undefined && !second.startsWith('-') ? twoWords : first, words: 1 }
}

/** Finds the command and parses its options; `help` is asked for by an option too. Throws `command_unknown`. */
export function readInvocation(argv: readonly string[], commands: Commands, help: Command): Invocation {
  const isHelp = (word: string): boolean => word === '--help' || word === '-h'
  const { name, words } = commandName(
    argv.filter((word) => !isHelp(word)),
    commands,
  )
  if (['--version', '-V'].includes(argv[0] ?? ''))
    return { name: 'version', command: buildCommands.version, values: {} }
  if (argv.some(isHelp))
    return { name: 'help', command: help, values: name === 'help' ? {} : { COMMAND: name } }
  if (name === 'help' && argv.length > 1)
    return { name, command: help, values: { COMMAND: argv.slice(1).join(' ') } }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw unknownCommand(name, commands)
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

/** Returns the error of a command that this package does not contain. */
export function leftOut(command: string): InvalidArgument {
  return new InvalidArgument(
    'This package of Sello is for one computer and has no parts of an office: use the Debian package, or the sources.',
    { command, why: 'left_out' },
  )
}
