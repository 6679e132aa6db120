/** The shape of tables, read from the database's catalogue: for work that copies rows of any table. */
import { sql } from 'kysely'
import { byEngine } from './engine-sql.ts'
import type { Db } from './query.ts'

interface Columns {
  /** Without generated columns, and without those that only another engine has. */
  all: string[]
  key: string[]
}

interface ForeignKey {
  column: string
  /** The table it refers to, or the one that refers. */
  table: string
  onDelete: string
}

/** Returns the columns of a table in their order. */
export async function columnsOf(db: Db, table: string): Promise<Columns> {
  const { rows } = await byEngine<{ name: string; pk: number }>({
    sqlite: sql`select name, pk from pragma_table_xinfo(${table}) where hidden = 0 order by cid`,
    pg: sql`select a.attname as name, case when i.indrelid is null then 0 else 1 end as pk
      from pg_attribute a left join pg_index i
        on i.indrelid = a.attrelid and i.indisprimary and a.attnum = any (i.indkey)
      where a.attrelid = to_regclass(${table}) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and not (a.attname = 'company_id' and a.atthasdef) order by a.attnum`,
  }).execute(db)
  return { all: rows.map(({ name }) => name), key: rows.flatMap(({ name, pk }) => (pk > 0 ? [name] : [])) }
}

const PG_KEYS = sql`
  select source.attname as "column", from_table.relname as "from", to_table.relname as "to",
    case f.confdeltype when 'c' then 'CASCADE' when 'n' then 'SET NULL' else 'NO ACTION' end as "onDelete"
  from pg_constraint f
    join pg_class from_table on from_table.oid = f.conrelid
    join pg_class to_table on to_table.oid = f.confrelid
    join pg_attribute source on source.attrelid = f.conrelid and source.attnum = f.conkey[1]
  where f.contype = 'f'`

/** Returns the references of a table's columns. */
export async function foreignKeysOf(db: Db, table: string): Promise<ForeignKey[]> {
  const { rows } = await byEngine<ForeignKey>({
    sqlite: sql`select "from" as "column", "table", on_delete as "onDelete" from pragma_foreign_key_list(${table})`,
    pg: sql`select "column", "to" as "table", "onDelete" from (${PG_KEYS}) keys where "from" = ${table}
      order by "column"`,
  }).execute(db)
  return rows
}

/** Returns the columns of other tables that reference a table. */
export async function referencesTo(db: Db, table: string): Promise<ForeignKey[]> {
  const { rows } = await byEngine<ForeignKey>({
    sqlite: sql`
      select master.name as "table", keys."from" as "column", keys.on_delete as "onDelete"
      from sqlite_master as master join pragma_foreign_key_list(master.name) as keys
      where master.type = 'table' and keys."table" = ${table}`,
    pg: sql`select "from" as "table", "column", "onDelete" from (${PG_KEYS}) keys where "to" = ${table}
      order by "from", "column"`,
  }).execute(db)
  return rows
}
