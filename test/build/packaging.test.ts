/**
 * Package content: everything the app needs, nothing unnecessary, the native modules of one system, and a successful
 * start.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { extractAll, listPackage } from '@electron/asar'
import { build, Platform } from 'electron-builder'
import type { AfterPackContext, Configuration } from 'electron-builder'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyBuild } from '../../server/app/build/index.ts'
import configuration, { checkNatives, filesOf } from '../../build/electron-builder.ts'

const root = resolve(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const SYSTEMS = ['win32', 'darwin', 'linux'] as const
const ARCHES = ['x64', 'arm64'] as const

describe('the configuration', () => {
  test('is accepted by electron-builder', async () => {
    const { validateConfiguration } = require('app-builder-lib/out/util/config/config.js') as {
      validateConfiguration: (config: Configuration, log: unknown) => Promise<void>
    }
    const { DebugLogger } = require('builder-util') as { DebugLogger: new (enabled: boolean) => unknown }
    const log = new DebugLogger(false)
    await validateConfiguration(structuredClone({ ...configuration, afterPack: 'a.js' }), log)
    await expect(
      validateConfiguration({ ...configuration, appIdd: 'x' } as Configuration, log),
    ).rejects.toThrow(/unknown property 'appIdd'/)
  })

  test('sets every fuse that could turn the app into another program', () => {
    expect(configuration.electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    })
  })

  test('installs per user, deletes no books, and becomes no default program', () => {
    const { nsis, win, mac, linux, fileAssociations } = configuration
    expect(nsis).toMatchObject({ perMachine: false, allowElevation: false, deleteAppDataOnUninstall: false })
    // On Windows an association by electron-builder would replace the default program for PDFs.
    expect([fileAssociations, win?.fileAssociations, linux?.fileAssociations]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    for (const one of [mac?.fileAssociations].flat()) expect(one).toMatchObject({ rank: 'Alternate' })
    const installer = readFileSync(join(root, 'build/installer.nsh'), 'utf8')
    expect(installer).toContain('OpenWithProgids')
    expect(installer).not.toContain('APP_ASSOCIATE')
  })

  test('writes no update address unless it is given; one that is not https is rejected', async () => {
    const load = async (url: string) => {
      vi.stubEnv('SELLO_UPDATE_URL', url)
      vi.resetModules()
      try {
        return (await import('../../build/electron-builder.ts')).default.publish
      } finally {
        vi.unstubAllEnvs()
      }
    }
    expect(await load('')).toBeNull()
    expect(await load('https://updates.example/sello/')).toEqual([
      { provider: 'generic', url: 'https://updates.example/sello/' },
    ])
    await expect(load('http://updates.example/')).rejects.toThrow(/https/)
  })

  test.each(SYSTEMS.flatMap((system) => ARCHES.map((arch) => [system, arch] as const)))(
    'includes only the native modules of %s-%s',
    (system, arch) => {
      const { Minimatch } = createRequire(require.resolve('app-builder-lib/package.json'))('minimatch') as {
        Minimatch: new (
          pattern: string,
          options: object,
        ) => { negate: boolean; match: (path: string) => boolean }
      }
      const expanded = filesOf(system).map((pattern) => pattern.replaceAll('${arch}', arch))
      const exclusions = expanded
        .filter((pattern) => pattern.startsWith('!'))
        .map((pattern) => new Minimatch(pattern, { dot: true }))
      const kept = (path: string) => exclusions.every((pattern) => pattern.match(path))
      const database = readdirSync(join(root, 'node_modules/better-sqlite3/prebuilds'))
      expect(database.filter((name) => kept(`node_modules/better-sqlite3/prebuilds/${name}`))).toEqual([
        `${system}-${arch}.node`,
      ])
      const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, unknown>
      }
      const keyrings = Object.keys(packages).filter((name) =>
        name.startsWith('node_modules/@napi-rs/keyring-'),
      )
      expect(keyrings.length).toBeGreaterThan(8)
      const mine = keyrings.filter((name) => kept(`${name}/keyring.node`))
      expect(mine.length).toBeGreaterThan(0)
      for (const name of mine) expect(name).toMatch(new RegExp(`keyring-${system}-${arch}(?:-|$)`))
      expect(kept('node_modules/better-sqlite3/src/better_sqlite3.cpp')).toBe(false)
      expect(kept('node_modules/keytar/keytar.js')).toBe(true)
    },
  )
})

describe('a package made with a simulated Electron', () => {
  let folder: string
  let resources: string
  const listed = () =>
    listPackage(join(resources, 'app.asar'), { isPack: false }).map((path) => path.replaceAll('\\', '/'))

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sello-pack-'))
    const electron = join(folder, 'electron')
    mkdirSync(electron)
    for (const [name, text] of Object.entries({
      electron: '#!/bin/sh\n',
      LICENSE: 'Electron',
      'LICENSES.chromium.html': 'Chromium',
      version: (require('electron/package.json') as { version: string }).version,
    }))
      writeFileSync(join(electron, name), text)
    chmodSync(join(electron, 'electron'), 0o755)
    // A simulated Electron has no fuses.
    const { electronFuses: _, ...rest } = configuration
    await build({
      projectDir: root,
      targets: Platform.LINUX.createTarget('dir'),
      publish: 'never',
      config: {
        ...rest,
        electronDist: electron,
        publish: [{ provider: 'generic', url: 'https://updates.example/sello/' }],
        directories: { output: join(folder, 'dist'), buildResources: 'build' },
      },
    })
    const [unpacked] = readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('unpacked'))
    resources = join(folder, 'dist', unpacked!, 'resources')
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('contains the build, the manifest and the unbundled dependencies: no source, test, map or secret', () => {
    const files = listed()
    const top = new Set(files.map((path) => path.split('/')[1]))
    expect([...top].toSorted()).toEqual(['node_modules', 'out', 'package.json'])
    const inOut = new Set(files.filter((path) => path.startsWith('/out/')).map((path) => path.split('/')[2]))
    expect([...inOut].toSorted()).toEqual(['SHA256SUMS', 'main', 'preload', 'renderer'])
    expect(files.filter((path) => /\.(?:map|ts|mts|cts|vue|md|cpp|h|gyp)$/.test(path))).toEqual([])
    expect(files.filter((path) => /\/(?:tests?|__tests__|\.[^/]+)(?:\/|$)/.test(path))).toEqual([])
    for (const needed of [
      'main/index.js',
      'main/cli.js',
      'preload/index.cjs',
      'renderer/index.html',
      'renderer/notices.txt',
    ])
      expect(files).toContain(`/out/${needed}`)
    const packages = new Set(
      files.flatMap((path) => /^\/node_modules\/((?:@[^/]+\/)?[^/@]+)(?=\/)/.exec(path)?.[1] ?? []),
    )
    expect([...packages]).toEqual(expect.arrayContaining(['better-sqlite3', 'keytar', 'electron-updater']))
    for (const bundled of ['vue', 'fastify', 'electron', 'zod']) expect(packages).not.toContain(bundled)
  })

  test('has its native modules outside the archive, only for this system', () => {
    const files = listed().filter((path) => path.endsWith('.node'))
    const system = `${process.platform}-${process.arch}`
    expect(files).toHaveLength(2)
    for (const path of files) {
      expect(path).toContain(system)
      expect(statSync(join(resources, 'app.asar.unpacked', path)).size).toBeGreaterThan(500_000)
    }
  })

  test('contains the update address and the licences, and is not large', () => {
    expect(readFileSync(join(resources, 'app-update.yml'), 'utf8')).toContain(
      'url: https://updates.example/sello/',
    )
    expect(readdirSync(join(resources, '..'))).toEqual(
      expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html', 'sello']),
    )
    // The OCR and its five languages are 17 MB of it, the IMAP client with its tables of characters 1.2 MB. The page is
    // one for desk and office, so that it contains the pages of people too. Readers and writers of the files of other
    // programs are half a megabyte, electronic invoices between businesses and to public bodies another half.
    expect(statSync(join(resources, 'app.asar')).size).toBeLessThan(52_500_000)
  })

  test('leaves out what only an office loads, and says so to its commands', () => {
    expect(listed().filter((path) => /^\/out\/main\/office/.test(path))).toEqual([])
    const built = readdirSync(join(root, 'out/main')).filter((name) => name.startsWith('office'))
    expect(built.length).toBeGreaterThan(2)
    const inside = join(folder, 'desk')
    extractAll(join(resources, 'app.asar'), inside)
    const run = (...args: string[]) => {
      const { status, stdout } = spawnSync(process.execPath, [join(inside, 'out/main/cli.js'), ...args], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          SELLO_OFFICE_MIGRATION_URL: 'postgresql://sello_owner@127.0.0.1:1/office',
        },
        encoding: 'utf8',
      })
      return [status, JSON.parse(stdout.trim().split('\n').at(-1)!)] as const
    }
    for (const args of [
      ['office', 'migrate'],
      ['office', 'migrate', '--help'],
      ['help', 'office', 'migrate'],
    ])
      expect(run(...args)).toMatchObject([
        2,
        { error: { code: 'command_unknown', details: { command: 'office migrate', why: 'left_out' } } },
      ])
    const [status, { commands }] = run('help')
    expect(status).toBe(0)
    expect(commands).toEqual(expect.arrayContaining(['serve', 'help']))
    expect(commands.filter((name: string) => name.startsWith('office'))).toEqual([])
  })

  test('is rejected without the native modules of its system', async () => {
    const context = (arch: number, appOutDir: string) =>
      ({ appOutDir, arch, electronPlatformName: process.platform }) as AfterPackContext
    const arch = process.arch === 'arm64' ? 3 : 1
    await checkNatives(context(arch, join(resources, '..')))
    await expect(checkNatives(context(arch === 3 ? 1 : 3, join(resources, '..')))).rejects.toThrow(
      /native parts/,
    )
    await expect(checkNatives(context(arch, folder))).rejects.toThrow(/native parts/)
  })

  test('contains everything that the updaters of the three systems load', () => {
    const inside = join(folder, 'updater')
    extractAll(join(resources, 'app.asar'), inside)
    mkdirSync(join(inside, 'node_modules/electron'))
    writeFileSync(
      join(inside, 'node_modules/electron/index.js'),
      "const { EventEmitter } = require('node:events')\nmodule.exports = { autoUpdater: new EventEmitter(), app: { whenReady: async () => {}, getVersion: () => '1.0.0', getAppPath: () => '/' } }\n",
    )
    const load = `
      const updater = require('electron-updater')
      for (const name of ['NsisUpdater', 'MacUpdater', 'AppImageUpdater', 'DebUpdater', 'RpmUpdater'])
        new updater[name]({ provider: 'generic', url: 'https://updates.example/' })
      console.log('loaded')`
    expect(execFileSync(process.execPath, ['-e', load], { cwd: inside, encoding: 'utf8' })).toBe('loaded\n')
  })

  test('contains the build as it was listed', async () => {
    const inside = join(folder, 'listed')
    extractAll(join(resources, 'app.asar'), inside)
    const { build } = await verifyBuild(join(inside, 'out'))
    expect([build.faults, build.files > 500, build.leftOut > 2]).toEqual([[], true, true])
  })

  test('serves a new store, its page and its guides without any other files', async () => {
    const inside = join(folder, 'inside')
    extractAll(join(resources, 'app.asar'), inside)
    const child = spawn(
      process.execPath,
      [
        join(inside, 'out/main/cli.js'),
        'serve',
        '--port',
        '0',
        '--data',
        join(folder, 'data'),
        '--key-file',
        join(folder, 'key'),
      ],
      { cwd: folder, env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const ended = new Promise<number | null>((done) => child.once('exit', done))
    try {
      const line = await new Promise<string>((done, fail) => {
        createInterface({ input: child.stdout }).once('line', done)
        child.once('exit', (code) => fail(new Error(`It ended with ${code}.`)))
      })
      const { url } = JSON.parse(line) as { url: string }
      expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ ok: true, data: { status: 'up' } })
      for (const path of ['/', '/notices.txt', '/docs/errors', '/api/v1/openapi.json'])
        expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
    } finally {
      child.kill('SIGTERM')
    }
    expect(await ended).toBe(0)
  })
})
