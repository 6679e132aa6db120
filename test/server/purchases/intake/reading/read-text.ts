/** Reads an invoice from lines of text, as the tests of the reader write them. */
import { pageOfText } from '../../../../../server/purchases/intake/pages/text-page.ts'
import type { Reading } from '../../../../../server/purchases/intake/reading/field-value.ts'
import { readPages } from '../../../../../server/purchases/intake/reading/read-pages.ts'

export const CONTEXT = { ownNif: 'B12345674', ownName: 'Talleres Ejemplo, S.L.', today: '2026-12-31' }

export function readText(text: string): Reading {
  const [reading] = readPages([pageOfText(text)], CONTEXT)
  if (!reading) throw new Error('The text has no words.')
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
