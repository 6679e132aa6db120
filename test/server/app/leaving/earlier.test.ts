/** An archive of an earlier schema is brought to this one by its migrations. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { shapeOf } from '../../../../server/app/company-rows/index.ts'
import { archivedTables } from '../../../../server/app/leaving/content.ts'
import { migrations } from '../../../../server/db/migrations/list.ts'
import { SCHEMA_VERSION } from '../../../../server/db/migrations/version.ts'
import { archiveOf, EmptyDesk, ownFolder, unpacked } from '../../../support/leaving/archive.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'

const AT = '2026-11-24T10:00:00+01:00'

interface Manifest {
  program: { schema: number }
  tables: { name: string; rows: number }[]
  files: { path: string; bytes: number; sha256: string }[]
}

/** The newest version with fewer tables than this one. */
function versionBefore(): number {
  const tablesOf = (version: number) => archivedTables(shapeOf(migrations.slice(0, version))).length
  let version = SCHEMA_VERSION - 1
  while (tablesOf(version) === tablesOf(SCHEMA_VERSION)) version -= 1
  return version
}

test('rows of an earlier schema get the columns and tables of this one', { timeout: 60_000 }, async () => {
  const world = await openWorld({ at: AT })
  const { id } = await world.run('invoices.create', EXAMPLE_DRAFT)
  await world.issue(id)
  const files = unpacked((await archiveOf(world.ctx())).file)
  // As that version would have written it: nothing in these books needs what came with later migrations.
  const version = versionBefore()
  const earlier = shapeOf(migrations.slice(0, version))
  const columns = new Map(
    archivedTables(earlier).map((table) => [table.name, table.columns.map(({ name }) => name)]),
  )
  const before: Record<string, Uint8Array> = {}
  for (const [path, bytes] of Object.entries(files)) {
    const table = /^tables\/(\w+)\.jsonl$/.exec(path)?.[1]
    if (table === undefined || table === 'actors' || table === 'settings') before[path] = bytes
    const names = columns.get(table ?? '')
    if (!names) continue
    const lines = Buffer.from(bytes).toString('utf8').split('\n').filter(Boolean)
    const rows = lines.map((line) => {
      const row = JSON.parse(line) as Record<string, unknown>
      return `${JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name]])))}\n`
    })
    before[path] = new Uint8Array(Buffer.from(rows.join(''), 'utf8'))
  }
  const manifest = JSON.parse(Buffer.from(files['manifest.json'] ?? '').toString('utf8')) as Manifest
  expect(manifest.program.schema).toBe(SCHEMA_VERSION)
  manifest.program.schema = version
  manifest.tables = manifest.tables.filter(({ name }) => `tables/${name}.jsonl` in before)
  expect(columns.size).toBeLessThan(Object.keys(files).filter((path) => path.endsWith('.jsonl')).length - 2)
  manifest.files = Object.entries(before)
    .filter(([path]) => path !== 'manifest.json')
    .map(([path, bytes]) => ({
      path,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }))
  before['manifest.json'] = new Uint8Array(Buffer.from(JSON.stringify(manifest), 'utf8'))
  const file = join(ownFolder(), 'earlier.zip')
  writeFileSync(file, zipSync(before, { level: 1 }))
  const desk = await EmptyDesk.open(new Date(AT))
  await desk.takeIn(file)
  expect(await desk.failedChecks()).toEqual([])
  const [invoice] = (await desk.run('invoices.list', {})).items
  expect(invoice).toMatchObject({ id, state: 'issued' })
  expect(await desk.run('assets.list', {})).toMatchObject({ items: [] })
})
