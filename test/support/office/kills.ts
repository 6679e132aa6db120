/** Kills a process that moves a company at a step, checks where the company is whole, and repeats the move. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Directory } from '../../../server/app/office/transfer/index.ts'
import { DatabaseBulk } from '../../../server/db/postgres/bulk.ts'
import { FAILPOINTS } from '../../../server/db/failpoints.ts'
import type { Step } from '../../../server/db/failpoints.ts'
import { startChild } from '../children/run.ts'
import { diedAt } from '../cuts/steps.ts'
import {
  createFolder,
  databaseForTest,
  digestOfFolder,
  digestOfOffice,
  folderForTest,
  openFolder,
} from './folders.ts'
import { cellsForTest, moveBetween, moveIn, moveOut, refusal } from './moves.ts'

/** The steps of a move. A folder that is moved is held by its lock alone. */
export const MOVE_STEPS = FAILPOINTS.filter((step) => step.startsWith('transfer.'))
export const IMPORT_STEPS = MOVE_STEPS.filter((step) => step !== 'transfer.source_held')

/** Books that are copied for each step. */
interface MadeBooks {
  made: string
  company: string
  sha256: string
}

export async function booksToMove(): Promise<MadeBooks> {
  const made = folderForTest()
  const { company } = await createFolder(made, { invoices: 2 })
  const { sha256 } = await digestOfFolder(made)
  return { made, company, sha256 }
}

/** Returns whether a company is in an office, and its state there. */
async function stateIn(url: string, company: string): Promise<string> {
  const office = await DatabaseBulk.open(url)
  try {
    const [row] = await office.select<{ away: string | null }>(
      'select away from companies where public_id = $1',
      [company],
    )
    return row ? (row.away ?? 'open') : 'none'
  } finally {
    await office.close()
  }
}

async function stateOf(folder: string): Promise<string> {
  const found = (await refusal(openFolder(folder).then((sello) => sello.close()))) as [string] | null
  return found?.[0] ?? 'open'
}

/** Into an office. */
export async function dieIntoOffice(step: Step, made: MadeBooks): Promise<void> {
  const { made: source, company, sha256 } = made
  const folder = folderForTest()
  cpSync(source, folder, { recursive: true })
  const { url } = await databaseForTest()
  await diedAt(startChild('transfer', [step, '1', JSON.stringify({ folder, url })]), step)
  const states = [await stateOf(folder), await stateIn(url, company)]
  expect(states, step).toEqual(
    {
      'transfer.copied': ['open', 'none'],
      'transfer.proved': ['open', 'none'],
      'transfer.committed': ['open', 'arriving'],
      'transfer.verified': ['open', 'arriving'],
      'transfer.source_moved': ['books_moved', 'arriving'],
      'transfer.finished': ['books_moved', 'open'],
    }[step as string],
  )
  expect((await digestOfFolder(folder)).sha256, step).toBe(sha256)
  const { companies } = await moveIn(folder, url)
  expect(companies.map((one) => one.sha256)).toEqual([sha256])
  expect([await stateOf(folder), await stateIn(url, company)], step).toEqual(['books_moved', 'open'])
  expect((await digestOfOffice(url, company)).sha256, step).toBe(sha256)
}

/** Out of an office. */
export async function dieOutOfOffice(step: Step, made: MadeBooks): Promise<void> {
  const { made: source, company } = made
  const folder = folderForTest()
  cpSync(source, folder, { recursive: true })
  const { url } = await databaseForTest()
  const [moved] = (await moveIn(folder, url)).companies
  const out = join(folderForTest(), 'books')
  await diedAt(startChild('transfer', [step, '1', JSON.stringify({ company, url, out })]), step)
  const isMoved = ['transfer.source_moved', 'transfer.finished'].includes(step)
  expect(await stateIn(url, company), step).toBe(isMoved ? 'moved' : 'moving')
  if (['transfer.committed', 'transfer.verified', 'transfer.source_moved'].includes(step))
    expect(await stateOf(out), step).toBe('books_arriving')
  const { sha256 } = await moveOut(company, url, out)
  expect(sha256, step).toBe(moved?.sha256)
  expect([await stateIn(url, company), await stateOf(out)], step).toEqual(['moved', 'open'])
}

/** To another cell. */
export async function dieBetweenCells(step: Step, made: MadeBooks): Promise<void> {
  const { made: source, company } = made
  const folder = folderForTest()
  cpSync(source, folder, { recursive: true })
  const cells = await cellsForTest()
  const [moved] = (await moveIn(folder, cells.one.url)).companies
  const job = { company, url: cells.one.url, to: cells.two.url, directory: cells.directory }
  await diedAt(startChild('transfer', [step, '1', JSON.stringify(job)]), step)
  const states = [await stateIn(cells.one.url, company), await stateIn(cells.two.url, company)]
  expect(states, step).toEqual(
    {
      'transfer.source_held': ['moving', 'none'],
      'transfer.copied': ['moving', 'none'],
      'transfer.proved': ['moving', 'none'],
      'transfer.committed': ['moving', 'arriving'],
      'transfer.verified': ['moving', 'arriving'],
      'transfer.source_moved': ['moved', 'arriving'],
      'transfer.finished': ['moved', 'open'],
    }[step as string],
  )
  await moveBetween(cells, company)
  expect([await stateIn(cells.one.url, company), await stateIn(cells.two.url, company)], step).toEqual([
    'moved',
    'open',
  ])
  expect((await digestOfOffice(cells.two.url, company)).sha256, step).toBe(moved?.sha256)
  const directory = await Directory.open(cells.directory)
  expect(await directory.placeOf(company), step).toMatchObject({ cell: 'two', state: 'here' })
  await directory.close()
}
