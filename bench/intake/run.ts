/**
 * Prints how well the documents of a corpus are read: `node bench/intake/run.ts FOLDER [--as text] [--every 1] [--detail]`.
 * The folder holds truth.json and the files that it names, by variant. Text PDFs are read in this process; scans and photos
 * are seen by the OCR in its own.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seePages } from '../../server/purchases/intake/ocr/see-pages.ts'
import { seePdf } from '../../server/purchases/intake/pdf.ts'
import { readPages } from '../../server/purchases/intake/reading/read-pages.ts'
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
  },
})
const [folder] = positionals
if (folder === undefined) throw new Error('Name the folder of the corpus.')

const corpus = readCorpus(folder)
const context = { ownNif: corpus.ownNif, ownName: values.own ?? '', today: values.today ?? '2026-12-31' }
const found = new Map<string, Found>()
const times: number[] = []
const documents = corpus.documents.filter((_, index) => index % Number(values.every) === 0)
for (const { id, files } of documents) {
  const [file] = [files[values.as] ?? []].flat()
  if (file === undefined) continue
  const bytes = new Uint8Array(readFileSync(join(folder, file)))
  const started = performance.now()
  const pages = values.as === 'text' ? (await seePdf(bytes)).pages : await seePages(bytes)
  const seen = performance.now()
  const [reading] = readPages(pages, context)
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
