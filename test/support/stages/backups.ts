/** Helpers for tests of backups: the canonical export of a file, and a backup opened as books of its own. */
import { embedded } from '../../../server/db/embedded/port.ts'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { canonicalExport } from '../../../server/app/backups/proof/canonical-export.ts'
import { makePortableAt } from '../../../server/app/backups/index.ts'
import { sha256Hex } from '../../../server/domain/sha256.ts'
import { restoreBooks } from '../../../server/app/maintenance/restore-books.ts'
import type { Restored, RestoreRequest } from '../../../server/app/maintenance/restore-books.ts'
import { openDatabase } from '../../../server/db/embedded/open.ts'
import { keyOf } from '../key-of.ts'
import type { World } from '../world.ts'

export { keyOf }

/** Returns the text of which the hash is made. */
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

/** Restores a backup to a separate folder, with the key beside it. */
export function openedElsewhere(folder: string, backup: string): string {
  const elsewhere = mkdtempSync(join(tmpdir(), 'sello-elsewhere-'))
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }))
  copyFileSync(backup, join(elsewhere, 'sello.db'))
  for (const file of ['keyring.json', 'master.key']) copyFileSync(join(folder, file), join(elsewhere, file))
  return elsewhere
}

/** Returns a missing folder inside a temporary one. */
export function cleanFolder(): string {
  const within = mkdtempSync(join(tmpdir(), 'sello-clean-'))
  onTestFinished(() => rmSync(within, { recursive: true, force: true }))
  return join(within, 'books')
}

/** Creates a recovery code for the books of a world. */
export function keepCode(world: World): string {
  const fresh = embedded(world.env.store).newRecoveryCode()
  fresh.confirm()
  return fresh.code
}

/** Creates a portable backup of a world's books, as the command line does. */
export async function portableOf(world: World): Promise<string> {
  const file = `${cleanFolder()}.sellobak`
  await makePortableAt(world.ctx(), file)
  return file
}

/** Restores as the command line does, with the code only; the key is then in a file beside the books. */
export function restoreWith(
  folder: string,
  file: string,
  code: string | null,
  changes: Partial<RestoreRequest> = {},
): Promise<Restored> {
  return restoreBooks({
    folder,
    file,
    code,
    keychain: null,
    now: () => new Date('2026-07-02T08:00:00Z'),
    ...changes,
  })
}

/** Returns every file of a folder with its bytes, without the empty lock: to check that nothing was changed. */
export function everythingIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name !== 'store.lock' && statSync(join(folder, name)).isFile(),
  )
  return Object.fromEntries(files.map((name) => [name, sha256Hex(readFileSync(join(folder, name)))]))
}
