/** Collects what registries that list lines and addresses need of an invoice, beyond its registration. */
import type { LineSupply } from '../../../domain/tax/line-supply.ts'
import type { TaxTotal, Totals } from '../../../domain/tax/totals.ts'
import type { InvoiceDetail, RowSupplies } from '../../../registry/index.ts'
import { isSimplified } from '../kinds.ts'
import type { DraftContent, DraftLine } from '../content.ts'
import type { PartyFacts } from '../draft/parties.ts'
import { GOODS } from './counting.ts'

function addressOf({ street, postalCode, city }: PartyFacts): { postcode: string; address: string } | null {
  const address = [street, city].filter((part) => part !== null && part.trim() !== '').join(', ')
  return address === '' && postalCode === null ? null : { postcode: postalCode ?? '', address }
}

/** Accounts of sales by their first digits (PGC): goods, services. */
const SUPPLY_OF_ACCOUNT: readonly (readonly [RegExp, LineSupply])[] = [
  [/^70[0-4]/, 'goods'],
  [/^705/, 'services'],
]

/** Returns what a line sells: as it says, else as its treatment or its account imply; null when nothing says it. */
function supplyOf({ supply, taxTreatment, account }: DraftLine): LineSupply | null {
  if (supply !== undefined) return supply
  if (GOODS.includes(taxTreatment)) return 'goods'
  return SUPPLY_OF_ACCOUNT.find(([pattern]) => pattern.test(account ?? ''))?.[1] ?? null
}

const isOfRow = (line: DraftLine, row: TaxTotal): boolean =>
  !line.isDisbursement &&
  line.taxTreatment === row.taxTreatment &&
  line.regimeKey === row.regimeKey &&
  line.vatRateBp === row.vatRateBp &&
  line.surchargeRateBp === row.surchargeRateBp

function suppliesOf({ lines }: DraftContent, { lineNetsCents }: Totals, row: TaxTotal): RowSupplies {
  const result: RowSupplies = { goodsCents: null, servicesCents: null, unsaidLine: null }
  for (const [index, line] of lines.entries()) {
    if (!isOfRow(line, row)) continue
    const net = lineNetsCents[index] ?? 0
    const supply = supplyOf(line)
    if (supply === 'goods') result.goodsCents = (result.goodsCents ?? 0) + net
    else if (supply === 'services') result.servicesCents = (result.servicesCents ?? 0) + net
    else result.unsaidLine ??= index
  }
  return result
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
    supplies: totals.taxes.map((row) => suppliesOf(content, totals, row)),
    addresses: isSimplified(kind) || client.nif === null ? [] : [addressOf(client)],
  }
}
