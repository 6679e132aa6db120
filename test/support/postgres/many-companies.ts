/** Copies a company in SQL, row by row under new identifiers: many companies in seconds. */
import type pg from 'pg'

/** Identifiers of the copies of one company lie this far from those of the original, once for each copy. */
const DISTANCE = 1_000_000

/** Columns that hold a row of a table that another column names. */
const UNTYPED = new Set(['source_id'])

interface Column {
  table: string
  name: string
  type: string
  isGenerated: boolean
  /** Refers to a row of a table that is copied too, or is the row's own identifier. */
  isIdentifier: boolean
  /** Must differ from every other row, whatever company it is of. */
  isUnique: boolean
}

const COLUMNS = `
with copied as (
  select attrelid as id from pg_attribute
   where attname = 'company_id' and attrelid in (select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace)
  union select 'companies'::regclass::oid
), referring as (
  select conrelid as id, unnest(conkey) as number from pg_constraint where contype = 'f' and confrelid in (select id from copied)
), uniques as (
  select indrelid as id, indkey::int2[] as numbers from pg_index where indisunique
), identifying as (
  select a.attrelid as id, a.attnum as number from pg_attribute a
   where a.attidentity <> '' or a.attname = any ($1) or (a.attrelid = 'companies'::regclass and a.attname = 'id') or a.attname = 'company_id'
  union select id, number from referring
)
select a.attrelid::regclass::text as table, quote_ident(a.attname) as name, format_type(a.atttypid, null) as type,
  a.attgenerated <> '' as "isGenerated",
  a.atttypid = 'bigint'::regtype and exists (select 1 from identifying i where i.id = a.attrelid and i.number = a.attnum) as "isIdentifier",
  exists (select 1 from uniques u where u.id = a.attrelid and a.attnum = any (u.numbers)
    and not exists (select 1 from identifying i where i.id = u.id and i.number = any (u.numbers))) as "isUnique"
 from pg_attribute a join copied on copied.id = a.attrelid
 where a.attnum > 0 and not a.attisdropped order by a.attrelid, a.attnum`

function copyOf({ table, name, type, isIdentifier, isUnique }: Column): string {
  if (isIdentifier) return `${name} + each * ${DISTANCE}`
  if (name === 'nif' && table === 'companies') return `'B' || lpad(each::text, 8, '0')`
  if (isUnique && type === 'text') return `left(${name}, -10) || right(md5(${name} || '/' || each), 10)`
  if (isUnique && type === 'bytea') return `substr(sha256(${name} || int4send(each)), 1, length(${name}))`
  return name
}

/**
 * Adds copies of the first company of a database, with all its rows: those with the numbers `from` to `to`, both from 1.
 * The connection must be of a superuser: triggers and references are not checked.
 */
export async function copyCompany(client: pg.ClientBase, from: number, to: number): Promise<void> {
  const { rows } = await client.query<Column>(COLUMNS, [[...UNTYPED]])
  const tables = Map.groupBy(rows, ({ table }) => table)
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  const first = (await client.query<{ id: string }>('select min(id) as id from companies')).rows[0]?.id
  for (const [table, columns] of tables) {
    const kept = columns.filter(({ isGenerated }) => !isGenerated)
    await client.query(
      `insert into ${table} (${kept.map(({ name }) => name).join(', ')})
        select ${kept.map(copyOf).join(', ')} from ${table}, generate_series(${from}, ${to}) as each
         where ${table}.${table === 'companies' ? 'id' : 'company_id'} = ${first}`,
    )
  }
  await client.query('commit')
  await client.query('analyze')
}
