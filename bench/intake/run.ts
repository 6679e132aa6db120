/**
 * Prints how well the documents of a corpus are read: `node bench/intake/run.ts FOLDER [--as text] [--every 1] [--detail]
 * [--words CACHE]`. The folder holds truth.json and the files that it names, by variant. Text PDFs are read in this process;
 * scans and photos are seen by the OCR in its own. With a folder of words, what the OCR saw before is not seen again:
 * delete it after a change of the OCR.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seePages } from '../../server/purchases/intake/ocr/see-pages.ts'
import { seePdf } from '../../server/purchases/intake/pdf.ts'
import type { Page } from '../../server/purchases/intake/pages/page.ts'
import { readJoined, readPages } from '../../server/purchases/intake/reading/read-pages.ts'
import { foundOf, scoreOf, tableOf } from './score.ts'
import type { Found } from './score.ts'
import { readCorpus } from './truth.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    as: { type: 'string', default: 'text' },
    every: { type: 'string', default: '1' },
    detail: { type: 'boolean' },
    own: { type: 'string' },
    today: { type: 'string' },
    words: { type: 'string' },
  },
})
const [folder] = positionals
if (folder === undefined) throw new Error('Name the folder of the corpus.')

const corpus = readCorpus(folder)
const context = { ownNif: corpus.ownNif, ownName: values.own ?? '', today: values.today ?? '2026-12-31' }

async function pagesOf(bytes: Uint8Array, file: string): Promise<readonly Page[]> {
  if (values.as === 'text') return (await seePdf(bytes)).pages
  if (values.words === undefined) return seePages(bytes)
  const cached = join(values.words, `${file}.json`)
  if (existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8')) as Page[]
  const pages = await seePages(bytes)
  mkdirSync(values.words, { recursive: true })
  writeFileSync(cached, JSON.stringify(pages))
  return pages
}

const found = new Map<string, Found>()
const times: number[] = []
const documents = corpus.documents.filter((_, index) => index % Number(values.every) === 0)
for (const { id, files } of documents) {
  const names = [files[values.as] ?? []].flat()
  if (names.length === 0) continue
  const started = performance.now()
  const seenFiles: (readonly Page[])[] = []
  for (const name of names)
    seenFiles.push(await pagesOf(new Uint8Array(readFileSync(join(folder, name))), name))
  const seen = performance.now()
  // The sheets of one invoice, each in a file of its own.
  const reading =
    seenFiles.length > 1 ? readJoined(seenFiles, context).reading : readPages(seenFiles[0] ?? [], context)[0]
  const read = performance.now()
  times.push(read - started)
  if (read - seen > 50) console.log(`${id}: ${(read - seen).toFixed(0)} ms to read the words`)
  if (reading) found.set(id, foundOf(reading))
  if (values.detail && reading && reading.vetoes.length > 0)
    console.log(`${id} not sure: ${reading.vetoes.join(', ')}`)
}
const score = scoreOf(documents, found)
console.log(tableOf(values.as, score))
times.sort((a, b) => a - b)
const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(0)
console.log(`milliseconds a document: median ${at(0.5)}, p95 ${at(0.95)}`)
if (values.detail) console.log(score.faults.join('\n'))
