/** The repository's own tools: counting tests, finding programs, detecting outdated files, complete builds. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { TestModule } from 'vitest/node'
import { countTests } from '../../build/count-reporter.ts'
import { outdated } from '../../build/generate.ts'
import { OWN_WORKER } from '../../build/own-worker.ts'
import { sweptFiles } from '../../build/swept-files.ts'
import { endIdleParsers } from '../../server/platform/processes/parsers.ts'
import { seePages } from '../../server/purchases/intake/ocr/see-pages.ts'
import { inLongRun, swept } from '../support/sweep.ts'
import { needs, tool } from '../support/tools.ts'

const root = resolve(import.meta.dirname, '../..')
const windows = process.platform === 'win32'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-tooling-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

test('files that replace modules have a worker of their own', () => {
  const replacing = readdirSync(resolve(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !/^test\/(long|shared|electron)\//.test(path))
    .filter((path) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(resolve(root, path), 'utf8')))
  expect(replacing).not.toEqual([])
  expect(replacing.filter((path) => !OWN_WORKER.some((glob) => matchesGlob(path, glob)))).toEqual([])
})

describe('cases of the long run', () => {
  test('include every everyday file that imports the means to reduce them', () => {
    const reducing = "import { swept } from '../support/sweep.ts'"
    const files = {
      'server/reducing.test.ts': reducing,
      'server/whole.test.ts': "import { openBooks } from '../support/books.ts'",
      'support/reducing.ts': reducing,
      'long/reducing.test.ts': reducing,
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, 'test', path, '..'), { recursive: true })
      writeFileSync(join(folder, 'test', path), text)
    }
    expect(sweptFiles(folder)).toEqual(['test/server/reducing.test.ts'])
    expect(sweptFiles(root)).toContain('test/server/db/embedded/upgrade.test.ts')
  })

  test('all run in the long run, and at least one otherwise', () => {
    vi.stubEnv('SELLO_TESTS', 'default')
    const play = () => swept(['a', 'b'], (name) => name === 'b')
    expect(play()).toEqual(['b'])
    vi.stubEnv('SELLO_TESTS', 'long')
    expect(play()).toEqual(['a', 'b'])
    vi.stubEnv('SELLO_TESTS', 'default')
    expect(() => swept(['a'], () => false)).toThrow('No case')
  })

  test('a test of the long run is registered there only', () => {
    const names: string[] = []
    vi.stubEnv('SELLO_TESTS', 'default')
    const register = () => inLongRun((name: string) => names.push(name))
    register()('everyday')
    vi.stubEnv('SELLO_TESTS', 'long')
    register()('long')
    expect(names).toEqual(['long'])
  })
})

describe('counting tests', () => {
  const module = (state: string, ...results: { state: string; note?: string }[]): TestModule =>
    ({
      relativeModuleId: 'test/a.test.ts',
      state: () => state,
      children: {
        allTests: () => results.map((result, index) => ({ fullName: `test ${index}`, result: () => result })),
      },
    }) as unknown as TestModule

  test('names each skipped test with its reason', () => {
    const counts = countTests(
      [module('passed', { state: 'passed' }, { state: 'skipped', note: 'needs qpdf' })],
      0,
    )
    expect(counts).toEqual({
      passed: 1,
      failed: 0,
      skipped: 1,
      skippedNames: ['test/a.test.ts > test 1: needs qpdf'],
    })
  })

  test('counts a file that could not be loaded, and an error outside all tests, as failures', () => {
    expect(countTests([module('failed')], 1)).toMatchObject({ passed: 0, failed: 2 })
    expect(countTests([module('failed', { state: 'failed' }, { state: 'failed' })], 0)).toMatchObject({
      failed: 2,
    })
    expect(countTests([module('passed', { state: 'pending' })], 0)).toMatchObject({ skipped: 1 })
  })
})

describe('finding programs', () => {
  test.skipIf(windows)('finds only executables on the path', () => {
    writeFileSync(join(folder, 'right'), '#!/bin/sh\n', { mode: 0o755 })
    writeFileSync(join(folder, 'unreadable'), '', { mode: 0o644 })
    vi.stubEnv('PATH', `/nowhere:${folder}`)
    expect(tool('right')).toBe(join(folder, 'right'))
    expect(tool('unreadable')).toBeNull()
    expect(tool('absent')).toBeNull()
    expect(needs('right')).toBe(test)
    vi.stubEnv('SELLO_REQUIRE_ALL', '')
    vi.spyOn(console, 'warn').mockImplementationOnce(() => {})
    expect(needs('right', 'absent')).not.toBe(test)
  })

  test.skipIf(windows)('prefers the browser named in the environment', () => {
    writeFileSync(join(folder, 'chromium'), '', { mode: 0o755 })
    writeFileSync(join(folder, 'mine'), '', { mode: 0o755 })
    vi.stubEnv('PATH', folder)
    expect(tool('chromium')).toBe(join(folder, 'chromium'))
    vi.stubEnv('CHROMIUM', join(folder, 'mine'))
    expect(tool('chromium')).toBe(join(folder, 'mine'))
  })
})

describe('generated files', () => {
  test('are out of date if missing or different, and current if equal', async () => {
    mkdirSync(join(folder, 'build/generated'), { recursive: true })
    writeFileSync(
      join(folder, 'build/generated/list.ts'),
      "export const generate = () => ({ 'docs/a.md': 'A', 'docs/b.md': 'B' })\n",
    )
    mkdirSync(join(folder, 'docs'))
    writeFileSync(join(folder, 'docs/a.md'), 'A')
    writeFileSync(join(folder, 'docs/b.md'), 'old')
    expect(await outdated(folder)).toEqual([{ path: 'docs/b.md', content: 'B' }])
    writeFileSync(join(folder, 'docs/b.md'), 'B')
    expect(await outdated(folder)).toEqual([])
  })
})

describe('the build', () => {
  const out = (...parts: string[]) => join(root, 'out', ...parts)

  test('contains the files that the bundled PDF pages read at run time', () => {
    expect(readdirSync(out('main/fonts')).toSorted()).toEqual(
      readdirSync(join(root, 'server/documents/pdf/fonts'))
        .filter((name) => name.endsWith('.ttf'))
        .toSorted(),
    )
    expect(existsSync(out('main/data/sRGB_IEC61966_2_1.icc'))).toBe(true)
  })

  test('contains what reads pictures and their words, and no second engine or weights', () => {
    expect(
      readdirSync(out('main/data'))
        .filter((name) => !name.endsWith('.icc'))
        .toSorted(),
    ).toEqual([
      'cat.traineddata.gz',
      'eng.traineddata.gz',
      'eus.traineddata.gz',
      'glg.traineddata.gz',
      'libheif.LICENSE.txt',
      'libheif.cjs',
      'libheif.wasm',
      'mozjpeg_dec.wasm',
      'pdfium.wasm',
      'spa.traineddata.gz',
      'squoosh_png_bg.wasm',
      'tesseract-core-lstm.wasm',
      'tesseract-core-simd-lstm.wasm',
      'webp_dec.wasm',
      'zxing_reader.wasm',
    ])
  })

  test('reads pictures with these files', { timeout: 120_000 }, async () => {
    onTestFinished(endIdleParsers)
    const samples = join(root, 'test/server/purchases/intake/samples')
    const workerUrl = pathToFileURL(out('main/ocr-worker.js'))
    for (const name of ['picture.heic', 'picture.webp', 'pages.tif', 'picture.jpg']) {
      const pages = await seePages(readFileSync(join(samples, name)), {}, { workerUrl, readingMs: 60_000 })
      expect(pages.length, name).toBe(name === 'pages.tif' ? 3 : 1)
    }
  })

  test('depends at run time on the packaged dependencies, Electron and Node only', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const allowed = new Set([...Object.keys(dependencies), 'electron'])
    const asked = readdirSync(out('main'))
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => parseSync(name, readFileSync(out('main', name), 'utf8')).program.body)
      .flatMap((node) => ('source' in node && node.source ? [node.source.value] : []))
      .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      )
    const { builtinModules } = process.getBuiltinModule('node:module')
    expect(
      [...new Set(asked)].filter((name) => !allowed.has(name) && !builtinModules.includes(name)),
    ).toEqual([])
    expect(asked).toContain('electron')
  })

  test("names the page's files from the root, so that every view finds them", () => {
    const html = readFileSync(out('renderer/index.html'), 'utf8')
    const files = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map((match) => match[1]!)
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      expect(file).toMatch(/^\/assets\//)
      expect(existsSync(out('renderer', file)), file).toBe(true)
    }
  })

  // As `npm run sello` starts the program: it also installs and builds what is out of date, which takes half a minute.
  const { nodeFlags } = JSON.parse(readFileSync(join(root, 'build/runtime.json'), 'utf8')) as {
    nodeFlags: string[]
  }
  const ways: [string, string[]][] = [
    ['the built program', [...nodeFlags, out('main/cli.js')]],
    ['npm run sello', [join(root, 'build/run.mjs'), 'sello']],
  ]
  test.each(swept(ways, ([name]) => name === 'the built program'))(
    'answers the command line with one JSON object as the last line, and its exit code: %s',
    (_name, cli) => {
      const env = { ...process.env, SELLO_DATA: folder }
      const help = execFileSync(process.execPath, [...cli, 'help'], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      expect(() => JSON.parse(help.trimEnd().split('\n').at(-1)!)).not.toThrow()
      const unknown = spawnSync(process.execPath, [...cli, 'no-such-command'], { env, encoding: 'utf8' })
      expect(unknown.status).not.toBe(0)
      expect(JSON.parse(unknown.stdout.trimEnd().split('\n').at(-1)!)).toHaveProperty('error.code')
    },
  )
})

describe('opening the page', () => {
  test.skipIf(windows)('passes the link that admits a browser in no argument of a program', () => {
    const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
    const said = join(folder, 'said')
    // A fake browser: it receives a file, reads it, and reports its name, mode and content.
    const lines = ['#!/bin/sh', `exec > ${said}.new`, 'echo "$1"', 'file="${1#file://}"']
    lines.push('/bin/ls -l "$file"', '/bin/cat "$file"', `/bin/mv ${said}.new ${said}`)
    writeFileSync(join(folder, opener), lines.join('\n'), { mode: 0o755 })
    const address = 'http://127.0.0.1:4545/#link=geheim'
    const source = pathToFileURL(resolve(root, 'server/cli/open-page.ts')).href
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { openPage } from ${JSON.stringify(source)}
         import { existsSync } from 'node:fs'
         openPage(${JSON.stringify(address)})
         for (let turn = 0; turn < 200 && !existsSync(${JSON.stringify(said)}); turn++)
           await new Promise((resolve) => setTimeout(resolve, 50))`,
      ],
      { env: { PATH: folder, HOME: folder, TMPDIR: folder } },
    )
    const [told = '', mode = '', ...page] = readFileSync(said, 'utf8').split('\n')
    expect(told).toMatch(/^file:\/\/.*\/sello-open-\w+\/open\.html$/)
    expect(told).not.toContain('geheim')
    expect(mode).toMatch(/^-rw-------/)
    expect(page.join('\n')).toContain(`url=${address}`)
    // It is deleted with the program.
    expect(readdirSync(folder).filter((name) => name.startsWith('sello-open-'))).toEqual([])
  })
})
