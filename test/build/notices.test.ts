/** Shipped third-party packages are named with their licences, and none of these licences requires more than that. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generate } from '../../build/generated/third-party.ts'
import {
  describePackage,
  noticesText,
  packageFolder,
  runtimeFolders,
  shippedPackages,
} from '../../build/bundling/notices.ts'

const root = resolve(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'out/renderer/notices.txt'), 'utf8')
const rows = generate()
  ['docs/third-party.md']!.split('\n')
  .filter((line) => line.startsWith('| `'))

/** Licences that allow a program to be distributed under its own terms, as package.json files write them. */
const PERMISSIVE = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'Python-2.0',
  'OFL-1.1',
  'Unlicense',
  'MIT-0',
  'CC0-1.0',
  'Zlib',
])

/** Copyleft libraries that lie beside the bundle as files that can be replaced. */
const BESIDE = new Set(['libheif-js'])

describe('the notices', () => {
  test('name bundled, packaged and copied dependencies', () => {
    for (const name of [
      'vue',
      'fastify',
      'pdfjs-dist',
      'electron-updater',
      'semver',
      '@iconify-json/lucide',
      '@fontsource-variable/inter',
    ])
      expect(
        rows.some((row) => row.startsWith(`| \`${name}\` |`)),
        name,
      ).toBe(true)
    for (const name of ['vitest', 'electron-builder', 'typescript', 'playwright-core'])
      expect(
        rows.some((row) => row.startsWith(`| \`${name}\` |`)),
        name,
      ).toBe(false)
  })

  test('contain the text of each licence, and no licence that applies to the whole program', () => {
    for (const row of rows) {
      const [, name, version, licence] = /^\| `(.+)` \| (.+) \| (.+) \|$/.exec(row)!
      const alternatives = licence!.replaceAll(/[()]/g, '').split(' OR ')
      const free =
        BESIDE.has(name!) ||
        alternatives.some((one) => one.split(' AND ').every((part) => PERMISSIVE.has(part.trim())))
      expect([name, licence, free]).toEqual([name, licence, true])
      const chapter = text.split(`\n${name} ${version} (${licence})\n${'='.repeat(100)}\n\n`)[1]
      expect(chapter, name).toBeDefined()
      // A licence is longer than a line: even the shortest one has terms.
      expect(chapter!.split('='.repeat(100))[0]!.length, name).toBeGreaterThan(400)
    }
  })

  test('contain the licences of libraries within packages', () => {
    const chapterOf = (name: string): string =>
      text.split(`\n${name} `).at(-1)?.split('='.repeat(100))[1] ?? ''
    expect(chapterOf('@jsquash/jpeg')).toContain('Independent JPEG Group')
    expect(chapterOf('libheif-js')).toContain('GNU GENERAL PUBLIC LICENSE')
    expect(chapterOf('@tesseract.js-data/spa')).toContain('tessdata_best')
  })

  test('find the package of a module wherever it is installed', () => {
    const at = (path: string) => join(root, 'node_modules', path)
    expect(packageFolder(at('vue/dist/vue.js'))).toBe(at('vue'))
    expect(packageFolder(`\0${at('@vueuse/core/dist/index.js')}?commonjs`)).toBe(at('@vueuse/core'))
    expect(packageFolder(join(root, 'server/api/application.ts'))).toBeNull()
    const names = shippedPackages(runtimeFolders(root)).map((one) => one.name)
    expect(names).toEqual(
      expect.arrayContaining(['better-sqlite3-multiple-ciphers', 'builder-util-runtime', 'ms']),
    )
  })

  test('name the author of a package without a licence file, with the text of its licence', () => {
    const silent = describePackage(join(root, 'node_modules/lazy-val'))
    expect(silent.text).toMatch(/^The package brings no text.*MIT, Vladimir Krivosheev/)
    expect(silent.text).toContain('Permission is hereby granted')
    expect(noticesText([silent])).toContain(`lazy-val ${silent.version} (MIT)\n`)
  })

  test('have an address in the app', () => {
    expect(readdirSync(join(root, 'out/renderer'))).toContain('notices.txt')
  })
})
