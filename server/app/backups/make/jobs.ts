/** Backups while Sello runs: one a day, a trial a week, and one on closing when something changed. */
import { createLoop } from '../../../domain/concurrency/background-loop.ts'
import type { Background } from '../../../domain/concurrency/background-loop.ts'
import type { AppEnvironment } from '../../../context.ts'
import { dropDownloads } from '../portable/portable-now.ts'
import { backUpOnQuit, backUpWhenDue, drillWhenDue, hasBooks } from './run.ts'

/** Whoever opens Sello to look something up has closed it again by then, or can spare the disk. */
const AFTER_START_MS = 60_000
const POLL_MS = 10 * 60_000

export interface BackupJobs extends Background {
  /** After `stop`, while the books are still open. */
  onQuit(): Promise<void>
}

export interface BackupJobOptions {
  env: AppEnvironment
  log: (line: string) => void
  gatherMs?: number
  pollMs?: number
}

export function createBackupJobs(options: BackupJobOptions): BackupJobs {
  const { env, log, gatherMs = AFTER_START_MS, pollMs = POLL_MS } = options
  const changesAtStart = env.store.changes()
  dropDownloads(env.store.folder)
  const loop = createLoop({
    name: 'backups',
    gatherMs,
    pollMs,
    log,
    run: async () => {
      if (!(await hasBooks(env))) return
      await backUpWhenDue(env)
      await drillWhenDue(env)
    },
  })
  return { ...loop, onQuit: () => backUpOnQuit(env, changesAtStart) }
}
