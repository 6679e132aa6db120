/** Companies that move with documents in object storage: a folder gets the content, another office objects of its own. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forgetCompany } from '../../../../../server/app/office/transfer/index.ts'
import { openBucket } from '../../../../../server/db/postgres/objects/bucket.ts'
import type { Bucket, BucketSettings } from '../../../../../server/db/postgres/objects/bucket.ts'
import { ownSettings } from '../../../../support/objects/buckets.ts'
import {
  bookOf,
  createFolder,
  databaseForTest,
  digestOfFolder,
  folderForTest,
  issueIn,
  openFolder,
  run,
} from '../../../../support/office/folders.ts'
import {
  cellsForTest,
  faultsOf,
  moveBetween,
  moveIn,
  moveOut,
  refusal,
} from '../../../../support/office/moves.ts'
import type { TestDatabase } from '../../../../support/postgres/databases.ts'

const TEXT = 'factura de proveedor '.repeat(20)

/** Returns how many objects there are below a place in a bucket. */
async function countIn(settings: BucketSettings): Promise<number> {
  const bucket = await openBucket(settings, () => new Date())
  const { objects } = await bucket.list('', null, 500)
  bucket.close()
  return objects.filter(({ key }) => key.includes('/objects/')).length
}

/** Returns the beginning of what the rows with documents hold. */
async function cellsIn({ admin }: TestDatabase): Promise<string[]> {
  const { rows } = await admin.query<{ bytes: Buffer }>(
    'select bytes from documents union all select bytes from file_bytes',
  )
  return rows.map(({ bytes }) => bytes.subarray(0, 15).toString('latin1'))
}

/** Creates a folder with an invoice's PDF and a file. */
async function createDocuments(folder: string): Promise<string> {
  const { company } = await createFolder(folder, { invoices: 1 })
  const sello = await openFolder(folder)
  const book = await bookOf(sello, 'test', 0)
  const { items } = await run(sello, book, 'invoices.list', { state: 'issued' })
  await run(sello, book, 'invoices.pdf', { id: items[0]?.id ?? '' })
  await run(sello, book, 'attachments.upload', {
    name: 'a.txt',
    content: Buffer.from(TEXT).toString('base64'),
  })
  await sello.close()
  return company
}

const into = (settings: BucketSettings) => ({
  openBucket: (): Promise<Bucket> => openBucket(settings, () => new Date()),
  inRowAtMost: 100,
})

test('documents go from a folder into the storage of an office, of another one, and into a folder again', async () => {
  const folder = folderForTest()
  const company = await createDocuments(folder)
  const { sha256 } = await digestOfFolder(folder)
  const cells = await cellsForTest()
  const [first, second] = [await ownSettings(), await ownSettings()]
  const [moved] = (await moveIn(folder, cells.one.url, into(first))).companies
  expect(moved?.sha256).toBe(sha256)
  expect(await cellsIn(cells.database)).toEqual(['sello-object 1 ', 'sello-object 1 '])
  expect(await countIn(first)).toBe(2)
  const withBuckets = {
    ...cells,
    one: { ...cells.one, ...into(first) },
    two: { ...cells.two, ...into(second) },
  }
  // Without its storage an office cannot give its documents away, and holds the company until it can.
  expect(await refusal(moveBetween(cells, company))).toEqual([
    'file_storage_unavailable',
    { reason: 'not_configured' },
  ])
  const result = await moveBetween(withBuckets, company)
  expect(result.sha256).toBe(sha256)
  expect([await countIn(first), await countIn(second)]).toEqual([2, 2])
  // What is left is removed with its objects, and not without.
  const prove = async (): Promise<void> => {}
  expect(await refusal(forgetCompany({ office: cells.one, company, prove }))).toEqual([
    'file_storage_unavailable',
    { reason: 'not_configured' },
  ])
  await forgetCompany({ office: withBuckets.one, company, prove })
  expect([await countIn(first), await countIn(second)]).toEqual([0, 2])
  const back = join(folderForTest(), 'books')
  const out = await moveOut(company, cells.two.url, back, into(second))
  expect([out.sha256, (await digestOfFolder(back)).sha256]).toEqual([sha256, sha256])
  const sello = await openFolder(back)
  const book = await bookOf(sello, 'test', 0)
  const files = await sello.env.store.reader.selectFrom('file_bytes').select('bytes').execute()
  expect(files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([TEXT])
  const [{ bytes } = { bytes: new Uint8Array() }] = await sello.env.store.reader
    .selectFrom('documents')
    .select('bytes')
    .execute()
  expect(Buffer.from(bytes).subarray(0, 5).toString()).toBe('%PDF-')
  expect(book.mode).toBe('test')
  expect(await issueIn(sello, 'test')).toBe('T-F2026-0002')
  expect(await faultsOf(sello)).toEqual([])
  await sello.close()
})

test('a move that fails leaves no objects', async () => {
  const one = folderForTest()
  await createFolder(one, { invoices: 1, nif: 'B65410011' })
  const { url, database } = await databaseForTest()
  await moveIn(one, url)
  const folder = folderForTest()
  await createDocuments(folder)
  const settings = await ownSettings()
  database.spoiled = true
  await database.admin.query(
    `create function refuse() returns trigger language plpgsql as $$ begin
       if new.bytes::text like '\\\\x73656c6c6f%' then raise exception 'no room'; end if; return new; end $$;
     create trigger refuse before insert on file_bytes for each row execute function refuse()`,
  )
  await expect(moveIn(folder, url, into(settings))).rejects.toThrow('no room')
  expect(await countIn(settings)).toBe(0)
  const { rows } = await database.admin.query('select id from companies')
  expect(rows).toHaveLength(1)
})
