/** Figures about all companies of an office: sums of what the servers have found in each. They name none. */
import type { DueWork, KindFigures } from '../../../db/postgres/tables/due-work.ts'

/** Age in seconds of the oldest thing in each queue that waits to be done; 0 if the queue is empty. */
interface QueueAges {
  registry: number
  documents: number
  mail: number
  webhooks: number
  incoming: number
}

export interface OfficeFigures {
  ages: QueueAges
  /** Records of live books of companies whose oldest one has waited for the authority for more than an hour. */
  recordsUnsent: number
  /** Record chains that have not been proved for more than a day. */
  chainsUnproved: number
  /** Record chains that are broken or held: their books issue nothing. */
  chainsStopped: number
}

const HOUR_MS = 3_600_000

/** Reads the figures at a time. */
export async function readFigures(dueWork: DueWork, now: Date): Promise<OfficeFigures> {
  const at = now.getTime()
  const found = new Map(
    (await dueWork.figures({ now: at, before: at - HOUR_MS })).map((row) => [row.kind, row]),
  )
  // What nobody has looked at yet waits since it became due.
  const age = ({ since = null, dueSince = null }: Partial<KindFigures> = {}): number => {
    const times = [since, dueSince].filter((time) => time !== null)
    return times.length === 0 ? 0 : Math.max(0, (at - Math.min(...times)) / 1000)
  }
  return {
    ages: {
      registry: age(found.get('sender')),
      documents: age(found.get('documents')),
      mail: age(found.get('mail')),
      webhooks: age(found.get('webhooks')),
      incoming: age(found.get('incoming')),
    },
    recordsUnsent: found.get('sender')?.countBefore ?? 0,
    chainsUnproved: found.get('calendar')?.count ?? 0,
    chainsStopped: found.get('calendar')?.stopped ?? 0,
  }
}
