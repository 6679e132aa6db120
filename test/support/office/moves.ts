/** Moves of companies between folders and offices, as tests ask for them. */
import { join } from 'node:path'
import { expect } from 'vitest'
import type { OpenedSello } from '../../../server/api/application.ts'
import { openOfficeSello } from '../../../server/api/office.ts'
import { loadContracts } from '../../../server/api/operations.ts'
import { checkBooks } from '../../../server/app/integrity/index.ts'
import {
  Directory,
  exportCompany,
  importBooks,
  moveCompany,
} from '../../../server/app/office/transfer/index.ts'
import type { CellAddress, ImportResult, MoveResult } from '../../../server/app/office/transfer/index.ts'
import { AppError } from '../../../server/domain/errors/app-error.ts'
import { unpackFixture } from '../fixtures.ts'
import { testKey } from '../postgres/databases.ts'
import type { TestDatabase } from '../postgres/databases.ts'
import { databaseForTest, folderForTest, forServers, now, openFolder } from './folders.ts'

const office = (url: string, more: Partial<CellAddress> = {}) => ({
  url,
  masterKey: testKey(),
  name: 'office.example',
  ...more,
})

/** Moves the companies of a folder into an office. */
export async function moveIn(
  folder: string,
  url: string,
  {
    company,
    replaceTexts = false,
    ...more
  }: { company?: string; replaceTexts?: boolean } & Partial<CellAddress> = {},
): Promise<ImportResult> {
  const source = await openFolder(folder, { mayOnlyRead: true })
  try {
    return await importBooks({ source, office: office(url, more), loadContracts, now, company, replaceTexts })
  } finally {
    await source.close()
  }
}

/** Moves a company of an office into a folder. */
export function moveOut(
  company: string,
  url: string,
  folder: string,
  { asCopy = false, ...more }: { asCopy?: boolean } & Partial<CellAddress> = {},
) {
  return exportCompany({
    office: office(url, more),
    company,
    folder,
    keychain: null,
    loadContracts,
    now,
    asCopy,
  })
}

/** Returns code and details of the refusal of some work; null if it succeeds. */
export const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof AppError ? [error.code, error.details] : error),
  )

/** Opens an office for some work. */
export async function withOffice<T>(url: string, work: (sello: OpenedSello) => Promise<T>): Promise<T> {
  const sello = await openOfficeSello({ url: forServers(url), masterKey: testKey(), now, connections: 3 })
  try {
    return await work(sello)
  } finally {
    await sello.close()
  }
}

/** Returns the checks that fail; the server of the tests does not wait for the disk. */
export async function faultsOf(sello: OpenedSello): Promise<unknown[]> {
  const { checks } = await checkBooks(sello.env, (book) => sello.ctx(book))
  return checks.filter((check) => !check.ok && check.name !== 'durability')
}

/** Moves the kept books of a schema into an office, and each company into a folder again; prints what it took. */
export async function thereAndBack(
  schema: number,
  which: (rows: number) => boolean = () => true,
): Promise<void> {
  const folder = folderForTest()
  unpackFixture(schema, folder)
  const { url } = await databaseForTest()
  const started = performance.now()
  const { companies } = await moveIn(folder, url)
  for (const { id, rows, sha256 } of companies.filter((each) => which(each.rows))) {
    const back = join(folderForTest(), 'books')
    const again = await moveOut(id, url, back)
    console.log(
      `schema ${schema} ${id}: ${rows} rows, ${((performance.now() - started) / 1000).toFixed(1)} s, ${sha256} → ${again.sha256}`,
    )
    expect(await refusal(openFolder(folder).then((sello) => sello.close()))).toMatchObject([
      'books_moved',
      { to: 'office.example' },
    ])
    const sello = await openFolder(back)
    expect(await faultsOf(sello)).toEqual([])
    await sello.close()
    expect([again.rows, again.sha256]).toEqual([rows, sha256])
  }
}

interface Cells {
  one: CellAddress
  two: CellAddress
  /** Address of the directory: the database of the first cell. */
  directory: string
  /** The database of the first cell. */
  database: TestDatabase
}

/** Returns two cells with empty databases, and their directory. */
export async function cellsForTest(): Promise<Cells> {
  const [a, b] = [await databaseForTest(), await databaseForTest()]
  // The directory is a schema of its own, which is not emptied.
  a.database.spoiled = true
  const cellOf = (name: string, url: string): CellAddress => ({
    name,
    url,
    masterKey: testKey(),
    address: `https://${name}.example`,
  })
  const cells = {
    one: cellOf('one', a.url),
    two: cellOf('two', b.url),
    directory: a.url,
    database: a.database,
  }
  const directory = await Directory.open(cells.directory)
  for (const { name, url, address } of [cells.one, cells.two]) await directory.setCell({ name, url, address })
  await directory.close()
  return cells
}

/** Moves a company from the first cell to the second one. */
export async function moveBetween(cells: Cells, company: string): Promise<MoveResult> {
  const directory = await Directory.open(cells.directory)
  try {
    return await moveCompany({ company, from: cells.one, to: cells.two, directory, loadContracts, now })
  } finally {
    await directory.close()
  }
}
