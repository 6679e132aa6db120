/** The shape of the source: who may import whom, how long a file may be, and that each says what it is for. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  crowdedFolders,
  faultsOf,
  importsOf,
  openingFault,
  roomFaults,
  schemasAtStart,
  sizeFault,
  wayToOffice,
} from './support/checks/architecture.ts'
import type { Sources } from './support/checks/architecture.ts'
import { unusedExports } from './support/checks/exports.ts'

const root = resolve(import.meta.dirname, '..')
const FOLDERS = ['main', 'preload', 'renderer', 'server', 'build', 'bench', 'test']

function filesUnder(folder: string): string[] {
  const whole = join(root, folder)
  if (!existsSync(whole)) return []
  return readdirSync(whole, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesUnder(path)
    return /\.(ts|mts|mjs|vue)$/.test(entry.name) && !/\.config\.ts\..+\.mjs$/.test(entry.name) ? [path] : []
  })
}

const sources: Sources = Object.fromEntries(
  FOLDERS.flatMap(filesUnder).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)
const product = Object.fromEntries(
  Object.entries(sources).filter(([path]) => /^(main|preload|renderer|server)\//.test(path)),
)

describe('the source', () => {
  test('is found', () => {
    for (const path of ['server/domain/money.ts', 'main/boot.ts', 'preload/index.ts'])
      expect(product).toHaveProperty(path)
  })

  test('keeps the arrows of the map', () => {
    expect(faultsOf(product)).toEqual([])
  })

  test('has at most fifteen rooms in server/, and one file beside them', () => {
    expect(roomFaults(Object.keys(product))).toEqual([])
  })

  test('has no folder with too many files side by side', () => {
    expect(crowdedFolders(Object.keys(sources))).toEqual([])
  })

  test('begins without schemas: each part loads its own when it is first asked', () => {
    expect(schemasAtStart('server/api/application.ts', product)).toBeNull()
  })

  test('loads nothing of an office on a desk', () => {
    for (const start of ['server/api/application.ts', 'main/boot.ts'])
      expect(wayToOffice(start, product, true)).toBeNull()
    // A command of an office loads it when it runs.
    for (const start of ['server/cli/main.ts', 'main/index.ts'])
      expect(wayToOffice(start, product, false)).toBeNull()
    expect(wayToOffice('server/cli/main.ts', product, true)).toEqual(expect.arrayContaining(['pg']))
  })

  test('depends on nothing outside the repository', () => {
    // Only what may leave it is parsed.
    const suspects = Object.entries(sources).filter(([path, code]) =>
      [...code.matchAll(/\b(?:from|import)\s*\(?\s*['"`]([^'"`\n]+)/g)].some(
        ([, target = '']) =>
          !/^[\w@#]/.test(posix.join(posix.dirname(path), target)) || /^\/|^file:/.test(target),
      ),
    )
    const outside = suspects.flatMap(([path, code]) =>
      importsOf(path, code)
        .filter(({ target }) => target.startsWith('../') || /^\/|^file:/.test(target))
        .map(({ target }) => `${path} imports ${target}`),
    )
    expect(outside).toEqual([])
  })

  test('opens each file with a sentence on what it is for', () => {
    const explained = Object.entries(sources).filter(([path]) => !path.endsWith('.test.ts'))
    expect(explained.flatMap(([path, code]) => openingFault(path, code) ?? [])).toEqual([])
  })

  test('exports nothing that no other file imports', () => {
    const config = 'electron.vite.config.ts'
    const all = { ...sources, [config]: readFileSync(join(root, config), 'utf8') }
    expect(unusedExports(all).map(({ path, name }) => `${path}: ${name}`)).toEqual([])
  })

  test('has no file too long to be read', () => {
    expect(Object.entries(sources).flatMap(([path, code]) => sizeFault(path, code) ?? [])).toEqual([])
  })
})

describe('the checker', () => {
  /** A small product in which all arrows are right. */
  const sound: Sources = {
    'server/domain/money.ts': '',
    'server/domain/contract.ts': "import type { z } from 'zod'",
    'server/domain/fields.ts': "import { z } from 'zod'",
    'server/db/embedded/open.ts':
      "import Database from 'better-sqlite3'\nimport { cents } from '../../domain/money.ts'",
    'server/db/query.ts': '',
    'server/db/postgres/pool.ts': "import pg from 'pg'\nimport { prepare } from '../query.ts'",
    'server/context.ts': "import { prepare } from './db/query.ts'",
    'server/company/contract.ts': "import { z } from 'zod'\nimport { euros } from '../domain/fields.ts'",
    'server/company/rows.ts': "import { ctx } from '../context.ts'",
    'server/company/index.ts': "export { find } from './rows.ts'",
    'server/sales/invoices/contract.ts': "import { Address } from '../../company/contract.ts'",
    'server/sales/invoices/rules.ts': "import { cents } from '../../domain/money.ts'",
    'server/sales/invoices/index.ts': "import { find } from '../../company/index.ts'",
    'server/sales/quotes/contract.ts': "import { Line } from '../invoices/contract.ts'",
    'server/sales/quotes/index.ts': "import { draft } from '../invoices/index.ts'",
    'server/sales/invoices/operations.ts':
      "import { x } from './contract.ts'\nimport { isSimplified } from './rules.ts'",
    'server/api/contracts.ts': "type Known = typeof import('../sales/invoices/contract.ts')",
    'server/api/slices.ts': "import('../sales/invoices/operations.ts')",
    'server/api/operations.ts': "import { slices } from './slices.ts'",
    'server/api/rest/routes.ts':
      "import Fastify from 'fastify'\nimport { operations } from '../operations.ts'",
    'server/api/application.ts': "import './rest/routes.ts'\nimport '../db/query.ts'",
    'server/cli/main.ts': "import { start } from '../api/application.ts'",
    'main/index.ts': "import { app } from 'electron'\nimport { start } from '../server/api/application.ts'",
    'preload/contract.ts': '',
    'preload/index.ts': "import { ipcRenderer } from 'electron'\nimport { CHANNELS } from './contract.ts'",
    'renderer/sales/Page.vue':
      "<script setup lang=\"ts\">\nimport type { Invoice } from '../../server/sales/invoices/contract.ts'\nimport { cents } from '../../server/domain/money.ts'\nimport { isSimplified } from '../../server/sales/invoices/rules.ts'\n</script>\n<template><p /></template>",
  }

  test('finds no fault in a sound product', () => {
    expect(faultsOf(sound)).toEqual([])
  })

  test.each([
    ['domain imports a slice', 'server/domain/money.ts', "import { x } from '../company/index.ts'"],
    ['domain imports the database', 'server/domain/money.ts', "import type { x } from '../db/query.ts'"],
    ['the database imports a slice', 'server/db/query.ts', "import { x } from '../company/index.ts'"],
    ['a slice knows the file', 'server/company/rows.ts', "import { x } from '../db/embedded/open.ts'"],
    ['a slice knows PostgreSQL', 'server/company/rows.ts', "import('../db/postgres/pool.ts')"],
    ['the app loads PostgreSQL at start', 'server/cli/main.ts', "import { x } from '../db/postgres/pool.ts'"],
    [
      'an engine knows the other',
      'server/db/postgres/pool.ts',
      "import type { x } from '../embedded/open.ts'",
    ],
    ['a shared file knows an engine', 'server/db/query.ts', "import { x } from './postgres/pool.ts'"],
    ['the context imports a slice', 'server/context.ts', "import { x } from './company/index.ts'"],
    [
      'a slice imports the inside of another',
      'server/sales/invoices/index.ts',
      "import { x } from '../../company/rows.ts'",
    ],
    [
      'a slice imports the inside of a neighbour in its room',
      'server/sales/quotes/index.ts',
      "import { x } from '../invoices/rules.ts'",
    ],
    [
      'a room imports a higher one',
      'server/company/rows.ts',
      "import { x } from '../sales/invoices/index.ts'",
    ],
    [
      'a room does so by type only',
      'server/company/rows.ts',
      "import type { x } from '../sales/invoices/index.ts'",
    ],
    [
      'a room takes the contract of a higher one',
      'server/company/rows.ts',
      "import type { X } from '../sales/invoices/contract.ts'",
    ],
    [
      'a room does so when run',
      'server/company/rows.ts',
      "const x = await import('../sales/invoices/index.ts')",
    ],
    [
      'a room re-exports a higher one',
      'server/company/rows.ts',
      "export * from '../sales/invoices/index.ts'",
    ],
    ['a slice imports the api', 'server/company/rows.ts', "import { x } from '../api/rest/routes.ts'"],
    [
      'a file beside the table collects operations',
      'server/api/rest/routes.ts',
      "import('../../sales/invoices/operations.ts')",
    ],
    ['a slice imports the table', 'server/company/rows.ts', "import type { x } from '../api/contracts.ts'"],
    [
      'slices of a room import each other',
      'server/sales/invoices/rules.ts',
      "import { x } from '../quotes/index.ts'",
    ],
    [
      'a contract imports more than contracts',
      'server/sales/invoices/contract.ts',
      "import { x } from '../../company/index.ts'",
    ],
    [
      'contracts go round in a circle',
      'server/sales/invoices/contract.ts',
      "import { x } from '../quotes/contract.ts'",
    ],
    [
      'the api imports the command line',
      'server/api/rest/routes.ts',
      "import { x } from '../../cli/main.ts'",
    ],
    ['the server knows Electron', 'server/db/query.ts', "import { safeStorage } from 'electron'"],
    [
      'the server knows a part of Electron',
      'server/db/embedded/open.ts',
      "import { app } from 'electron/main'",
    ],
    ['the server knows the window', 'server/api/application.ts', "import { x } from '../../main/index.ts'"],
    ['the server knows the page', 'server/api/application.ts', "import { x } from '../../renderer/a.ts'"],
    ['main reaches past the app', 'main/index.ts', "import { x } from '../server/db/embedded/open.ts'"],
    [
      'the page runs the server',
      'renderer/sales/Page.vue',
      "<script>import { x } from '../../server/sales/invoices/index.ts'</script>",
    ],
    [
      'the page takes a type of a use case',
      'renderer/a.ts',
      "import type { X } from '../server/company/rows.ts'",
    ],
    ['the page runs a contract', 'renderer/a.ts', "import { Invoice } from '../server/company/contract.ts'"],
    [
      'the page runs zod through domain',
      'renderer/a.ts',
      "import { euros } from '../server/domain/fields.ts'",
    ],
    ['the page knows Electron', 'renderer/a.ts', "import { shell } from 'electron'"],
    ['the page runs the preload', 'renderer/a.ts', "import { CHANNELS } from '../preload/contract.ts'"],
    ['the preload imports a package', 'preload/index.ts', "import { z } from 'zod'"],
    ['a new room is not on the map', 'server/payroll/index.ts', ''],
    ['a new file stands beside the rooms', 'server/helpers.ts', ''],
    ['a file imports what is not there', 'server/context.ts', "import { x } from './nowhere.ts'"],
  ])('finds that %s', (_name, path, code) => {
    const planted = { ...sound, [path]: code }
    expect(faultsOf(planted)).not.toEqual([])
  })

  test('allows the page a value of domain by way of another pure file', () => {
    const deeper = {
      ...sound,
      'server/domain/tax/totals.ts':
        "import { cents } from '../money.ts'\nimport type { Schema } from '../contract.ts'",
      'renderer/a.ts':
        "import { totals } from '../server/domain/tax/totals.ts'\nimport type { D } from '../preload/contract.ts'",
    }
    expect(faultsOf(deeper)).toEqual([])
    const impure = { ...deeper, 'server/domain/money.ts': "import { z } from 'zod'" }
    expect(faultsOf(impure)).toContainEqual(expect.stringContaining('pure files'))
  })

  test('finds the way by which a start loads schemas, and none through what is loaded later', () => {
    const early = { ...sound, 'server/context.ts': "import { Address } from './company/contract.ts'" }
    expect(
      schemasAtStart('server/api/application.ts', {
        ...early,
        'server/api/application.ts': "import '../context.ts'",
      }),
    ).toEqual(['server/api/application.ts', 'server/context.ts', 'server/company/contract.ts', 'zod'])
    const late = { ...sound, 'server/context.ts': "const load = () => import('./company/contract.ts')" }
    expect(
      schemasAtStart('server/api/application.ts', {
        ...late,
        'server/api/application.ts': "import '../context.ts'",
      }),
    ).toBeNull()
  })

  test('sees an import only where there is one', () => {
    const code = "// import 'electron'\nconst text = \"import x from 'electron'\"\n/* import('electron') */"
    expect(importsOf('server/context.ts', code)).toEqual([])
  })

  test('misses no file without an opening sentence, and takes none for one that has it', () => {
    expect(openingFault('a.ts', "import x from 'x'")).toContain('a.ts')
    expect(openingFault('a.ts', '// eslint-disable-next-line\nexport {}')).toContain('a.ts')
    expect(openingFault('a.ts', '/** Shows an amount. */\nexport {}')).toBeNull()
    expect(openingFault('a.ts', '/**\n * What it is for,\n * in a sentence.\n */\nexport {}')).toBeNull()
    expect(openingFault('a.mjs', '#!/usr/bin/env node\n// Runs the shop.\n')).toBeNull()
    expect(openingFault('a.vue', '<!-- Shows an amount. -->\n<template />')).toBeNull()
    expect(openingFault('a.vue', '<script setup lang="ts">\n/** Shows an amount. */\n</script>')).toBeNull()
    expect(openingFault('a.vue', '<script setup lang="ts">\nconst x = 1\n</script>')).toContain('a.vue')
  })

  test('finds a folder that is too full, and rooms too many', () => {
    const paths = Array.from({ length: 21 }, (_, index) => `server/sales/f${index}.ts`)
    expect(crowdedFolders(paths)).toEqual([expect.stringContaining('server/sales holds 21')])
    expect(crowdedFolders(paths.slice(1))).toEqual([])
    const rooms = Array.from({ length: 16 }, (_, index) => `server/r${index}/a.ts`)
    expect(roomFaults(rooms)).toEqual([expect.stringContaining('16 rooms')])
    expect(roomFaults(rooms.slice(1))).toEqual([])
    expect(roomFaults(['server/context.ts', 'server/helpers.ts'])).toEqual([
      expect.stringContaining('server/helpers.ts'),
    ])
  })

  test('finds an export that nobody imports, and takes none for one that somebody does', () => {
    const files = {
      'server/a.ts':
        'export const plain = 1, { late } = x\nexport function typed() {}\nexport interface Shape {}\nexport class Spare {}',
      'server/named.ts': "import { plain as other } from './a.ts'\nexport { Shape } from './a.ts'\nother()",
      'server/late.ts': "const load = async () => (await import('./a.ts')).late",
      'renderer/A.vue':
        "<script setup>\nimport { Shape } from '../server/named.ts'\ntype X = typeof import('../server/a.ts').typed\n</script>",
      'server/parts.ts': 'export const one = 1\nexport const two = 2\nexport default one',
      'server/whole.ts': "import * as parts from './parts.ts'\nparts.two()",
      'server/table.ts': 'export const row = 1',
      'server/tables.ts': "const tables = async () => Object.values(await import('./table.ts'))",
    }
    expect(unusedExports(files)).toEqual([
      { path: 'server/a.ts', name: 'Spare' },
      { path: 'server/parts.ts', name: 'one' },
    ])
  })

  test('finds a file that is too long', () => {
    expect(sizeFault('a.ts', 'x\n'.repeat(701))).toContain('a.ts')
    expect(sizeFault('a.ts', 'x\n'.repeat(700))).toBeNull()
  })
})
