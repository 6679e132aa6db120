/** Checks on the database of an office: the settings that make commits durable, and what protects immutable rows. */
import type { Pool } from 'pg'
import { SCHEMA_VERSION } from '../migrations/version.ts'
import { officeSchema } from './schema/newest.ts'
import { officeMigrations } from './tables/office-schema.ts'

/** Settings without which the database forgets commits that it has confirmed, with the value each must have. */
const DURABLE: Readonly<Record<string, readonly string[]>> = {
  fsync: ['on'],
  full_page_writes: ['on'],
  synchronous_commit: ['on', 'remote_apply', 'remote_write', 'local'],
}

/** Lists settings without which a confirmed commit could be lost, as sentences. */
export async function durabilityFaults(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any ($1) order by name',
    [Object.keys(DURABLE)],
  )
  return rows
    .filter(({ name, setting }) => !DURABLE[name]?.includes(setting))
    .map(({ name, setting }) => `The database has ${name}=${setting}: it can forget what it has confirmed.`)
}

/** Returns all statements that create the schema of this build. */
function schemaText(): string {
  return [officeSchema, ...officeMigrations.map(({ sql }) => sql)].join('\n')
}

/** Returns the names of what the schema of this build creates, and the bodies of its functions. */
function wantedSchema(): { objects: string[]; functions: Map<string, string> } {
  const text = schemaText()
  const objects = text.matchAll(/^create (?:unique )?(table|index|trigger) (\w+)/gm)
  const functions = text.matchAll(/^create function (\w+)\(\) [^$]*\$\$([^$]*)\$\$/gm)
  return {
    objects: Array.from(objects, ([, type = '', name = '']) => `${type} ${name}`),
    functions: new Map(Array.from(functions, ([, name = '', body = '']) => [name, body])),
  }
}

/** Tables of the schema that the servers' role only reads. */
const OF_OWNER: readonly string[] = ['schema_migrations', 'installation', 'office_migrations']
/** Tables about the servers themselves: no row of them is a company's. */
const OF_SERVERS: readonly string[] = ['office_servers', 'office_master_key', 'held_names', 'request_counts']

/** Returns an expression without what the database writes in another way. */
const plain = (expression: string): string => expression.toLowerCase().replaceAll(/ as \w+|[()\s]/g, '')

/** Lists what of row-level security is missing, changed or was added, as sentences. */
async function policyFaults(pool: Pool): Promise<string[]> {
  const wanted = new Map(
    Array.from(
      schemaText().matchAll(/^create policy (\w+) on (\w+)( for select)? using \((.*)\);$/gm),
      ([, name = '', table = '', forSelect, rule = '']) => [
        `policy ${name} on ${table}`,
        `${forSelect ? 'r' : '*'} ${plain(rule)}`,
      ],
    ),
  )
  const { rows: policies } = await pool.query<{ policy: string; command: string; rule: string | null }>(`
    select 'policy ' || polname || ' on ' || relname as policy,
      case when polpermissive and polwithcheck is null and polroles = '{0}' then polcmd::text else '-' end as command,
      pg_get_expr(polqual, polrelid) as rule
    from pg_policy join pg_class on pg_class.oid = polrelid order by relname, polname`)
  const there = new Map(
    policies.map(({ policy, command, rule }) => [policy, `${command} ${plain(rule ?? '')}`]),
  )
  const { rows: open } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and not (relrowsecurity and relforcerowsecurity) and relname <> all ($1) order by relname`,
    [[...OF_OWNER, ...OF_SERVERS]],
  )
  return [
    ...open.map(({ name }) => `The table ${name} is not limited to the rows of one company.`),
    ...[...wanted].flatMap(([policy, rule]) =>
      there.get(policy) === rule
        ? []
        : [there.has(policy) ? `The ${policy} is not as it was made.` : `The ${policy} is missing.`],
    ),
    ...policies.filter(({ policy }) => !wanted.has(policy)).map(({ policy }) => `The ${policy} was added.`),
  ]
}

/** Lists what the role of this connection may do that servers must not, or must do and may not, as sentences. */
async function roleFaults(pool: Pool): Promise<string[]> {
  const { rows: roles } = await pool.query<{ name: string; isFree: number }>(
    'select rolname as name, rolsuper or rolbypassrls as "isFree" from pg_roles where rolname = current_user',
  )
  const [role] = roles
  if (!role || role.isFree === 1)
    return [`No policy holds for the role ${role?.name ?? ''}: servers need one that bypasses none.`]
  const { rows: tables } = await pool.query<{ name: string; owns: number; lacks: number; exceeds: number }>(
    `select relname as name, pg_has_role(relowner, 'member') as owns,
      not (has_table_privilege(oid, 'select') and (relname = any ($1)
        or has_table_privilege(oid, 'insert') and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))) as lacks,
      has_table_privilege(oid, 'truncate, references, trigger') or (relname = any ($1) and has_table_privilege(oid, 'insert, update, delete')) as exceeds
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
    [OF_OWNER],
  )
  return tables.flatMap(({ name, owns, lacks, exceeds }) =>
    owns === 1
      ? [`The role ${role.name} owns the table ${name}: it could switch its policies off.`]
      : [
          ...(lacks === 1 ? [`The role ${role.name} may not read and change the table ${name}.`] : []),
          ...(exceeds === 1
            ? [`The role ${role.name} may do more with the table ${name} than it needs.`]
            : []),
        ],
  )
}

/** Lists what differs from the schema of this build, as sentences. Columns and conditions are not compared. */
export async function schemaFaults(pool: Pool): Promise<string[]> {
  const { rows: versions } = await pool.query<{ version: number }>(
    'select max(number) as version from schema_migrations',
  )
  const version = versions[0]?.version
  const { rows: found } = await pool.query<{ object: string; body: string | null; isOff: number }>(`
    select case relkind when 'r' then 'table ' else 'index ' end || relname as object, null as body, false as "isOff"
      from pg_class where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace
    union all select 'trigger ' || tgname, null, tgenabled not in ('O', 'A') from pg_trigger where not tgisinternal
    union all select 'function ' || proname, prosrc, false from pg_proc where pronamespace = 'public'::regnamespace`)
  const { rows: constraints } = await pool.query<{ name: string }>(
    'select conname as name from pg_constraint where not convalidated order by conname',
  )
  const there = new Map(found.map((row) => [row.object, row]))
  const { objects, functions } = wantedSchema()
  return [
    ...(version === SCHEMA_VERSION ? [] : [`The database says schema ${String(version)}.`]),
    ...objects.filter((object) => !there.has(object)).map((object) => `The ${object} is missing.`),
    ...[...functions]
      .filter(([name, body]) => there.get(`function ${name}`)?.body !== body)
      .map(([name]) => `The function ${name} is not as it was made.`),
    ...found.filter(({ isOff }) => isOff === 1).map(({ object }) => `The ${object} is switched off.`),
    ...constraints.map(({ name }) => `The constraint ${name} was not checked.`),
    ...(await policyFaults(pool)),
    ...(await roleFaults(pool)),
  ]
}
