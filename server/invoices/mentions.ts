/** The legal words an invoice must carry because of how its operations are taxed (RD 1619/2012 art. 6.1). */
import type { Totals } from '../core/totals.ts'
import { legalMentions } from '../tax/index.ts'
import type { DraftContent } from './content.ts'

/** Mentions in the order of the breakdown, each once; a line's own cause says more than its treatment. */
export function mentionsOf(content: DraftContent, totals: Totals): string[] {
  const lines = content.lines.filter((line) => !line.isDisbursement)
  const inOrder = totals.taxes.flatMap((tax) =>
    lines.filter((line) => line.taxTreatment === tax.taxTreatment && line.regimeKey === tax.regimeKey),
  )
  return legalMentions(inOrder, { language: content.language, customerCountry: content.client.country })
}
