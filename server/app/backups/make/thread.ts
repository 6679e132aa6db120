/** Runs one job in its own worker thread, which ends with it. */
import { endThread, startThread, workerFile } from '../../../platform/processes/threads.ts'
import { BackupFault } from './fault.ts'
import type { BackupJob, BackupReply } from './worker.ts'

const HEAP_MB = 256

/** Returns the name of the backup. Throws a `BackupFault`; the key of the job is overwritten in any case. */
export async function inThread(job: BackupJob): Promise<string> {
  try {
    const worker = startThread('backup', workerFile('backup', import.meta.url), job, { heapMb: HEAP_MB })
    const reply = await new Promise<BackupReply>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', (error) => reject(new BackupFault('other', `The thread broke: ${error.message}`)))
      worker.once('exit', () => reject(new BackupFault('other', 'The thread ended.')))
    })
    void endThread(worker)
    if ('why' in reply) throw new BackupFault(reply.why, reply.message)
    return reply.name
  } finally {
    job.masterKey.fill(0)
    if (job.kind === 'rekey') job.next.fill(0)
  }
}
