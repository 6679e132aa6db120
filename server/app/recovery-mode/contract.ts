/** What the page may ask while the books cannot be opened: what is wrong, and the ways out. */
import { z } from 'zod'
import type { BackupReason } from '../backups/contract.ts'

/**
 * What keeps the books shut. The key: `keychain_locked` (the keychain does not answer or is locked), `key_elsewhere` (it
 * answers and does not hold it), `key_missing` and `key_wrong` (its file). `folder_missing`: the folder that was named is
 * not there, `port_taken`: programs and assistants know Sello at a port that another program uses, `store_missing`: the folder is there, without the books, `folder_shared`: other computers write into it. `shut_to_restore`:
 * nothing is wrong, a person wants to restore a backup. `start_failed` is whatever is none of these.
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

/** Where a recovered key may go: nowhere, or to where this computer keeps keys. */
export const Keep = z.enum(['once', 'keychain', 'file', 'external'])
export type Keep = z.infer<typeof Keep>

export const StartFault = z.strictObject({
  kind: z.enum(START_FAULT_KINDS),
  /** The error's own code: ours, the system's or the database's. */
  code: z.string(),
  folder: z.string(),
  /** The file that it is about, when one is known. */
  file: z.string().nullable(),
  /** Ways to keep the key after the recovery code, the best first; none when a code cannot help. */
  keep: z.array(Keep),
  /** The other Sello that holds the books; `uiUrl` when this user may open its page. */
  other: z.strictObject({ pid: z.int(), uiUrl: z.string().nullable() }).nullable(),
  /** Schema of the books and of this build, when the books are newer. */
  versions: z.strictObject({ store: z.int(), known: z.int() }).nullable(),
  /** The network drive or the synchronising program that the folder is shared by, when it is. */
  sharedBy: z.string().nullable(),
  /** The port that is taken, when it is. */
  port: z.int().nullable(),
  freeBytes: z.number().nullable(),
  canQuit: z.boolean(),
})
export type StartFault = z.infer<typeof StartFault>

/** `trouble` null: the books are open, and the server they belong to answers in a moment. */
export interface RecoveryAnswer {
  trouble: StartFault | null
}

export const RecoverInput = z.strictObject({ code: z.string().max(200), keep: Keep })
export const FolderInput = z.strictObject({ folder: z.string().trim().min(1).max(4096) })

/** A backup of these books, as it can be restored. */
export interface AvailableBackupView {
  name: string
  /** Instant it shows. */
  at: string
  reason: BackupReason
  bytes: number
}

/** Where a portable file is sent to, as it is, before it is restored. */
export type UploadPath = '/app/restore-file'

export const RestoreInput = z.strictObject({
  /** A backup at hand by its name; null: the file that was sent. */
  name: z.string().max(200).nullable(),
  /** The recovery code; null: the key that is at hand. */
  code: z.string().max(200).nullable(),
  /** Put the file also in the place of other books than its own. */
  replaceOther: z.boolean(),
})
export type RestoreInput = z.infer<typeof RestoreInput>
