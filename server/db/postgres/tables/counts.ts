/** Requests that the servers of an office count together, in windows that begin with the first one. */
import type { Pool } from 'pg'

/** Windows that ended this long ago are removed. */
const KEPT_MS = 120_000

const ms = (parameter: string): string => `${parameter}::bigint * interval '1 millisecond'`

/** Adds to the windows, in the order of their names so that two servers do not block each other. */
const COUNT = `with added as materialized (
    select clock_timestamp() as at, name, used from unnest($1::text[], $2::bigint[]) as each(name, used) order by name
  ), counted as (
    insert into request_counts as kept (name, started_at, used) select name, at, used from added order by name
    on conflict (name) do update set
      used = excluded.used + case when kept.started_at > excluded.started_at - ${ms('$3')} then kept.used else 0 end,
      started_at = case when kept.started_at > excluded.started_at - ${ms('$3')}
        then kept.started_at else excluded.started_at end
    returning name, used, started_at
  ) select name, used, greatest(0, extract(epoch from clock_timestamp() - started_at) * 1000)::bigint as "ageMs"
    from counted order by name`

interface Counted {
  name: string
  used: number
  ageMs: number
}

export class Counts {
  private readonly pool: Pool

  constructor(pool: Pool) {
    this.pool = pool
  }

  /** Adds requests by name; returns what all servers have counted in windows of `windowMs`. */
  async add(added: readonly { name: string; used: number }[], windowMs: number): Promise<Counted[]> {
    const { rows } = await this.pool.query<Counted>(COUNT, [
      added.map(({ name }) => name),
      added.map(({ used }) => used),
      windowMs,
    ])
    return rows
  }

  /** Removes windows that ended long ago. */
  async prune(): Promise<void> {
    await this.pool.query(`delete from request_counts where started_at < clock_timestamp() - ${ms('$1')}`, [
      KEPT_MS,
    ])
  }
}
