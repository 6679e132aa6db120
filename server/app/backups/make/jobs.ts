/** Background jobs of backups: one backup a day, one restore drill a week, and one backup on closing after changes. */
import { embedded } from '../../../db/embedded/port.ts'
import { createLoop } from '../../../domain/concurrency/background-loop.ts'
import type { Background } from '../../../domain/concurrency/background-loop.ts'
import type { AppEnvironment } from '../../../context.ts'
import { dropDownloads } from '../portable/portable-now.ts'
import { backUpOnQuit, backUpWhenDue, drillWhenDue, hasBooks } from './run.ts'

/** Delay after the start: a short session is over by then, and a longer one can afford the disk access. */
const AFTER_START_MS = 60_000
const POLL_MS = 10 * 60_000

export interface BackupJobs extends Background {
  /** Runs after `stop`, while the books are still open. */
  onQuit(): Promise<void>
}

interface BackupJobOptions {
  env: AppEnvironment
  log: (line: string) => void
  gatherMs?: number
  pollMs?: number
}

export function createBackupJobs(options: BackupJobOptions): BackupJobs {
  const { env, log, gatherMs = AFTER_START_MS, pollMs = POLL_MS } = options
  const changesAtStart = embedded(env.store).changes()
  dropDownloads(embedded(env.store).folder)
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
