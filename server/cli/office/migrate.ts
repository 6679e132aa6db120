/** Commands that prepare an office: its schema and its master key. */
import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { optionFault, requiredOption, text } from '../shared.ts'
import type { Command } from '../shared.ts'
import { refusalByDatabase } from './open.ts'
import { CONNECTION_OPTIONS, IN_OFFICE, KEY_BYTES, migrationUrl } from './settings.ts'

/** Writes a new key as a line of hexadecimal text, for this user alone. Never replaces a file. */
function createKeyFile(file: string, option: string): void {
  let handle: number
  try {
    handle = openSync(file, 'wx', 0o600)
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'unknown'
    throw optionFault(
      option,
      code === 'EEXIST'
        ? 'The file exists already: a key is never replaced.'
        : `The file cannot be created (${code}).`,
    )
  }
  try {
    writeSync(handle, `${randomBytes(KEY_BYTES).toString('hex')}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const KEEP_IT =
  'Keep a copy of this key away from the database and its backups: without it nobody opens certificates and passwords again.'

export const createMasterKey: Command = {
  usage: 'office create-key --out FILE',
  about:
    'Create a file with a new master key, which seals certificates, passwords and the secrets of webhooks.',
  inOffice: IN_OFFICE,
  options: { out: { type: 'string' } },
  async run(values, _settings, io) {
    const out = requiredOption(values, 'out')
    createKeyFile(out, 'out')
    io.say(KEEP_IT)
    return { answer: { out } }
  },
}

export const migrate: Command = {
  usage: 'office migrate [--migration-database-file F] [--servers-role NAME] [--create-key FILE]',
  about:
    "Bring the database of an office to this version's schema, with the role that owns the tables (SELLO_OFFICE_MIGRATION_URL), and grant the servers' role, sello_server unless another is named, what servers need. Refuses while servers run that are more than one version behind. With --create-key also creates the file of a new master key.",
  inOffice: IN_OFFICE,
  options: {
    ...CONNECTION_OPTIONS,
    'migration-database-file': { type: 'string' },
    'servers-role': { type: 'string' },
    'create-key': { type: 'string' },
  },
  async run(values, _settings, io) {
    const url = migrationUrl(values, io)
    const keyFile = text(values, 'create-key')
    const [{ createPool }, { migrateOffice }] = await Promise.all([
      import('../../db/postgres/pool.ts'),
      import('../../db/postgres/migrate.ts'),
    ])
    // A migration of a large database takes as long as it takes.
    const pool = createPool({ url, connections: 1, silenceMs: 0, onLost: () => {} }, 'sello-migrate')
    try {
      const { from, to, steps } = await migrateOffice(pool, randomUUID(), text(values, 'servers-role'))
      io.say(
        from === 0
          ? `Created the schema, version ${to}.`
          : from === to
            ? `The schema is that of this program: version ${to}.`
            : `Upgraded the schema from version ${from} to ${to}.`,
      )
      if (steps.length > 0) io.say(`Added what only an office has: ${steps.join(', ')}.`)
      if (keyFile !== undefined) {
        createKeyFile(keyFile, 'create-key')
        io.say(KEEP_IT)
      }
      return { answer: { from, to, steps } }
    } catch (error) {
      throw refusalByDatabase(error)
    } finally {
      await pool.end()
    }
  },
}
