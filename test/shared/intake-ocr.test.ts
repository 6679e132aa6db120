/** OCR of scans and photos whose words are known: a sample of the corpus. Needs SELLO_SHARED. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { endIdleParsers } from '../../server/platform/processes/parsers.ts'
import { seePages } from '../../server/purchases/intake/ocr/see-pages.ts'

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

  test.each([
    ['t2-turned90.jpg', 270],
    ['t3-turned180.jpg', 180],
  ])('stands %s upright', async (file, turn) => {
    const limits = { readingMs: 300_000, documentMs: 600_000 }
    const [page] = await seePages(readFileSync(join(corpus, 'traps', file)), {}, limits)
    expect(page?.turn).toBe(turn)
  })
})
