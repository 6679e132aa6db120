/** Archives that are broken, changed or of something else: each is refused by its code, and nothing is taken in. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import type { Zippable } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { archiveTo, stageArchive, takeIn } from '../../../../server/app/leaving/index.ts'
import { ZipFile } from '../../../../server/platform/spreadsheets/zip-file.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { loadContracts } from '../../../../server/api/operations.ts'
import { EmptyDesk, ownFolder, PERSON, unpacked } from '../../../support/leaving/archive.ts'
import { inLongRun } from '../../../support/sweep.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'

const longTest = inLongRun(test)
const AT = '2026-11-24T10:00:00+01:00'
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

type Files = Record<string, Uint8Array>
interface Manifest {
  version: number
  sandbox: boolean
  program: { schema: number }
  company: { nif: string }
  rows: { total: number }
  tables: { name: string; rows: number }[]
  files: { path: string; bytes: number; sha256: string }[]
}

let files: Files = {}
let whole: Buffer = Buffer.alloc(0)

beforeAll(async () => {
  const world = await openWorld({ at: AT, shared: true })
  const draft = await world.run('invoices.create', EXAMPLE_DRAFT)
  await world.issue(draft.id)
  await world.run('attachments.upload', { name: 'nota.txt', content: Buffer.from('Nota').toString('base64') })
  await world.run('ledger.writeEntry', {
    date: '2026-06-20',
    text: 'Comisión',
    lines: [
      { account: '626', debit: 10 },
      { account: '572', credit: 10 },
    ],
  })
  const file = join(world.folder, 'archive.zip')
  await archiveTo(world.ctx(), file)
  whole = readFileSync(file)
  files = unpacked(file)
  await world.close()
}, 60_000)

const manifestOf = (all: Files): Manifest =>
  JSON.parse(Buffer.from(all['manifest.json'] ?? '').toString('utf8')) as Manifest
const text = (content: string): Uint8Array => new Uint8Array(Buffer.from(content, 'utf8'))

/** Returns the files with a manifest that names them as they are: what somebody makes who knows the format. */
function resealed(all: Files, change: (manifest: Manifest) => void = () => {}): Files {
  const manifest = manifestOf(all)
  manifest.files = Object.entries(all)
    .filter(([path]) => path !== 'manifest.json')
    .map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256(bytes) }))
  change(manifest)
  return { ...all, 'manifest.json': text(JSON.stringify(manifest)) }
}

/** Changes the first row of a table, and what the manifest says of it. */
function withRow(table: string, change: (row: Record<string, unknown>) => void): Files {
  const path = `tables/${table}.jsonl`
  const [first = '', ...rest] = Buffer.from(files[path] ?? '')
    .toString('utf8')
    .split('\n')
  const row = JSON.parse(first) as Record<string, unknown>
  change(row)
  return resealed({ ...files, [path]: text([JSON.stringify(row), ...rest].join('\n')) })
}

function packed(all: Files | Zippable): string {
  const file = join(ownFolder(), 'archive.zip')
  writeFileSync(file, zipSync(all as Zippable, { level: 1 }))
  return file
}

/** Returns how an empty desk refuses an archive; it has no company and no file of it afterwards. */
async function refusal(file: string, desk?: EmptyDesk): Promise<[string, unknown]> {
  const own = desk ?? (await EmptyDesk.open(new Date(AT)))
  const before = await companiesOf(own)
  const error = await own.takeIn(file).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw error ?? new Error('It was taken in.')
  expect(await companiesOf(own)).toBe(before)
  expect(existsSync(join(own.folder, 'archive'))).toBe(false)
  return [error.code, error.details]
}

async function companiesOf(desk: EmptyDesk): Promise<number> {
  return (await desk.sello.env.store.reader.selectFrom('companies').select('id').execute()).length
}

describe('an archive is refused', () => {
  test('that is none', async () => {
    const other = join(ownFolder(), 'other.zip')
    writeFileSync(other, 'no archive')
    expect(await refusal(other)).toEqual(['archive_unreadable', { why: 'broken' }])
    expect(await refusal(packed({ 'a.txt': text('a') }))).toEqual(['archive_unreadable', { why: 'manifest' }])
    expect(await refusal(packed({ ...files, 'manifest.json': text('{') }))).toEqual([
      'archive_unreadable',
      { why: 'manifest' },
    ])
    expect(await refusal(packed({ ...files, 'manifest.json': text('{"format":"sello-archive"}') }))).toEqual([
      'archive_unreadable',
      { why: 'manifest' },
    ])
  })

  longTest('that is torn at any place', async () => {
    const desk = await EmptyDesk.open(new Date(AT))
    for (const part of [0.1, 0.5, 0.9, 0.999]) {
      const file = join(ownFolder(), 'torn.zip')
      writeFileSync(file, whole)
      truncateSync(file, Math.floor(whole.length * part))
      const [code] = await refusal(file, desk)
      expect([part, code]).toEqual([part, 'archive_unreadable'])
    }
  })

  longTest('with a changed byte in a file', { timeout: 60_000 }, async () => {
    const desk = await EmptyDesk.open(new Date(AT))
    const original = join(ownFolder(), 'whole.zip')
    writeFileSync(original, whole)
    const zip = await ZipFile.open(original, { entries: 1000, bytes: 1e9 })
    const entries = [...zip.entries.values()].filter(({ packedSize }) => packedSize > 20)
    await zip.close()
    for (const { name, local, packedSize } of entries.filter((_, index) => index % 17 === 0)) {
      const file = join(ownFolder(), 'changed.zip')
      const bytes = Buffer.from(whole)
      const at = local + 30 + bytes.readUInt16LE(local + 26) + Math.floor(packedSize / 2)
      bytes[at] = (bytes[at] ?? 0) ^ 0x20
      writeFileSync(file, bytes)
      expect(await refusal(file, desk)).toEqual(['archive_changed', { path: name, why: 'bytes' }])
    }
  })

  test('with a missing, an added or another file', async () => {
    const pdf = Object.keys(files).find((name) => name.endsWith('.pdf')) ?? ''
    const { [pdf]: _gone, ...without } = files
    expect(await refusal(packed(without))).toEqual(['archive_changed', { path: pdf, why: 'missing' }])
    expect(await refusal(packed({ ...files, 'more.txt': text('a') }))).toEqual([
      'archive_changed',
      { path: 'more.txt', why: 'added' },
    ])
    expect(await refusal(packed({ ...files, [pdf]: text('%PDF-1.7 other') }))).toEqual([
      'archive_changed',
      { path: pdf, why: 'bytes' },
    ])
    const { 'tables/invoices.jsonl': _rows, ...rest } = files
    expect(await refusal(packed(resealed(rest)))).toEqual([
      'archive_changed',
      { path: 'tables/invoices.jsonl', why: 'missing' },
    ])
  })

  test('of a later version, format or schema', async () => {
    const later = (change: (manifest: Manifest) => void): Promise<[string, unknown]> =>
      refusal(packed(resealed(files, change)))
    expect((await later((manifest) => (manifest.version = 2)))[0]).toBe('archive_newer')
    expect((await later((manifest) => (manifest.program.schema += 1)))[0]).toBe('archive_newer')
  })

  longTest('with a path that leads elsewhere', async () => {
    for (const path of ['../outside.txt', '/etc/outside', 'a/../../outside', 'C:\\outside.txt']) {
      const [code] = await refusal(packed(resealed({ ...files, [path]: text('a') })))
      expect([path, code]).toEqual([path, 'archive_unreadable'])
    }
  })

  longTest('with rows that are no rows, whatever its manifest says', async () => {
    const broken: [string, Files, object][] = [
      ['a line', resealed({ ...files, 'tables/series.jsonl': text('{"id":1') }), { why: 'line' }],
      ['a list', resealed({ ...files, 'tables/series.jsonl': text('[]\n') }), { why: 'json', row: 1 }],
      ['a column', withRow('series', (row) => delete row.code), { why: 'columns', row: 1 }],
      ['another column', withRow('series', (row) => (row.extra = 1)), { why: 'columns', row: 1 }],
      ['a number', withRow('series', (row) => (row.id = 1.5)), { why: 'id', row: 1 }],
      ['a text', withRow('series', (row) => (row.code = 7)), { why: 'code', row: 1 }],
      ['a value', withRow('invoices', (row) => (row.state = 'sold')), { why: 'row' }],
      [
        'a file',
        withRow('documents', (row) => (row.bytes = { file: 'README.md', from: 1e9 })),
        { why: 'bytes', row: 1 },
      ],
      [
        'no file',
        withRow('documents', (row) => (row.bytes = { file: 'gone.pdf' })),
        { path: 'gone.pdf', why: 'missing' },
      ],
      ['a reference', withRow('invoice_lines', (row) => (row.invoice_id = 99_999)), { why: 'references' }],
      [
        'a setting',
        resealed({ ...files, 'tables/settings.jsonl': text('{"name":"sandbox","value":"true"}\n') }),
        { why: 'row' },
      ],
    ]
    const desk = await EmptyDesk.open(new Date(AT))
    for (const [what, all, details] of broken) {
      const found = await refusal(packed(all), desk)
      expect([what, ...found]).toEqual([what, 'archive_changed', expect.objectContaining(details)])
    }
  })

  test('whose manifest counts other rows, or names another company', async () => {
    const more = resealed(files, ({ tables }) => {
      const series = tables.find(({ name }) => name === 'series')
      if (series) series.rows += 1
    })
    expect(await refusal(packed(more))).toEqual([
      'archive_changed',
      { path: 'tables/series.jsonl', why: 'rows' },
    ])
    const other = resealed(files, (manifest) => (manifest.company.nif = 'B58818501'))
    expect(await refusal(packed(other))).toEqual([
      'archive_changed',
      { path: 'tables/companies.jsonl', why: 'company' },
    ])
  })

  longTest('whose records or amounts were changed by somebody who knows the format', async () => {
    const desk = await EmptyDesk.open(new Date(AT))
    const changes: [string, Files][] = [
      ['an amount', withRow('invoices', (row) => (row.total_cents = Number(row.total_cents) + 100))],
      ['an entry', withRow('journal_lines', (row) => (row.debit_cents = Number(row.debit_cents) + 5))],
      ['the history', withRow('audit_events', (row) => (row.action = 'company.updated'))],
      ['a record', withRow('registry_records', (row) => (row.hash = Buffer.alloc(32, 1).toString('base64')))],
    ]
    for (const [what, all] of changes) {
      const [code] = await refusal(packed(all), desk)
      expect([what, ['archive_unsound', 'archive_changed'].includes(code)]).toEqual([what, true])
    }
  })

  test('that unpacks to more than it may', async () => {
    const bomb = zipSync({ 'manifest.json': new Uint8Array(40 * 1024 * 1024) }, { level: 9 })
    const file = join(ownFolder(), 'bomb.zip')
    writeFileSync(file, bomb)
    expect((await refusal(file))[0]).toBe('archive_too_large')
    const line = `{"id":${' '.repeat(40 * 1024 * 1024)}1}\n`
    expect((await refusal(packed(resealed({ ...files, 'tables/series.jsonl': text(line) }))))[0]).toBe(
      'archive_too_large',
    )
  })
})

describe('an archive that is whole is refused', () => {
  test('where the company is already, and where its entries have the numbers of others', async () => {
    const file = packed(files)
    const desk = await EmptyDesk.open(new Date(AT))
    await desk.takeIn(file)
    expect((await refusal(file, desk))[0]).toBe('company_here')
    const world = await openWorld({ at: AT, company: { nif: 'B58818501', legalName: 'Otra, S.L.' } })
    if (world.env.store.engine !== 'sqlite') return
    await world.run('ledger.writeEntry', {
      date: '2026-06-20',
      text: 'Comisión',
      lines: [
        { account: '626', debit: 10 },
        { account: '572', credit: 10 },
      ],
    })
    const before = await world.env.store.reader.selectFrom('companies').select('id').execute()
    await expect(takeIn({ env: world.env, file, person: PERSON, report: () => {} })).rejects.toMatchObject({
      code: 'archive_entries_taken',
    })
    expect(await world.env.store.reader.selectFrom('companies').select('id').execute()).toEqual(before)
  })

  test('in a Sello of another kind', async () => {
    const trials = packed(resealed(files, (manifest) => (manifest.sandbox = true)))
    expect((await refusal(trials))[0]).toBe('archive_of_trials')
  })

  test('if the caller decides so before its rows are read', async () => {
    const folder = join(ownFolder(), 'books')
    await expect(
      stageArchive({
        file: packed(files),
        folder,
        person: null,
        now: () => new Date(AT),
        loadContracts,
        report: () => {},
        assertMayCome: async () => {
          throw new AppError('company_here')
        },
      }),
    ).rejects.toMatchObject({ code: 'company_here' })
    expect(existsSync(folder)).toBe(false)
  })
})

test('an archive comes beside another company whose entries have other numbers', async () => {
  const file = packed(files)
  const world = await openWorld({ at: AT, company: { nif: 'B58818501', legalName: 'Otra, S.L.' } })
  if (world.env.store.engine !== 'sqlite') return
  await takeIn({ env: world.env, file, person: PERSON, report: () => {} })
  const companies = await world.env.store.reader.selectFrom('companies').select('nif').execute()
  expect(companies.map(({ nif }) => nif).toSorted()).toEqual(['B12345674', 'B58818501'])
  // What is issued here goes on after what came.
  const draft = await world.run('invoices.create', EXAMPLE_DRAFT)
  expect((await world.issue(draft.id)).number).toMatch(/-0001$/)
})
