/** Names that one server of an office holds at a time, as rows: for work that must not hold a transaction. */
import type { Pool } from 'pg'

/** Time for which a name is held; the database's clock counts it. */
const LEASE_MS = 15_000

const until = (parameter: string): string =>
  `clock_timestamp() + ${parameter}::bigint * interval '1 millisecond'`
const TAKE = `insert into held_names as held (name, holder, until) values ($1, gen_random_uuid()::text, ${until('$2')})
  on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where held.until <= clock_timestamp() returning holder`
const RENEW = `update held_names set until = ${until('$3')} where name = $1 and holder = $2`
const GIVE_BACK = 'delete from held_names where name = $1 and holder = $2'
/** Those of servers that died. */
const PRUNE = "delete from held_names where until < clock_timestamp() - interval '1 hour'"

interface LeaseOptions {
  pool: Pool
  /** Called when a name could not be renewed or given back: it is free when its time has passed. */
  report: (error: unknown) => void
  /** Time for which a name is held without a renewal. */
  leaseMs?: number
}

export class Leases {
  private readonly pool: Pool
  private readonly report: (error: unknown) => void
  private readonly leaseMs: number

  constructor({ pool, report, leaseMs = LEASE_MS }: LeaseOptions) {
    this.pool = pool
    this.report = report
    this.leaseMs = leaseMs
  }

  /**
   * Runs `work` while this call holds the name; it is renewed until then. Returns `ifHeld` at once if it is held. Throws
   * what `work` throws, and the database's errors before it began.
   */
  async hold<T>(name: string, work: () => Promise<T>, ifHeld: T): Promise<T> {
    const { rows } = await this.pool.query<{ holder: string }>(TAKE, [name, this.leaseMs])
    const holder = rows[0]?.holder
    if (holder === undefined) return ifHeld
    const own = [name, holder]
    const renew = (): void => void this.pool.query(RENEW, [...own, this.leaseMs]).catch(this.report)
    const renewal = setInterval(renew, this.leaseMs / 3)
    renewal.unref()
    try {
      return await work()
    } finally {
      clearInterval(renewal)
      await this.pool.query(GIVE_BACK, own).catch(this.report)
    }
  }

  /** Removes what servers left behind that died. */
  async prune(): Promise<void> {
    await this.pool.query(PRUNE)
  }
}
