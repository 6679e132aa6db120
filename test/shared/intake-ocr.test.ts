/** OCR of scans and photos whose words are known: a sample of the corpus. Needs SELLO_SHARED. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { endIdleParsers } from '../../server/platform/processes/parsers.ts'
import { foundOf, scoreOf } from '../../bench/intake/score.ts'
import type { Found } from '../../bench/intake/score.ts'
import { readCorpus } from '../../bench/intake/truth.ts'
import { seePages } from '../../server/purchases/intake/ocr/see-pages.ts'
import { readPages } from '../../server/purchases/intake/reading/read-pages.ts'

const shared = process.env['SELLO_SHARED']
const corpus = join(shared ?? '', 'intake-corpus')

interface Truth {
  documents: { id: string; fields: { supplierNif: string; number: string; total: number } }[]
}

/** An amount as it is printed: 1234.5 as 1.234,50. */
const printed = (amount: number): string =>
  amount.toLocaleString('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

const bare = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

describe.skipIf(!shared)('the OCR', { timeout: 600_000 }, () => {
  afterAll(endIdleParsers)

  test.each(['01-sl.s300.png', '08-irpf.s200.jpg', '02-sl.photo.jpg', '12-super.photo.jpg'])(
    'sees tax number, invoice number and total of %s',
    async (file) => {
      const { documents } = JSON.parse(readFileSync(join(corpus, 'truth.json'), 'utf8')) as Truth
      const fields = documents.find(({ id }) => file.startsWith(`${id}.`))?.fields
      const limits = { readingMs: 300_000, documentMs: 600_000 }
      const pages = await seePages(readFileSync(join(corpus, file)), {}, limits)
      const words = pages.flatMap(({ readings }) => readings.flat()).map(({ t }) => t)
      expect(words.some((word) => word.startsWith(printed(fields?.total ?? NaN)))).toBe(true)
      const all = words.map(bare)
      expect(all.some((word) => word.includes(bare(fields?.supplierNif ?? '?')))).toBe(true)
      expect(all.some((word) => word.includes(bare(fields?.number ?? '?')))).toBe(true)
    },
  )

  test.each(['scan300', 'scan200', 'photo'])('reads the money of a sample as %s', async (variant) => {
    const { documents, ownNif } = readCorpus(corpus)
    const sample = documents.filter((_, index) => index % 6 === 1)
    const found = new Map<string, Found>()
    for (const { id, files } of sample) {
      const [file = ''] = [files[variant] ?? []].flat()
      const limits = { readingMs: 300_000, documentMs: 600_000 }
      const pages = await seePages(readFileSync(join(corpus, file)), {}, limits)
      const [reading] = readPages(pages, { ownNif, ownName: '', today: '2026-12-31' })
      if (reading) found.set(id, foundOf(reading))
    }
    const { whole, faults } = scoreOf(sample, found)
    expect(whole.documents).toBe(7)
    expect(whole.money, faults.join('\n')).toBeGreaterThanOrEqual(6)
    expect(whole.moneySure).toBeGreaterThanOrEqual(5)
    expect(whole.moneyWrongButSure).toEqual([])
  })

  test.each([
    ['t2-turned90.jpg', 270],
    ['t3-turned180.jpg', 180],
  ])('stands %s upright', async (file, turn) => {
    const limits = { readingMs: 300_000, documentMs: 600_000 }
    const [page] = await seePages(readFileSync(join(corpus, 'traps', file)), {}, limits)
    expect(page?.turn).toBe(turn)
  })
})
