/** Reads the documents of a corpus in one variant, as the product reads words; the OCR's words can be kept. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seePages } from '../../server/purchases/intake/ocr/see-pages.ts'
import type { Page } from '../../server/purchases/intake/pages/page.ts'
import { seePdf } from '../../server/purchases/intake/pdf.ts'
import { readPages } from '../../server/purchases/intake/reading/read-pages.ts'
import { foundOf } from './score.ts'
import type { Found } from './score.ts'
import type { Corpus, TruthDocument } from './truth.ts'

export interface ReadOptions {
  variant: string
  /** Folder for the words that the OCR saw. */
  words?: string | undefined
  /** Name of the company whose purchases they are, if the corpus does not state it. */
  ownName?: string
  today?: string
}

/** A busy machine must not end the measurement. */
const PATIENT = { readingMs: 600_000, documentMs: 3_600_000 }

async function pagesOf(path: string, file: string, { variant, words }: ReadOptions): Promise<Page[]> {
  if (variant === 'text') return (await seePdf(new Uint8Array(readFileSync(path)))).pages
  const cached = words === undefined ? null : join(words, `${file}.json`)
  if (cached !== null && existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8')) as Page[]
  const pages = await seePages(new Uint8Array(readFileSync(path)), {}, PATIENT)
  if (words !== undefined && cached !== null) {
    mkdirSync(words, { recursive: true })
    writeFileSync(cached, JSON.stringify(pages))
  }
  return pages
}

export interface ReadDocument {
  found: Map<string, Found>
  /** Milliseconds of each document, sorted: to see and to read. */
  times: number[]
  /** Documents of which none but the first reading was scored. */
  split: string[]
}

/** Reads all documents; pictures of several pages are the pages of one document. */
export async function readDocuments(
  { folder, ownNif, ownName: statedName }: Corpus,
  documents: readonly TruthDocument[],
  options: ReadOptions,
): Promise<ReadDocument> {
  const { ownName = '', today = '2026-12-31', variant } = options
  const result: ReadDocument = { found: new Map(), times: [], split: [] }
  for (const { id, files } of documents) {
    const names = [files[variant] ?? []].flat()
    if (names.length === 0) continue
    const started = performance.now()
    const pages: Page[] = []
    for (const name of names)
      for (const page of await pagesOf(join(folder, name), name, options))
        pages.push({ ...page, index: pages.length })
    const readings = readPages(pages, { ownNif, ownName: ownName || (statedName ?? ''), today })
    result.times.push(performance.now() - started)
    const [reading] = readings
    if (reading) result.found.set(id, foundOf(reading))
    if (readings.length > 1) result.split.push(id)
  }
  result.times.sort((a, b) => a - b)
  return result
}
