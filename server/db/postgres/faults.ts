/** Checks on the database of an office: the settings that make commits durable, and what protects immutable rows. */
import type { Pool } from 'pg'
import { SCHEMA_VERSION } from '../migrations/list.ts'

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

/** Lists what differs from the schema of this build, as sentences. */
export async function schemaFaults(pool: Pool): Promise<string[]> {
  const { rows: versions } = await pool.query<{ version: number }>(
    'select max(number) as version from schema_migrations',
  )
  const version = versions[0]?.version
  const { rows: triggers } = await pool.query<{ name: string }>(
    `select tgname as name from pg_trigger where not tgisinternal and tgenabled not in ('O', 'A') order by tgname`,
  )
  const { rows: constraints } = await pool.query<{ name: string }>(
    'select conname as name from pg_constraint where not convalidated order by conname',
  )
  return [
    ...(version === SCHEMA_VERSION ? [] : [`The database says schema ${String(version)}.`]),
    ...triggers.map(({ name }) => `The trigger ${name} is switched off.`),
    ...constraints.map(({ name }) => `The constraint ${name} was not checked.`),
  ]
}
