/**
 * What is due in the background of an office, by company and kind. Whoever takes a row holds a lease of it for a time;
 * only its holder may write for that work, and nobody walks the companies to find out what there is to do.
 */
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Bindable } from '../../engines.ts'
import { prepare } from '../../query.ts'
import type { Db } from '../../query.ts'
import { runOn } from '../connection.ts'
import { giveBack, refusalOf, send } from '../pool.ts'
import { sendScope } from '../scope.ts'

/** The company of work for the whole installation. */
export const INSTALLATION = 0

/** The table, which a desk does not have. `lease` stays when its holder has vanished: that is how others notice. */
export const DUE_WORK = `
create sequence due_work_leases;
create table due_work (
  company_id bigint not null,
  kind text not null,
  -- Milliseconds since 1970; null: nothing waits. While somebody works, the end of the lease.
  due_at bigint,
  -- Grows with each request, so that one that comes during the work is not lost.
  mark bigint not null default 1,
  lease bigint,
  leased_until bigint,
  -- What the last look has found: since when the oldest thing waits, how many there are, and how many have stopped.
  since bigint,
  count bigint not null default 0,
  stopped bigint not null default 0,
  primary key (company_id, kind),
  check ((lease is null) = (leased_until is null))
);
create index due_work_by_time on due_work (kind, due_at) where due_at is not null;
create index due_work_leased on due_work (lease) where lease is not null;
alter table due_work enable row level security, force row level security;
create policy of_company on due_work using (company_id = (select own_company()) or (select is_for_installation()));
`

/** Work that this process has taken. */
export interface TakenWork {
  companyId: number
  kind: string
  lease: number
  /** The requests that are known; later ones make the work due again. */
  mark: number
  /** True if the holder before ended without giving it back. */
  isLeftBehind: boolean
}

/** What a look at a queue has found. */
export interface WorkFigures {
  /** Since when the oldest thing waits, in milliseconds since 1970; null: nothing does. */
  since: number | null
  count: number
  /** Chains whose books issue nothing. */
  stopped: number
}

/** The figures of a kind of work of all companies. */
export interface KindFigures {
  kind: string
  /** Since when the oldest thing waits, or the oldest work is due that nobody has taken. */
  since: number | null
  dueSince: number | null
  /** Sums over all companies, and over those whose oldest thing has waited since before a time. */
  count: number
  countBefore: number
  stopped: number
}

/** Work of a server that another one has taken over: it must write nothing more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * Notes within a transaction that work of a company is due at `at`. Work of webhooks is noted only where the company has
 * some.
 */
export async function noteDue(
  db: Db,
  companyId: number,
  kinds: readonly string[],
  at: number,
): Promise<void> {
  await insertDue.later(db, { companyId, kinds: `{${kinds.join(',')}}`, at })
}

/** `kinds`: an array as PostgreSQL writes it. */
const insertDue = prepare((db, p: { companyId: number; kinds: string; at: number }) => ({
  compile: () =>
    sql`
      insert into due_work (company_id, kind, due_at)
      select ${p.companyId}, kind, ${p.at} from unnest(${p.kinds}::text[]) as kind
      where kind <> 'webhooks' or exists (
        select from webhooks join books on books.id = webhooks.book_id where books.company_id = ${p.companyId})
      order by kind
      on conflict (company_id, kind) do update
        set due_at = least(due_work.due_at, excluded.due_at), mark = due_work.mark + 1`.compile(db),
}))

/** Runs a statement in the transaction of a company. */
type RunInCompany = (text: string, values: readonly (string | number)[]) => Promise<unknown>

/**
 * Makes all work of a company due that has come from another store. It counts as left behind by a server that has
 * vanished: what was under way there may have been cut off.
 */
export async function takeUpWork(
  run: RunInCompany,
  companyId: number,
  kinds: readonly string[],
  at: number,
): Promise<void> {
  for (const kind of kinds)
    await run(
      `insert into due_work (company_id, kind, due_at, lease, leased_until)
       values ($1, $2, $3, nextval('due_work_leases'), $3)
       on conflict (company_id, kind) do update
         set due_at = least(due_work.due_at, excluded.due_at), mark = due_work.mark + 1`,
      [companyId, kind, at],
    )
}

/** Removes the work of a company that leaves: whoever holds some of it has lost its lease, and nobody takes more. */
export async function dropWork(run: RunInCompany, companyId: number): Promise<void> {
  await run('delete from due_work where company_id = $1', [companyId])
}

/**
 * Holds a lease until the end of a transaction. Throws `LeaseLost` if it is another's by now: the work of its earlier
 * holder is not written any more.
 */
export async function holdLease(db: Db, { companyId, kind, lease }: TakenWork): Promise<void> {
  const { rows } = await sql`
    select 1 from due_work
    where company_id = ${companyId} and kind = ${kind} and lease = ${lease} for share`.execute(db)
  if (rows.length === 0) throw new LeaseLost(`The lease of ${kind} was lost.`)
}

/** The due work of a database, as a server takes and settles it. Times are milliseconds since 1970. */
export class DueWork {
  private readonly pool: Pool

  constructor(pool: Pool) {
    this.pool = pool
  }

  /** Takes up to `limit` pieces of due work, the oldest first. */
  async take(
    kinds: readonly string[],
    { now, until, limit }: { now: number; until: number; limit: number },
  ): Promise<TakenWork[]> {
    const rows = await this.run(
      `with due as (
         select company_id, kind, lease is not null as is_left from due_work
         where kind = any ($1) and due_at <= $2 and (leased_until is null or leased_until <= $2)
         order by due_at limit $4 for update skip locked)
       update due_work set lease = nextval('due_work_leases'), leased_until = $3, due_at = $3
       from due where due_work.company_id = due.company_id and due_work.kind = due.kind
       returning due_work.company_id, due_work.kind, due_work.lease, due_work.mark, due.is_left`,
      [kinds, now, until, limit],
    )
    return rows.map((row) => ({
      companyId: row.company_id as number,
      kind: row.kind as string,
      lease: row.lease as number,
      mark: row.mark as number,
      isLeftBehind: row.is_left === true || row.is_left === 1,
    }))
  }

  /** Prolongs leases. Returns those that are still held; the others are lost. */
  async renew(leases: readonly number[], until: number): Promise<Set<number>> {
    const rows = await this.run(
      'update due_work set leased_until = $2, due_at = $2 where lease = any ($1) returning lease',
      [leases, until],
    )
    return new Set(rows.map(({ lease }) => lease as number))
  }

  /**
   * Gives a piece of work back, with the time of the next one; null if nothing waits. It is due at once if something was
   * requested meanwhile. Returns false if the lease was lost.
   */
  async giveBack(
    { companyId, kind, lease, mark }: TakenWork,
    { next, now, figures = null }: { next: number | null; now: number; figures?: WorkFigures | null },
  ): Promise<boolean> {
    const rows = await this.run(
      `update due_work set lease = null, leased_until = null, since = $7, count = $8, stopped = $9,
         due_at = case when mark = $4 then $5::bigint else least($5::bigint, $6::bigint) end
       where company_id = $1 and kind = $2 and lease = $3 returning kind`,
      [
        companyId,
        kind,
        lease,
        mark,
        next,
        now,
        figures?.since ?? null,
        figures?.count ?? 0,
        figures?.stopped ?? 0,
      ],
    )
    return rows.length > 0
  }

  /** Returns when the next work of these kinds is due that nobody holds; null if none is. */
  async nextAt(kinds: readonly string[]): Promise<number | null> {
    const [row] = await this.run(
      `select min(due_at) as at from due_work where kind = any ($1) and due_at is not null`,
      [kinds],
    )
    return (row?.at as number | null | undefined) ?? null
  }

  /** Returns the figures by kind. `before`: the time before which something waits too long; `now`: what is overdue. */
  async figures({ now, before }: { now: number; before: number }): Promise<KindFigures[]> {
    const rows = await this.run(
      `select kind, min(since) as since, min(due_at) filter (where due_at < $1 and lease is null) as "dueSince",
         coalesce(sum(count), 0) as count, coalesce(sum(count) filter (where since < $2), 0) as "countBefore",
         coalesce(sum(stopped), 0) as stopped
       from due_work group by kind order by kind`,
      [now, before],
    )
    return rows as unknown as KindFigures[]
  }

  /** Makes sure that work of a kind exists for every company that is not elsewhere, or for the installation alone. */
  async ensure(kind: string, companies: 'all' | 'installation', now: number): Promise<void> {
    await this.run(
      companies === 'all'
        ? `insert into due_work (company_id, kind, due_at) select id, $1, $2 from companies where away is null order by id
           on conflict do nothing`
        : `insert into due_work (company_id, kind, due_at) values (${INSTALLATION}, $1, $2) on conflict do nothing`,
      [kind, now],
    )
  }

  /** Runs a statement for the whole installation, in a transaction of its own. */
  private async run(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
    let client: PoolClient | undefined
    try {
      client = await this.pool.connect()
      send(client, 'begin')
      sendScope(client, null)
      const done = runOn(client, text, values as readonly Bindable[])
      const [{ rows }] = await Promise.all([done, client.query('commit')])
      giveBack(client)
      return rows
    } catch (error) {
      if (client) giveBack(client, error)
      throw refusalOf(error)
    }
  }
}
