/**
 * Makes one backup: `vacuum into` a temporary name, verify the copy, sync, rename. An interruption leaves the
 * existing backups unchanged. `db.backup()` cannot be used (it fails on an encrypted file), nor `serialize()` (it
 * returns plain text).
 */
import { chmodSync, copyFileSync, mkdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { failpoint } from '../../../db/failpoints.ts'
import { openDatabase } from '../../../db/embedded/open.ts'
import { renameDurably, syncFile } from '../../../db/embedded/files/atomic-files.ts'
import type { BackupReason } from './reasons.ts'
import { canonicalHash } from '../proof/canonical-export.ts'
import { BackupFault } from './fault.ts'
import { backupName, PART_FILE } from './names.ts'
import { hashOfFile } from './pieces.ts'
import { COPY_CACHE_KIB, proveCopy } from '../proof/prove.ts'

export interface BackupRequest {
  /** Folder of the books. */
  folder: string
  /** Destination folder; created when its parent exists. */
  to: string
  masterKey: Uint8Array
  reason: BackupReason
  /** The instant in the name, in milliseconds since 1970. */
  at: number
}

/** Disk space to leave free for the system and for the books. */
const SPARE_BYTES = 16 * 1024 * 1024
/** Attempts to copy while the books change between the two snapshots. */
const TRIES = 5

/** Throws `no_space` unless the disk of a folder has room for `bytes` more. */
export function checkDiskSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free < bytes + SPARE_BYTES)
    throw new BackupFault('no_space', `${free} bytes are free, ${bytes + SPARE_BYTES} are needed`)
}

/** Creates the folder, for this user only, when it is missing; never its parent, which may be an unmounted disk. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}

/** Removes a partial copy and its journal, which SQLite leaves behind on a full disk. */
export function dropPart(part: string): void {
  for (const end of ['', '-journal']) rmSync(`${part}${end}`, { force: true })
}

/**
 * Copies the books as of one moment and returns the hash. Writers are not blocked: a read transaction fixes the
 * moment for the hash, while `vacuum into`, which allows no surrounding transaction, copies on its own connection. A
 * commit between the two starts shows as different hashes, and the copy is made again.
 */
export async function copyBooks(
  { folder, to, masterKey }: Pick<BackupRequest, 'folder' | 'to' | 'masterKey'>,
  part: string,
): Promise<string> {
  const open = (role: 'reader' | 'copier') =>
    openDatabase({ folder, masterKey, role, cacheKib: COPY_CACHE_KIB })
  const moment = open('reader')
  const copier = open('copier')
  const commits = (): unknown => copier.handle.pragma('data_version', { simple: true })
  try {
    const pages = moment.handle.pragma('page_count', { simple: true }) as number
    checkDiskSpace(to, pages * (moment.handle.pragma('page_size', { simple: true }) as number))
    for (let tries = 1; ; tries += 1) {
      dropPart(part)
      const before = commits()
      moment.handle.exec('begin')
      moment.handle.prepare('select count(*) from sqlite_schema').get()
      copier.handle.prepare('vacuum into ?').run(part)
      const source = canonicalHash(moment)
      moment.handle.exec('commit')
      chmodSync(part, 0o600)
      const copy = await proveCopy({ folder: to, file: PART_FILE, masterKey })
      if (copy === source) return source
      if (commits() === before) throw new BackupFault('differs', 'the copy is not equal to the books')
      if (tries === TRIES) throw new BackupFault('busy', `the books changed at each of ${TRIES} tries`)
    }
  } finally {
    moment.close()
    copier.close()
  }
}

/** Makes and verifies a backup, gives it its final name and returns that. Throws a `BackupFault` or a system error. */
export async function makeBackup(request: BackupRequest): Promise<string> {
  const { to, reason, at } = request
  prepareFolder(to)
  const part = join(to, PART_FILE)
  try {
    const sha256 = await copyBooks(request, part)
    const name = backupName(new Date(at), reason, sha256)
    syncFile(part)
    failpoint('backup.proved')
    renameDurably(part, join(to, name))
    failpoint('backup.named')
    return name
  } catch (error) {
    dropPart(part)
    throw error
  }
}

/**
 * Copies a verified backup to a second folder under the same name and compares the files. They are identical byte for
 * byte, so the verification of the first applies to the second.
 */
export function copyBackup(from: string, name: string, to: string): void {
  prepareFolder(to)
  const source = join(from, name)
  const part = join(to, PART_FILE)
  try {
    checkDiskSpace(to, statSync(source).size)
    copyFileSync(source, part)
    chmodSync(part, 0o600)
    syncFile(part)
    if (hashOfFile(source) !== hashOfFile(part))
      throw new BackupFault('differs', 'the second copy is not equal to the first')
    renameDurably(part, join(to, name))
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}
