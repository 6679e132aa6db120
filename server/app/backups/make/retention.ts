/** Retention of backups: the last one of each day, week and month, however long the computer was off in between. Pure. */
import { businessDateOf, addDays } from '../../../domain/dates.ts'
import { BACKUP_REASONS } from './reasons.ts'
import type { BackupFile } from './names.ts'

const DAYS = 7
const WEEKS = 4
const MONTHS = 12
const WEEK_MS = 7 * 24 * 3_600_000

/** Returns the Monday of the week, which identifies it. */
function weekOf(at: Date): string {
  const day = businessDateOf(at)
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(day, -weekday)
}

type DatedBackup = Pick<BackupFile, 'name' | 'at' | 'reason'>

/**
 * Returns the names to delete, of `files` newest first. Kept are the last backup of each of the 7 latest days that
 * have any, and of 4 weeks and 12 months likewise; the last one before a migration, the way back to the earlier
 * version; and for a week the last one of each other reason, so that closing Sello does not remove a manual backup of
 * the same morning. The newest is always kept.
 */
export function outdated(files: readonly DatedBackup[]): string[] {
  const keep = new Set<string>()
  const keepLatest = (count: number, spanOf: (at: Date) => string): void => {
    const spans = new Set<string>()
    for (const { name, at } of files) {
      const span = spanOf(at)
      if (spans.has(span)) continue
      if (spans.size === count) return
      spans.add(span)
      keep.add(name)
    }
  }
  keepLatest(DAYS, businessDateOf)
  keepLatest(WEEKS, weekOf)
  keepLatest(MONTHS, (at) => businessDateOf(at).slice(0, 7))
  const weekAgo = (files[0]?.at.getTime() ?? 0) - WEEK_MS
  for (const wanted of BACKUP_REASONS) {
    const last = files.find(({ reason }) => reason === wanted)
    if (last && (wanted === 'migration' || last.at.getTime() > weekAgo)) keep.add(last.name)
  }
  return files.filter(({ name }) => !keep.has(name)).map(({ name }) => name)
}
