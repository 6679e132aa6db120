/** Exports of the records: as sealed, in order, complete, with their index. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../../server/cli/main.ts'
import { fillBook } from '../../../../server/app/demo/index.ts'
import { exportRecordsTo } from '../../../../server/registry/chain/export.ts'
import { unpackXml } from '../../../../server/registry/systems/packing.ts'
import { readXml } from '../../../../server/registry/systems/verifactu/wire/reader.ts'
import { openBooks, refusal } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { openWorld } from '../../../support/world.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns the files of a ZIP by path, as text, in their order. */
function unzipped(bytes: Uint8Array): [string, string][] {
  return Object.entries(unzipSync(bytes)).map(([path, content]) => [path, strFromU8(content)])
}

async function exported(world: TestBooks, input: { year?: number } = {}) {
  const answer = await world.run('registry.export', input)
  return { answer, files: new Map(unzipped(answer.bytes)) }
}

const RECORD = /<sf:(?:RegistroAlta|RegistroAnulacion) .*?<\/sf:(?:RegistroAlta|RegistroAnulacion)>/gs

async function storedRecords(world: TestBooks): Promise<string[]> {
  const rows = await world
    .ctx(world.books.test)
    .db.selectFrom('registry_records')
    .select('xml')
    .where('book_id', '=', world.books.test.id)
    .orderBy('sequence')
    .execute()
  return rows.map((row) => unpackXml(row.xml))
}

/** Returns the rows of the index as objects. */
function indexOf(text = ''): Record<string, string>[] {
  const [head = '', ...rows] = text.trimEnd().split('\r\n')
  const names = head.split(',')
  return rows.map((row) =>
    Object.fromEntries(row.split(',').map((cell, index) => [names[index] ?? '', cell])),
  )
}

/** Creates two invoices in October, one of them annulled, a new chain, and one invoice in January. */
async function overTheYears(): Promise<TestBooks> {
  const world = await openBooks({ at: '2026-10-05T10:00:00+02:00' })
  const { id } = await world.invoice()
  await world.invoice({ clientName: 'Peña & Hijos <Ñandú>, S.L.' })
  await world.send()
  world.setTime('2026-11-30T23:59:59+01:00')
  const validated = await world.run('invoices.validate', { id, action: 'cancel' })
  await world.run('invoices.cancel', {
    id,
    confirmationToken: validated.confirmation?.confirmationToken ?? '',
  })
  await world.send()
  await world.run('registry.newInstallation', { reason: 'moved' })
  world.setTime('2027-01-01T00:00:00+01:00')
  await world.invoice()
  return world
}

describe('the export of the records', () => {
  test('has a folder for each month of creation, and contains every record unchanged and in order', async () => {
    const world = await overTheYears()
    const { answer, files } = await exported(world)
    expect([...files.keys()]).toEqual([
      'export.json',
      '2026-10/records-0000001.xml',
      '2026-11/records-0000003.xml',
      '2027-01/records-0000004.xml',
      'records.csv',
    ])
    expect(answer).toMatchObject({
      fileName: `registry-${EXAMPLE_COMPANY.nif}-test.zip`,
      sha256: createHash('sha256').update(answer.bytes).digest('hex'),
    })
    expect(answer).not.toHaveProperty('signature')
    const stored = await storedRecords(world)
    expect(stored).toHaveLength(4)
    const texts = [...files].filter(([path]) => path.endsWith('.xml')).map(([, text]) => text)
    expect(texts.flatMap((text) => text.match(RECORD) ?? [])).toEqual(stored)
    for (const text of texts) {
      const root = readXml(text)
      expect(root.name).toBe('RegFactuSistemaFacturacion')
      expect(text).toContain(
        `<sf:NombreRazon>${EXAMPLE_COMPANY.legalName}</sf:NombreRazon><sf:NIF>B12345674</sf:NIF>`,
      )
    }
  })

  test('names the program that made it, with the hash of its build, and the last record', async () => {
    const world = await overTheYears()
    const facts = async (build: string | null) => {
      world.env.build = build
      const { files } = await exported(world)
      return JSON.parse(files.get('export.json') ?? 'null') as unknown
    }
    const build = '0123456789abcdef'.repeat(4)
    const last = (await storedRecords(world)).at(-1)
    expect(await facts(build)).toEqual({
      format: 'sello-registry-export',
      version: 1,
      madeAt: '2027-01-01T00:00:00+01:00',
      program: { name: 'Sello', version: world.env.version, build },
      book: { id: world.books.test.publicId, mode: 'test' },
      company: { name: EXAMPLE_COMPANY.legalName, nif: 'B12345674' },
      records: {
        first: 1,
        last: 4,
        head: /<sf:Huella>(\w+)<\/sf:Huella><\/sf:RegistroAlta>$/.exec(last!)?.[1],
      },
    })
    // A program that runs from its sources does not claim a build.
    expect(await facts(null)).toMatchObject({ program: { build: null } })
  })

  test('has an index with the facts of each record that its XML does not contain', async () => {
    const world = await overTheYears()
    const { files } = await exported(world)
    const rows = indexOf(files.get('records.csv'))
    const hashes = (await storedRecords(world)).map(
      (text) => /<sf:Huella>(\w+)<\/sf:Huella><\/sf:RegistroA[ln][a-z]+>$/.exec(text)?.[1],
    )
    const { installation } = await world.run('registry.status', {})
    expect(rows).toMatchObject([
      {
        sequence: '1',
        record: 'rec-1',
        kind: 'registration',
        turn: 'first',
        number: 'T-F2026-0001',
        issue_date: '2026-10-05',
        generated: '2026-10-05T10:00:00+02:00',
        hash: hashes[0],
        previous_hash: '',
        status: 'accepted',
        code: '',
        sent: '2026-10-05T10:00:00+02:00',
        answered: '2026-10-05T10:00:00+02:00',
        file: '2026-10/records-0000001.xml',
      },
      { sequence: '2', previous_hash: hashes[0], file: '2026-10/records-0000001.xml' },
      {
        sequence: '3',
        kind: 'cancellation',
        number: 'T-F2026-0001',
        previous_hash: hashes[1],
        status: 'accepted',
        file: '2026-11/records-0000003.xml',
      },
      {
        sequence: '4',
        previous_hash: '',
        installation,
        status: 'pending',
        csv: '',
        sent: '',
        answered: '',
        file: '2027-01/records-0000004.xml',
      },
    ])
    expect(rows[0]?.csv).toMatch(/^S-[0-9A-F]{14}$/)
    expect(new Set(rows.slice(0, 3).map((row) => row.installation)).size).toBe(1)
    expect(rows[0]?.installation).not.toBe(installation)
  })

  test('of one year contains the records made in it, by the clock in Spain, and the hash of the previous one', async () => {
    const world = await overTheYears()
    const { answer, files } = await exported(world, { year: 2027 })
    expect(answer.fileName).toBe(`registry-${EXAMPLE_COMPANY.nif}-test-2027.zip`)
    expect([...files.keys()]).toEqual(['export.json', '2027-01/records-0000004.xml', 'records.csv'])
    expect([...(await exported(world, { year: 2026 })).files.keys()]).toEqual([
      'export.json',
      '2026-10/records-0000001.xml',
      '2026-11/records-0000003.xml',
      'records.csv',
    ])
    await world.invoice()
    const rows = indexOf((await exported(world, { year: 2027 })).files.get('records.csv'))
    expect(rows[1]?.previous_hash).toBe(rows[0]?.hash)
    expect(await refusal(world.run('registry.export', { year: 2025 }))).toBe('nothing_to_export')
    expect(await refusal(world.run('registry.export', {}, world.live))).toBe('nothing_to_export')
  })

  longTest('begins another file after a thousand records', async () => {
    const world = await openBooks({ at: '2026-10-30T10:00:00+01:00' })
    await fillBook(world.test, { invoices: 1001, contacts: 5, drafts: 0, lines: 1 })
    const { files } = await exported(world)
    expect([...files.keys()]).toEqual([
      'export.json',
      '2026-10/records-0000001.xml',
      '2026-10/records-0001001.xml',
      'records.csv',
    ])
    const counts = [...files.values()].map((text) => text.match(RECORD)?.length ?? 0)
    expect(counts).toEqual([1000, 1, 0])
    const rows = indexOf(files.get('records.csv'))
    expect(rows.map((row) => Number(row.sequence))).toEqual(
      Array.from({ length: 1001 }, (_, index) => index + 1),
    )
    expect(rows[1000]).toMatchObject({ file: '2026-10/records-0001001.xml', previous_hash: rows[999]?.hash })
  })

  test('into a folder has the same content, for its owner only', async () => {
    const world = await overTheYears()
    const { files } = await exported(world)
    const folder = join(folderOfTest(), 'out')
    expect(await exportRecordsTo(world.test, folder)).toBe(4)
    const written = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
    expect(written).toEqual([...files.keys()].map((path) => join(folder, path)).toSorted())
    for (const [path, text] of files) {
      expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
      expect(statSync(join(folder, path)).mode & 0o777).toBe(0o600)
    }
    expect(await exportRecordsTo(world.live, join(folder, 'live'))).toBe(0)
  })

  test('can be downloaded from the window as a file', async () => {
    const world = await openWorld()
    expect((await world.call('registry.export')).body.error.code).toBe('nothing_to_export')
    await world.issue((await world.createDraft()).id)
    const answer = await world.call('registry.export')
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="registry-B12345674-test.zip"',
      etag: `"${createHash('sha256').update(answer.raw.rawPayload).digest('hex')}"`,
    })
    expect(answer.headers).not.toHaveProperty('x-pdf-signature')
    expect(unzipped(answer.raw.rawPayload).map(([path]) => path)).toEqual([
      'export.json',
      '2026-07/records-0000001.xml',
      'records.csv',
    ])
    // REST has no such operation: it is for people.
    expect((await world.get('/api/v1/registry/export')).status).toBe(404)
  })
})

describe('the export command', () => {
  async function run(data: string, ...argv: string[]) {
    const lines: string[] = []
    const said: string[] = []
    const code = await runCommand([...argv, '--data', data, '--key-file', join(data, '..', 'key')], {
      env: {},
      answer: (line) => lines.push(line),
      say: (text) => said.push(text),
      untilStopped: async () => {},
    })
    return { code, answer: JSON.parse(lines.at(-1) ?? 'null') as any, said: said.join('\n') }
  }

  test('writes records, invoices and documents of every book into an empty folder', async () => {
    const folder = folderOfTest()
    const data = join(folder, 'data')
    const company = join(folder, 'company.json')
    writeFileSync(company, JSON.stringify(EXAMPLE_COMPANY))
    await run(data, 'init', '--company', company)
    await run(data, 'demo', '--invoices', '5')
    const to = join(folder, 'out')
    const { code, answer, said } = await run(data, 'export', '--to', to)
    expect([code, said]).toEqual([0, expect.stringContaining('not encrypted')])
    expect(answer).toMatchObject({
      to,
      books: [
        { folder: 'B12345674-live', records: 0, invoices: 0 },
        { folder: 'B12345674-test', records: 5, invoices: 5 },
      ],
    })
    expect(readdirSync(to).toSorted()).toEqual(['documents', 'invoices', 'registry'])
    const index = indexOf(readFileSync(join(to, 'registry/B12345674-test/records.csv'), 'utf8'))
    const numbers = index.map((row) => row.number ?? '')
    expect(numbers).toHaveLength(5)
    for (const number of numbers) {
      const invoice = JSON.parse(
        readFileSync(join(to, 'invoices/B12345674-test', `${number}.json`), 'utf8'),
      ) as { number: string; lines: unknown[] }
      expect(invoice.number).toBe(number)
      expect(invoice.lines.length).toBeGreaterThan(0)
      const pdf = join(to, 'documents/B12345674-test', `${number}.pdf`)
      expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-')
      expect(statSync(pdf).mode & 0o777).toBe(0o600)
    }
    expect(readdirSync(join(to, 'invoices/B12345674-test'))).toHaveLength(5)

    const again = await run(data, 'export', '--to', to)
    expect([again.code, again.answer.error]).toMatchObject([1, { code: 'validation_failed', field: 'to' }])
  })

  test('needs a folder that it may use', async () => {
    const folder = folderOfTest()
    const data = join(folder, 'data')
    expect((await run(data, 'export')).answer.error).toMatchObject({ code: 'validation_failed', field: 'to' })
    expect((await run(data, 'export', '--to', join(folder, 'out'))).answer.error.code).toBe('store_missing')
    expect(readdirSync(folder)).toEqual([])
    const company = join(folder, 'company.json')
    writeFileSync(company, JSON.stringify(EXAMPLE_COMPANY))
    await run(data, 'init', '--company', company)
    expect((await run(data, 'export', '--to', company)).answer.error).toMatchObject({ field: 'to' })
    mkdirSync(join(folder, 'empty'))
    expect((await run(data, 'export', '--to', join(folder, 'empty'))).code).toBe(0)
  })
})
