/** The legal words an invoice must carry because of how its operations are taxed (RD 1619/2012 art. 6.1). */
import type { Totals } from '../../../domain/tax/totals.ts'
import { legalMentions } from '../../../tax/rules/index.ts'
import type { DraftContent, DraftLine } from '../content.ts'

/** Mentions in the order of the breakdown, each once; a line's own cause says more than its treatment. */
export function mentionsOf(content: DraftContent, totals: Totals): string[] {
  const inOrder: DraftLine[] = []
  for (const { taxTreatment, regimeKey } of totals.taxes)
    for (const line of content.lines)
      if (!line.isDisbursement && line.taxTreatment === taxTreatment && line.regimeKey === regimeKey)
        inOrder.push(line)
  return legalMentions(inOrder, { language: content.language, customerCountry: content.client.country })
}
