/** The numbered migrations of a database of an office: each translated from what the embedded engine runs. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { translate } from '../../../../build/generated/postgres.ts'
import { migrations } from '../../../../server/db/migrations/list.ts'
import { SCHEMA_VERSION } from '../../../../server/db/migrations/version.ts'
import { assertSchema, migrateOffice, SERVER_ROLE } from '../../../../server/db/postgres/migrate.ts'
import {
  createTestPool,
  ENGINE,
  giveBackDatabase,
  takeBareDatabase,
} from '../../../support/postgres/databases.ts'
import type { TestDatabase } from '../../../support/postgres/databases.ts'
import { openWorld } from '../../../support/world.ts'

/** One of each kind of change. */
const PLANTED = `
-- A table of a book, with rows from one that is there; its trigger and its index.
create table nicknames (
  id integer primary key,
  book_id integer not null references books,
  contact_id integer not null references contacts on delete cascade,
  name text not null check (length(name) between 1 and 40),
  unique (book_id, name)
) strict;
insert into nicknames (book_id, contact_id, name) select book_id, id, 'the ' || name from contacts;
create index nicknames_by_contact on nicknames (contact_id);
create trigger nicknames_frozen before update of name on nicknames
  begin select raise(abort, 'frozen: nicknames'); end;
alter table contacts add column rank text;
alter table contacts add column stars integer not null default 0 check (stars between 0 and 5);
update contacts set rank = 'old; known';
-- A list of values gets longer, which the embedded engine can only do in a new table.
create table company_designs_next (
  company_id integer primary key references companies,
  accent text check (accent glob '#[0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F]'),
  footer text,
  simplified_format text not null default 'a4' check (simplified_format in ('a4', 'ticket', 'slip')),
  payment_qr integer not null default 1 check (payment_qr in (0, 1)),
  logo blob,
  logo_media_type text check (logo_media_type in ('image/png', 'image/jpeg')),
  logo_width integer,
  logo_height integer,
  logo_sha256 blob check (length(logo_sha256) = 32),
  check ((logo is null) = (logo_media_type is null) and (logo is null) = (logo_width is null)
    and (logo is null) = (logo_height is null)),
  check (footer is null or length(footer) < 1000)
) strict;
insert into company_designs_next (company_id, accent, footer, simplified_format, payment_qr, logo, logo_media_type,
    logo_width, logo_height, logo_sha256)
  select company_id, accent, footer, simplified_format, payment_qr, logo, logo_media_type, logo_width, logo_height,
    logo_sha256 from company_designs;
drop table company_designs;
alter table company_designs_next rename to company_designs;
drop index invoices_owed;
create index invoices_owed on invoices (id);
drop trigger series_kept;
create trigger series_kept before delete on series when old.id > 0
  begin select raise(abort, 'frozen: series'); end;
`

/** Lists what a schema has, without the order of columns and the names that the database has given. */
const CONTENT = `
select 'column ' || relname || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' '
  || attidentity::text || ' ' || coalesce(pg_get_expr(adbin, adrelid), '') as line
  from pg_attribute join pg_class on pg_class.oid = attrelid
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
union all select 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
  where connamespace = 'public'::regnamespace
union all select indexdef from pg_indexes where schemaname = 'public'
union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
union all select 'policy ' || tablename || ' ' || policyname || ' ' || cmd || ' ' || qual from pg_policies
union all select 'limited ' || relname || relrowsecurity || relforcerowsecurity from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace
order by line`

async function contentOf({ admin }: TestDatabase): Promise<string[]> {
  const { rows } = await admin.query<{ line: string }>(CONTENT)
  return rows.map(({ line }) => line)
}

async function asOwner<T>({ ownerUrl }: TestDatabase, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = createTestPool({ connectionString: ownerUrl, max: 1 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

async function bare(): Promise<TestDatabase> {
  const database = await takeBareDatabase()
  onTestFinished(() => giveBackDatabase(database))
  return database
}

const planted = (sql: string) =>
  translate([...migrations, { number: SCHEMA_VERSION + 1, name: 'planted', sql }])

describe.runIf(ENGINE === 'pg')('a numbered migration', () => {
  test('brings a database with rows to the schema of a new one, and this build goes on with it', async () => {
    const own = await openWorld()
    const other = await openWorld({ beside: own, company: { nif: 'B87654323' } })
    const { database } = own
    if (!database) throw new Error('This world has no database.')
    for (const world of [own, other]) await world.run('contacts.create', { name: 'Ana Ruiz Gil' })
    // Their statements are prepared on every connection.
    const listing = async (): Promise<unknown[]> =>
      Promise.all(Array.from({ length: 12 }, () => own.run('contacts.list', {})))
    for (let time = 0; time < 4; time += 1) {
      await listing()
      await own.run('contacts.create', { name: `Eva Gil ${time}` })
    }
    database.spoiled = true
    const next = planted(PLANTED)
    const done = await asOwner(database, (pool) => migrateOffice(pool, randomUUID(), SERVER_ROLE, next))
    expect(done).toEqual({ from: SCHEMA_VERSION, to: SCHEMA_VERSION + 1, steps: [] })

    const fresh = await bare()
    await asOwner(fresh, (pool) => migrateOffice(pool, randomUUID(), SERVER_ROLE, next))
    const content = await contentOf(database)
    expect(content.length).toBeGreaterThan(2_000)
    expect(content).toEqual(await contentOf(fresh))

    const { rows } = await database.admin.query(
      `select count(*) as count, count(distinct nicknames.company_id) as companies, max(nicknames.name) as name, max(rank) as rank
        from nicknames join contacts on contacts.id = contact_id and contacts.company_id = nicknames.company_id`,
    )
    expect(rows).toEqual([{ count: '6', companies: '2', name: 'the Eva Gil 3', rank: 'old; known' }])
    await expect(database.admin.query("update nicknames set name = 'x'")).rejects.toThrow('frozen: nicknames')
    // Servers of this build know the version before.
    expect(await assertSchema(database.pools.readers)).toBe(own.env.store.storeId)
    await Promise.all([...(await listing()), own.run('contacts.create', { name: 'Eva Gil Ruiz' })])
    const { id } = await own.createDraft()
    expect((await own.issue(id)).number).toBe('T-F2026-0001')
  })

  test('is refused by a build that is two versions behind', async () => {
    const database = await bare()
    const next = planted('alter table contacts add column rank text;')
    const later = { ...next, version: next.version + 1 }
    await asOwner(database, (pool) => migrateOffice(pool, randomUUID(), SERVER_ROLE, later))
    await expect(assertSchema(database.pools.readers)).rejects.toMatchObject({ code: 'store_newer' })
  })

  test.each([
    ['drop table tool_calls;', 'Servers of the version before use the table tool_calls.'],
    ["update settings set value = '1' where name = 'sandbox';", 'No rule for the rows of the installation'],
    ['alter table contacts drop column notes;', 'use the column "notes text'],
    ['alter table contacts rename column notes to remarks;', 'use the column "notes text'],
    [
      `create table event_cursors_next (book_id integer primary key references books, event_id integer not null, at integer) strict;
       insert into event_cursors_next (book_id, event_id, at) select book_id, event_id, 1 from event_cursors;
       drop table event_cursors; alter table event_cursors_next rename to event_cursors;`,
      'No rule for the copy',
    ],
    [
      `create table event_cursors_next (book_id integer primary key references books, event_id text not null) strict;
       insert into event_cursors_next (book_id, event_id) select book_id, event_id from event_cursors;
       drop table event_cursors; alter table event_cursors_next rename to event_cursors;`,
      'no rule for "event_id bigint not null" becoming "event_id text not null"',
    ],
    [
      `create table event_cursors_next (book_id integer primary key references books, event_id integer not null, at integer not null) strict;
       drop table event_cursors; alter table event_cursors_next rename to event_cursors;`,
      'do not give the new column "at bigint not null"',
    ],
  ])('that servers of the version before could not live with is not translated: %s', (sql, why) => {
    expect(() => planted(sql)).toThrow(why)
  })

  test('of the past that only added translates to the same schema too', async () => {
    const first = 10
    const past = translate(migrations.slice(0, 12), first)
    expect(past.steps.map(({ number }) => number)).toEqual([11, 12])
    const [stepwise, fresh] = [await bare(), await bare()]
    for (const database of [stepwise, fresh])
      await asOwner(database, async (pool) => {
        const schema = database === fresh ? past.schema : translate(migrations.slice(0, first), first).schema
        await pool.query(schema)
        if (database === stepwise) for (const { sql } of past.steps) await pool.query(sql)
      })
    expect(await contentOf(stepwise)).toEqual(await contentOf(fresh))
  })
})
