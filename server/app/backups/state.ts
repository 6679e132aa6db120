/**
 * What is known of the backups beside their files: where else they go, what failed, how the last trial went. Kept in
 * `backups.json` beside the books and not in them, because it has to be read before a migration and written when they cannot
 * be, and because noting a backup must not make the books differ from it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileDurably } from '../../db/files/atomic-files.ts'
import type { BackupFaultReason } from './contract.ts'

export const BACKUPS_FILE = 'backups.json'
/** Of the backups beside the books. */
const FOLDER = 'backups'

/** Instants are ISO 8601. */
export interface FaultNote {
  why: BackupFaultReason
  since: string
  at: string
}

export interface BackupState {
  version: 1
  /** The second folder that was chosen, or null. */
  own: string | null
  fault: FaultNote | null
  ownFault: FaultNote | null
  /** Instant of the newest backup in the second folder. */
  ownAt: string | null
  drill: { at: string; name: string; why: BackupFaultReason | null } | null
  /** Milliseconds that the last one took; null before the first. */
  tookMs: number | null
  /** Something was committed since the newest one when Sello was closed: the next start makes it. */
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

/** What could not be written, for as long as Sello runs: a full disk must not make its own fault forgotten. */
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
    // It tells of backups and holds none: a spoiled one is begun anew.
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

/** A failure told on top of the one before: it is known since the first. */
export function faultNote(before: FaultNote | null, why: BackupFaultReason, at: Date): FaultNote {
  return { why, since: before?.since ?? at.toISOString(), at: at.toISOString() }
}

export const defaultFolder = (dataDir: string): string => join(dataDir, FOLDER)

/** The folder of these books within the one that was chosen, where others' may lie too. */
export const ownFolder = (chosen: string, storeId: string): string =>
  join(chosen, `sello-backups-${storeId.slice(0, 8)}`)
