/** Archives of documents: content, missing documents with reasons, progress, and permissions. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '../../../../../server/domain/errors/app-error.ts'
import { sha256Hex } from '../../../../../server/domain/sha256.ts'
import type { InputOf, OutputOf } from '../../../../../server/api/contracts.ts'
import type { Ctx, DocumentPort } from '../../../../../server/context.ts'
import { WHY_MISSING } from '../../../../../server/documents/rendering/exports/messages.ts'
import { EXPORT_FAULTS } from '../../../../../server/documents/rendering/exports/contract.ts'
import { createDocumentPool } from '../../../../../server/documents/rendering/index.ts'
import { zipOf } from '../../../../../server/domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../../../../server/domain/formats/zip-stream.ts'
import { FORMAT_FAULTS } from '../../../../../server/documents/e-invoice/index.ts'
import es from '../../../../../renderer/locales/es/index.ts'
import { CLIENT_ADDRESS, faultsOfRefusal, openBooks, refusal, refused } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { makeP12 } from '../../../../support/files/certificates.ts'
import { madeOf } from '../../../../support/documents.ts'
import { sweptCount } from '../../../../support/sweep.ts'
import { needs } from '../../../../support/tools.ts'

const MINUTE_MS = 60_000

interface Printer extends DocumentPort {
  drawn: string[]
  /** Numbers of documents that fail. */
  broken: Set<string>
  /** Delays each drawing while it is set. */
  hold: Promise<void> | null
}

/** Returns a renderer whose output always differs, so that a second drawing would show. */
function printer(): Printer {
  const port: Printer = {
    drawn: [],
    broken: new Set(),
    hold: null,
    make: async (job) => {
      const number = (job as { paper: { number: string | null } }).paper.number ?? ''
      port.drawn.push(number)
      await port.hold
      if (port.broken.has(number)) throw new Error('no ink')
      return madeOf(Buffer.from(`%PDF ${number} drawing ${port.drawn.length}`))
    },
  }
  return port
}

async function openPrinting(): Promise<{ world: TestBooks; documents: Printer }> {
  const documents = printer()
  return { world: await openBooks({ environment: { documents } }), documents }
}

const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const price = (unitPrice: number) => [{ description: 'x', quantity: 1, unitPrice }]

/** Issues so many invoices, each with a different amount. */
async function issue(world: TestBooks, count: number, changes: Partial<InputOf<'invoices.create'>> = {}) {
  const made: OutputOf<'invoices.get'>[] = []
  for (const index of numbered(count)) made.push(await world.invoice({ lines: price(index), ...changes }))
  return made
}

type Export = OutputOf<'exports.get'>

const get = (world: TestBooks, id: string, ctx?: Ctx): Promise<Export> =>
  world.run('exports.get', { id }, ctx)

async function finished(world: TestBooks, id: string): Promise<Export> {
  await expect.poll(async () => (await get(world, id)).state, { interval: 2, timeout: 30_000 }).toBe('ready')
  return get(world, id)
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return new Uint8Array(Buffer.concat(pieces))
}

/** Exports and downloads; returns the files by name, and the answer before the download. */
async function exported(world: TestBooks, input: InputOf<'exports.create'>) {
  const { id } = await world.run('exports.create', input)
  const view = await finished(world, id)
  const { stream, fileName } = await world.run('exports.file', { id })
  return { view, fileName, files: unzipSync(await collect(stream)) }
}

/** Returns the cells of a file's rows. */
const rowsOf = (file: Uint8Array | undefined): string[][] =>
  strFromU8(file ?? new Uint8Array())
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => line.split(';'))

describe('the archive', () => {
  test('contains the document of every issued invoice of a filter, with its index', async () => {
    const { world, documents } = await openPrinting()
    const [first, second] = await issue(world, 2)
    const evil = await world.invoice({ clientName: '=1+2 "Peña"', lines: price(1234.5) })
    await world.draft()
    // Drawn before, so that it is only read.
    const known = await world.run('invoices.pdf', { id: first!.id })
    const { view, files, fileName } = await exported(world, { filter: {} })
    expect(view).toMatchObject({ format: 'pdf', total: 3, done: 3, failedCount: 0, failed: [] })
    expect(fileName).toBe('facturas-pdf-2026-11-21.zip')
    expect(Object.keys(files)).toEqual([
      'T-F2026-0001.pdf',
      'T-F2026-0002.pdf',
      'T-F2026-0003.pdf',
      'indice.csv',
    ])
    expect(Buffer.from(files['T-F2026-0001.pdf']!)).toEqual(Buffer.from(known.bytes))
    for (const { id, number } of [first!, second!, evil])
      expect(Buffer.from(files[`${number}.pdf`]!)).toEqual(
        Buffer.from((await world.run('invoices.pdf', { id })).bytes),
      )
    expect(documents.drawn).toHaveLength(3)
    expect(Buffer.from(files['indice.csv']!).toString('utf8')).toMatch(
      /^\ufeffNúmero;Fecha;Cliente;NIF;Total;Archivo;SHA-256;Firma\r\n/,
    )
    const rows = rowsOf(files['indice.csv'])
    expect(rows[1]).toEqual([
      'T-F2026-0001',
      '21/11/2026',
      'Cliente Primero, S.L.',
      'B87654323',
      '1,21',
      'T-F2026-0001.pdf',
      known.sha256,
      'sin firma',
    ])
    expect(rows[3]?.slice(2, 5)).toEqual([`"'=1+2 ""Peña"""`, 'B87654323', '1493,75'])
  })

  test('contains what a saved view shows, and is refused when a name does not exist', async () => {
    const { world } = await openPrinting()
    await issue(world, 2, { dueDate: '2026-11-30' })
    const late = await world.invoice({ issueDate: '2026-11-21', dueDate: '2026-11-22' })
    world.setTime('2026-11-25T10:00:00+01:00')
    expect(Object.keys((await exported(world, { filter: { view: 'overdue' } })).files)).toEqual([
      `${late.number}.pdf`,
      'indice.csv',
    ])
    expect((await exported(world, { filter: { view: 'drafts' } })).view.total).toBe(0)
    expect((await exported(world, { filter: { series: 'NOBODY' } })).view.total).toBe(0)
  })

  test('names the missing documents with their reasons, and contains the rest', async () => {
    const { world } = await openPrinting()
    const complete = await world.invoice({ client: { address: CLIENT_ADDRESS } })
    const ticket = await world.invoice({ kind: 'F2', clientName: 'Venta', clientNif: null })
    const draft = await world.draft()
    const ids = [ticket.id, draft.id, complete.number ?? '', complete.id]
    const { view, files } = await exported(world, { ids, format: 'ubl' })
    expect(view).toMatchObject({ total: 3, done: 3, failedCount: 2 })
    expect(view.failed).toEqual([
      { id: draft.id, number: null, why: 'not_issued' },
      { id: ticket.id, number: ticket.number, why: 'recipient_not_identified' },
    ])
    expect(Object.keys(files)).toEqual([`${complete.number}-ubl.xml`, 'indice.csv', 'faltan.csv'])
    expect(Buffer.from(files[`${complete.number}-ubl.xml`]!)).toEqual(
      Buffer.from((await world.run('invoices.pdf', { id: complete.id, format: 'ubl' })).bytes),
    )
    expect(rowsOf(files['faltan.csv']).slice(1)).toEqual([
      [draft.id, WHY_MISSING.not_issued, 'not_issued'],
      [ticket.number, WHY_MISSING.recipient_not_identified, 'recipient_not_identified'],
    ])
    const cii = await exported(world, { ids: [complete.id], format: 'cii' })
    expect(Object.keys(cii.files)).toEqual([`${complete.number}-cii.xml`, 'indice.csv'])
  })

  test('continues after a document that cannot be drawn, which succeeds the next time', async () => {
    const { world, documents } = await openPrinting()
    const [, second] = await issue(world, 3)
    documents.broken.add(second!.number ?? '')
    const { view, files } = await exported(world, { filter: {} })
    expect(view.failed).toEqual([{ id: second!.id, number: second!.number, why: 'not_made' }])
    expect(Object.keys(files)).toHaveLength(4)
    documents.broken.clear()
    expect((await exported(world, { filter: {} })).view.failedCount).toBe(0)
    expect(documents.drawn).toHaveLength(4)
  })

  test('gives similar numbers different file names', async () => {
    const { world } = await openPrinting()
    for (const code of ['A/B', 'A-B']) {
      await world.run('series.create', { code, kind: 'ordinary' })
      await world.invoice({ series: `T-${code}`, lines: price(1) })
    }
    const { files } = await exported(world, { filter: {} })
    expect(Object.keys(files)).toEqual(['T-A-B-0001.pdf', 'T-A-B-0001(2).pdf', 'indice.csv'])
    expect(rowsOf(files['indice.csv']).map((row) => [row[0], row[5]])).toContainEqual([
      'T-A-B-0001',
      'T-A-B-0001(2).pdf',
    ])
  })

  test('in another language contains the further copies under their own names', async () => {
    const { world } = await openPrinting()
    const { id, number } = await world.invoice()
    const { files } = await exported(world, { ids: [id], language: 'en' })
    expect(Buffer.from(files[`${number}-en.pdf`]!)).toEqual(
      Buffer.from((await world.run('invoices.pdf', { id, language: 'en' })).bytes),
    )
  })
})

describe('a running export', () => {
  test('shows its progress, lets other work run, and stops at the next document', async () => {
    const { world, documents } = await openPrinting()
    await issue(world, 5)
    const held = Promise.withResolvers<void>()
    const { id, ...begun } = await world.run('exports.create', { filter: {} })
    expect(begun).toMatchObject({ state: 'preparing', total: 5, done: 0, failed: [] })
    await expect.poll(async () => (await get(world, id)).done, { interval: 0 }).toBeGreaterThanOrEqual(1)
    documents.hold = held.promise
    const at = documents.drawn.length
    await expect.poll(() => documents.drawn.length, { interval: 1 }).toBeGreaterThan(at)
    const stuckAt = documents.drawn.length
    expect(await get(world, id)).toMatchObject({ state: 'preparing', done: stuckAt - 1 })
    expect(stuckAt).toBeLessThan(5)
    const early = await refused(world.run('exports.file', { id }))
    expect([early.code, early.details]).toEqual([
      'export_not_ready',
      { state: 'preparing', done: stuckAt - 1, total: 5 },
    ])
    expect(await world.run('exports.cancel', { id })).toEqual({ deleted: true })
    expect(await refusal(get(world, id))).toBe('not_found')
    held.resolve()
    // The document in progress is stored; no other is started.
    const kept = () => world.ctx(world.books.test).db.selectFrom('documents').select('id').execute()
    await expect.poll(async () => (await kept()).length).toBe(stuckAt)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(documents.drawn).toHaveLength(stuckAt)
  })

  test('yields to the rest of the program after every document', async () => {
    const { world, documents } = await openPrinting()
    await issue(world, 20)
    await exported(world, { filter: {} })
    let turns = 0
    let counting = true
    const count = (): void => {
      turns += 1
      if (counting) setImmediate(count)
    }
    const { id } = await world.run('exports.create', { filter: {} })
    setImmediate(count)
    await finished(world, id)
    counting = false
    // Everything is read from the store, which never waits.
    expect(documents.drawn).toHaveLength(20)
    expect(turns).toBeGreaterThanOrEqual(20)
  })

  test('whose request cannot be committed takes no slot', async () => {
    const { world } = await openPrinting()
    const { store } = world.env
    const whole = store.transaction.bind(store)
    const failing = vi.spyOn(store, 'transaction').mockImplementation((companyId, work) =>
      whole(companyId, async (db) => {
        await work(db)
        throw new AppError('store_readonly')
      }),
    )
    for (let count = 0; count < 3; count += 1)
      expect(await refusal(world.run('exports.create', { filter: {} }))).toBe('store_readonly')
    failing.mockRestore()
    expect((await world.run('exports.create', { filter: {} })).state).toBe('preparing')
  })

  test('is one of at most three in a book, which run one after another; a finished one makes room', async () => {
    const { world, documents } = await openPrinting()
    await issue(world, 2)
    const held = Promise.withResolvers<void>()
    documents.hold = held.promise
    const create = () => world.run('exports.create', { filter: {} })
    const [first, second, third] = [await create(), await create(), await create()]
    expect([first.state, second.state, third.state]).toEqual(['preparing', 'waiting', 'waiting'])
    await expect.poll(() => documents.drawn.length).toBe(1)
    expect((await get(world, second.id)).state).toBe('waiting')
    expect(await refusal(create())).toBe('exports_busy')
    // Another book has slots of its own.
    expect((await world.run('exports.create', { filter: {} }, world.live)).total).toBe(0)
    await world.run('exports.cancel', { id: second.id })
    held.resolve()
    await finished(world, first.id)
    await finished(world, third.id)
    expect(await refusal(get(world, second.id))).toBe('not_found')
    await finished(world, (await create()).id)
    world.setTime('2026-11-21T10:05:00+01:00')
    await get(world, first.id)
    await create()
    // The one unused for longest is gone.
    expect(await refusal(get(world, third.id))).toBe('not_found')
    expect((await get(world, first.id)).state).toBe('ready')
  })

  test('is removed half an hour after it was last requested', async () => {
    const { world } = await openPrinting()
    await issue(world, 1)
    const { id } = await world.run('exports.create', { filter: {} })
    await finished(world, id)
    const start = world.env.now().getTime()
    const after = (minutes: number) => world.setTime(new Date(start + minutes * MINUTE_MS).toISOString())
    after(29)
    await get(world, id)
    after(58)
    expect((await get(world, id)).state).toBe('ready')
    after(88)
    expect(await refusal(get(world, id))).toBe('not_found')
  })

  test('leaves one entry in the history, and none when it was rejected', async () => {
    const { world } = await openPrinting()
    const [first] = await issue(world, 2)
    const { id } = await world.run('exports.create', { ids: [first!.id], format: 'cii' })
    expect(await refusal(world.run('exports.create', { ids: [first!.id, 'inv_0000000000000000'] }))).toBe(
      'not_found',
    )
    const { items } = await world.run('audit.list', { limit: 50 })
    const lines = items.filter(({ action }) => action === 'documents.exported')
    expect(lines.map(({ target }) => target)).toEqual([{ type: 'export', id, label: '1 × cii' }])
  })
})

describe('permissions', () => {
  test('let a key see its own exports, a person those of the book, and nobody those of another book', async () => {
    const { world } = await openPrinting()
    await issue(world, 1)
    const one = world.ctx(world.books.test, await world.key({ scopes: ['invoices.read'] }))
    const other = world.ctx(world.books.test, await world.key({ scopes: ['invoices.read'] }))
    const blind = world.ctx(world.books.test, await world.key({ scopes: ['company.read'] }))
    const { id } = await world.run('exports.create', { filter: {} }, one)
    const own = await world.run('exports.create', { filter: {} })
    expect((await get(world, id, one)).id).toBe(id)
    expect((await get(world, id)).id).toBe(id)
    for (const operation of ['exports.get', 'exports.file', 'exports.cancel'] as const) {
      expect(await refusal(world.run(operation, { id }, other)), operation).toBe('not_found')
      expect(await refusal(world.run(operation, { id: own.id }, other)), operation).toBe('not_found')
      expect(await refusal(world.run(operation, { id }, world.live)), operation).toBe('not_found')
      expect(await refusal(world.run(operation, { id }, blind)), operation).toBe('scope_missing')
    }
    expect(await refusal(world.run('exports.create', { filter: {} }, blind))).toBe('scope_missing')
    await finished(world, id)
  })

  test('exclude another book’s invoices, and a request must name a selection', async () => {
    const { world } = await openPrinting()
    const [mine] = await issue(world, 1)
    const error = await refused(world.run('exports.create', { ids: [mine!.id] }, world.live))
    expect([error.code, error.field, error.details]).toEqual(['not_found', 'ids[0]', { id: mine!.id }])
    expect(await faultsOfRefusal(world.run('exports.create', {}))).toEqual(['filter: required'])
    expect(await faultsOfRefusal(world.run('exports.create', { ids: [mine!.id], filter: {} }))).toEqual([
      'filter: not_allowed',
    ])
    expect(await faultsOfRefusal(world.run('exports.create', { ids: [] }))).toEqual(['ids: too_small'])
  })
})

describe('the stream', () => {
  test('reads a document only when it is needed', async () => {
    const { world, documents } = await openPrinting()
    await issue(world, 4)
    const { id } = await world.run('exports.create', { filter: {} })
    await finished(world, id)
    expect(documents.drawn).toHaveLength(4)
    const { stream } = await world.run('exports.file', { id })
    const pieces = stream[Symbol.asyncIterator]()
    await pieces.next()
    // Everything read from now on has to be drawn again.
    await world.tamper('delete from documents')
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(documents.drawn).toHaveLength(4)
    while (documents.drawn.length === 4) expect((await pieces.next()).done).toBe(false)
    expect(documents.drawn).toEqual([
      'T-F2026-0001',
      'T-F2026-0002',
      'T-F2026-0003',
      'T-F2026-0004',
      'T-F2026-0002',
    ])
    await pieces.return?.()
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(documents.drawn).toHaveLength(5)
  })

  test('has one entry in memory at a time, and ends the entries when it is aborted', async () => {
    let begun = 0
    let ended = false
    async function* entries(): AsyncGenerator<ZipEntry> {
      try {
        for (; ; begun += 1) yield { name: `${begun}.bin`, bytes: Buffer.alloc(1000, begun), compress: false }
      } finally {
        ended = true
      }
    }
    const zip = zipOf(entries(), new Date('2026-11-21T10:00:00Z'))
    for (let pulled = 0; pulled < 30; pulled += 1) {
      await zip.next()
      // An entry has three pieces: its header, its bytes, and its trailer.
      expect(begun).toBeLessThanOrEqual(Math.ceil((pulled + 1) / 3))
    }
    await zip.return(undefined)
    expect(ended).toBe(true)
  })

  test('accepts bytes of any kind and length, compressed or not', async () => {
    const contents = [0, 1, 3, 70_000].map((length) => Buffer.alloc(length, 'añ'))
    async function* entries(): AsyncGenerator<ZipEntry> {
      for (const [index, bytes] of contents.entries())
        for (const compress of [true, false]) yield { name: `ñ${index}${compress}`, bytes, compress }
    }
    const files = unzipSync(await collect(zipOf(entries(), new Date())))
    for (const [index, bytes] of contents.entries())
      for (const compress of [true, false])
        expect(Buffer.from(files[`ñ${index}${compress}`]!).equals(bytes)).toBe(true)
  })
})

test('every fault of a format is also one of an export, with the same message in the archive and the window', () => {
  expect(EXPORT_FAULTS).toEqual(expect.arrayContaining([...FORMAT_FAULTS]))
  expect(es.formats.why).toEqual(WHY_MISSING)
})

needs('unzip')(
  'real documents, signed, are what the invoices’ own are; any program opens the archive',
  { timeout: 120_000 },
  async () => {
    const count = sweptCount(30, 5)
    const pool = createDocumentPool()
    const folder = mkdtempSync(join(tmpdir(), 'sello-exports-'))
    onTestFinished(async () => {
      await pool.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const world = await openBooks({ environment: { documents: { make: (job) => pool.make(job as never) } } })
    const { p12 } = makeP12({ password: 'clave' })
    await world.run('certificates.import', { file: p12.toString('base64'), password: 'clave' }, world.live)
    const made = await issue(world, count, { client: { address: CLIENT_ADDRESS } })
    const { id } = await world.run('exports.create', { filter: {} })
    await finished(world, id)
    const bytes = await collect((await world.run('exports.file', { id })).stream)
    const files = unzipSync(bytes)
    for (const invoice of made) {
      const own = await world.run('invoices.pdf', { id: invoice.id })
      expect(Buffer.from(files[`${invoice.number}.pdf`]!).equals(Buffer.from(own.bytes))).toBe(true)
    }
    const rows = rowsOf(files['indice.csv']).slice(1)
    expect(rows.map((row) => row[7])).toEqual(numbered(count).map(() => 'PAdES-B-B'))
    for (const row of rows) expect(sha256Hex(Buffer.from(files[row[5] ?? '']!))).toBe(row[6])
    const path = join(folder, 'facturas.zip')
    writeFileSync(path, bytes)
    expect(execFileSync('unzip', ['-t', path], { encoding: 'utf8' })).toContain('No errors detected')
    const facturae = await exported(world, { ids: [made[0]!.id], format: 'facturae' })
    expect(Object.keys(facturae.files)).toEqual([`${made[0]!.number}.xsig`, 'indice.csv'])
    expect(rowsOf(facturae.files['indice.csv'])[1]?.[7]).toBe('XAdES-EPES')
  },
)
