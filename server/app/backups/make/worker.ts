/**
 * Worker thread that makes and tries backups: copying and verifying take seconds, during which the server keeps
 * answering.
 */
import { basename, join } from 'node:path'
import { ownThread } from '../../../platform/processes/threads.ts'
import type { BackupFaultReason } from '../contract.ts'
import { verifyBackup } from './drill.ts'
import { asBackupFault } from './fault.ts'
import { copyBackup, copyBooks, makeBackup } from './make.ts'
import type { BackupRequest } from './make.ts'
import { PART_FILE } from './names.ts'
import { makePortable } from '../portable/portable.ts'
import type { PortableRequest } from '../portable/portable.ts'
import { proveCopy } from '../proof/prove.ts'
import { rekeyAndProve } from './rekey.ts'

export type BackupJob =
  | ({ kind: 'make' } & BackupRequest)
  | ({ kind: 'portable' } & PortableRequest)
  | { kind: 'copy'; from: string; name: string; to: string; masterKey: Uint8Array }
  | { kind: 'try'; from: string; name: string; masterKey: Uint8Array }
  /** Makes a verified copy of the books in the folder `to`, as `PART_FILE`; returns its hash. */
  | { kind: 'copy-books'; folder: string; to: string; masterKey: Uint8Array }
  /** Encrypts a copy with another key and verifies that it is the same books. */
  | { kind: 'rekey'; from: string; name: string; masterKey: Uint8Array; next: Uint8Array }
  /** Verifies a file in place, for example the books themselves. */
  | { kind: 'prove'; from: string; name: string; masterKey: Uint8Array }

/** The name of the backup, or the reason why there is none. */
export type BackupReply = { name: string } | { why: BackupFaultReason; message: string }

async function answer(job: BackupJob): Promise<BackupReply> {
  try {
    if (job.kind === 'make') return { name: await makeBackup(job) }
    if (job.kind === 'portable') {
      await makePortable(job)
      return { name: basename(job.to) }
    }
    if (job.kind === 'copy-books') return { name: await copyBooks(job, join(job.to, PART_FILE)) }
    if (job.kind === 'rekey') await rekeyAndProve(job.from, job.name, job.masterKey, job.next)
    else if (job.kind === 'copy') copyBackup(job.from, job.name, job.to)
    else if (job.kind === 'prove')
      await proveCopy({ folder: job.from, file: job.name, masterKey: job.masterKey })
    else await verifyBackup(job.from, job.name, job.masterKey)
    return { name: job.name }
  } catch (error) {
    const { why, message } = asBackupFault(error)
    return { why, message }
  } finally {
    job.masterKey.fill(0)
    if (job.kind === 'rekey') job.next.fill(0)
  }
}

const own = ownThread<BackupJob>('backup')
if (own) void answer(own.given).then((reply) => own.port.postMessage(reply))
