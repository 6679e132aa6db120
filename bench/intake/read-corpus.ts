/** Reads the documents of a corpus in one variant, as the product reads words; the OCR's words can be kept. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seePages } from '../../server/purchases/intake/ocr/see-pages.ts'
import type { Page } from '../../server/purchases/intake/pages/page.ts'
import { readJoined, readPages } from '../../server/purchases/intake/reading/read-pages.ts'
import { codesInImage } from '../../server/purchases/intake/codes.ts'
import { readPdf, seePdf, takeQr } from '../../server/purchases/intake/pdf.ts'
import { takeReadings } from '../../server/purchases/intake/proposal.ts'
import { codedCentsOf, factsOfQr } from '../../server/purchases/intake/qr-url.ts'
import type { QrFacts } from '../../server/purchases/intake/qr-url.ts'
import { emptyProposal } from '../../server/purchases/intake/read-result.ts'
import type { ReadResult } from '../../server/purchases/intake/read-result.ts'
import { foundInProposal } from './proposal-score.ts'
import { foundOf } from './score.ts'
import type { Found } from './score.ts'
import type { Corpus, TruthDocument } from './truth.ts'

interface ReadOptions {
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

interface ReadDocument {
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
    const seen: Page[][] = []
    for (const name of names) seen.push(await pagesOf(join(folder, name), name, options))
    const context = { ownNif, ownName: ownName || (statedName ?? ''), today }
    const joined = seen.length > 1 ? readJoined(seen, context).reading : null
    const readings = joined ? [joined] : readPages(seen[0] ?? [], context)
    result.times.push(performance.now() - started)
    const [reading] = readings
    if (reading) result.found.set(id, foundOf(reading))
    if (readings.length > 1) result.split.push(id)
  }
  result.times.sort((a, b) => a - b)
  return result
}

interface Answers {
  /** From the e-invoice in the file, the code on the page, and the words. */
  answer: Map<string, Found>
  /** From the words alone. */
  words: Map<string, Found>
}

/** Reads all documents as the product answers them: the steps are those of its reading process, in this one. */
export async function readAnswers(
  { folder, ownNif, ownName = '' }: Corpus,
  documents: readonly TruthDocument[],
  options: ReadOptions,
): Promise<Answers> {
  const { today = '2026-12-31', variant } = options
  const context = { ownNif, ownName, today }
  const answers: Answers = { answer: new Map(), words: new Map() }
  const keep = (id: string, { proposal }: ReadResult, pages: readonly Page[]): void => {
    answers.answer.set(id, foundInProposal(proposal))
    const [reading] = readPages(pages, context)
    if (reading) answers.words.set(id, foundOf(reading))
  }
  for (const { id, files } of documents) {
    const names = [files[variant] ?? []].flat()
    if (variant === 'text') {
      const bytes = new Uint8Array(readFileSync(join(folder, names[0] ?? '')))
      const { found, pages } = await readPdf(bytes, context, { seen: [] })
      keep(id, found, pages)
      continue
    }
    const found: ReadResult = { proposal: emptyProposal('none', 'image'), warnings: [] }
    const pages: Page[] = []
    let facts: QrFacts | null = null
    for (const name of names) {
      const path = join(folder, name)
      if (facts === null)
        for (const text of await codesInImage(new Uint8Array(readFileSync(path)))) facts ??= factsOfQr(text)
      for (const page of await pagesOf(path, name, options)) pages.push({ ...page, index: pages.length })
    }
    takeQr(found, facts)
    const readings = readPages(pages, { ...context, codedCents: codedCentsOf(facts) })
    takeReadings(found, readings, { pages, unread: pages.length > 0 ? [] : [0] })
    keep(id, found, pages)
  }
  return answers
}
