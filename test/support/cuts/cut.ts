/** Records a server under load, and opens the possible states of its folder after power cuts. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startChild } from '../children/run.ts'
import { dice } from '../seeded-random.ts'
import { broken, promisedIn } from './books.ts'
import { watched } from './disk.ts'
import { imagesOf, readRecord } from './images.ts'
import type { Unsynced } from './images.ts'
import { issueMany, openClient } from './load.ts'
import type { Place } from './load.ts'

interface CutOptions {
  seed: number
  images: number
  /** Invoices issued during the recording. */
  invoices: number
  /** Plants the fault that commits are not synced. */
  unsafe?: boolean
}

interface CutFigures {
  /** Entries of the recording. */
  entries: number
  /** Successful answers in it. */
  answers: number
  images: number
  /** Acknowledged invoices and drafts, in all images together. */
  promised: number
  /** Images whose books lack something or do not verify. */
  broken: number
  /** Images whose books do not open. */
  unopenable: number
  /** The faults of the first one of both kinds. */
  examples: string[]
}

const EXAMPLES = 8

function folderFor(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `sello-${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Records a server from its first start on, until three clients at once have issued that many invoices. */
async function recordLoad({ invoices, unsafe }: CutOptions): Promise<Buffer> {
  const base = folderFor('recorded')
  const folder = join(base, 'books')
  const record = join(base, 'record')
  const env = { ...watched({ folder, record }), ...(unsafe ? { SELLO_TEST_SYNCHRONOUS: 'NORMAL' } : {}) }
  const child = startChild('books', [folder], { env })
  const client = await openClient((await child.line()) as unknown as Place)
  await issueMany(client, { count: invoices, atOnce: 3 })
  await child.kill()
  return readFileSync(record)
}

/** Cuts the power at random moments of a recorded load. */
export async function cutPower(options: CutOptions): Promise<CutFigures> {
  const entries = readRecord(await recordLoad(options))
  const die = dice(options.seed)
  const figures: CutFigures = {
    entries: entries.length,
    answers: entries.filter(({ kind }) => kind === 'answer').length,
    images: 0,
    promised: 0,
    broken: 0,
    unopenable: 0,
    examples: [],
  }
  const base = folderFor('image')
  const tell = (cut: number, unsynced: Unsynced, what: string): void => {
    if (figures.examples.length < EXAMPLES) figures.examples.push(`cut ${cut}, ${unsynced}: ${what}`)
  }
  for (const image of imagesOf(entries, { count: options.images, die })) {
    const folder = join(base, String(figures.images++))
    mkdirSync(folder, { recursive: true })
    image.write(folder)
    const promised = promisedIn(image.answers)
    figures.promised += promised.size
    try {
      const faults = await broken(folder, promised)
      if (faults.length > 0) {
        figures.broken += 1
        tell(image.cut, image.unsynced, faults.slice(0, 3).join(' '))
      }
    } catch (error) {
      figures.unopenable += 1
      tell(image.cut, image.unsynced, String(error))
    }
    rmSync(folder, { recursive: true, force: true })
  }
  return figures
}
