/** Runs one job on a thread of its own, which ends with it. */
import { endThread, startThread, threadFile } from '../core/threads.ts'
import { BackupFault } from './fault.ts'
import type { BackupJob, BackupReply } from './worker.ts'

const HEAP_MB = 256

type Done = Extract<BackupReply, { name: string }>

/** Answers the name of the backup. Throws a `BackupFault`; the key of the job is blanked in any case. */
export async function inThread(job: BackupJob): Promise<string> {
  return (await done(job)).name
}

/** What a check found, a line each. Throws a `BackupFault`; the key of the job is blanked in any case. */
export async function checkInThread(job: Extract<BackupJob, { kind: 'check' }>): Promise<string[]> {
  const { found } = await done(job)
  if (!found) throw new BackupFault('other', 'The thread did not look.')
  return found
}

async function done(job: BackupJob): Promise<Done> {
  try {
    const worker = startThread('backup', threadFile('backup', import.meta.url), job, { heapMb: HEAP_MB })
    const reply = await new Promise<BackupReply>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', (error) => reject(new BackupFault('other', `The thread broke: ${error.message}`)))
      worker.once('exit', () => reject(new BackupFault('other', 'The thread ended.')))
    })
    void endThread(worker)
    if ('why' in reply) throw new BackupFault(reply.why, reply.message)
    return reply
  } finally {
    job.masterKey.fill(0)
  }
}
