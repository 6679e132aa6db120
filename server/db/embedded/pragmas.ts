/** Checks on the open file: the pragmas that make commits durable, and the triggers that protect immutable rows. */
import type { Connection } from './connection.ts'
import { APPLICATION_ID, loadMigrations, migrate } from './migrate.ts'
import { SCHEMA_VERSION } from '../migrations/version.ts'
import { requiredPragmas, openScratch } from './open.ts'

interface SchemaRow {
  type: string
  name: string
  sql: string
}

function schemaOf(connection: Connection): Map<string, string> {
  const rows = connection.all(
    "select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite!_%' escape '!'",
    [],
  ) as SchemaRow[]
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, sql]))
}

/** Lists pragmas that a connection no longer has, as sentences. */
export function pragmaFaults(connection: Connection, role: 'writer' | 'reader'): string[] {
  return requiredPragmas(role).flatMap(([name, expected]) => {
    const held = connection.handle.pragma(name, { simple: true })
    return held === expected ? [] : [`The ${role} has ${name}=${String(held)}, not ${expected}.`]
  })
}

let wanted: ReadonlyMap<string, string> | undefined

/** Returns the schema of this build, created once by its migrations. */
async function wantedSchema(): Promise<ReadonlyMap<string, string>> {
  if (wanted) return wanted
  const migrations = await loadMigrations()
  const scratch = openScratch()
  try {
    migrate(scratch, migrations)
    return (wanted = schemaOf(scratch))
  } finally {
    scratch.close()
  }
}

/** Lists tables, indexes and triggers that are missing from this build's schema or extra, as sentences. */
export async function schemaFaults(connection: Connection): Promise<string[]> {
  const { handle } = connection
  const version = handle.pragma('user_version', { simple: true })
  const application = handle.pragma('application_id', { simple: true })
  if (application !== APPLICATION_ID || version !== SCHEMA_VERSION)
    return [`The file says application ${String(application)}, schema ${String(version)}.`]
  const wantedHere = await wantedSchema()
  const found = schemaOf(connection)
  return [
    ...[...wantedHere].flatMap(([name, sql]) => {
      const there = found.get(name)
      if (there === undefined) return [`The ${name} is missing.`]
      return there === sql ? [] : [`The ${name} is not as it was made.`]
    }),
    ...[...found.keys()].filter((name) => !wantedHere.has(name)).map((name) => `The ${name} is not ours.`),
  ]
}
