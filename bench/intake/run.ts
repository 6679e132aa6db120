/**
 * Prints how well the documents of a corpus are read: `node bench/intake/run.ts FOLDER [--as text,scan300,scan200,photo,hard]
 * [--every 1] [--only TEXT] [--worst 10] [--detail] [--words CACHE]`. The folder holds truth.json and the files that it names, by
 * variant. Text PDFs are read in this process; scans and photos are seen by the OCR in its own. With a folder of words,
 * one for each corpus, what the OCR saw before is not seen again: delete it after a change of the OCR.
 */
import { parseArgs } from 'node:util'
import { endIdleParsers } from '../../server/platform/processes/parsers.ts'
import { readDocuments } from './read-corpus.ts'
import { scoreOf, summaryOf, tableOf, worstOf } from './score.ts'
import type { Score } from './score.ts'
import { readCorpus } from './truth.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    as: { type: 'string', default: 'text' },
    every: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    worst: { type: 'string', default: '10' },
    detail: { type: 'boolean' },
    own: { type: 'string', default: '' },
    today: { type: 'string', default: '2026-12-31' },
    words: { type: 'string' },
  },
})
const [folder] = positionals
if (folder === undefined) throw new Error('Name the folder of the corpus.')

const corpus = readCorpus(folder)
const documents = corpus.documents.filter(
  ({ id }, index) => index % Number(values.every) === 0 && id.includes(values.only),
)
const scores = new Map<string, Score>()
for (const variant of values.as.split(',')) {
  const present = documents.filter(({ files }) => files[variant] !== undefined)
  if (present.length === 0) continue
  const { found, times, split } = await readDocuments(corpus, present, {
    variant,
    words: values.words,
    ownName: values.own,
    today: values.today,
  })
  const score = scoreOf(present, found)
  scores.set(variant, score)
  console.log(tableOf(variant, score))
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(0)
  console.log(`milliseconds a document: median ${at(0.5)}, p95 ${at(0.95)}`)
  if (split.length > 0) console.log(`taken for several documents: ${split.join(' ')}`)
  console.log(`the worst:\n${worstOf(score, values.detail ? Infinity : Number(values.worst))}\n`)
}
if (scores.size > 1) console.log(summaryOf(scores))
endIdleParsers()
