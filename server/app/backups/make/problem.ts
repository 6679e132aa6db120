/** What of the backups asks for a person, in one word. */
import type { AppEnvironment } from '../../../context.ts'
import type { BackupProblem } from '../contract.ts'
import { readState } from '../state.ts'

/** A second place that is an external disk is away at times: nobody is told before it has been for so long. */
const OWN_PATIENCE_MS = 7 * 24 * 3_600_000

/** The worst of what is wrong, or null. */
export function backupProblem({ store, now }: AppEnvironment): BackupProblem | null {
  const { fault, drill, ownFault } = readState(store.folder)
  if (fault) return { kind: 'failed', why: fault.why, since: fault.since }
  if (drill?.why) return { kind: 'drill', why: drill.why, since: drill.at }
  if (ownFault && now().getTime() - new Date(ownFault.since).getTime() >= OWN_PATIENCE_MS)
    return { kind: 'own', why: ownFault.why, since: ownFault.since }
  return null
}
