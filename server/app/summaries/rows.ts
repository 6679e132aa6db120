/** SQL of summary rows. All of it is work for the whole installation: of other tables it sees the companies only. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Db } from '../../db/query.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { SummaryFacts } from './facts.ts'

/** Longest list of values in a statement. */
const MOST_VALUES = 900

/** What makes a row due to be computed again. Times are milliseconds since 1970. */
interface Due {
  today: BusinessDate
  /** Rows that were computed later wait, so that a busy company is not computed with each of its changes. */
  settledBefore: number
  /** Rows that were computed earlier are computed again without a reason. */
  repairedBefore: number
}

/** Returns companies that have no row yet. */
export async function companiesWithoutRow(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('companies')
    .leftJoin('company_summaries', 'company_summaries.company_id', 'companies.id')
    .select('companies.id')
    .where('company_summaries.company_id', 'is', null)
    .orderBy('companies.id')
    .limit(MOST_VALUES)
    .execute()
  return rows.map(({ id }) => id)
}

/** Adds rows without figures. */
export async function addRows(db: Db, companyIds: readonly number[], now: number): Promise<void> {
  await db
    .insertInto('company_summaries')
    .values(companyIds.map((company_id) => ({ company_id, stale_since: now })))
    .onConflict((conflict) => conflict.column('company_id').doNothing())
    .execute()
}

/** Returns the companies whose rows are due, those that have waited longest first. */
export async function dueCompanies(db: Db, { today, settledBefore, repairedBefore }: Due): Promise<number[]> {
  const rows = await db
    .selectFrom('company_summaries')
    .select('company_id')
    .where((eb) =>
      eb.or([
        eb('computed_on', 'is', null),
        eb('computed_on', '<>', today),
        eb.and([eb('stale_since', 'is not', null), eb('computed_at', '<=', settledBefore)]),
        eb('computed_at', '<=', repairedBefore),
      ]),
    )
    .orderBy(sql`stale_since is null`)
    .orderBy('stale_since')
    .orderBy('company_id')
    .execute()
  return rows.map(({ company_id: id }) => id)
}

/** Returns true if a row has a fact that it does not include. */
export async function hasStaleRows(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('company_summaries')
    .select('company_id')
    .where('stale_since', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks rows as being computed. A fact that is recorded from now on shows in `writeFacts`. */
export async function takeRows(db: Db, companyIds: readonly number[]): Promise<void> {
  await db.updateTable('company_summaries').set({ taken: 1 }).where('company_id', 'in', companyIds).execute()
}

/** Writes the figures of a company. The row stays stale if a fact was recorded while they were computed. */
export async function writeFacts(
  db: Db,
  companyId: number,
  { facts, at, today }: { facts: SummaryFacts; at: number; today: BusinessDate },
): Promise<void> {
  await db
    .updateTable('company_summaries')
    .set({
      facts: JSON.stringify(facts),
      computed_at: at,
      computed_on: today,
      stale_since: sql<number | null>`case when taken = 1 then null else stale_since end`,
      taken: 0,
    })
    .where('company_id', '=', companyId)
    .execute()
}

/** A summary row; `facts` are null before they were computed. */
export interface SummaryRow {
  companyId: number
  facts: SummaryFacts | null
  computedAt: number | null
  computedOn: BusinessDate | null
  staleSince: number | null
}

/** Returns the rows of some companies. */
export async function summaryRows(db: Db, companyIds: readonly number[]): Promise<SummaryRow[]> {
  const rows = await db
    .selectFrom('company_summaries')
    .select(['company_id', 'facts', 'computed_at', 'computed_on', 'stale_since'])
    .where(inCompanies(companyIds))
    .execute()
  return rows.map((row) => ({
    companyId: row.company_id,
    facts: row.facts === null ? null : (JSON.parse(row.facts) as SummaryFacts),
    computedAt: row.computed_at,
    computedOn: row.computed_on,
    staleSince: row.stale_since,
  }))
}

/** Returns the condition for rows of some companies; of very many, for all rows, which the caller leaves out. */
export function inCompanies(companyIds: readonly number[]) {
  return companyIds.length > MOST_VALUES
    ? sql<SqlBool>`1 = 1`
    : companyIds.length === 0
      ? sql<SqlBool>`1 = 0`
      : sql<SqlBool>`company_id in (${sql.join(companyIds)})`
}
