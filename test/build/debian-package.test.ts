/**
 * The Debian package: its texts, its content, and that two builds of it are equal. `.ci/debian-package` installs,
 * upgrades and removes one.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changelogDate, debianChangelog, readReleases } from '../../build/packaging/debian/changelog.ts'
import { copyrightText } from '../../build/packaging/debian/copyright.ts'
import { manualPage, readCommands } from '../../build/packaging/debian/manual.ts'
import { sha256Hex } from '../../server/domain/sha256.ts'
import { needs, tool } from '../support/tools.ts'

const root = resolve(import.meta.dirname, '../..')
const files = join(root, 'build/packaging/debian/files')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

describe('the changelog', () => {
  const MARKDOWN = `# Changes

## 0.2.0 (not released)

One [change](guide.md) of \`code\`, a **strong** one, and VERI\\*FACTU in a paragraph
of two lines, which is longer than the width of a line of the other format.

Another.

## 0.1.0 (2026-11-02)

The first.
`

  test('has an entry for each release, wrapped, with the time of its release in UTC', () => {
    const at = new Date('2027-01-05T23:04:05Z')
    const text = debianChangelog(readReleases(MARKDOWN), { revision: '3', maintainer: 'A <a@b.invalid>', at })
    expect(text).toBe(`sello (0.2.0-3) UNRELEASED; urgency=medium

  * One change of code, a strong one, and VERI*FACTU in a paragraph of two
    lines, which is longer than the width of a line of the other format.
  * Another.

 -- A <a@b.invalid>  Tue, 05 Jan 2027 23:04:05 +0000

sello (0.1.0-1) stable; urgency=medium

  * The first.

 -- A <a@b.invalid>  Mon, 02 Nov 2026 00:00:00 +0000
`)
    expect(changelogDate(new Date(0))).toBe('Thu, 01 Jan 1970 00:00:00 +0000')
  })

  test('is rejected if a heading names no release, or a release has no text', () => {
    expect(() => readReleases('## Soon\n\nText.\n')).toThrow('names no release: Soon')
    expect(() => readReleases('## 0.1.0 (not released)\n\n')).toThrow('says nothing about 0.1.0')
  })

  test('begins with the version of the program', () => {
    const [newest] = readReleases(readFileSync(join(root, 'docs/CHANGELOG.md'), 'utf8'))
    expect(newest?.version).toBe(manifest.version)
  })
})

describe('the manual', () => {
  const help =
    'Commands:\n  key list\n      List the keys.\n  pack [--out F]\n      Write.\n\nEverywhere: x\n'

  test('describes every command, with signs that roff would read escaped', () => {
    const page = manualPage(readCommands(help, ['key list', 'pack']), { version: '1.2', date: '2026-11-02' })
    expect(page).toContain('.TP\n.B pack [\\-\\-out F]\nWrite.\n')
    expect(page).toContain('.TH SELLO 1 "2026\\-11\\-02" "sello 1.2"')
  })

  test('is rejected if a command is missing', () => {
    expect(() => readCommands(help, ['key list', 'pack', 'serve'])).toThrow('another form: serve')
    expect(() => readCommands(help, ['pack'])).toThrow('another form')
  })
})

test('the licences are rejected if the texts of what is shipped are missing', () => {
  const long = 'x'.repeat(2_000)
  const parts = { author: 'A', homepage: 'https://a.invalid/', year: 2026, natives: [] }
  const text = copyrightText({
    ...parts,
    notices: `About Electron.\n\n${long}`,
    runtime: { version: '24', licence: long },
  })
  expect(text).toContain('Copyright 2026 A')
  expect(text).not.toContain('About Electron.')
  for (const [notices, licence] of [
    [`About.\n\n`, long],
    [`About.\n\n${long}`, ''],
  ])
    expect(() =>
      copyrightText({ ...parts, notices: notices!, runtime: { version: '24', licence: licence! } }),
    ).toThrow('are missing')
})

describe('the maintainer scripts', () => {
  test('delete no books', () => {
    for (const name of ['postinst', 'prerm', 'postrm']) {
      const script = readFileSync(join(files, name), 'utf8')
      const deleting = script
        .split('\n')
        .filter((line) => /^\s*[^#]*\b(?:rm|find|unlink|deluser)\b/.test(line))
      expect(deleting.filter((line) => !/rm -f "\$marker"$/.test(line))).toEqual([])
      expect(script).toMatch(/^#!\/bin\/sh\nset -e\n/)
      execFileSync('sh', ['-n', join(files, name)])
    }
  })
})

describe('a package', () => {
  const buildable = tool('dpkg-deb') !== null && tool('dpkg-shlibdeps') !== null
  const testPackage = needs('dpkg-deb', 'dpkg-shlibdeps')
  let folder: string
  let file: string
  let inside: string
  /** Lines of `dpkg-deb --contents`. */
  let listed: { mode: string; owner: string; time: string; path: string }[]

  /** Builds a package in `to` as another person might; returns its path. */
  const pick = (name: string) => (process.env[name] === undefined ? {} : { [name]: process.env[name] })
  function built(to: string, umask: string, env: Record<string, string>): string {
    const command = `umask ${umask}; exec "$0" build/run.mjs package:deb --fast --to "$1"`
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, to], {
      cwd: root,
      encoding: 'utf8',
      // A network with a certificate authority of its own names it there.
      env: { PATH: process.env.PATH, HOME: folder, ...pick('NODE_EXTRA_CA_CERTS'), ...env },
    })
    expect(status, stderr).toBe(0)
    return (JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as { file: string }).file
  }

  const dpkgDeb = (...argv: string[]): string =>
    execFileSync('dpkg-deb', argv, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TZ: 'UTC' },
      maxBuffer: 1 << 26,
    })

  const field = (name: string): string => dpkgDeb('--field', file, name).trim()

  beforeAll(() => {
    if (!buildable) return
    folder = mkdtempSync(join(tmpdir(), 'sello-debian-'))
    inside = join(folder, 'inside')
    file = built(folder, '022', { TMPDIR: folder })
    dpkgDeb('--extract', file, inside)
    listed = dpkgDeb('--contents', file)
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, mode = '', owner = '', time = '', path = ''] =
          /^(\S+) (\S+) +\d+ (\S+ \S+) \.\/(.*?)(?: -> .*)?$/.exec(line) ?? []
        return { mode, owner, time, path }
      })
  }, 120_000)
  afterAll(() => {
    if (buildable) rmSync(folder, { recursive: true, force: true })
  })

  const run = (...argv: string[]) => {
    const { status, stdout, stderr } = spawnSync(join(inside, 'usr/bin/sello'), argv, {
      encoding: 'utf8',
      // Options for other programs of the user do not reach the runtime.
      env: { PATH: '/usr/bin:/bin', HOME: folder, NODE_OPTIONS: '--no-such-option' },
    })
    return { status, stderr, answer: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? 'null') as any }
  }

  testPackage('is the same, byte for byte, with another umask, time zone, language and folder', () => {
    const scratch = join(folder, 'another scratch folder')
    mkdirSync(scratch)
    const env = { TMPDIR: scratch, TZ: 'Asia/Tokyo', LC_ALL: 'C', LANGUAGE: 'es' }
    const other = built(join(folder, 'an other'), '077', env)
    expect(sha256Hex(readFileSync(other))).toBe(sha256Hex(readFileSync(file)))
    expect(readdirSync(scratch)).toEqual([])
  })

  testPackage('belongs to root, and only its programs can be executed', () => {
    expect(listed.length).toBeGreaterThan(700)
    expect(new Set(listed.map(({ owner }) => owner))).toEqual(new Set(['root/root']))
    expect(new Set(listed.map(({ mode }) => mode))).toEqual(
      new Set(['drwxr-xr-x', '-rw-r--r--', '-rwxr-xr-x', 'lrwxrwxrwx']),
    )
    expect(listed.filter(({ mode }) => mode === '-rwxr-xr-x').map(({ path }) => path)).toEqual([
      'usr/lib/sello/bin/node',
      'usr/lib/sello/bin/sello',
    ])
    expect(new Set(listed.map(({ time }) => time)).size).toBe(1)
  })

  testPackage('contains the program, its integration into the system, and nothing else', () => {
    const places = listed
      .filter(({ mode }) => !mode.startsWith('d'))
      .map(({ path }) =>
        path.replace(/^(usr\/lib\/sello\/(?:out|node_modules\/[^/]+)|usr\/share\/icons)\/.*/, '$1'),
      )
    expect([...new Set(places)].toSorted()).toEqual([
      'usr/bin/sello',
      'usr/lib/sello/SHA256SUMS',
      'usr/lib/sello/bin/node',
      'usr/lib/sello/bin/sello',
      'usr/lib/sello/node_modules/@napi-rs',
      'usr/lib/sello/node_modules/better-sqlite3',
      'usr/lib/sello/node_modules/keytar',
      'usr/lib/sello/out',
      'usr/lib/sello/package.json',
      'usr/lib/systemd/system/sello-office-migrate.service',
      'usr/lib/systemd/system/sello-office@.service',
      'usr/lib/systemd/system/sello.service',
      'usr/lib/systemd/user/sello.service',
      'usr/share/applications/sello.desktop',
      'usr/share/doc/sello/README.Debian',
      'usr/share/doc/sello/changelog.Debian.gz',
      'usr/share/doc/sello/copyright',
      'usr/share/doc/sello/declaracion-responsable.md',
      'usr/share/doc/sello/office.md',
      'usr/share/icons',
      'usr/share/lintian/overrides/sello',
      'usr/share/man/man1/sello.1.gz',
      'usr/share/metainfo/es.sello.desktop.metainfo.xml',
    ])
    const paths = listed.map(({ path }) => path)
    expect(paths.filter((path) => /\.(?:map|ts|vue|cpp|h)$|\/tests?\//.test(path))).toEqual([])
    expect(paths.filter((path) => path.endsWith('.node'))).toHaveLength(2)
  })

  testPackage('states what it needs, computed from its binaries', () => {
    expect([field('Package'), field('Version')]).toEqual(['sello', `${manifest.version}-1`])
    const needed = field('Depends').split(', ')
    for (const name of ['libc6 (>= ', 'libstdc++6 (>= ', 'libgcc-s1 (>= ', 'adduser'])
      expect(
        needed.some((one) => one.startsWith(name)),
        name,
      ).toBe(true)
    // The keychain is used through D-Bus if there is one; without it the key is in a file.
    expect(field('Depends')).not.toMatch(/libsecret|systemd|nodejs/)
    expect(Number(field('Installed-Size'))).toBeGreaterThan(100_000)
  })

  testPackage('runs from any folder, is the build it was made of, and notices a changed file', () => {
    const build = sha256Hex(readFileSync(join(root, 'out/SHA256SUMS')))
    expect(run('--version').answer).toEqual({ version: manifest.version, build })
    const verified = run('verify-build')
    expect([verified.status, verified.answer.ok, verified.answer.build.digest]).toEqual([0, true, build])
    appendFileSync(join(inside, 'usr/lib/sello/node_modules/keytar/keytar.js'), '\n')
    const changed = run('verify-build')
    expect([changed.status, changed.answer.package.faults]).toEqual([
      1,
      [{ path: 'node_modules/keytar/keytar.js', why: 'differs' }],
    ])
    expect(changed.stderr).toContain('differs: node_modules/keytar/keytar.js')
  })

  testPackage(
    'has the sums of all files, the licences of all parts, and the declaration of this build',
    () => {
      const control = join(folder, 'control')
      dpkgDeb('--control', file, control)
      const sums = readFileSync(join(control, 'md5sums'), 'utf8').trimEnd().split('\n')
      const regular = listed.filter(({ mode }) => mode.startsWith('-')).map(({ path }) => path)
      expect(sums.map((line) => line.slice(34))).toEqual(regular.toSorted())
      expect(existsSync(join(control, 'conffiles'))).toBe(false)
      const doc = join(inside, 'usr/share/doc/sello')
      const copyright = readFileSync(join(doc, 'copyright'), 'utf8')
      for (const named of [
        'Node.js',
        'better-sqlite3-multiple-ciphers',
        'OpenSSL',
        'fastify',
        'Apache License',
      ])
        expect(copyright, named).toContain(named)
      expect(gunzipSync(readFileSync(join(doc, 'changelog.Debian.gz'))).toString()).toContain(
        'urgency=medium',
      )
      expect(readFileSync(join(doc, 'declaracion-responsable.md'), 'utf8')).toContain(
        sha256Hex(readFileSync(join(root, 'out/SHA256SUMS'))),
      )
    },
  )

  needs(
    'dpkg-deb',
    'dpkg-shlibdeps',
    'man',
  )('has a manual page without faults', () => {
    const { stdout, stderr } = spawnSync(
      'man',
      ['--warnings', '-l', join(inside, 'usr/share/man/man1/sello.1.gz')],
      {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, MANWIDTH: '100', LC_ALL: 'C.UTF-8' },
      },
    )
    expect(stderr).toBe('')
    expect(stdout).toContain('verify-build')
  })
})
