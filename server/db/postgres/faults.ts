/** Checks on the database of an office: the settings that make commits durable, and what protects immutable rows. */
import type { Pool } from 'pg'
import { SCHEMA_VERSION } from '../migrations/list.ts'
import { officeSchema } from './migrations/0015.ts'

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

/** Returns the names of what the schema of this build creates, and the bodies of its functions. */
function wantedSchema(): { objects: string[]; functions: Map<string, string> } {
  const objects = officeSchema.matchAll(/^create (?:unique )?(table|index|trigger) (\w+)/gm)
  const functions = officeSchema.matchAll(/^create function (\w+)\(\) [^$]*\$\$([^$]*)\$\$/gm)
  return {
    objects: Array.from(objects, ([, type = '', name = '']) => `${type} ${name}`),
    functions: new Map(Array.from(functions, ([, name = '', body = '']) => [name, body])),
  }
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
  ]
}
