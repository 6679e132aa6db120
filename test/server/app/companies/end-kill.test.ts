/** A process is killed at each step of the deletion of a company: it is whole or gone, and the other one is untouched. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { endedCompanies } from '../../../../server/app/companies/end/end.ts'
import { removeOutside } from '../../../../server/app/companies/index.ts'
import { checkBooks } from '../../../../server/app/integrity/index.ts'
import { loadBook } from '../../../../server/platform/books/index.ts'
import { NO_BOOK } from '../../../../server/context.ts'
import type { Book } from '../../../../server/context.ts'
import type { Step } from '../../../../server/db/failpoints.ts'
import { startChild } from '../../../support/children/run.ts'
import { diedAt } from '../../../support/cuts/steps.ts'
import { tablesOf } from '../../../support/engines.ts'
import { personalNif } from '../../../support/nif.ts'
import { IN_OBJECTS } from '../../../support/objects/run.ts'
import { ENGINE } from '../../../support/postgres/databases.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const DAY_MS = 86_400_000
const FILES = 3
const NIF = personalNif(7)

/** The steps, how often each is reached before the process dies, and whether the company is gone then. */
const STEPS: readonly (readonly [step: Step, nth: number, isGone: boolean])[] = [
  ['end.rows_deleted', 1, false],
  ['end.committed', 1, true],
  ['end.objects_removed', 1, true],
  ['store.before_commit', 1, false],
  ['store.after_commit', 1, true],
  ['store.log_emptied', 1, true],
  // What the person arranged.
  ['store.before_commit', 2, true],
  ['store.after_commit', 2, true],
  ...Array.from({ length: FILES }, (_, nth) => ['objects.removed', nth + 1, true] as const),
]

/** The steps that the store of this run takes. */
const STEPS_HERE = STEPS.filter(([step]) => {
  if (step.startsWith('store.')) return ENGINE === 'sqlite'
  if (step === 'end.objects_removed') return ENGINE === 'pg'
  return step !== 'objects.removed' || IN_OBJECTS
})

/** Creates a company with invoices and files in its test book. */
async function addCompany(world: World): Promise<Book> {
  const { books } = await world.run(
    'company.create',
    { ...EXAMPLE_COMPANY, legalName: 'La otra, S.L.', nif: NIF },
    { book: NO_BOOK },
  )
  const book = await loadBook(world.env.store.reader, books.find(({ mode }) => mode === 'test')?.id ?? '')
  if (!book) throw new Error('The book was not made.')
  await fill(world, book)
  return book
}

async function fill(world: World, book: Book): Promise<void> {
  const { id } = await world.run('invoices.create', EXAMPLE_DRAFT, { book })
  const { confirmation } = await world.run('invoices.validate', { id }, { book })
  await world.run(
    'invoices.issue',
    { id, confirmationToken: confirmation?.confirmationToken ?? '' },
    { book },
  )
  for (let nth = 0; nth < FILES; nth += 1)
    await world.run(
      'attachments.upload',
      { name: `${nth}.txt`, content: Buffer.from(`${book.publicId} ${nth}`).toString('base64') },
      { book },
    )
}

/** Counts the rows of each table, as the company sees them. */
async function countsOf(world: World, { companyId }: Book): Promise<Record<string, number>> {
  const db = world.env.store.readerOf(companyId)
  const counts: Record<string, number> = {}
  for (const name of await tablesOf(db)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
      db,
    )
    counts[name] = Number(rows[0]?.count)
  }
  return counts
}

/** Returns the keys of the objects of a company. */
async function objectsOf(world: World, { companyId }: Book): Promise<string[]> {
  if (!world.storage) return []
  const { openBucket } = await import('../../../../server/app/office/index.ts')
  const bucket = await openBucket(world.storage, () => new Date())
  const { objects } = await bucket.list('', null, 500)
  bucket.close()
  return objects.map(({ key }) => key).filter((key) => key.includes(`/${companyId}/`))
}

async function filesOf(world: World, { companyId, id }: Book): Promise<string[]> {
  const { store } = world.env
  const rows = await store
    .readerOf(companyId)
    .selectFrom('files')
    .innerJoin('file_bytes', 'file_bytes.file_id', 'files.id')
    .select(['file_bytes.bytes', 'files.sha256'])
    .where('files.book_id', '=', id)
    .execute()
  const read = rows.map(({ bytes, sha256 }) => store.objects.read(companyId, { cell: bytes, sha256 }))
  return (await Promise.all(read)).map((bytes) => Buffer.from(bytes).toString()).toSorted()
}

const notesIn = (world: World) =>
  world.env.store.reader
    .selectFrom('settings')
    .select('name')
    .where('name', 'like', 'ended-objects/%')
    .execute()

/** Deletes the company in a process of its own, which dies at a step. */
async function dieAt(world: World, book: Book, [step, nth]: (typeof STEPS)[number]): Promise<void> {
  const place =
    ENGINE === 'pg' ? { url: world.databaseUrl, settings: world.storage } : { folder: world.folder }
  const job = { ...place, book: book.publicId, nif: NIF, at: world.env.now().toISOString() }
  const die = (): Promise<void> => diedAt(startChild('end', [step, String(nth), JSON.stringify(job)]), step)
  // A folder has one process at a time.
  await (ENGINE === 'pg' ? die() : world.restartAfter(die))
}

test.each(STEPS_HERE)(
  'killed at %s, time %i: gone is %s',
  async (...at) => {
    const [, , isGone] = at
    const world = await openWorld()
    const { test: other } = world.books
    await fill(world, other)
    const book = await addCompany(world)
    const [before, files, othersObjects] = [
      ENGINE === 'pg' ? await countsOf(world, other) : null,
      await filesOf(world, other),
      await objectsOf(world, other),
    ]
    const [own, ownFiles] = [await countsOf(world, book), await filesOf(world, book)]
    expect(ownFiles).toHaveLength(FILES)
    if (IN_OBJECTS) expect((await objectsOf(world, book)).length).toBeGreaterThanOrEqual(FILES)

    await dieAt(world, book, at)
    const found = await loadBook(world.env.store.reader, book.publicId)
    expect(found === null || found === undefined).toBe(isGone)
    if (isGone) {
      await removeOutside(world.env)
      expect(await objectsOf(world, book)).toEqual([])
      expect(await notesIn(world)).toHaveLength(ENGINE === 'pg' ? 1 : 0)
      expect((await endedCompanies(world.ctx({ book: NO_BOOK }), {})).items).toHaveLength(1)
    } else {
      expect(await countsOf(world, book)).toEqual(own)
      expect(await filesOf(world, book)).toEqual(ownFiles)
      expect(await notesIn(world)).toEqual([])
    }
    // What a writer had stored before, and names no more.
    const late = Buffer.from('sin fila')
    if (isGone && IN_OBJECTS) await world.env.store.objects.keep(book.companyId, late, new Uint8Array(32))
    world.advance(DAY_MS + 60_000)
    await removeOutside(world.env)
    expect(await notesIn(world)).toEqual([])
    if (isGone) expect(await objectsOf(world, book)).toEqual([])

    if (before) {
      // Settings and people of the installation are seen by every company.
      const after = await countsOf(world, other)
      expect({ ...after, settings: 0, actors: 0 }).toEqual({ ...before, settings: 0, actors: 0 })
    }
    expect(await filesOf(world, other)).toEqual(files)
    expect(await objectsOf(world, other)).toEqual(othersObjects)
    const { checks } = await checkBooks(world.env, (each) => world.ctx({ book: each }))
    expect(checks.filter(({ ok, name }) => !ok && name !== 'durability')).toEqual([])
  },
  60_000,
)
