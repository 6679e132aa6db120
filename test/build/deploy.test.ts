/** What an office is run with: units, notification of the service manager, image, compose file, alerts. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { notifyManager } from '../../server/cli/office/notify.ts'
import { needs } from '../support/tools.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const UNITS = 'build/packaging/debian/files'

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a unit with a program that exists, as the instance that runs; returns its path. */
function unitIn(folder: string, name: string, instance: string): string {
  const path = join(folder, instance)
  writeFileSync(path, read(join(UNITS, name)).replaceAll('/usr/bin/sello', process.execPath))
  return path
}

describe('the units', () => {
  const units = [
    ['sello-office@.service', 'sello-office@4546.service'],
    ['sello-office-migrate.service', 'sello-office-migrate.service'],
  ] as const

  needs('systemd-analyze')('are valid, and expose little', () => {
    for (const [name, instance] of units) {
      const unit = unitIn(scratch(), name, instance)
      const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
      expect([verified.status, verified.stderr]).toEqual([0, ''])
      // 2.0 of 10, where 10 has no protection.
      const judged = spawnSync(
        'systemd-analyze',
        ['security', '--no-pager', '--offline=true', '--threshold=20', unit],
        { encoding: 'utf8' },
      )
      expect(judged.status, judged.stdout.slice(-300)).toBe(0)
    }
  })

  test('take secrets as credentials only, and stop as slowly as a server needs', () => {
    const unit = read(join(UNITS, 'sello-office@.service'))
    for (const line of [
      'Type=notify',
      'NotifyAccess=all',
      'DynamicUser=yes',
      'ProtectSystem=strict',
      'LoadCredential=master-key:/etc/sello/office/master-key',
      'TimeoutStopSec=60',
    ])
      expect(unit).toContain(`\n${line}\n`)
    expect(unit).not.toMatch(/^Environment=/m)
    expect(unit).not.toMatch(/postgres(ql)?:\/\//)
  })
})

needs('systemd-notify', 'python3')(
  'the service manager is told that a server is ready, and that it ends',
  async () => {
    const folder = scratch()
    const socket = join(folder, 'notify')
    const script = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
s.settimeout(20)
print('bound', flush=True)
while True:
    data, files, _, _ = socket.recv_fds(s, 4096, 4)
    text = data.decode()
    for each in files:
        import os; os.close(each)
    if 'BARRIER' in text: continue
    print(text.replace('\\n', ' '), flush=True)
    if 'STOPPING' in text: break
`
    const { spawn } = await import('node:child_process')
    const listener = spawn('python3', ['-c', script, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
    let heard = ''
    listener.stdout.on('data', (piece: Buffer) => (heard += piece.toString()))
    const ended = new Promise((done) => listener.once('close', done))
    await expect.poll(() => heard).toContain('bound')
    const said: string[] = []
    const env = { NOTIFY_SOCKET: socket, PATH: process.env.PATH }
    await notifyManager('READY=1', env, (text) => said.push(text))
    await notifyManager('STOPPING=1', env, (text) => said.push(text))
    await ended
    expect(said).toEqual([])
    expect(heard).toMatch(/READY=1[\s\S]*STOPPING=1/)
    await notifyManager('READY=1', {}, (text) => said.push(text))
    expect(said).toEqual([])
  },
)

test('the image has pinned bases, no secret, and no root', () => {
  const lines = read('build/deploy/Containerfile').replaceAll('\\\n', ' ').split('\n')
  const from = lines.filter((line) => line.startsWith('FROM '))
  expect(from.length).toBeGreaterThan(1)
  for (const line of from) expect(line).toMatch(/^FROM [\w./-]+:(?!latest)[\w.-]+( AS \w+)?$/)
  expect(lines.filter((line) => line.startsWith('USER ')).at(-1)).toMatch(/^USER [1-9]\d*:[1-9]\d*$/)
  expect(lines.filter((line) => /^(ADD|ARG) |^ENV .*(KEY|PASSWORD|TOKEN|URL)/.test(line))).toEqual([])
  expect(lines.some((line) => line.startsWith('STOPSIGNAL SIGTERM'))).toBe(true)
})

needs('python3')('the compose file and the rules are YAML, with pinned images and secrets from files', () => {
  const script = `
import json, sys
try:
    import yaml
except ImportError:
    print('none'); sys.exit(0)
print(json.dumps([yaml.safe_load(open(path)) for path in sys.argv[1:]]))`
  const files = ['compose.yaml', 'prometheus.yaml', 'alerts.yaml'].map((name) =>
    join(root, 'build/deploy', name),
  )
  const { status, stdout, stderr } = spawnSync('python3', ['-c', script, ...files], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  if (stdout.trim() === 'none') {
    console.log('python3-yaml is not installed: the structure of the compose file is not checked.')
    return
  }
  const [compose, , alerts] = JSON.parse(stdout) as [any, any, any]
  expect(Object.keys(compose.services)).toEqual(['db', 'standby', 'migrate', 'app', 'work', 'proxy'])
  for (const { image } of Object.values<any>(compose.services)) expect(image).toMatch(/:(?!latest)[\w.]+$/)
  for (const name of ['app', 'work'])
    expect(compose.services[name]).toMatchObject({
      stop_grace_period: '60s',
      read_only: true,
      cap_drop: ['ALL'],
    })
  // No superuser owns the tables: no policy would hold for it.
  expect(compose.services.db.environment.POSTGRES_USER).toBeUndefined()
  expect(compose.services.migrate.secrets).toContain('migration-database')
  for (const name of ['app', 'work']) {
    expect(compose.services[name].secrets).toContain('database')
    expect(compose.services[name].secrets).not.toContain('migration-database')
  }
  const roles = read('build/deploy/roles.sql')
  for (const [, secret = ''] of roles.matchAll(/cat \/run\/secrets\/([\w-]+)/g))
    expect(compose.services.db.secrets).toContainEqual(expect.objectContaining({ source: secret }))
  expect(roles.match(/^create .*$/gm)).toEqual([
    expect.stringContaining('create role sello_owner login'),
    expect.stringContaining('create role sello_server login'),
    expect.stringContaining('create database sello owner sello_owner'),
  ])
  expect(compose.services.db.command.join(' ')).toContain('synchronous_standby_names=FIRST 1 (standby)')
  for (const secret of Object.values<any>(compose.secrets)) expect(secret.file).toMatch(/^\.\/secrets\//)
  expect(read('build/deploy/compose.yaml')).not.toMatch(/postgres(ql)?:\/\/|PASSWORD:/)
  for (const { alert, annotations } of alerts.groups[0].rules)
    expect([alert, annotations.summary]).not.toContain(undefined)
})

test('alerts ask for metrics that exist', () => {
  const sources = readdirSync(join(root, 'server/app/office/metrics')).map((name) =>
    read(`server/app/office/metrics/${name}`),
  )
  const known = new Set(
    sources
      .join('\n')
      .match(/'sello_[a-z_]+'/g)
      ?.map((name) => name.slice(1, -1)),
  )
  const asked = read('build/deploy/alerts.yaml').match(/sello_[a-z_]+/g) ?? []
  expect(asked.length).toBeGreaterThan(10)
  expect(asked.filter((name) => !known.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([])
})
