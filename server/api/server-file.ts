/** The file beside the books that tells other programs of this user where the server answers. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileWhole } from '../db/embedded/files/atomic-files.ts'
import { SERVER_FILE } from './recovery-mode/index.ts'

/** Publishes the server's address to other programs of this user. */
export function writeServerFile(dataDir: string, port: number, startedAt: Date, window: boolean): void {
  const content = { port, pid: process.pid, startedAt: startedAt.toISOString(), window }
  // Valid for this run only: it need not survive a power cut.
  writeFileWhole(join(dataDir, SERVER_FILE), `${JSON.stringify(content)}\n`)
}

/** Removes the file, unless it belongs to another process. */
export function removeServerFile(dataDir: string): void {
  const file = join(dataDir, SERVER_FILE)
  try {
    if (
      existsSync(file) &&
      (JSON.parse(readFileSync(file, 'utf8')) as { pid?: number }).pid === process.pid
    ) {
      rmSync(file)
    }
  } catch {
    // The file only informs; an unreadable one is replaced by the next start.
  }
}
