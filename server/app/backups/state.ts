/**
 * State of the backups besides their files: second folder, faults, last drill. Stored in `backups.json` next to the
 * books and not in them, because it must be readable before a migration and writable when they are not, and because
 * recording a backup must not make the books differ from it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileDurably } from '../../db/embedded/files/atomic-files.ts'
import type { BackupFaultReason } from './contract.ts'

const BACKUPS_FILE = 'backups.json'
/** Folder of the backups next to the books. */
const FOLDER = 'backups'

/** Instants are ISO 8601. */
interface FaultNote {
  why: BackupFaultReason
  since: string
  at: string
}

export interface BackupState {
  version: 1
  /** The chosen second folder, or null. */
  own: string | null
  fault: FaultNote | null
  ownFault: FaultNote | null
  /** Instant of the newest backup in the second folder. */
  ownAt: string | null
  drill: { at: string; name: string; why: BackupFaultReason | null } | null
  /** Duration of the last backup in milliseconds; null before the first. */
  tookMs: number | null
  /** Something was committed after the newest backup when Sello was closed: the next start makes one. */
  owed: boolean
}

const NOTHING: BackupState = {
  version: 1,
  own: null,
  fault: null,
  ownFault: null,
  ownAt: null,
  drill: null,
  tookMs: null,
  owed: false,
}

/** State that could not be written, for the rest of the process: a full disk must not hide its own fault. */
const unwritten = new Map<string, BackupState>()

export function readState(dataDir: string): BackupState {
  const held = unwritten.get(dataDir)
  if (held) return held
  const file = join(dataDir, BACKUPS_FILE)
  if (!existsSync(file)) return NOTHING
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as BackupState
    return kept.version === 1 ? { ...NOTHING, ...kept } : NOTHING
  } catch {
    // The file describes backups and contains none, so a damaged one is replaced.
    return NOTHING
  }
}

export function changeState(dataDir: string, changes: Partial<Omit<BackupState, 'version'>>): void {
  const state = { ...readState(dataDir), ...changes }
  try {
    writeFileDurably(join(dataDir, BACKUPS_FILE), `${JSON.stringify(state, null, 2)}\n`)
    unwritten.delete(dataDir)
  } catch {
    unwritten.set(dataDir, state)
  }
}

/** Returns the note of a failure; a repeated fault keeps the instant of the first. */
export function faultNote(before: FaultNote | null, why: BackupFaultReason, at: Date): FaultNote {
  return { why, since: before?.since ?? at.toISOString(), at: at.toISOString() }
}

export const defaultFolder = (dataDir: string): string => join(dataDir, FOLDER)

/** Returns the folder of these books inside the chosen one, which may contain those of others. */
export const ownFolder = (chosen: string, storeId: string): string =>
  join(chosen, `sello-backups-${storeId.slice(0, 8)}`)
