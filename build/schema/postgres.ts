/**
 * Translates the schema of the embedded engine to PostgreSQL, by rules over its text. What no rule covers is an
 * error: then a rule is added, or the migration is written in another way.
 */

/** A table, index or trigger as `sqlite_master` lists it. */
export interface SchemaObject {
  type: 'table' | 'index' | 'trigger'
  name: string
  sql: string
}

export interface TranslationRules {
  /** Tables whose rows belong to a company or, without one, to the installation: all may read the latter. */
  sharedTables: readonly string[]
  /** Tables of companies that work for the whole installation reads and writes too. */
  dispatchTables: readonly string[]
  /** Tables without a book or a parent, whose unique keys hold within a company. */
  uniqueByCompany: readonly string[]
  /** Columns by table that an office has and a file has not, as PostgreSQL declares them. */
  moreColumns: Readonly<Record<string, readonly string[]>>
  /** Primary keys by table that an office has instead of a file's: a file's is unique in that file only. */
  keys: Readonly<Record<string, string>>
}

/** Reads SQL text without its comments; texts in quotes stay as they are. */
export function withoutComments(sql: string): string {
  return sql.replaceAll(/'(?:[^']|'')*'|--[^\n]*/g, (found) => (found.startsWith('--') ? '' : found))
}

/** Applies `change` to everything that is not in quotes. */
function outsideQuotes(sql: string, change: (text: string) => string): string {
  return sql
    .split(/('(?:[^']|'')*')/)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')
}

/** Splits at commas that are in no parentheses and no quotes. */
export function splitList(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: token, index } of list.matchAll(/'(?:[^']|'')*'|[(),]/g)) {
    if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    else if (token === ',' && depth === 0) {
      parts.push(list.slice(start, index))
      start = index + 1
    }
  }
  parts.push(list.slice(start))
  return parts.map((part) => part.trim().replaceAll(/\s+/g, ' ')).filter(Boolean)
}

/** Returns the regular expression of a glob pattern. */
function regularExpression(glob: string): string {
  return `^${glob.replaceAll(/\*|\?|[.+^$(){}|\\]/g, (sign) => (sign === '*' ? '.*' : sign === '?' ? '.' : `\\${sign}`))}$`
    .replaceAll('[\\^', '[^')
    .replace(/^\^\.\*/, '')
    .replace(/\.\*\$$/, '')
}

/** Translates an expression: a condition, a default value or an indexed expression. */
export function expression(sql: string): string {
  return outsideQuotes(
    sql
      .replaceAll(/\bnot glob '([^']*)'/gi, (_, glob: string) => `!~ '${regularExpression(glob)}'`)
      .replaceAll(/\bglob '([^']*)'/gi, (_, glob: string) => `~ '${regularExpression(glob)}'`)
      .replaceAll(/\bis '([^']*)'/gi, "is not distinct from '$1'")
      .replaceAll(/\bjson_extract\(([\w.]+), '\$\.(\w+)'\)/gi, "($1::json ->> '$2')"),
    (text) =>
      text
        .replaceAll(/\bjson_valid\(([\w.]+)\)/gi, '($1 is null or $1::json is not null)')
        .replaceAll(/\bas integer\b/gi, 'as bigint')
        .replaceAll(/\bmax\((?=[^(),]+, )/gi, 'greatest(')
        .replaceAll(/\bis not (?=(?:old|new)\.)/gi, 'is distinct from ')
        .replaceAll(/\bis (?=(?:old|new)\.)/gi, 'is not distinct from ')
        // PostgreSQL 15 wants a name for a query in FROM.
        .replaceAll(/\bfrom \( ?(select .*?)\) (?=where )/gi, 'from ($1) as part ')
        // Conditions that are added up count the true ones.
        .replaceAll(/(\(\w+ is (?:not )?null\))(?= \+)|(?<=\+ )(\(\w+ is (?:not )?null\))/gi, '$1$2::int'),
  )
}

/** Words of PostgreSQL that a column may not be called without quotes. */
const RESERVED: readonly string[] = ['user']

const REFERENCE =
  / references (\w+)(?: \((\w+)\))?( on delete (?:cascade|set null|restrict))?( deferrable initially deferred)?/i

/** The parts of a table in PostgreSQL. */
export interface TranslatedTable {
  name: string
  columns: string[]
  constraints: string[]
  /** Statements that follow once every table exists. */
  references: string[]
}

function column(table: TranslatedTable, text: string): string {
  const [, name = '', type = '', more = ''] = /^(\w+) (integer|text|blob)\b(.*)$/i.exec(text) ?? []
  if (!name) throw new Error(`${table.name}: no rule for the column "${text}".`)
  let rest = more
  const reference = REFERENCE.exec(rest)
  if (reference) {
    rest = rest.replace(REFERENCE, '')
    const [, target = '', key, onDelete = '', deferred = ''] = reference
    // A row is of the company of its book.
    const toBook = target === 'books' && key === undefined
    const columns = toBook ? `${name}, company_id` : name
    const keys = toBook ? ' (id, company_id)' : key ? ` (${key})` : ''
    table.references.push(
      `alter table ${table.name} add foreign key (${columns}) references ${target}${keys}${onDelete}${deferred};`,
    )
  }
  // Only a column that the engine itself fills is an identity.
  const isIdentity = name === 'id' && !reference && /^ primary key( autoincrement)?$/i.test(rest)
  if (isIdentity) return `${name} bigint generated by default as identity primary key`
  const typeThere = { integer: 'bigint', text: 'text', blob: 'bytea' }[type.toLowerCase()]
  return `${RESERVED.includes(name) ? `"${name}"` : name} ${typeThere}${expression(rest).replace(/\) virtual\b/i, ') stored')}`
}

const BY_COMPANY = `nullif(current_setting('sello.company', true), '')::bigint`

/** Translates the parts of a table. Throws for a column of which no rule knows the type. */
export function translatedTable({ name, sql }: SchemaObject, rules: TranslationRules): TranslatedTable {
  const text = withoutComments(sql)
  const body = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
  const table: TranslatedTable = { name, columns: [], constraints: [], references: [] }
  for (const item of splitList(body)) {
    if (/^foreign key /i.test(item)) table.references.push(`alter table ${name} add ${item};`)
    else if (/^(primary key|unique|check)\b/i.test(item)) table.constraints.push(expression(item))
    else table.columns.push(column(table, item))
  }
  if (name !== 'companies' && !/^company_id /m.test(table.columns.join('\n')))
    table.columns.push(
      `company_id bigint ${rules.sharedTables.includes(name) ? '' : 'not null '}default ${BY_COMPANY}`,
    )
  for (const more of rules.moreColumns[name] ?? [])
    (more.startsWith('check ') ? table.constraints : table.columns).push(more)
  if (name === 'books') table.constraints.push('unique (id, company_id)')
  if (rules.uniqueByCompany.includes(name))
    table.constraints = table.constraints.map((item) => item.replace(/^unique \(/, 'unique (company_id, '))
  const key = rules.keys[name]
  if (key !== undefined) {
    table.columns = table.columns.map((each) => each.replace(' primary key', ''))
    table.constraints = [
      `primary key (${key})`,
      ...table.constraints.filter((each) => !/^primary key/i.test(each)),
    ]
  }
  return table
}

/** Returns what creates a table, and what follows once all tables exist. */
export function tableStatements(
  one: SchemaObject,
  rules: TranslationRules,
): { now: string[]; later: string[] } {
  const { name, columns, constraints, references } = translatedTable(one, rules)
  const lines = [...columns, ...constraints].map((line) => `  ${line}`).join(',\n')
  return { now: [`create table ${name} (\n${lines}\n);`], later: references }
}

/** Throws for an index that no rule covers. */
export function indexStatement({ name, sql }: SchemaObject): string {
  const text = withoutComments(sql).trim().replaceAll(/\s+/g, ' ')
  const found = /^create (unique )?index \w+ on (\w+) ?\((.*?)\)( where .*)?$/i.exec(text)
  if (!found) throw new Error(`${name}: no rule for this index.`)
  const [, unique = '', table, list = '', where = ''] = found
  // An indexed expression other than a function call stands in parentheses.
  const keys = splitList(list).map((key) => (/^case /i.test(key) ? `(${expression(key)})` : expression(key)))
  return `create ${unique.toLowerCase()}index ${name} on ${table} (${keys.join(', ')})${expression(where)};`
}

/** Translates a statement in the body of a trigger to PL/pgSQL. */
function triggerStep(name: string, step: string): string {
  const abort = /^select raise\(abort, '((?:[^']|'')*)'\)(?: (from .*)| where (.*))?$/i.exec(step)
  if (abort) {
    const [, message = '', from, where] = abort
    const condition = from === undefined ? where : `exists (select 1 ${from})`
    const raise = `raise exception using errcode = 'integrity_constraint_violation', message = '${message}';`
    return condition === undefined ? raise : `if ${expression(condition)} then ${raise} end if;`
  }
  if (!/^(insert into|update|delete from) /i.test(step)) throw new Error(`${name}: no rule for "${step}".`)
  // The row that is there, not the one that was to be inserted.
  const target = /^insert into (\w+)/i.exec(step)?.[1]
  const [insert = '', update] = step.split(/ do update set /i)
  if (update === undefined || !target) return `${expression(step)};`
  const kept = update.replaceAll(/= (\w+) ([+-]) /g, `= ${target}.$1 $2 `)
  return `${expression(insert)} do update set ${expression(kept)};`
}

/** Returns a function and the trigger that calls it. Throws for a step that no rule covers. */
export function triggerStatements({ name, sql }: SchemaObject): string[] {
  const text = withoutComments(sql).trim().replaceAll(/\s+/g, ' ')
  const found =
    /^create trigger \w+ (before|after) (insert|delete|update(?: of [\w, ]+?)?) on (\w+)(?: when (.*?))? begin (.*); end$/i.exec(
      text,
    )
  if (!found) throw new Error(`${name}: no rule for this trigger.`)
  const [, time = '', event = '', table, when, body = ''] = found
  const steps = body.split(/; (?=(?:[^']|'[^']*')*$)/).map((step) => triggerStep(name, step.trim()))
  const guarded =
    when === undefined
      ? steps
      : [`if ${expression(when)} then`, ...steps.map((step) => `  ${step}`), 'end if;']
  const result = event.toLowerCase() === 'delete' ? 'old' : 'new'
  const lines = [...guarded, `return ${result};`].map((line) => `  ${line}`).join('\n')
  return [
    `create function ${name}() returns trigger language plpgsql as $$\nbegin\n${lines}\nend $$;`,
    `create trigger ${name} ${time.toLowerCase()} ${event} on ${table} for each row execute function ${name}();`,
  ]
}

/**
 * The company of the transaction and whether it is for the whole installation, as `server/db/postgres/scope.ts` sets
 * them; and the one fact about others that a company's records state.
 */
const SCOPE_FUNCTIONS = [
  `create function own_company() returns bigint language sql stable parallel safe as $$ select ${BY_COMPANY} $$;`,
  `create function is_for_installation() returns boolean language sql stable parallel safe as $$ select current_setting('sello.scope', true) = 'installation' $$;`,
  `create function several_companies() returns boolean language plpgsql as $$
declare
  scope text := current_setting('sello.scope', true);
  several boolean;
begin
  perform set_config('sello.scope', 'installation', true);
  select count(*) > 1 into several from (select 1 from companies limit 2) as first_two;
  perform set_config('sello.scope', scope, true);
  return several;
end $$;`,
]

/** Asked once for a statement and not for each row. */
const OWN = '(select own_company())'
const FOR_INSTALLATION = '(select is_for_installation())'

/**
 * Returns the statements that limit a table to the rows of the transaction's company, for its owner too. The `coalesce`
 * changes no answer: the planner does not see the equality then. It would take it for a condition that is independent of
 * those of the statement, one company in a thousand for each joined table, expect a single row, and read and sort a whole
 * book for one page.
 */
export function wallStatements({ name }: SchemaObject, rules: TranslationRules): string[] {
  const column = name === 'companies' ? 'id' : 'company_id'
  const isShared = rules.sharedTables.includes(name)
  const isOpen = isShared || name === 'companies' || rules.dispatchTables.includes(name)
  const rule = isOpen ? `${column} = ${OWN} or ${FOR_INSTALLATION}` : `coalesce(${column} = ${OWN}, false)`
  return [
    `alter table ${name} enable row level security, force row level security;`,
    `create policy of_company on ${name} using (${rule});`,
    ...(isShared ? [`create policy of_installation on ${name} for select using (${column} is null);`] : []),
  ]
}

/**
 * Translates a whole schema, in the order of its objects. References are made after all tables, then triggers, and
 * row-level security last. Throws if no rule covers an object.
 */
export function postgresSchema(objects: readonly SchemaObject[], rules: TranslationRules): string {
  const ofTables = objects.filter(({ type }) => type === 'table')
  const tables = ofTables.map((one) => tableStatements(one, rules))
  const all = [
    ...tables.flatMap(({ now }) => now),
    ...tables.flatMap(({ later }) => later),
    ...objects.filter(({ type }) => type === 'index').map((one) => indexStatement(one)),
    ...objects.filter(({ type }) => type === 'trigger').flatMap((one) => triggerStatements(one)),
    ...SCOPE_FUNCTIONS,
    ...ofTables.flatMap((one) => wallStatements(one, rules)),
  ]
  return `${all.join('\n')}\n`
}
