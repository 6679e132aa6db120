/** What the tests of backups look at: the whole canonical export of a file, and a backup opened as books of their own. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { canonicalExport } from '../../server/backups/canonical.ts'
import { openDatabase } from '../../server/store/open.ts'

/** The key of books that keep it beside them. */
export function keyOf(folder: string): Buffer {
  return Buffer.from(readFileSync(join(folder, 'master.key'), 'utf8').trim(), 'hex')
}

/** The text that the hash is made of. */
export function exportOf(folder: string, file?: string, masterKey = keyOf(folder)): string {
  const place = file === undefined ? { folder } : { folder, file }
  const connection = openDatabase({ ...place, masterKey, role: 'reader', cacheKib: 1024 })
  try {
    connection.handle.exec('begin')
    return [...canonicalExport(connection)].join('')
  } finally {
    connection.close()
  }
}

/** A backup put in place of the books in a folder of its own, with their key beside it. */
export function openedElsewhere(folder: string, backup: string): string {
  const elsewhere = mkdtempSync(join(tmpdir(), 'sello-elsewhere-'))
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }))
  copyFileSync(backup, join(elsewhere, 'sello.db'))
  for (const file of ['keyring.json', 'master.key']) copyFileSync(join(folder, file), join(elsewhere, file))
  return elsewhere
}
