/** Contracts of the recovery page while the books cannot be opened: the problem and the ways to solve it. */
import { z } from 'zod'
import type { BackupReason } from '../backups/contract.ts'

/**
 * Reasons why the books are not open. The key: `keychain_locked` (the keychain does not answer or is locked),
 * `key_elsewhere` (it answers and does not have the key), `key_missing` and `key_wrong` (its file). `folder_missing`:
 * the named folder does not exist, `port_taken`: the port under which programs and assistants know Sello is used by
 * another program, `store_missing`: the folder exists without the books, `folder_shared`: other computers write to
 * it. `shut_to_restore`: no fault, a person wants to restore a backup. `start_failed`: any other reason.
 */
export const START_FAULT_KINDS = [
  'keychain_locked',
  'key_elsewhere',
  'key_missing',
  'key_wrong',
  'store_in_use',
  'port_taken',
  'disk_full',
  'folder_readonly',
  'folder_missing',
  'folder_unusable',
  'folder_shared',
  'store_missing',
  'store_damaged',
  'store_newer',
  'shut_to_restore',
  'start_failed',
] as const
export type StartFaultKind = (typeof START_FAULT_KINDS)[number]

/** Destinations of a recovered key: none, or where this computer stores keys. */
export const Keep = z.enum(['once', 'keychain', 'file', 'external'])
export type Keep = z.infer<typeof Keep>

export const StartFault = z.strictObject({
  kind: z.enum(START_FAULT_KINDS),
  /** Code of the error: from Sello, the system or the database. */
  code: z.string(),
  folder: z.string(),
  /** The file concerned, if known. */
  file: z.string().nullable(),
  /** Ways to store the key after the recovery code, best first; empty when a code cannot help. */
  keep: z.array(Keep),
  /** Another Sello that has the books open; `uiUrl` when this user may open its page. */
  other: z.strictObject({ pid: z.int(), uiUrl: z.string().nullable() }).nullable(),
  /** Schema of the books and of this version, when the books are newer. */
  versions: z.strictObject({ store: z.int(), known: z.int() }).nullable(),
  /** The network drive or synchronization program that shares the folder, if any. */
  sharedBy: z.string().nullable(),
  /** The occupied port, if any. */
  port: z.int().nullable(),
  freeBytes: z.number().nullable(),
  canQuit: z.boolean(),
})
export type StartFault = z.infer<typeof StartFault>

/** `trouble` is null when the books are open and their server is about to answer. */
export interface RecoveryAnswer {
  trouble: StartFault | null
}

export const RecoverInput = z.strictObject({ code: z.string().max(200), keep: Keep })
export const FolderInput = z.strictObject({ folder: z.string().trim().min(1).max(4096) })

/** A backup of these books that can be restored. */
export interface AvailableBackupView {
  name: string
  /** Instant of the content. */
  at: string
  reason: BackupReason
  bytes: number
}

/** Path to which a portable file is uploaded before it is restored. */
export type UploadPath = '/app/restore-file'

export const RestoreInput = z.strictObject({
  /** Name of an available backup; null for the uploaded file. */
  name: z.string().max(200).nullable(),
  /** The recovery code; null to use the available key. */
  code: z.string().max(200).nullable(),
  /** Also replace other books than those of the file. */
  replaceOther: z.boolean(),
})
export type RestoreInput = z.infer<typeof RestoreInput>
