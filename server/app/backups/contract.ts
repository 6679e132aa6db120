/** Contracts of backups: list, faults and destinations. Only for the window and the command line. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { Instant, StreamAnswer } from '../../domain/contract/fields.ts'
import { BACKUP_REASONS } from './make/reasons.ts'

export type { BackupReason } from './make/reasons.ts'

/** Reasons why a backup was not made or is not valid. */
const BACKUP_FAULTS = [
  'no_space',
  'folder_missing',
  'folder_denied',
  'disk_failed',
  'differs',
  'broken_chain',
  'busy',
  'other',
] as const
export type BackupFaultReason = (typeof BACKUP_FAULTS)[number]

const BackupFaultView = z.strictObject({
  why: z.enum(BACKUP_FAULTS).meta({
    description:
      'no_space: the disk has too little room; folder_missing: the folder is not there, as of a disk that is not connected; folder_denied: it cannot be written; disk_failed: the disk answers with errors; differs: the copy is not equal to the books; broken_chain: the records or the history in it do not prove themselves; busy: the books changed at every try; other: see the log.',
  }),
  since: Instant.meta({ description: 'The first failure since the last success.' }),
  at: Instant.meta({ description: 'The last failure.' }),
})
export const BackupProblem = z.strictObject({
  kind: z.enum(['failed', 'drill', 'own']).meta({
    description:
      'failed: none can be made; drill: the last trial did not hold; own: the second folder has not been reached for a week.',
  }),
  why: z.enum(BACKUP_FAULTS),
  since: Instant,
})
export type BackupProblem = z.infer<typeof BackupProblem>

const Backup = z.strictObject({
  name: z.string(),
  at: Instant.meta({ description: 'The moment it shows.' }),
  reason: z.enum(BACKUP_REASONS),
  bytes: z.int(),
})

export const BackupsView = z
  .strictObject({
    folder: z.string().meta({ description: 'Where they are, beside the books.' }),
    items: z.array(Backup).meta({ description: 'Newest first; each was proved when it was made.' }),
    nextAt: Instant.nullable().meta({ description: 'When the next one is due; null without a company.' }),
    fault: BackupFaultView.nullable().meta({ description: 'Null once one has been made again.' }),
    own: z
      .strictObject({
        folder: z.string(),
        lastAt: Instant.nullable().meta({ description: 'Of the newest copy there, as far as is known.' }),
        fault: BackupFaultView.nullable(),
      })
      .nullable()
      .meta({ description: 'A second place, such as an external disk; null when none was chosen.' }),
    drill: z
      .strictObject({
        at: Instant,
        name: z.string().meta({ description: 'The backup that was opened.' }),
        why: z.enum(BACKUP_FAULTS).nullable().meta({ description: 'Null when it held.' }),
      })
      .nullable()
      .meta({ description: 'The last weekly trial; null before the first.' }),
  })
  .meta({ id: 'Backups' })
export type BackupsView = z.infer<typeof BackupsView>

export const listBackupsContract = defineContract({
  name: 'backups.list',
  summary: 'The backups of this installation, what failed and when the next one is due.',
  access: 'person',
  effect: 'read',
  desk: true,
  bookless: true,
  input: z.strictObject({}),
  output: BackupsView,
  errors: [],
})

export const makeBackupContract = defineContract({
  name: 'backups.make',
  summary: 'Make a backup now and prove it. What keeps it from being made is answered under `fault`.',
  access: 'person',
  effect: 'write',
  desk: true,
  bookless: true,
  external: true,
  input: z.strictObject({}),
  output: BackupsView,
  errors: [],
})

export const backupSettingsContract = defineContract({
  name: 'backups.settings',
  summary: 'Choose a second folder for backups, or none.',
  access: 'person',
  effect: 'write',
  desk: true,
  bookless: true,
  input: z.strictObject({
    folder: z.string().max(1_000).nullable().meta({
      description: 'Full path of a folder that exists, on another disk where there is one; null for none.',
    }),
  }),
  output: BackupsView,
  errors: ['validation_failed'],
})

export const portableBackupContract = defineContract({
  name: 'backups.portable',
  summary: 'The whole of the books as one file that opens anywhere with the recovery code alone.',
  access: 'person',
  effect: 'write',
  desk: true,
  bookless: true,
  external: true,
  media: 'application/octet-stream',
  input: z.strictObject({}),
  output: StreamAnswer,
  errors: ['recovery_code_missing', 'backup_not_made'],
})

export const beginRestoreContract = defineContract({
  name: 'backups.beginRestore',
  summary:
    'Back the books up, close them, and show the page in which a backup is restored. Nothing is replaced by this.',
  access: 'person',
  effect: 'write',
  desk: true,
  bookless: true,
  external: true,
  input: z.strictObject({}),
  output: z.strictObject({}),
  errors: ['restore_elsewhere'],
})
