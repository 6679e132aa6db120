/**
 * Builds the Debian package of the finished build (docs/packaging.md): `npm run package:deb`. The same commit gives the
 * same bytes: file times, owners, modes and order depend on nothing but the sources.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { APP_ID } from '../../../main/app-id.ts'
import { declarationOf, declarationText } from '../../../server/registry/declaration.ts'
import { sha256Hex } from '../../../server/domain/sha256.ts'
import { CHECKSUM_LIST } from '../../../server/domain/formats/checksum-list.ts'
import { writeFileList } from '../../bundling/file-list.ts'
import { changelogDate, debianChangelog, readReleases } from './changelog.ts'
import { copyrightText } from './copyright.ts'
import { manualPage, readCommands } from './manual.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const at = (path: string): string => join(ROOT, path)
const HOME = 'usr/lib/sello'

interface Manifest {
  name: string
  version: string
  description: string
  homepage: string
  author: string
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(at(path), 'utf8')) as T

/** Processor in the names of Debian and of Node's native modules. */
const PROCESSORS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/**
 * Returns what is installed in `node_modules`: the packages that the bundles load unbundled, without sources and other
 * systems' modules. The updater is for installers of the desktop app; Debian's packages are updated by the system.
 */
function runtimePackages(arch: string): Record<string, string[]> {
  return {
    'better-sqlite3': ['package.json', 'lib', `prebuilds/linux-${arch}.node`],
    keytar: ['package.json', 'index.js', 'keytar.js'],
    [`@napi-rs/keyring-linux-${arch}-gnu`]: ['package.json', `keyring.linux-${arch}-gnu.node`],
  }
}

/** Throws if package.json gains a dependency that nobody assigned to the package or left out. */
function assertAllAssigned(): void {
  const assigned = ['better-sqlite3', 'electron-updater', 'keytar']
  const { dependencies } = readJson<{ dependencies: Record<string, string> }>('package.json')
  const names = Object.keys(dependencies).toSorted()
  if (names.join() !== assigned.join())
    throw new Error(`Decide which of these dependencies the Debian package contains: ${names.join(', ')}`)
}

/**
 * Returns the time of all files: `SOURCE_DATE_EPOCH`, else that of the last commit, else the date of the newest release
 * in the changelog.
 */
function sourceDate(released: string | null | undefined): Date {
  const given = process.env.SOURCE_DATE_EPOCH
  if (given !== undefined) {
    if (!/^\d{1,11}$/.test(given)) throw new Error('SOURCE_DATE_EPOCH is a number of seconds.')
    return new Date(Number(given) * 1_000)
  }
  const commit = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' })
  if (commit.status === 0 && existsSync(at('.git'))) return new Date(Number(commit.stdout.trim()) * 1_000)
  if (released) return new Date(`${released}T00:00:00Z`)
  throw new Error(
    'Without git and without a released version, SOURCE_DATE_EPOCH names the time of the files.',
  )
}

/** Creates the files of the package in `tree`, with their final modes. */
class Tree {
  readonly folder: string
  constructor(folder: string) {
    this.folder = folder
    this.makeFolder(folder)
  }

  write(path: string, content: string | Uint8Array, mode = 0o644): void {
    const file = join(this.folder, path)
    this.makeFolder(dirname(file))
    writeFileSync(file, content, { flag: 'wx' })
    chmodSync(file, mode)
  }

  /** Copies a file, or a folder with everything in it. */
  copy(from: string, path: string, mode = 0o644): void {
    if (statSync(from).isDirectory()) {
      for (const name of readdirSync(from)) {
        // Hidden files are the build's own book-keeping.
        if (!name.startsWith('.')) this.copy(join(from, name), `${path}/${name}`)
      }
      return
    }
    const file = join(this.folder, path)
    this.makeFolder(dirname(file))
    copyFileSync(from, file)
    chmodSync(file, mode)
  }

  link(path: string, target: string): void {
    this.makeFolder(dirname(join(this.folder, path)))
    symlinkSync(target, join(this.folder, path))
  }

  /** Returns all files and links below a folder, or all entries, by their paths in the package, sorted. */
  list(kind: 'files' | 'entries', under = ''): string[] {
    return readdirSync(join(this.folder, under), { recursive: true, withFileTypes: true })
      .filter((entry) => kind === 'entries' || entry.isFile())
      .map((entry) => relative(this.folder, join(entry.parentPath, entry.name)))
      .toSorted()
  }

  setTimes(time: Date): void {
    for (const path of ['', ...this.list('entries')]) lutimesSync(join(this.folder, path), time, time)
  }

  private makeFolder(folder: string): void {
    if (existsSync(folder)) return
    this.makeFolder(dirname(folder))
    mkdirSync(folder)
    chmodSync(folder, 0o755)
  }
}

/** Fills the placeholders of a template; throws for one that is unknown or unused. */
function filled(name: string, values: Record<string, string>): string {
  const unused = new Set(Object.keys(values))
  const text = readFileSync(join(import.meta.dirname, 'files', name), 'utf8').replaceAll(
    /@([A-Z_]+)@/g,
    (_, key: string) => {
      const value = values[key]
      if (value === undefined) throw new Error(`${name} contains @${key}@, which nothing fills.`)
      unused.delete(key)
      return value
    },
  )
  if (unused.size > 0) throw new Error(`${name} lacks a place for ${[...unused].join(', ')}.`)
  return text
}

const gzipped = (text: string): Buffer => gzipSync(Buffer.from(text, 'utf8'), { level: 9 })

/** Writes the program: the build, the runtime, the packages that it loads, and their list. */
async function addProgram(tree: Tree, manifest: Manifest): Promise<void> {
  const { nodeFlags, environment } = readJson<{ nodeFlags: string[]; environment: Record<string, string> }>(
    'build/runtime.json',
  )
  tree.copy(at('out'), `${HOME}/out`)
  tree.copy(at('node_modules/node/bin/node'), `${HOME}/bin/node`, 0o755)
  for (const [name, parts] of Object.entries(runtimePackages(process.arch)))
    for (const part of parts)
      tree.copy(at(`node_modules/${name}/${part}`), `${HOME}/node_modules/${name}/${part}`)
  const { name, version } = manifest
  tree.write(`${HOME}/package.json`, `${JSON.stringify({ name, version, private: true, type: 'module' })}\n`)
  const variables = Object.entries(environment).map(
    ([variable, value]) => `export ${variable}="\${${variable}:-${value}}"`,
  )
  tree.write(
    `${HOME}/bin/sello`,
    filled('sello.in', { ENVIRONMENT: variables.join('\n'), NODE_FLAGS: nodeFlags.join(' ') }),
    0o755,
  )
  await writeFileList(join(tree.folder, HOME))
  chmodSync(join(tree.folder, HOME, CHECKSUM_LIST), 0o644)
  tree.link('usr/bin/sello', `../lib/sello/bin/sello`)
}

/** Runs the staged program; returns its standard output. */
function runStaged(tree: Tree, ...argv: string[]): string {
  return execFileSync(join(tree.folder, HOME, 'bin/sello'), argv, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: '/usr/bin:/bin', HOME: tree.folder },
  })
}

/** Writes what integrates the program into the system: entry, icons, units. */
function addIntegration(tree: Tree, manifest: Manifest, time: Date): void {
  const file = (name: string): string => join(import.meta.dirname, 'files', name)
  tree.copy(file('sello.service'), 'usr/lib/systemd/system/sello.service')
  for (const unit of ['sello-office@.service', 'sello-office-migrate.service'])
    tree.copy(file(unit), `usr/lib/systemd/system/${unit}`)
  tree.copy(file('sello-user.service'), 'usr/lib/systemd/user/sello.service')
  tree.copy(file('sello.desktop'), 'usr/share/applications/sello.desktop')
  tree.write(
    `usr/share/metainfo/${APP_ID}.metainfo.xml`,
    filled('metainfo.xml.in', {
      ID: APP_ID,
      AUTHOR: manifest.author.replace(/ <.*/, ''),
      HOMEPAGE: manifest.homepage,
      VERSION: manifest.version,
      DATE: time.toISOString().slice(0, 10),
    }),
  )
  for (const name of readdirSync(at('build/icons')))
    tree.copy(at(`build/icons/${name}`), `usr/share/icons/hicolor/${name.slice(0, -4)}/apps/sello.png`)
}

/** Returns the licence of the runtime, which its npm package contains for this processor. */
function runtimeLicence(): { version: string; licence: string } {
  const folder = at(`node_modules/node/node_modules/node-linux-${process.arch}`)
  const file = join(folder, 'LICENSE')
  if (!existsSync(file))
    throw new Error('The licence of the runtime is not installed: run "npm rebuild node" once.')
  return { version: process.versions.node, licence: readFileSync(file, 'utf8') }
}

/** Writes what people read: manual, changelog, licences, the declaration. */
function addDocuments(
  tree: Tree,
  { manifest, time, changelog }: { manifest: Manifest; time: Date; changelog: string },
): void {
  const doc = 'usr/share/doc/sello'
  const build = sha256Hex(readFileSync(at(`out/${CHECKSUM_LIST}`)))
  const keyring = `@napi-rs/keyring-linux-${process.arch}-gnu`
  const help = runStaged(tree, 'help')
  const { commands } = JSON.parse(help.trimEnd().split('\n').at(-1) ?? '') as { commands: string[] }
  const page = manualPage(readCommands(help, commands), {
    version: manifest.version,
    date: time.toISOString().slice(0, 10),
  })
  tree.write('usr/share/man/man1/sello.1.gz', gzipped(page))
  tree.write(`${doc}/changelog.Debian.gz`, gzipped(changelog))
  tree.copy(join(import.meta.dirname, 'files/README.Debian'), `${doc}/README.Debian`)
  tree.write(
    `${doc}/declaracion-responsable.md`,
    declarationText(declarationOf(manifest.version, readJson('build/producer.json'), build)),
  )
  tree.write(
    `${doc}/copyright`,
    copyrightText({
      author: manifest.author,
      homepage: manifest.homepage,
      year: time.getUTCFullYear(),
      notices: readFileSync(at('out/renderer/notices.txt'), 'utf8'),
      runtime: runtimeLicence(),
      natives: [
        {
          name: keyring,
          licence: readFileSync(at(`node_modules/${keyring}/LICENSE.third-party.md`), 'utf8'),
        },
      ],
    }),
  )
  tree.copy(at('docs/office.md'), `${doc}/office.md`)
  tree.copy(join(import.meta.dirname, 'files/lintian-overrides'), 'usr/share/lintian/overrides/sello')
}

/** Returns the libraries that the binaries need, as Debian's own tool computes it. */
function dependencies(tree: Tree, scratch: string): string {
  mkdirSync(join(scratch, 'debian'))
  writeFileSync(
    join(scratch, 'debian/control'),
    'Source: sello\n\nPackage: sello\nArchitecture: any\nDescription: x\n',
  )
  const binaries = tree.list('files', HOME).filter((path) => /\.node$|\/bin\/node$/.test(path))
  const out = execFileSync(
    'dpkg-shlibdeps',
    ['-O', ...binaries.map((path) => `-e${join(tree.folder, path)}`)],
    // Warnings about libraries that are linked and not used concern their builders.
    { cwd: scratch, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [, found] = /^shlibs:Depends=(.+)$/m.exec(out) ?? []
  if (!found) throw new Error('dpkg-shlibdeps found no libraries.')
  return found
}

/** Writes the control files. */
function addControl(tree: Tree, fields: Record<string, string>): void {
  const files = tree.list('files')
  const sums = files.map((path) => {
    const sum = createHash('md5')
      .update(readFileSync(join(tree.folder, path)))
      .digest('hex')
    return `${sum}  ${path}\n`
  })
  // As dpkg-gencontrol counts: files in whole KiB, everything else one KiB each.
  const kib = files.reduce((sum, path) => sum + Math.ceil(statSync(join(tree.folder, path)).size / 1_024), 0)
  const others = tree.list('entries').length - files.length
  const all = { ...fields, 'Installed-Size': String(kib + others) }
  const { Description: description, ...rest } = all as Record<string, string>
  const lines = [...Object.entries(rest), ['Description', description]].map(
    ([name, value]) => `${name}: ${value}\n`,
  )
  tree.write('DEBIAN/md5sums', sums.join(''))
  tree.write('DEBIAN/control', lines.join(''))
  for (const name of ['postinst', 'prerm', 'postrm'])
    tree.copy(join(import.meta.dirname, 'files', name), `DEBIAN/${name}`, 0o755)
}

interface PackageOptions {
  /** Debian's revision of the same version. */
  revision?: string
  /** Compresses little, for tests: seconds instead of a minute. */
  fast?: boolean
  /** Folder of the package. */
  to?: string
}

/** Builds the package from `out/`; returns its path. */
async function buildDebianPackage(options: PackageOptions = {}): Promise<string> {
  const { revision = '1', fast = false, to = at('dist') } = options
  if (!/^[1-9]\d*$/.test(revision)) throw new Error('A revision is a whole number from 1.')
  const architecture = PROCESSORS[process.arch]
  if (process.platform !== 'linux' || !architecture)
    throw new Error(`There is no Debian package for ${process.platform}-${process.arch}.`)
  assertAllAssigned()
  const manifest = readJson<Manifest>('package.json')
  const releases = readReleases(readFileSync(at('docs/CHANGELOG.md'), 'utf8'))
  const [newest] = releases
  if (newest?.version !== manifest.version)
    throw new Error(`The changelog does not begin with version ${manifest.version}.`)
  const time = sourceDate(newest.date)
  const version = `${manifest.version}-${revision}`
  const scratch = mkdtempSync(join(tmpdir(), 'sello-deb-'))
  try {
    const tree = new Tree(join(scratch, 'tree'))
    await addProgram(tree, manifest)
    addIntegration(tree, manifest, time)
    const maintainer = manifest.author
    addDocuments(tree, {
      manifest,
      time,
      changelog: debianChangelog(releases, { revision, maintainer, at: time }),
    })
    // A package whose own check fails is not built.
    runStaged(tree, 'verify-build')
    addControl(tree, {
      Package: 'sello',
      Version: version,
      Architecture: architecture,
      Maintainer: maintainer,
      Section: 'misc',
      Priority: 'optional',
      Homepage: manifest.homepage,
      Depends: `${dependencies(tree, scratch)}, adduser`,
      Recommends: 'xdg-utils',
      Suggests: 'gnome-keyring | kwalletmanager, default-dbus-session-bus | dbus-session-bus',
      Description: filled('description.in', {}).trimEnd(),
    })
    tree.setTimes(time)
    mkdirSync(to, { recursive: true })
    const file = join(to, `sello_${version}_${architecture}.deb`)
    rmSync(file, { force: true })
    execFileSync(
      'dpkg-deb',
      ['--root-owner-group', ...(fast ? ['-Zgzip', '-z1'] : ['-Zxz']), '--build', tree.folder, file],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { PATH: process.env.PATH, SOURCE_DATE_EPOCH: String(time.getTime() / 1_000), LC_ALL: 'C.UTF-8' },
      },
    )
    console.error(`wrote ${file}`)
    console.error(`${statSync(file).size} bytes, SHA-256 ${sha256Hex(readFileSync(file))}`)
    console.error(`files from ${changelogDate(time)}`)
    return file
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  const { values } = parseArgs({
    options: { revision: { type: 'string' }, fast: { type: 'boolean' }, to: { type: 'string' } },
  })
  const file = await buildDebianPackage(values)
  console.log(JSON.stringify({ file }))
}
