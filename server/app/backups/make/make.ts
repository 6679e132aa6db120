/**
 * Making one backup: `vacuum into` a temporary name, prove the copy, sync, rename. Whatever interrupts it leaves the old
 * set as it was. `db.backup()` cannot be used (it fails on an encrypted file), nor `serialize()` (it gives plain text).
 */
import { chmodSync, copyFileSync, mkdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { failpoint } from '../../../db/failpoints.ts'
import { openDatabase } from '../../../db/open.ts'
import { renameDurably, syncFile } from '../../../db/files/atomic-files.ts'
import type { BackupReason } from './reasons.ts'
import { canonicalHash } from '../proof/canonical-export.ts'
import { BackupFault } from './fault.ts'
import { backupName, PART_FILE } from './names.ts'
import { hashOfFile } from './pieces.ts'
import { COPY_CACHE_KIB, proveCopy } from '../proof/prove.ts'

export interface BackupRequest {
  /** Of the books. */
  folder: string
  /** Where the backup goes; it is made when its parent is there. */
  to: string
  masterKey: Uint8Array
  reason: BackupReason
  /** The instant that the name tells, in milliseconds since 1970. */
  at: number
}

/** Room that must be left for the system and for the books themselves. */
const SPARE_BYTES = 16 * 1024 * 1024
/** How often a copy is begun anew because the books changed in the instant between the two looks at them. */
const TRIES = 5

/** Throws `no_space` unless `bytes` more fit into a folder's disk. */
export function checkDiskSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free < bytes + SPARE_BYTES)
    throw new BackupFault('no_space', `${free} bytes are free, ${bytes + SPARE_BYTES} are needed`)
}

/** The folder, made for this user alone when it is not there; its parent is not, as that may be a disk that is missing. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}

/** Removes what was begun of a copy, and the journal beside it: SQLite leaves it where the disk was full. */
export function dropPart(part: string): void {
  for (const end of ['', '-journal']) rmSync(`${part}${end}`, { force: true })
}

/**
 * A copy of the books as they are at one moment, with its hash. Nobody who writes is held up: a reading transaction keeps
 * that moment for the hash, while `vacuum into`, which allows none around it, copies on a connection of its own. A commit
 * just between the beginnings of the two shows as different hashes, and the copy is made again.
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

/** Makes a backup, proves it and gives it its name, which it answers. Throws a `BackupFault` or what the system says. */
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
 * Puts a proved backup into a second folder under the same name, and compares what came to lie there. The files are equal
 * byte for byte, so the proof of the first holds for the second.
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
