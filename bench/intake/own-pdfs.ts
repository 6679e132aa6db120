/**
 * Reads the documents that Sello itself draws: `node bench/intake/own-pdfs.ts FOLDER [--count 300] [--as text,scan300,photo]
 * [--every 1] [--worst 10] [--words CACHE]`. Draws them into the folder with their truth, unless they are there. Each variant is
 * read twice: what the product answers, with the e-invoice in the file and the code on the page, and the words alone.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endIdleParsers } from '../../server/platform/processes/parsers.ts'
import { Dice } from './corpus/dice.ts'
import { OWN } from './corpus/facts.ts'
import { PictureMaker, VARIANTS } from './corpus/pictures/variants.ts'
import { ownInvoice } from './own/contents.ts'
import { drawOwn } from './own/paper.ts'
import { readAnswers } from './read-corpus.ts'
import { scoreOf, summaryOf, tableOf, worstOf } from './score.ts'
import type { Score } from './score.ts'
import { readCorpus } from './truth.ts'
import type { TruthDocument } from './truth.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    as: { type: 'string', default: 'text,scan300,photo' },
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '29' },
    every: { type: 'string', default: '1' },
    worst: { type: 'string', default: '10' },
    words: { type: 'string' },
  },
})
const [folder] = positionals
if (folder === undefined) throw new Error('Name a folder for the documents.')
const wanted = values.as.split(',')

async function draw(into: string): Promise<void> {
  mkdirSync(into, { recursive: true })
  const seed = Number(values.seed)
  const dice = new Dice(seed)
  const documents: TruthDocument[] = []
  for (let index = 0; index < Number(values.count); index++) {
    const invoice = ownInvoice(index, dice)
    const { bytes, hasXml, truth } = await drawOwn(invoice)
    const id = `${String(index + 1).padStart(3, '0')}-${invoice.kind}-${invoice.content.language}`
    writeFileSync(join(into, `${id}.pdf`), bytes)
    const files: Record<string, string[]> = { text: [`${id}.pdf`] }
    const maker = new PictureMaker(bytes, invoice.isTicket)
    for (const [at, variant] of VARIANTS.entries()) {
      if (variant === 'text' || !wanted.includes(variant)) continue
      const pictures = await maker.picturesOf(variant, new Dice(seed * 100_003 + index * 10 + at))
      files[variant] = pictures.map(({ ending, bytes: picture }) => {
        writeFileSync(join(into, `${id}${ending}`), picture)
        return `${id}${ending}`
      })
    }
    documents.push({
      id,
      kind: invoice.kind,
      layout: `${invoice.content.language}${invoice.isTicket ? '-ticket' : ''}${hasXml ? '' : '-no-xml'}`,
      files,
      fields: truth,
    })
  }
  const corpus = { set: 'sello', seed, ownNif: OWN.nif, ownName: OWN.name, documents }
  writeFileSync(join(into, 'truth.json'), JSON.stringify(corpus, null, 1))
}

if (!existsSync(join(folder, 'truth.json'))) await draw(folder)
const corpus = readCorpus(folder)
const documents = corpus.documents.filter((_, index) => index % Number(values.every) === 0)
const scores = new Map<string, Score>()
for (const variant of wanted) {
  const present = documents.filter(({ files }) => files[variant] !== undefined)
  if (present.length === 0) continue
  const readings = await readAnswers(corpus, present, { variant, words: values.words })
  for (const [way, found] of Object.entries(readings)) {
    // The documents do not tell what they are for.
    for (const { fields } of found.values()) fields.category = null
    const score = scoreOf(present, found)
    scores.set(`${variant} ${way}`, score)
    console.log(
      tableOf(`${variant}, ${way === 'words' ? 'the words alone' : 'the answer of the product'}`, score),
    )
    console.log(`the worst:\n${worstOf(score, Number(values.worst))}\n`)
  }
}
console.log(summaryOf(scores))
endIdleParsers()
