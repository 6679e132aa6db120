/** Collects what registries that list lines and addresses need of an invoice, beyond its registration. */
import type { Totals } from '../../../domain/tax/totals.ts'
import type { InvoiceDetail } from '../../../registry/index.ts'
import { isSimplified } from '../kinds.ts'
import type { DraftContent } from '../content.ts'
import type { PartyFacts } from '../draft/parties.ts'
import { natureOf } from './counting.ts'

function addressOf({ street, postalCode, city }: PartyFacts): { postcode: string; address: string } | null {
  const address = [street, city].filter((part) => part !== null && part.trim() !== '').join(', ')
  return address === '' && postalCode === null ? null : { postcode: postalCode ?? '', address }
}

/** Returns the facts; `totals` are those in euros. Customers are those of `registrationOf`. */
export function registryDetailOf(content: DraftContent, totals: Totals): InvoiceDetail {
  const { lines, priceMode, discountBp, discountCents, currency, client, kind } = content
  return {
    lines,
    priceMode,
    discountBp,
    discountCents,
    fxMicro: currency?.fxMicro ?? null,
    withholdingCents: totals.withholding?.amountCents ?? null,
    supplies: totals.taxes.map((tax) => natureOf(content, tax)),
    addresses: isSimplified(kind) || client.nif === null ? [] : [addressOf(client)],
  }
}
