/**
 * A real S3 server for one run of the tests: OpenStack Swift with its S3 interface, from Debian's packages
 * `swift-proxy`, `swift-account`, `swift-container` and `swift-object`. Its four servers run in one process, over one
 * device in a temporary folder.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

const PYTHON = '/usr/bin/python3'
const PROGRAMS = ['proxy', 'account', 'container', 'object'].map((name) => `/usr/bin/swift-${name}-server`)
const START_MS = 30_000

export const REGION = 'us-east-1'
export const ACCESS_KEY = 'test:tester'
export const SECRET_KEY = 'testing'

export interface ObjectServer {
  readonly endpoint: string
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its folder. */
  stop(): Promise<void>
}

/** Returns true if this computer has the packages. */
function hasSwift(): boolean {
  return [PYTHON, ...PROGRAMS].every((path) => existsSync(path))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Returns the file that says on which device a kind of data is: on the only one. */
function ringOf(port: number): Buffer {
  const device = { id: 0, region: 1, zone: 1, ip: '127.0.0.1', port, device: 'd1', weight: 1, meta: '' }
  const devs = [{ ...device, replication_ip: device.ip, replication_port: port }]
  const facts = JSON.stringify({ byteorder: 'little', devs, part_shift: 31, replica_count: 1, version: 1 })
  const head = Buffer.alloc(10)
  head.write('R1NG')
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(facts.length, 6)
  // Two partitions, each on device 0.
  return gzipSync(Buffer.concat([head, Buffer.from(facts), Buffer.alloc(4)]))
}

const FILTERS = {
  catch_errors: '',
  gatekeeper: '',
  listing_formats: '',
  s3api: `location = ${REGION}\nauth_pipeline_check = false`,
  tempauth: `user_${ACCESS_KEY.replace(':', '_')} = ${SECRET_KEY} .admin`,
  copy: '',
  slo: '',
  dlo: '',
  versioned_writes: 'allow_object_versioning = true',
  symlink: '',
}

/** Runs the servers of a folder in one process: each alone takes a second to load the same modules. */
const LAUNCHER = `
import logging, sys
from swift.common import utils
utils.eventlet_monkey_patch()
import eventlet
from eventlet import wsgi
from swift.common.http_protocol import SwiftHttpProtocol
from swift.common.wsgi import loadapp

class Cache(dict):
    __bool__ = lambda self: True
    def get(self, key, *args, **more): return dict.get(self, key)
    def set(self, key, value, *args, **more): self[key] = value
    def delete(self, key, *args, **more): self.pop(key, None)
    def incr(self, key, delta=1, *args, **more):
        self[key] = int(self.get(key) or 0) + int(delta)
        return self[key]
    def decr(self, key, delta=1, *args, **more): return self.incr(key, -delta)
    def set_multi(self, values, *args, **more): self.update(values)
    def get_multi(self, keys, *args, **more): return [self.get(key) for key in keys]

cache = Cache()
log = logging.getLogger('test')
log.addHandler(logging.NullHandler())
servers = []
for entry in sys.argv[2:]:
    name, port = entry.split('=')
    app = loadapp('%s/%s-server.conf' % (sys.argv[1], name), global_conf={'log_name': name})
    def serve(env, start, app=app):
        env['swift.cache'] = cache
        return app(env, start)
    socket = eventlet.listen(('127.0.0.1', int(port)), backlog=512)
    servers.append(eventlet.spawn(wsgi.server, socket, serve, log, protocol=SwiftHttpProtocol, log_output=False))
for server in servers: server.wait()
`

class Swift implements ObjectServer {
  readonly endpoint: string
  private readonly folder: string
  private readonly ports: Record<string, number>
  private process: ChildProcess | null = null

  constructor(folder: string, ports: Record<string, number>) {
    this.folder = folder
    this.ports = ports
    this.endpoint = `http://127.0.0.1:${ports.proxy}`
  }

  async start(): Promise<void> {
    const servers = Object.entries(this.ports).map(([name, port]) => `${name}=${port}`)
    const child = spawn(PYTHON, ['-c', LAUNCHER, this.folder, ...servers], {
      env: { ...process.env, SWIFT_DIR: this.folder, PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.process = child
    let said = ''
    child.stderr.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-4_000)))
    for (const until = Date.now() + START_MS; ;) {
      if (await fetch(this.endpoint).then(Boolean, () => false)) return
      if (child.exitCode !== null || Date.now() > until)
        throw new Error(`The test's object storage did not start: ${said}`)
      await pause(20)
    }
  }

  async kill(): Promise<void> {
    const child = this.process
    this.process = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Starts a server; null if this computer has none. */
export async function startSwift(): Promise<ObjectServer | null> {
  if (!hasSwift()) return null
  // Its objects are files with extended attributes, which not every temporary folder has.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sello-swift-'))
  mkdirSync(join(folder, 'devices/d1'), { recursive: true })
  const ports = {
    account: await freePort(),
    container: await freePort(),
    object: await freePort(),
    proxy: await freePort(),
  }
  const common = (port: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
disable_fallocate = true
log_address = /nonexistent
`
  writeFileSync(
    join(folder, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_prefix = test\nswift_hash_path_suffix = test\n',
  )
  for (const name of ['account', 'container', 'object'] as const) {
    writeFileSync(join(folder, `${name}.ring.gz`), ringOf(ports[name]))
    writeFileSync(
      join(folder, `${name}-server.conf`),
      `${common(ports[name])}[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`,
    )
  }
  const filters = Object.entries(FILTERS).map(
    ([name, more]) => `[filter:${name}]\nuse = egg:swift#${name}\n${more}\n`,
  )
  writeFileSync(
    join(folder, 'proxy-server.conf'),
    `${common(ports.proxy)}[pipeline:main]\npipeline = ${Object.keys(FILTERS).join(' ')} proxy-server
[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n${filters.join('')}`,
  )
  const server = new Swift(folder, ports)
  await server.start()
  return server
}
