/** The command line of an office for tests, over a database of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommand } from '../../../server/cli/main.ts'
import { giveBackDatabase, takeBareDatabase, takeDatabase, testKey } from './databases.ts'
import type { TestDatabase } from './databases.ts'

interface Ran {
  code: number
  /** The last line of stdout, parsed. */
  answer: any
  said: string
}

export interface OfficeTerminal {
  folder: string
  database: TestDatabase
  /** Variables that name the database and the key. */
  env: Record<string, string>
  run(...argv: string[]): Promise<Ran>
  /** Runs with other variables. */
  runWith(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<Ran>
  file(name: string, content: string | Uint8Array): string
}

/** Runs a command in this process. */
async function runOnce(env: NodeJS.ProcessEnv, argv: readonly string[]): Promise<Ran> {
  const lines: string[] = []
  const said: string[] = []
  const code = await runCommand(argv, {
    env,
    answer: (line) => lines.push(line),
    say: (text) => said.push(text),
    untilStopped: async () => {},
  })
  return { code, answer: JSON.parse(lines.at(-1) ?? 'null') as unknown, said: said.join('\n') }
}

/** Creates a terminal with a migrated database, or with a `bare` one. Its files are removed when the test ends. */
export async function officeTerminal({ bare = false } = {}): Promise<OfficeTerminal> {
  const folder = mkdtempSync(join(tmpdir(), 'sello-office-'))
  const database = await (bare ? takeBareDatabase() : takeDatabase())
  onTestFinished(async () => {
    await giveBackDatabase(database)
    rmSync(folder, { recursive: true, force: true })
  })
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name)
    writeFileSync(path, content, { mode: 0o600 })
    return path
  }
  const env = {
    SELLO_OFFICE_URL: database.url,
    SELLO_OFFICE_MIGRATION_URL: database.ownerUrl,
    SELLO_OFFICE_KEY_FILE: file('master.key', testKey()),
  }
  return {
    folder,
    database,
    env,
    file,
    run: (...argv) => runOnce(env, argv),
    runWith: (others, ...argv) => runOnce(others, argv),
  }
}
