/** Everything of a company leaves in one archive, and an empty desk that takes it in has equal books. */
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { fillSample, getSample } from '../../../../server/app/demo/index.ts'
import { NO_BOOK } from '../../../../server/context.ts'
import type { Book } from '../../../../server/context.ts'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { loadBook } from '../../../../server/platform/books/index.ts'
import { inEmbedded } from '../../../support/engines.ts'
import { exampleOf, Furnished, ROUTES, send } from '../../../support/examples/index.ts'
import { archiveOf, EmptyDesk, PERSON, unpacked } from '../../../support/leaving/archive.ts'
import { figuresOf } from '../../../support/leaving/figures.ts'
import type { Runner } from '../../../support/leaving/figures.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'
import { workedQuarter } from '../../accounting/returns/worked.ts'

const AT = '2026-11-24T10:00:00+01:00'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** What of an archive may differ when the company leaves again: the histories have gone on, and who wrote when. */
const GOES_ON = /^(LEEME\.md|README\.md|manifest\.json|tables\/(audit_events|actors|registry_chains)\.jsonl)$/

/** Returns the hashes of all other files. */
const stable = (files: Record<string, Uint8Array>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, bytes]) => (GOES_ON.test(name) ? [] : [[name, sha256(bytes)]])),
  )

const inBookOf = (world: World, book: Book): Runner => ({
  run: async (name, input) =>
    (await runOperation(await loadOperation(name), world.ctx({ book }), input)) as never,
})

async function sampleIn(world: World): Promise<Book> {
  const bookless = world.ctx({ book: NO_BOOK })
  for (let call = 0; call < 4; call++) await fillSample(bookless, {})
  const { bookId } = await getSample(bookless, {})
  const book = await loadBook(world.env.store.reader, bookId ?? '')
  if (!book) throw new Error('There is no sample.')
  return book
}

describe('the sample company', () => {
  test('has equal figures, documents and rows, and verifies', { timeout: 120_000 }, async () => {
    const world = await openWorld({ at: AT })
    const book = await sampleIn(world)
    const { file, made } = await archiveOf(world.ctx({ book }))
    expect(made).toMatchObject({ withoutPdf: [] })
    const files = unpacked(file)
    const desk = await EmptyDesk.open(world.env.now())
    const taken = await desk.takeIn(file)
    expect(taken).toMatchObject({ company: { name: 'Empresa de ejemplo, S.L.' }, files: made.files })
    expect(await desk.failedChecks()).toEqual([])
    expect(await figuresOf(desk)).toEqual(await figuresOf(inBookOf(world, book)))
    const pdfs = Object.keys(files).filter((name) => name.startsWith('test/documents/'))
    const { totals } = await desk.run('invoices.list', { state: 'issued', limit: 1, totals: true })
    expect(pdfs).toHaveLength(totals?.count ?? 0)
    // It leaves again with the same files: PDFs, records, lists, books and rows.
    const again = await archiveOf(desk.sello.ctx(await desk.book('test'), PERSON))
    expect(stable(unpacked(again.file))).toEqual(stable(files))
    expect(readdirSync(desk.folder).filter((name) => name.startsWith('archive'))).toEqual([])
  })
})

/** Runs every operation of the API once in a company, as its documentation does. */
async function furnishedWorld(): Promise<World> {
  const world = await openWorld({ at: AT })
  const furnished = await new Furnished(world).open()
  await furnished.certificate()
  for (const { name, rest, contract } of ROUTES) {
    if (contract.effect === 'read') continue
    await send(world, rest, await exampleOf(name, furnished))
  }
  return world
}

describe('a company that has used every operation', () => {
  test('leaves with schemas that its records fulfil, and without secrets', { timeout: 240_000 }, async () => {
    const world = await furnishedWorld()
    const { file } = await archiveOf(world.ctx())
    const files = unpacked(file)
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const json = (name: string): unknown => JSON.parse(Buffer.from(files[name] ?? '').toString('utf8'))
    let records = 0
    for (const name of Object.keys(files).filter((each) => /^(live|test)\/data\//.test(each))) {
      const schema = json(name.replace(/^\w+\/data\/(.*)\.json$/, 'schema/$1.schema.json'))
      const validate = ajv.compile(schema as object)
      const list = json(name) as unknown[]
      records += list.length
      expect([name, validate(list), validate.errors]).toEqual([name, true, null])
    }
    expect(records).toBeGreaterThan(100)
    const tables = json('tables/schema.json') as { $defs: Record<string, unknown> }
    let rows = 0
    for (const name of Object.keys(files).filter((each) => each.endsWith('.jsonl'))) {
      const table = name.replace(/^tables\/(.*)\.jsonl$/, '$1')
      const validate = ajv.compile({ $ref: `#/$defs/${table}`, $defs: tables.$defs })
      for (const line of Buffer.from(files[name] ?? '')
        .toString('utf8')
        .split('\n')
        .filter(Boolean)) {
        rows += 1
        expect([name, validate(JSON.parse(line)), validate.errors]).toEqual([name, true, null])
      }
    }
    expect(rows).toBeGreaterThan(500)
    const key = await world.key()
    const secrets = [key, 'whsec_', 'PRIVATE KEY'].map((text) => Buffer.from(text))
    for (const [name, bytes] of Object.entries(files))
      for (const secret of secrets) expect([name, Buffer.from(bytes).includes(secret)]).toEqual([name, false])
    const desk = await EmptyDesk.open(world.env.now())
    await desk.takeIn(file)
    expect(await desk.failedChecks()).toEqual([])
    const mine = inBookOf(world, world.books.test)
    expect(await figuresOf(desk)).toEqual(await figuresOf(mine))
    const again = await archiveOf(desk.sello.ctx(await desk.book('test'), PERSON))
    expect(stable(unpacked(again.file))).toEqual(stable(files))
    // A certificate comes without its key.
    expect((await desk.run('certificates.get', {}, 'live')).certificate).toBeNull()
    expect((await desk.run('registry.status', {}, 'live')).chain.held).toBe('restored_copy')
  })
})

inEmbedded(test)('the worked quarter gives every box of every return', { timeout: 120_000 }, async () => {
  const world = await workedQuarter('natural', { environment: { loadOperation } })
  const { file, made } = await archiveOf(world.test)
  // This store draws no documents, which the archive says.
  expect(made.withoutPdf).toHaveLength(10)
  const desk = await EmptyDesk.open(world.env.now())
  await desk.takeIn(file)
  expect(await desk.failedChecks()).toEqual([])
  expect(await figuresOf(desk)).toEqual(await figuresOf(world))
  expect(readFileSync(join(desk.folder, 'keyring.json'), 'utf8')).toContain('storeId')
})
