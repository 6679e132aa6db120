/** The build's list of its files: written by the build, read by the program, and compared with the files on request. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { writeFileList } from '../../build/bundling/file-list.ts'
import { buildFolder, RUNNING_BUILD, verifyBuild } from '../../server/app/build/index.ts'
import { readChecksums, writeChecksums } from '../../server/domain/formats/checksum-list.ts'
import { sha256Hex } from '../../server/domain/sha256.ts'
import { needs } from '../support/tools.ts'

const root = resolve(import.meta.dirname, '../..')
const DIGEST = sha256Hex('')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-build-list-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

/** Runs a built program; returns its exit code and its line for programs. */
function run(program: string, ...argv: string[]) {
  const env = { PATH: process.env.PATH, HOME: folder }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], {
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr, answer: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? 'null') as any }
}

describe('the list', () => {
  test('is sorted by path, and reads back as it was written', () => {
    const checksums = new Map([
      ['main/b.js', DIGEST],
      ['main/a.js', DIGEST],
      ['a file', DIGEST],
    ])
    const text = writeChecksums(checksums)
    expect(text).toBe(`${DIGEST}  a file\n${DIGEST}  main/a.js\n${DIGEST}  main/b.js\n`)
    expect(readChecksums(text)).toEqual(new Map([...checksums].toSorted()))
    expect(() => writeChecksums(new Map([['a\\b', DIGEST]]))).toThrow('cannot contain')
  })

  test('is rejected if a line is not one, or names a file twice', () => {
    const line = `${DIGEST}  a\n`
    expect(readChecksums(line)?.size).toBe(1)
    for (const text of [
      '',
      line.trimEnd(),
      `${line}nonsense\n`,
      line + line,
      line.toUpperCase(),
      `${line}\n`,
    ])
      expect(readChecksums(text), JSON.stringify(text)).toBeNull()
  })

  test('is not written for a folder with links, or without files', async () => {
    await expect(writeFileList(folder)).rejects.toThrow('contains no files')
    symlinkSync('/etc/hostname', join(folder, 'link'))
    await expect(writeFileList(folder)).rejects.toThrow('link is not a readable regular file')
  })
})

describe('the comparison', () => {
  const faults = async () =>
    (await verifyBuild(join(folder, 'out'))).build.faults.map(({ why, path }) => `${why} ${path}`)

  beforeEach(async () => {
    mkdirSync(join(folder, 'out/main/deep'), { recursive: true })
    for (const name of ['main/a.js', 'main/deep/b.js', 'main/c.js', '.build-stamp'])
      writeFileSync(join(folder, 'out', name), name)
    await writeFileList(join(folder, 'out'))
  })

  test('finds nothing in the files as they were listed, and ignores the build’s own hidden files', async () => {
    writeFileSync(join(folder, 'out/.lock'), '')
    const { build, packaged } = await verifyBuild(join(folder, 'out'))
    expect([build.files, build.faults, packaged]).toEqual([3, [], null])
    expect(build.digest).toBe(sha256Hex(readFileSync(join(folder, 'out/SHA256SUMS'))))
  })

  test('finds changed, missing, added and replaced files, in order of their path', async () => {
    appendFileSync(join(folder, 'out/main/c.js'), ' ')
    rmSync(join(folder, 'out/main/a.js'))
    writeFileSync(join(folder, 'out/main/deep/.hidden.js'), '')
    rmSync(join(folder, 'out/main/deep/b.js'))
    symlinkSync('../c.js', join(folder, 'out/main/deep/b.js'))
    mkdirSync(join(folder, 'out/node_modules/keytar'), { recursive: true })
    // Node would load it before the package's own.
    writeFileSync(join(folder, 'out/node_modules/keytar/index.js'), '')
    expect(await faults()).toEqual([
      'missing main/a.js',
      'differs main/c.js',
      'unlisted main/deep/.hidden.js',
      'unreadable main/deep/b.js',
      'unlisted node_modules/keytar/index.js',
    ])
    writeFileSync(join(folder, 'out/SHA256SUMS'), 'nonsense')
    expect(await faults()).toEqual(['unreadable SHA256SUMS'])
  })

  test('finds nothing if all parts of an office were left out, and what is missing if only some were', async () => {
    for (const name of ['office-a.js', 'office-metrics-B_1.js'])
      writeFileSync(join(folder, 'out/main', name), name)
    await writeFileList(join(folder, 'out'))
    expect((await verifyBuild(join(folder, 'out'))).build).toMatchObject({ files: 5, leftOut: 0, faults: [] })
    rmSync(join(folder, 'out/main/office-a.js'))
    expect(await faults()).toEqual(['missing main/office-a.js'])
    rmSync(join(folder, 'out/main/office-metrics-B_1.js'))
    expect((await verifyBuild(join(folder, 'out'))).build).toMatchObject({ files: 5, leftOut: 2, faults: [] })
    writeFileSync(join(folder, 'out/main/office-c.js'), '')
    expect(await faults()).toEqual(['unlisted main/office-c.js'])
  })

  test('includes the package around the build, if it has a list', async () => {
    writeFileSync(join(folder, 'node'), 'runtime')
    await writeFileList(folder)
    expect(await verifyBuild(join(folder, 'out'))).toMatchObject({ packaged: { files: 6, faults: [] } })
    appendFileSync(join(folder, 'node'), ' ')
    expect((await verifyBuild(join(folder, 'out'))).packaged?.faults).toEqual([
      { path: 'node', why: 'differs' },
    ])
  })
})

describe('the program', () => {
  const built = join(root, 'out')

  test('has no build when it runs from its sources', () => {
    expect([buildFolder(), RUNNING_BUILD]).toEqual([null, null])
    const ran = run(join(root, 'server/cli/main.ts'), 'verify-build')
    expect([ran.status, ran.answer.error.code]).toEqual([1, 'not_a_build'])
  })

  test('states the digest of the list of its build, and verifies its files', () => {
    const build = sha256Hex(readFileSync(join(built, 'SHA256SUMS')))
    const stated = run(join(built, 'main/cli.js'), '--version')
    expect(stated.answer.build).toBe(build)
    expect(stated.stdout).toContain(`\nbuild ${build}\n`)
    const verified = run(join(built, 'main/cli.js'), 'verify-build')
    expect([verified.status, verified.answer.ok, verified.answer.build.digest]).toEqual([0, true, build])
  })

  test('names the first file that differs from its build', () => {
    cpSync(built, join(folder, 'out'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
    appendFileSync(join(folder, 'out/renderer/index.html'), '<script></script>')
    const ran = run(join(folder, 'out/main/cli.js'), 'verify-build')
    expect([ran.status, ran.answer.ok]).toEqual([1, false])
    expect(ran.answer.build.faults).toEqual([{ path: 'renderer/index.html', why: 'differs' }])
    expect(ran.stderr).toContain('differs: renderer/index.html')
  })

  needs('sha256sum')('can be verified without itself', () => {
    const out = execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: built })
    expect(out.toString()).toBe('')
  })
})
