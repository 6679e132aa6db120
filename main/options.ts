/** Start options: flags, then environment, then the defaults shared with the command line. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'

export interface LaunchOptions {
  dataDir: string
  /** True if a flag or the environment named the folder; a missing one may be on a disk that is not connected. */
  folderIsNamed: boolean
  /** 0 takes any free port. */
  port: number
  /** The port, if a flag or the environment named it. */
  namedPort?: number
  keyFile?: string
  /** Only the server, without a window. */
  headless: boolean
}

const DEFAULT_PORT = 4545
const FLAGS = {
  data: { type: 'string' },
  port: { type: 'string' },
  'key-file': { type: 'string' },
  headless: { type: 'boolean' },
} as const

/**
 * Parses the start options. `appData` is the system's folder for application data. Flags of Chromium and Electron
 * (`--no-sandbox`) are ignored. Throws a `RangeError` for an invalid port.
 */
export function launchOptions(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  appData: string,
): LaunchOptions {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: FLAGS,
  })
  const keyFile = text(values['key-file']) ?? text(env.SELLO_KEY_FILE)
  const named = text(values.data) ?? text(env.SELLO_DATA)
  const port = text(values.port) ?? text(env.SELLO_PORT)
  return {
    dataDir: named ?? join(appData, 'sello'),
    folderIsNamed: named !== undefined,
    port: portOf(port),
    ...(port === undefined ? {} : { namedPort: portOf(port) }),
    ...(keyFile ? { keyFile } : {}),
    headless: values.headless === true,
  }
}

/** Returns the links and files to open: arguments that are neither flags nor their values. */
export function openedArguments(argv: readonly string[]): string[] {
  const { positionals } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    options: FLAGS,
  })
  return positionals
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function portOf(value: string | undefined): number {
  if (value === undefined) return DEFAULT_PORT
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535) throw new RangeError(`Not a port: ${value}`)
  return port
}
