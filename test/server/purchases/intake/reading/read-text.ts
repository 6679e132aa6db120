/** Reads an invoice from lines of text, as the tests of the reader write them. */
import type { Page, Word } from '../../../../../server/purchases/intake/pages/page.ts'
import { pageOfText } from '../../../../../server/purchases/intake/pages/text-page.ts'
import type { Reading } from '../../../../../server/purchases/intake/reading/field-value.ts'
import { readPages } from '../../../../../server/purchases/intake/reading/read-pages.ts'

export const CONTEXT = { ownNif: 'B12345674', ownName: 'Talleres Ejemplo, S.L.', today: '2026-12-31' }

export function readText(text: string): Reading {
  const [reading] = readPages([pageOfText(text)], CONTEXT)
  if (!reading) throw new Error('The text has no words.')
  return reading
}

/** A picture of which OCR made these texts, with the boxes of ink. */
export function pictureOf(...texts: string[]): Page {
  const pages = texts.map(pageOfText)
  const [first] = pages
  const inked = (words: Word[] = []): Word[] =>
    words.map((word) => ({
      ...word,
      conf: 95,
      box: [word.box[0], word.box[1], word.box[2], word.box[3] - 3],
    }))
  return {
    index: 0,
    size: first?.size ?? [0, 0],
    source: 'ocr',
    turn: 0,
    readings: pages.map(({ readings }) => inked(readings[0])),
  }
}

export function readingOf(page: Page): Reading {
  const [reading] = readPages([page], CONTEXT)
  if (!reading) throw new Error('Nothing was read.')
  return reading
}

/** Bases, rates, quotas and surcharges of a reading in cents and basis points. */
export function linesOf({ fields }: Reading): number[][] | null {
  return (
    fields.taxLines.value?.map(({ baseCents, rateBp, taxCents, surchargeCents }) =>
      surchargeCents === 0 ? [baseCents, rateBp, taxCents] : [baseCents, rateBp, taxCents, surchargeCents],
    ) ?? null
  )
}
