/** The floor of reading text PDFs, on documents with their truth. Runs only where SELLO_SHARED names the folder of facts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { FIELDS, foundOf, scoreOf } from '../../bench/intake/score.ts'
import type { Found, Score } from '../../bench/intake/score.ts'
import { readCorpus } from '../../bench/intake/truth.ts'
import type { Corpus } from '../../bench/intake/truth.ts'
import { seePdf } from '../../server/purchases/intake/pdf.ts'
import { readPages } from '../../server/purchases/intake/reading/read-pages.ts'

const shared = process.env['SELLO_SHARED'] ?? ''
const folder = join(shared, 'intake-corpus')

async function readFile(path: string, ownNif: string) {
  const { pages } = await seePdf(new Uint8Array(readFileSync(path)))
  return readPages(pages, { ownNif, ownName: '', today: '2026-12-31' })
}

describe.skipIf(shared === '')('text PDFs of the shared corpus', () => {
  let corpus: Corpus
  let score: Score

  beforeAll(async () => {
    corpus = readCorpus(folder)
    const found = new Map<string, Found>()
    for (const { id, files } of corpus.documents) {
      const [file = ''] = [files['text'] ?? []].flat()
      const [reading] = await readFile(join(folder, file), corpus.ownNif)
      if (reading) found.set(id, foundOf(reading))
    }
    score = scoreOf(corpus.documents, found)
  }, 120_000)

  test('the money of all is right, and of 97 of 100 proven', () => {
    const { documents, money, moneySure } = score.whole
    expect(documents).toBe(40)
    expect(money / documents, score.faults.join('\n')).toBe(1)
    expect(moneySure / documents).toBeGreaterThanOrEqual(0.97)
  })

  test('no field is wrong but sure', () => {
    expect(score.whole.moneyWrongButSure).toEqual([])
    expect(FIELDS.flatMap((field) => score.fields[field].wrongButSure.map((id) => `${id} ${field}`))).toEqual(
      [],
    )
  })

  test.each([
    ['supplierNif', 0.99],
    ['number', 0.96],
    ['issueDate', 0.99],
    ['dueDate', 0.95],
    ['supplierName', 0.95],
  ] as const)('%s is right in %d', (field, share) => {
    expect(score.fields[field].right / score.whole.documents, score.faults.join('\n')).toBeGreaterThanOrEqual(
      share,
    )
  })

  test('three invoices in one file are three', async () => {
    const readings = await readFile(join(folder, 'traps/t1-bundle.pdf'), corpus.ownNif)
    expect(readings.map(({ pages, fields }) => [pages, fields.number.value])).toEqual([
      [[0, 0], 'FAC-2026-1583'],
      [[1, 1], 'FAC-2026-7414'],
      [[2, 2], 'FAC-2026-7373'],
    ])
  })

  test('a wrong printed total is not proven', async () => {
    const [reading] = await readFile(join(folder, 'traps/t5-wrong-total.pdf'), corpus.ownNif)
    expect(reading?.closes).toBe(false)
    expect(reading?.fields.total.level).toBe('read')
  })

  test('a proforma is no invoice, and another customer is told', async () => {
    const [proforma] = await readFile(join(folder, 'traps/t6-no-invoice.pdf'), corpus.ownNif)
    expect(proforma?.kind).toBe('not_invoice')
    const [other] = await readFile(join(folder, 'traps/t7-other-customer.pdf'), corpus.ownNif)
    expect(other?.fields.customerNif.value).toBe('B84512374')
  })
})
