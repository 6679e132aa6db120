/**
 * Translates one numbered migration of the embedded engine to PostgreSQL: the difference between the schema before and
 * after it, and its statements on rows. Servers of the version before go on while it runs and afterwards, so that it only
 * adds, and widens conditions: what else a migration does is an error here.
 */
import {
  expression,
  indexStatement,
  splitList,
  tableStatements,
  translatedTable,
  triggerStatements,
  wallStatements,
  withoutComments,
} from './postgres.ts'
import type { SchemaObject, TranslatedTable, TranslationRules } from './postgres.ts'

interface Difference {
  added: string[]
  removed: string[]
}

function difference(before: readonly string[], after: readonly string[]): Difference {
  return {
    added: after.filter((one) => !before.includes(one)),
    removed: before.filter((one) => !after.includes(one)),
  }
}

const nameOf = (column: string): string => /^"?(\w+)"?/.exec(column)?.[1] ?? ''

/** Takes the conditions out of a column: `check (…)`, of which each may hold parentheses. */
function parted(column: string): { plain: string; checks: string[] } {
  const checks: string[] = []
  let plain = column
  for (;;) {
    const start = plain.search(/ check \(/)
    if (start < 0) return { plain, checks }
    let depth = 0
    let end = start
    for (const { 0: sign, index } of plain.slice(start).matchAll(/'(?:[^']|'')*'|[()]/g)) {
      if (sign === '(') depth += 1
      if (sign === ')') depth -= 1
      if (sign === ')' && depth === 0) {
        end = start + index + 1
        break
      }
    }
    checks.push(plain.slice(start + 1, end))
    plain = plain.slice(0, start) + plain.slice(end)
  }
}

/**
 * Returns the statement that removes a condition. The database has given it a name of its own: it is found by the form in
 * which the database writes the same condition on a copy of the table.
 */
function withoutCheck(table: string, check: string): string {
  return `do $do$
declare gone text;
begin
  create temp table probe (like ${table});
  alter table probe add constraint probe_check ${check};
  select conname into strict gone from pg_constraint
    where conrelid = '${table}'::regclass and contype = 'c' and pg_get_constraintdef(oid) =
      (select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'probe'::regclass and conname = 'probe_check');
  execute format('alter table ${table} drop constraint %I', gone);
  drop table probe;
end $do$;`
}

/** Translates what changed in a table that is there before and after. */
function changedTable(name: string, before: TranslatedTable, after: TranslatedTable): string[] {
  const statements: string[] = []
  const old = new Map(before.columns.map((column) => [nameOf(column), column]))
  const checks: Difference = { added: [], removed: [] }
  for (const column of after.columns) {
    const was = old.get(nameOf(column))
    old.delete(nameOf(column))
    if (was === column) continue
    if (was === undefined) {
      // A check may say `is not null`.
      if (/(?<! is) not null\b/.test(column) && !/ default | generated /.test(column))
        throw new Error(`${name}: servers of the version before do not give the new column "${column}".`)
      statements.push(`alter table ${name} add column ${column};`)
      continue
    }
    const [left, right] = [parted(was), parted(column)]
    if (left.plain !== right.plain) {
      if (left.plain.replace(' not null', '') !== right.plain)
        throw new Error(`${name}: no rule for "${was}" becoming "${column}".`)
      statements.push(`alter table ${name} alter column ${nameOf(column)} drop not null;`)
    }
    const { added, removed } = difference(left.checks, right.checks)
    checks.added.push(...added)
    checks.removed.push(...removed)
  }
  for (const column of old.values())
    throw new Error(`${name}: servers of the version before use the column "${column}".`)
  const { added, removed } = difference(before.constraints, after.constraints)
  for (const one of removed)
    if (!one.startsWith('check ')) throw new Error(`${name}: no rule for the end of "${one}".`)
  checks.removed.push(...removed)
  checks.added.push(...added)
  const references = difference(before.references, after.references)
  for (const one of references.removed) throw new Error(`${name}: no rule for the end of "${one}".`)
  return [
    ...checks.removed.map((check) => withoutCheck(name, check)),
    ...statements,
    ...checks.added.map((one) => `alter table ${name} add ${one};`),
    ...references.added,
  ]
}

/** Splits a migration into its statements; those of a trigger's body belong to it. */
function statementsOf(sql: string): string[] {
  const found: string[] = []
  let rest = withoutComments(sql)
  while (rest.trim() !== '') {
    const isTrigger = /^\s*create trigger\b/i.test(rest)
    const end = isTrigger ? /;\s*end\s*;/i : /;/
    let at = -1
    let length = 0
    // The first end that is in no quotes.
    for (const { 0: token, index } of rest.matchAll(new RegExp(`'(?:[^']|'')*'|${end.source}`, 'gi')))
      if (!token.startsWith("'")) {
        at = index
        length = token.length
        break
      }
    const statement = at < 0 ? rest : rest.slice(0, at + length)
    found.push(statement.trim().replace(/;$/, '').replaceAll(/\s+/g, ' '))
    rest = at < 0 ? '' : rest.slice(at + length)
  }
  return found
}

/** Throws if a copy of a table computes something on the way: the office's table stays, and would not get it. */
function assertPlainCopy(statement: string): void {
  const [, columns = '', chosen = ''] =
    /^insert into \w+ ?(?:\(([^)]*)\) )?select (.*?) from \w+(?: order by \w+)?$/i.exec(statement) ?? []
  const list = splitList(chosen)
  const isPlain = columns === '' ? chosen === '*' : list.join() === splitList(columns).join()
  if (!isPlain) throw new Error(`No rule for the copy "${statement}".`)
}

/** Translates the statements of a migration on rows of tables that stay. They run once for each company. */
function rowStatements(
  sql: string,
  staying: ReadonlySet<string>,
  { sharedTables }: TranslationRules,
): string[] {
  return statementsOf(sql).flatMap((statement) => {
    const target = /^(?:insert into|update|delete from) (\w+)/i.exec(statement)?.[1]
    if (target === undefined) return []
    // Rows of the installation are seen by every company, and changed by none.
    if (sharedTables.includes(target) && staying.has(target))
      throw new Error(`No rule for the rows of the installation in "${statement}".`)
    if (staying.has(target)) return [expression(statement)]
    assertPlainCopy(statement)
    return []
  })
}

/** Rows are seen by a transaction of their company only: in one for all of them, a statement would change none. */
function forEachCompany(statements: readonly string[]): string {
  return `do $do$
declare each bigint;
begin
  for each in select id from companies order by id loop
    perform set_config('sello.scope', 'company', true), set_config('sello.company', each::text, true);
${statements.map((statement) => `    ${statement};`).join('\n')}
  end loop;
  perform set_config('sello.scope', 'installation', true), set_config('sello.company', '', true);
end $do$;`
}

interface NumberedMigration {
  before: readonly SchemaObject[]
  after: readonly SchemaObject[]
  /** What the embedded engine runs. */
  sql: string
}

/** Translates a migration. It runs with the scope of the installation. Throws if no rule covers what it does. */
export function postgresMigration(
  { before, after, sql }: NumberedMigration,
  rules: TranslationRules,
): string {
  const names = (type: SchemaObject['type'], objects: readonly SchemaObject[]): Map<string, SchemaObject> =>
    new Map(objects.filter((one) => one.type === type).map((one) => [one.name, one]))
  const [oldTables, tables] = [names('table', before), names('table', after)]
  for (const name of oldTables.keys())
    if (!tables.has(name)) throw new Error(`Servers of the version before use the table ${name}.`)
  const newTables = [...tables.values()].filter(({ name }) => !oldTables.has(name))
  const created = newTables.map((one) => tableStatements(one, rules))
  const changed = [...tables.values()].flatMap((one) => {
    const was = oldTables.get(one.name)
    return was ? changedTable(one.name, translatedTable(was, rules), translatedTable(one, rules)) : []
  })
  const [oldIndexes, indexes] = [names('index', before), names('index', after)]
  const [oldTriggers, triggers] = [names('trigger', before), names('trigger', after)]
  const indexOf = (one: SchemaObject | undefined): string | null => (one ? indexStatement(one) : null)
  const triggerOf = (one: SchemaObject | undefined): string => (one ? triggerStatements(one).join('\n') : '')
  const rows = rowStatements(sql, new Set(tables.keys()), rules)
  const onTable = (one: SchemaObject): string =>
    / on (\w+)/i.exec(withoutComments(one.sql).replaceAll(/\s+/g, ' '))?.[1] ?? ''
  const all = [
    ...[...oldTriggers.values()]
      .filter((one) => triggerOf(one) !== triggerOf(triggers.get(one.name)))
      .map((one) => `drop trigger ${one.name} on ${onTable(one)};\ndrop function ${one.name}();`),
    ...[...oldIndexes.values()]
      .filter((one) => indexOf(one) !== indexOf(indexes.get(one.name)))
      .map(({ name }) => `drop index ${name};`),
    ...created.flatMap(({ now }) => now),
    ...changed,
    ...created.flatMap(({ later }) => later),
    ...newTables.flatMap((one) => wallStatements(one, rules)),
    ...(rows.length > 0 ? [forEachCompany(rows)] : []),
    ...[...indexes.values()]
      .filter((one) => indexOf(one) !== indexOf(oldIndexes.get(one.name)))
      .map((one) => indexStatement(one)),
    ...[...triggers.values()]
      .filter((one) => triggerOf(one) !== triggerOf(oldTriggers.get(one.name)))
      .map((one) => triggerStatements(one).join('\n')),
  ]
  return all.length > 0 ? `${all.join('\n')}\n` : ''
}
