/** Moves of companies between folders and offices, as tests ask for them. */
import { join } from 'node:path'
import { expect } from 'vitest'
import type { OpenedSello } from '../../../server/api/application.ts'
import { openOfficeSello } from '../../../server/api/office.ts'
import { loadContracts } from '../../../server/api/operations.ts'
import { checkBooks } from '../../../server/app/integrity/index.ts'
import { exportCompany, importBooks } from '../../../server/app/office/transfer/index.ts'
import type { ImportResult } from '../../../server/app/office/transfer/index.ts'
import { AppError } from '../../../server/domain/errors/app-error.ts'
import { unpackFixture } from '../fixtures.ts'
import { testKey } from '../postgres/databases.ts'
import { databaseForTest, folderForTest, now, openFolder } from './folders.ts'

const office = (url: string) => ({ url, masterKey: testKey(), name: 'office.example' })

/** Moves the companies of a folder into an office. */
export async function moveIn(
  folder: string,
  url: string,
  options: { company?: string; replaceTexts?: boolean } = {},
): Promise<ImportResult> {
  const source = await openFolder(folder, { mayOnlyRead: true })
  try {
    return await importBooks({ source, office: office(url), loadContracts, now, ...options })
  } finally {
    await source.close()
  }
}

/** Moves a company of an office into a folder. */
export function moveOut(company: string, url: string, folder: string, options: { asCopy?: boolean } = {}) {
  return exportCompany({
    office: office(url),
    company,
    folder,
    keychain: null,
    loadContracts,
    now,
    ...options,
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
  const sello = await openOfficeSello({ url, masterKey: testKey(), now, connections: 3 })
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
    expect(again.rows).toBe(rows)
  }
}
