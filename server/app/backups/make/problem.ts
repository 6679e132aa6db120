/** Reports the backup problem that needs a person, as a code. */
import { embedded } from '../../../db/embedded/port.ts'
import type { AppEnvironment } from '../../../context.ts'
import type { BackupProblem } from '../contract.ts'
import { readState } from '../state.ts'

/**
 * A second folder on an external disk is unavailable at times, so this is reported only after it has lasted this
 * long.
 */
const OWN_FAULT_LIMIT_MS = 7 * 24 * 3_600_000

/** Returns the most severe problem, or null. */
export function backupProblem({ store, now }: AppEnvironment): BackupProblem | null {
  // The backups of another engine are its administrator's.
  if (store.engine !== 'sqlite') return null
  const { fault, drill, ownFault } = readState(embedded(store).folder)
  if (fault) return { kind: 'failed', why: fault.why, since: fault.since }
  if (drill?.why) return { kind: 'drill', why: drill.why, since: drill.at }
  if (ownFault && now().getTime() - new Date(ownFault.since).getTime() >= OWN_FAULT_LIMIT_MS)
    return { kind: 'own', why: ownFault.why, since: ownFault.since }
  return null
}
