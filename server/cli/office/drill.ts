/**
 * Restore drill: brings a backup of an office back in a throw-away PostgreSQL on this computer and verifies all books
 * there. It reaches no other database, and nothing outside its temporary folder is changed.
 */
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../domain/errors/app-error.ts'
import { assertReadable, optionFault, text } from '../shared.ts'
import type { Command, Io, Values } from '../shared.ts'
import { IN_OFFICE, masterKeyFile } from './settings.ts'
import { verify } from './verify.ts'

/** Administrator of the cluster in which a dump is restored: no role of an office has its name. */
const ADMIN = 'sello_drill'
/** The roles that docs/office.md creates. */
const OWNER = 'sello_owner'
const SERVERS = 'sello_server'
const DATABASE = 'sello'
/** Debian's folders of PostgreSQL, one for each version. */
const DEBIAN = '/usr/lib/postgresql'
/** A base backup replays its log at its first start. */
const START_MS = 10 * 60_000
const END_MS = 60_000

/** Settings of the throw-away server: nothing of the original's, which may name archives and standby servers. */
const SETTINGS = [
  "listen_addresses = ''",
  'max_connections = 100',
  'archive_mode = off',
  "synchronous_standby_names = ''",
]

function programsOf(values: Values): string {
  const named = text(values, 'pg-bin')
  const newest = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))[0]
    : undefined
  const folder = named ?? (newest === undefined ? undefined : join(DEBIAN, newest, 'bin'))
  try {
    if (folder === undefined) throw new Error('none')
    for (const program of ['initdb', 'postgres', 'pg_restore'])
      accessSync(join(folder, program), constants.X_OK)
    return folder
  } catch {
    throw optionFault(
      'pg-bin',
      'Name the folder of the programs of PostgreSQL: initdb, postgres, pg_restore.',
    )
  }
}

/** Returns a role or database that is a plain name, for an address. */
function nameOf(values: Values, option: string): string | undefined {
  const name = text(values, option)
  if (name !== undefined && !/^[a-z_][a-z0-9_-]{0,62}$/i.test(name))
    throw optionFault(option, `--${option} is a name of letters, digits and underscores.`)
  return name
}

/** The user as whom the server runs; empty for that of this process. */
type User = { uid: number; gid: number } | Record<string, never>

/** Returns the user of the option. Throws `validation_failed`: PostgreSQL refuses to run as root. */
function userOf(values: Values): User {
  const name = nameOf(values, 'as')
  const isRoot = process.getuid?.() === 0
  if (!isRoot && name === undefined) return {}
  if (name === undefined)
    throw optionFault(
      'as',
      'PostgreSQL refuses to run as root: name another user with --as, such as postgres.',
    )
  const [uid, gid] = ['-u', '-g'].map((kind) => {
    const { status, stdout } = spawnSync('id', [kind, name], { encoding: 'utf8' })
    return status === 0 ? Number(stdout.trim()) : 0
  })
  if (!isRoot || !uid || !gid) throw optionFault('as', 'Only root names another user, and one that exists.')
  return { uid, gid }
}

/** Runs a program of PostgreSQL; throws `backup_damaged` with what it says if it fails. */
function runProgram(program: string, args: readonly string[], step: string, user: User = {}): void {
  const { status, stderr, error } = spawnSync(program, args, {
    ...user,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0)
    throw new AppError('backup_damaged', {
      details: { step, why: (stderr || String(error)).slice(-2_000) },
      cause: error,
    })
}

/** Where a server is put up. */
interface Place {
  bin: string
  folder: string
  user: User
}

interface ThrowAway {
  /** The address of a database, by a socket in the temporary folder. */
  url: (role: string, database: string) => string
  stop: () => Promise<void>
}

/** The database answers that it has no such role or database. */
const UNKNOWN: Readonly<Record<string, 'role' | 'database'>> = { '28000': 'role', '3D000': 'database' }

/** Starts the server on a data folder; throws `backup_damaged` if it does not answer, `validation_failed` if it has no such role or database. */
async function startServer(
  { bin, folder, user }: Place,
  data: string,
  probe: { role: string; database: string },
): Promise<ThrowAway> {
  writeFileSync(join(folder, 'hba'), 'local all all trust\n')
  writeFileSync(
    join(folder, 'settings'),
    [...SETTINGS, `unix_socket_directories = '${folder}'`, `hba_file = '${join(folder, 'hba')}'`, ''].join(
      '\n',
    ),
  )
  const server: ChildProcess = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-c', `config_file=${join(folder, 'settings')}`],
    { ...user, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  server.stderr?.on('data', (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-4_000)))
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()))
  const stop = async (): Promise<void> => {
    // At once: nothing of it is kept.
    server.kill('SIGQUIT')
    const timer = setTimeout(() => server.kill('SIGKILL'), END_MS)
    await ended
    clearTimeout(timer)
  }
  const url = (role: string, database: string): string =>
    `postgresql://${role}@/${database}?host=${encodeURIComponent(folder)}`
  const { createPool } = await import('../../db/postgres/pool.ts')
  const until = performance.now() + START_MS
  for (;;) {
    const pool = createPool(
      { url: url(probe.role, probe.database), connections: 1, onLost: () => {} },
      'sello-drill',
    )
    try {
      await pool.query('select 1')
      return { url, stop }
    } catch (error) {
      const unknown = UNKNOWN[String((error as { code?: unknown }).code)]
      if (unknown !== undefined) {
        await stop()
        throw optionFault(unknown, `The backup has no ${unknown} ${probe[unknown]}.`)
      }
      if (server.exitCode !== null || performance.now() > until) {
        await stop()
        throw new AppError('backup_damaged', { details: { step: 'start', why: said }, cause: error })
      }
      await pause(100)
    } finally {
      await pool.end()
    }
  }
}

/** Restores a file of `pg_dump --format=custom` in a new cluster, with the owner and the rights that it names. */
async function restoreDump(place: Place, dump: string, roles: readonly string[]): Promise<ThrowAway> {
  const { bin, folder, user } = place
  const data = join(folder, 'data')
  runProgram(
    join(bin, 'initdb'),
    ['-D', data, '-U', ADMIN, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    'initdb',
    user,
  )
  const server = await startServer(place, data, { role: ADMIN, database: 'postgres' })
  try {
    const { createPool } = await import('../../db/postgres/pool.ts')
    const pool = createPool(
      { url: server.url(ADMIN, 'postgres'), connections: 1, silenceMs: 0, onLost: () => {} },
      'sello-drill',
    )
    try {
      // A dump names roles and does not contain them.
      for (const role of new Set(roles)) await pool.query(`create role "${role}" login`)
      await pool.query(`create database ${DATABASE} owner "${roles[0] ?? ADMIN}"`)
    } finally {
      await pool.end()
    }
    runProgram(
      join(bin, 'pg_restore'),
      ['--exit-on-error', '-h', folder, '-U', ADMIN, '-d', DATABASE, dump],
      'pg_restore',
    )
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Starts a copy of a base backup in plain format. */
async function startBase(
  place: Place,
  base: string,
  probe: { role: string; database: string },
): Promise<ThrowAway> {
  const { folder, user } = place
  const data = join(folder, 'data')
  cpSync(base, data, { recursive: true })
  chmodSync(data, 0o700)
  for (const name of ['standby.signal', 'recovery.signal', 'postmaster.pid'])
    rmSync(join(data, name), { force: true })
  if ('uid' in user) runProgram('chown', ['-R', `${user.uid}:${user.gid}`, data], 'chown')
  return startServer(place, data, probe)
}

export const drill: Command = {
  usage:
    'office drill --dump FILE | --base DIR [--role NAME] [--owner NAME] [--database NAME] [--pg-bin DIR] [--as USER]',
  about:
    'Restore a backup of an office in a throw-away PostgreSQL on this computer and verify all books there: a file of pg_dump in custom format, or a folder of pg_basebackup in plain format. The check runs as the role of the servers: sello_server, or --role. Root names the user of the server with --as.',
  inOffice: IN_OFFICE,
  options: {
    dump: { type: 'string' },
    base: { type: 'string' },
    role: { type: 'string' },
    owner: { type: 'string' },
    database: { type: 'string' },
    'pg-bin': { type: 'string' },
    as: { type: 'string' },
    'master-key-file': { type: 'string' },
    'bucket-file': { type: 'string' },
  },
  async run(values, settings, io) {
    const [dump, base] = [text(values, 'dump'), text(values, 'base')]
    if ((dump === undefined) === (base === undefined))
      throw optionFault('dump', 'Name either a file with --dump or a folder with --base.')
    const [role = SERVERS, owner = OWNER] = [nameOf(values, 'role'), nameOf(values, 'owner')]
    const database = nameOf(values, 'database') ?? DATABASE
    const user = userOf(values)
    const keyFile = masterKeyFile(values, io)
    const bucketFile = text(values, 'bucket-file')
    assertReadable(dump ?? base ?? '', dump === undefined ? 'base' : 'dump')
    const bin = programsOf(values)
    const folder = mkdtempSync(join(tmpdir(), 'sello-drill-'))
    const place: Place = { bin, folder, user }
    const beganAt = performance.now()
    try {
      if ('uid' in user) chownSync(folder, user.uid as number, user.gid as number)
      const server = await (dump === undefined
        ? startBase(place, base ?? '', { role, database })
        : restoreDump(place, dump, [owner, role]))
      try {
        const restoredMs = Math.round(performance.now() - beganAt)
        io.say(`The backup is restored after ${(restoredMs / 1000).toFixed(1)} s; its books are verified.`)
        const url = server.url(role, dump === undefined ? database : DATABASE)
        // Of all settings only the key and the bucket: nothing may lead the check to the office's own database.
        const restored: Io = { ...io, env: { SELLO_OFFICE_URL: url, SELLO_OFFICE_KEY_FILE: keyFile } }
        const { answer, exitCode = 0 } = await verify.run({ 'bucket-file': bucketFile }, settings, restored)
        const ms = Math.round(performance.now() - beganAt)
        return { answer: { ...(answer as object), restoredMs, ms }, exitCode }
      } finally {
        await server.stop()
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
