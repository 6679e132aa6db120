/** What a backup is called: `sello-20261122T180300123Z-daily-<hash>.db` tells when, why, and what must be found in it. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupReason } from './reasons.ts'

/** Of the one file that opens anywhere with the recovery code. */
export const PORTABLE_EXTENSION = '.sellobak'

/** Of a file that is being made: nobody takes it for a backup, and the next one writes over it. */
export const PART_FILE = 'making.part'
/** What is added to the name of a backup that was found to be broken: it is kept to look at, and counts no more. */
export const BROKEN = '.broken'

export interface BackupFile {
  name: string
  /** The moment it shows, to the millisecond. */
  at: Date
  reason: BackupReason
  /** First half (128 bits) of the SHA-256 of its canonical export. */
  hash: string
  bytes: number
}

const NAME =
  /^sello-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-(daily|migration|quit|manual|restore)-([0-9a-f]{32})\.db$/

/** The part of a canonical hash that stands in the name: enough that no other content has it. */
export const shortHash = (sha256: string): string => sha256.slice(0, 32)

export function backupName(at: Date, reason: BackupReason, sha256: string): string {
  return `sello-${at.toISOString().replaceAll(/[-:.]/g, '')}-${reason}-${shortHash(sha256)}.db`
}

/** What a name tells, or null for a file that is no backup of ours. */
export function readName(name: string): Omit<BackupFile, 'bytes'> | null {
  const found = NAME.exec(name)
  if (!found) return null
  const [year, month, day, hour, minute, second, ms, reason, hash] = found.slice(1) as [string, ...string[]]
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
  return Number.isNaN(at.getTime()) ? null : { name, at, reason: reason as BackupReason, hash: hash! }
}

/** The backups of a folder, newest first; none where it cannot be read: what is wrong with it, the next one that is made tells. */
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
