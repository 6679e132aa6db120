/** What the servers of an office have in common, over the database: notices, held names and counts. */
import type { NoticeKind, Servers } from '../../context.ts'
import { Counts } from '../../db/postgres/tables/counts.ts'
import { Leases } from '../../db/postgres/tables/leases.ts'
import { Notices } from '../../db/postgres/notices.ts'
import type { OfficePools } from '../../db/postgres/store.ts'

const PRUNE_MS = 60_000

interface ServersOptions {
  url: string
  pools: OfficePools
  report: (work: string, error: unknown) => void
}

interface OpenServers extends Servers {
  close(): Promise<void>
}

/** Joins the servers of the database at `url`; notices connect in the background. */
export function joinServers({ url, pools, report }: ServersOptions): OpenServers {
  const notices = new Notices<NoticeKind>({ url, onLost: (error) => report('notices', error) })
  const leases = new Leases({ pool: pools.writers, report: (error) => report('held name', error) })
  const counts = new Counts(pools.writers)
  const pruning = setInterval(() => {
    Promise.all([leases.prune(), counts.prune()]).catch((error: unknown) => report('counts', error))
  }, PRUNE_MS)
  pruning.unref()
  return {
    tell: (kind, companyId) => notices.tell(kind, companyId),
    onTold: (kind, act) => notices.on(kind, act),
    hold: (name, work, ifHeld) => leases.hold(name, work, ifHeld),
    count: (added, windowMs) => counts.add(added, windowMs),
    close: async () => {
      clearInterval(pruning)
      await notices.close()
    },
  }
}
