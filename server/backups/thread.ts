/** Runs one job on a thread of its own, which ends with it. */
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { BackupFault } from './fault.ts'
import type { BackupJob, BackupReply } from './worker.ts'

const HEAP_MB = 256
// Kept equal to BACKUP_THREAD of worker.ts, which must not be loaded here: the thread alone needs what it brings.
const BACKUP_THREAD = 'backups'

/** worker.ts beside this file when it runs from source; in the bundle `backup-worker.js`, beside it or beside its folder. */
function backupWorkerUrl(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('./worker.ts', import.meta.url)
  const beside = new URL('./backup-worker.js', import.meta.url)
  return existsSync(beside) ? beside : new URL('../backup-worker.js', import.meta.url)
}

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
    const worker = new Worker(backupWorkerUrl(), {
      workerData: { thread: BACKUP_THREAD, job },
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    const reply = await new Promise<BackupReply>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', (error) => reject(new BackupFault('other', `The thread broke: ${error.message}`)))
      worker.once('exit', () => reject(new BackupFault('other', 'The thread ended.')))
    })
    void worker.terminate()
    if ('why' in reply) throw new BackupFault(reply.why, reply.message)
    return reply
  } finally {
    job.masterKey.fill(0)
  }
}
