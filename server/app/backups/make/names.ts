/**
 * Names of backups: `sello-20261122T180300123Z-daily-<hash>.db` contains the time, the reason, and the hash of the
 * content.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupReason } from './reasons.ts'

/** Extension of the single file that opens anywhere with the recovery code. */
export const PORTABLE_EXTENSION = '.sellobak'

/** Name of a file in progress: never listed as a backup, and overwritten by the next one. */
export const PART_FILE = 'making.part'
/** Suffix of a backup that failed verification: kept for inspection, and no longer counted. */
export const BROKEN = '.broken'

export interface BackupFile {
  name: string
  /** The moment of the content, to the millisecond. */
  at: Date
  reason: BackupReason
  /** First half (128 bits) of the SHA-256 of the canonical export. */
  hash: string
  bytes: number
}

const NAME =
  /^sello-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-(daily|migration|quit|manual|restore)-([0-9a-f]{32})\.db$/

/** Returns the part of a canonical hash used in the name, long enough to be unique. */
export const shortHash = (sha256: string): string => sha256.slice(0, 32)

export function backupName(at: Date, reason: BackupReason, sha256: string): string {
  return `sello-${at.toISOString().replaceAll(/[-:.]/g, '')}-${reason}-${shortHash(sha256)}.db`
}

/** Parses a name; null for a file that is not a backup of Sello. */
export function readName(name: string): Omit<BackupFile, 'bytes'> | null {
  const found = NAME.exec(name)
  if (!found) return null
  const [year, month, day, hour, minute, second, ms, reason, hash] = found.slice(1) as [string, ...string[]]
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
  return Number.isNaN(at.getTime()) ? null : { name, at, reason: reason as BackupReason, hash: hash! }
}

/** Lists the backups of a folder, newest first; empty when it cannot be read, which the next backup reports. */
export function listFolder(folder: string): BackupFile[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names
    .flatMap((name) => {
      const read = readName(name)
      return read ? [{ ...read, bytes: statSync(join(folder, name)).size }] : []
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime() || (a.name < b.name ? 1 : -1))
}
