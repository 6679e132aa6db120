/** What the app was started with: flags, then environment, then the defaults that the command line shares. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'

export interface LaunchOptions {
  dataDir: string
  /** The folder was named by a flag or the environment; a missing one may lie on a disk that is not connected. */
  folderIsNamed: boolean
  /** 0 takes any free port. */
  port: number
  /** The same where a flag or the environment named it. */
  namedPort?: number
  keyFile?: string
  /** The server alone, without a window. */
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
 * `appData` is the system's folder for application data. Flags of Chromium and Electron (`--no-sandbox`) pass by
 * unread. Throws a `RangeError` for a port that is none.
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

/** What the app was asked to open: the words that are neither flags nor their values. */
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
