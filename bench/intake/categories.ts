/**
 * Prints how often the category of a document is proposed rightly: `node bench/intake/categories.ts [CORPUS]`. By the lists of
 * words alone, as in a new book, over texts of suppliers and, with a corpus, over its documents; beside the reader's own rules.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seePdf } from '../../server/purchases/intake/pdf.ts'
import { pageOfText } from '../../server/purchases/intake/pages/text-page.ts'
import { readPages } from '../../server/purchases/intake/reading/read-pages.ts'
import type { Page } from '../../server/purchases/intake/pages/page.ts'
import { classify, wordModelOf } from '../../server/purchases/memory/classify.ts'
import { CATEGORY_SAMPLES } from './category-samples.ts'
import { readCorpus } from './truth.ts'

const model = wordModelOf([])

interface Score {
  count: number
  rules: number
  words: number
  faults: string[]
}

function add(
  score: Score,
  pages: readonly Page[],
  { id, truth, own }: { id: string; truth: string; own: string },
): void {
  const [reading] = readPages(pages, { ownNif: own, ownName: '', today: '2026-12-31' })
  const byRules = reading?.fields.category.value ?? null
  const byWords = classify(model, reading?.layout.words ?? [])?.category ?? byRules
  score.count += 1
  if (byRules === truth) score.rules += 1
  if (byWords === truth) score.words += 1
  else score.faults.push(`  ${id}: ${truth}, proposed ${byWords}`)
}

function print(title: string, { count, rules, words, faults }: Score): void {
  const share = (right: number): string => `${right} (${Math.round((right / count) * 100)} %)`
  console.log(
    `${title}: ${count} documents, right by the reader's rules ${share(rules)}, by words ${share(words)}`,
  )
  if (faults.length > 0) console.log(faults.join('\n'))
}

const texts: Score = { count: 0, rules: 0, words: 0, faults: [] }
for (const [truth, text] of CATEGORY_SAMPLES)
  add(texts, [pageOfText(text.replaceAll('. ', '\n'))], { id: text.slice(0, 40), truth, own: '' })
print('Texts', texts)

const [folder] = process.argv.slice(2)
if (folder !== undefined) {
  const corpus = readCorpus(folder)
  const score: Score = { count: 0, rules: 0, words: 0, faults: [] }
  for (const { id, files, fields } of corpus.documents) {
    const [file] = [files['text'] ?? []].flat()
    if (file === undefined || fields.category === null) continue
    const { pages } = await seePdf(new Uint8Array(readFileSync(join(folder, file))))
    add(score, pages, { id, truth: fields.category, own: corpus.ownNif })
  }
  print('Corpus', score)
}
