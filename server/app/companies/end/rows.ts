/**
 * Deletes every row of a company. Tables, references and the company of a row are read from the database itself, so that
 * a table that is added later is not forgotten; a test searches all tables for what is left.
 */
import { sql } from 'kysely'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/query.ts'

/** Tables of the installation, and one that never has a row. */
const NOT_OF_A_COMPANY: readonly string[] = ['actors', 'settings', 'journal_unsealed']

/** A column that refers to the row of another table. */
interface Reference {
  name: string
  column: string
  target: string
  required: boolean
}

interface Tables {
  names: readonly string[]
  references: readonly Reference[]
  /** `table.column` of all tables. */
  columns: ReadonlySet<string>
}

async function rowsOf<Row>(db: Db, text: string): Promise<Row[]> {
  return (await sql.raw<Row>(text).execute(db)).rows
}

/** Names the identifiers of the engine's catalogue only: none of them comes from outside. */
async function tablesOfFile(db: Db): Promise<Tables> {
  const columns = await rowsOf<{ name: string; column: string }>(
    db,
    `select t.name as name, c.name as "column" from sqlite_schema t, pragma_table_xinfo(t.name) c
     where t.type = 'table' and t.name not like 'sqlite!_%' escape '!'`,
  )
  const references = await rowsOf<{ name: string; column: string; target: string; required: number }>(
    db,
    `select t.name as name, f."from" as "column", f."table" as target, max(c."notnull", c.pk > 0) as required
     from sqlite_schema t, pragma_foreign_key_list(t.name) f, pragma_table_xinfo(t.name) c
     where t.type = 'table' and c.name = f."from"`,
  )
  return {
    names: [...new Set(columns.map(({ name }) => name))].filter((name) => !NOT_OF_A_COMPANY.includes(name)),
    references: references.map((each) => ({ ...each, required: each.required === 1 })),
    columns: new Set(columns.map(({ name, column }) => `${name}.${column}`)),
  }
}

async function tablesOfOffice(db: Db): Promise<Tables> {
  const columns = await rowsOf<{ name: string; column: string }>(
    db,
    `select c.relname as name, a.attname as "column" from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`,
  )
  const references = await rowsOf<{ name: string; target: string }>(
    db,
    `select c.relname as name, t.relname as target from pg_constraint f join pg_class c on c.oid = f.conrelid
     join pg_class t on t.oid = f.confrelid where f.contype = 'f' and c.relnamespace = 'public'::regnamespace`,
  )
  const known = new Set(columns.map(({ name, column }) => `${name}.${column}`))
  return {
    // Every row of a company says so itself.
    names: [...new Set(columns.map(({ name }) => name))].filter(
      (name) => name === 'companies' || known.has(`${name}.company_id`),
    ),
    references: references.map((each) => ({ ...each, column: '', required: false })),
    columns: known,
  }
}

/** Returns the tables so that each is before those that it refers to. */
function referringFirst({ names, references }: Tables): string[] {
  const waiting = new Set(names)
  const order: string[] = []
  while (waiting.size > 0) {
    const isReferred = (name: string): boolean =>
      references.some((each) => each.target === name && each.name !== name && waiting.has(each.name))
    const free = [...waiting].filter((name) => !isReferred(name))
    if (free.length === 0) throw new Error(`Tables refer to each other: ${[...waiting].join(', ')}.`)
    for (const name of free) {
      waiting.delete(name)
      order.push(name)
    }
  }
  return order
}

/** Returns the condition that a row of a table of the file belongs to the company. */
function conditionOf(tables: Tables, name: string, companyId: number): string {
  const books = `select id from books where company_id = ${companyId}`
  if (name === 'companies') return `id = ${companyId}`
  // The scope of a reply names its key or its book.
  if (name === 'idempotency_keys')
    return `(scope in (select public_id from api_keys where book_id in (${books}))
      or substr(scope, instr(scope, ':') + 1) in (select public_id from books where company_id = ${companyId}))`
  if (tables.columns.has(`${name}.company_id`)) return `company_id = ${companyId}`
  if (tables.columns.has(`${name}.book_id`)) return `book_id in (${books})`
  const parent = tables.references.find((each) => each.name === name && each.required && each.target !== name)
  if (!parent) throw new Error(`${name}: nothing says which company a row belongs to.`)
  return `${parent.column} in (select id from ${parent.target} where ${conditionOf(tables, parent.target, companyId)})`
}

/**
 * Deletes all rows of the company of `tx`, the row of the company last. The row in `company_ends` lets the rows go that
 * nothing may delete otherwise. Returns the number of rows.
 */
export async function deleteRows(tx: Ctx, companyId: number): Promise<number> {
  const { db, env } = tx
  const isFile = env.store.engine === 'sqlite'
  const tables = await (isFile ? tablesOfFile(db) : tablesOfOffice(db))
  // An idempotency key of a file is found by the key and the book that are deleted: it goes first.
  const order = referringFirst(tables).toSorted(
    (a, b) => Number(b === 'idempotency_keys') - Number(a === 'idempotency_keys'),
  )
  await db
    .insertInto('company_ends')
    .values({ company_id: companyId, begun_at: tx.now().getTime() })
    .execute()
  const books = await db
    .selectFrom('books')
    .select('public_id as id')
    .where('company_id', '=', companyId)
    .execute()
  let rows = 0
  const run = async (text: string): Promise<void> => {
    const { numAffectedRows } = await sql.raw(text).execute(db)
    rows += Number(numAffectedRows ?? 0)
  }
  if (isFile)
    for (const { id } of books) {
      const views = await db.deleteFrom('settings').where('name', 'like', `views/${id}/%`).executeTakeFirst()
      rows += Number(views.numDeletedRows)
    }
  const isLast = (name: string): boolean => name === 'company_ends' || name === 'companies'
  const delete_ = (name: string): Promise<void> =>
    run(
      `delete from ${name} where ${
        isFile
          ? conditionOf(tables, name, companyId)
          : name === 'companies'
            ? `id = ${companyId}`
            : `company_id = ${companyId}`
      }`,
    )
  for (const name of order) if (!isLast(name)) await delete_(name)
  // The permission ends before the company does: its row refers to it.
  await delete_('company_ends')
  await delete_('companies')
  return rows
}
