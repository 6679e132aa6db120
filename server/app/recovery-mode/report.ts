/** Text report for support: facts about the computer, the folder and the fault, and no content of the books. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { homedir, release } from 'node:os'
import { join } from 'node:path'
import { readKeyring } from '../../db/embedded/keys/keyring.ts'
import { SCHEMA_VERSION } from '../../db/migrations/version.ts'
import type { StartFault } from './contract.ts'

/** Files of Sello; others in the folder are only counted, because their names may be confidential. */
const OURS = [
  'sello.db',
  'sello.db-wal',
  'sello.db-shm',
  'keyring.json',
  'recovery.json',
  'master.key',
  'high-water.json',
  'restore.json',
  'store.lock',
  'server.json',
]

function folderLines(folder: string): string[] {
  try {
    const names = readdirSync(folder)
    const files = OURS.filter((name) => names.includes(name)).map((name) => {
      const { size, mtime, mode } = statSync(join(folder, name))
      return `  ${name}: ${size} bytes, ${mtime.toISOString()}, mode ${(mode & 0o777).toString(8)}`
    })
    return [...files, `  others: ${names.filter((name) => !OURS.includes(name)).length}`]
  } catch (error) {
    return [`  not readable: ${(error as { code?: string }).code ?? 'unknown'}`]
  }
}

function protectionOf(folder: string): string {
  try {
    return (existsSync(folder) ? readKeyring(folder)?.protection : null) ?? 'none'
  } catch {
    return 'not readable'
  }
}

/** Returns the report, without the user's name from the home folder's path. */
export function reportOf(trouble: StartFault, facts: { version: string; now: Date }): string {
  const home = homedir()
  const hidden = (text: string): string => (home.length > 1 ? text.replaceAll(home, '~') : text)
  return `${[
    'Sello: facts for support. It holds no invoices, contacts, keys or codes.',
    '',
    `made: ${facts.now.toISOString()}`,
    `version: ${facts.version}, schema ${SCHEMA_VERSION}`,
    `system: ${process.platform} ${release()} ${process.arch}, Node ${process.versions.node}`,
    `trouble: ${trouble.kind} (${trouble.code})`,
    `file: ${trouble.file === null ? '-' : hidden(trouble.file)}`,
    `schema of the books: ${trouble.versions ? trouble.versions.store : 'not known'}`,
    `other Sello: ${trouble.other ? `process ${trouble.other.pid}` : '-'}`,
    `free: ${trouble.freeBytes === null ? 'not known' : `${trouble.freeBytes} bytes`}`,
    `key kept by: ${protectionOf(trouble.folder)}`,
    `folder: ${hidden(trouble.folder)}`,
    ...folderLines(trouble.folder),
  ].join('\n')}\n`
}
