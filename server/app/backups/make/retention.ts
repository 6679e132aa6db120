/** Which backups stay: of days, weeks and months the last one each, however long the computer was off between them. Pure. */
import { businessDateOf, addDays } from '../../../domain/dates.ts'
import { BACKUP_REASONS } from './reasons.ts'
import type { BackupFile } from './names.ts'

const DAYS = 7
const WEEKS = 4
const MONTHS = 12
const WEEK_MS = 7 * 24 * 3_600_000

/** Monday of the week, which names it. */
function weekOf(at: Date): string {
  const day = businessDateOf(at)
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(day, -weekday)
}

type DatedBackup = Pick<BackupFile, 'name' | 'at' | 'reason'>

/**
 * The names of those to delete, of `files` newest first. Kept are the last of each of the 7 latest days that have any, of 4
 * weeks and 12 months likewise; the last one made before a migration, the way back to the version before; and, for a week,
 * the last one of each other reason: the one made by hand this morning is not pushed out by closing Sello. The newest is
 * always one of them.
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
