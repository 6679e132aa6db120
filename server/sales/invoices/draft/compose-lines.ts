/** Composes the lines of a draft: what the caller leaves out comes from the item, the company and the day. */
import type { CompanyRow } from '../../../company/index.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { basisPointsFromPercent, centsFromEuros, microFromNumber } from '../../../domain/money.ts'
import { trimmedOrNull, normalizeText } from '../../../domain/text.ts'
import { MARGIN_REGIMES } from '../../../domain/tax/totals.ts'
import type { TaxTreatment } from '../../../domain/tax/totals.ts'
import type { TaxSystem } from '../../../tax/systems/index.ts'
import type { Ctx } from '../../../context.ts'
import { itemFacts } from '../../../catalog/items/index.ts'
import type { ItemFacts } from '../../../catalog/items/index.ts'
import { validatedInteger, inputFault } from './faults.ts'
import type { Assumption } from './faults.ts'
import type { DraftLine } from '../content.ts'
import type { InvoiceLineInput } from '../contract.ts'
import type { LaterFigure } from './draft-input.ts'
import { lastRateOfItem } from '../rows.ts'

interface LineDefaults {
  rateDate: BusinessDate
  /** The customer is a retailer under the equivalence surcharge. */
  surcharge: boolean
  /** Usual tax of sales to the customer; null when there is none. */
  vatDefault: { taxTreatment: TaxTreatment; cause: string | null } | null
  vatRegime: CompanyRow['vat_regime']
  /** Tax of the company's territory. */
  system: TaxSystem
}

async function itemOf(ctx: Ctx, id: string | undefined, field: string): Promise<ItemFacts | null> {
  if (id === undefined) return null
  const item = await itemFacts(ctx, id)
  if (!item)
    throw validationFailed([
      inputFault(
        'not_found',
        field,
        'No item has that identifier.',
        'Leave it out, or use the id of an item of this book.',
      ),
    ])
  return item
}

interface Composing {
  input: InvoiceLineInput
  at: (name: string) => string
  defaults: LineDefaults
  assumptions: Assumption[]
}

/** Returns the treatment with its cause. The line's own comes before its item's, and that before the rest. */
function treatmentOf(
  { input, at, defaults, assumptions }: Composing,
  item: ItemFacts | null,
): Pick<DraftLine, 'taxTreatment' | 'cause'> {
  const given = input.cause ?? null
  if (input.taxTreatment !== undefined) return { taxTreatment: input.taxTreatment, cause: given }
  const { vatDefault, vatRegime, system } = defaults
  const sale = system.regimeOf(vatRegime)?.sale
  if (item && system.saleOfItem(vatRegime, item) === null)
    return { taxTreatment: item.taxTreatment, cause: given ?? item.cause }
  const saysTaxed = (input.vatRate ?? 0) !== 0 || input.cost !== undefined || input.isDisbursement
  const inferred = (taxTreatment: TaxTreatment, cause: string | null, why: string) => {
    assumptions.push({ field: at('taxTreatment'), value: taxTreatment, why })
    return { taxTreatment, cause: given ?? cause }
  }
  if (vatDefault && !saysTaxed)
    return inferred(vatDefault.taxTreatment, vatDefault.cause, 'How sales to the customer are usually taxed.')
  if (sale && !saysTaxed) return inferred(sale.taxTreatment, sale.cause, sale.why)
  return { taxTreatment: 'S1', cause: given }
}

async function rateOf(
  ctx: Ctx,
  { input, at, defaults, assumptions }: Composing,
  item: ItemFacts | null,
  taxTreatment: TaxTreatment,
): Promise<number | null> {
  if (input.vatRate !== undefined)
    return validatedInteger(basisPointsFromPercent(input.vatRate), at('vatRate'))
  if (input.isDisbursement) return null
  if (taxTreatment === 'S2') return 0
  if (taxTreatment !== 'S1') return null
  if (item && item.vatRateBp !== null && input.taxTreatment === undefined) return item.vatRateBp
  const rateBp = defaults.system.defaultRateAt(defaults.rateDate)
  const why = defaults.system.generalRateReason
  if (rateBp === null || why === null) {
    // Each good has the rate that a person chose for it: the last one, else the check asks for it.
    const last = item ? await lastRateOfItem(ctx.db, item.rowId) : null
    if (last !== null)
      assumptions.push({ field: at('vatRate'), value: last / 100, why: 'The rate chosen last for the item.' })
    return last
  }
  assumptions.push({ field: at('vatRate'), value: rateBp / 100, why })
  return rateBp
}

function surchargeOf(
  { input, at, defaults, assumptions }: Composing,
  taxed: boolean,
  vatRateBp: number | null,
): number | null {
  const admitted =
    vatRateBp === null ? undefined : defaults.system.rateAt(vatRateBp, defaults.rateDate)?.surchargesBp
  if (input.surcharge !== undefined) {
    const asked = validatedInteger(basisPointsFromPercent(input.surcharge), at('surcharge'))
    // 0 means "none", except in the months when a surcharge of 0 % was a rate of its own.
    return asked === 0 && !admitted?.includes(0) ? null : asked
  }
  if (!taxed || !defaults.surcharge) return null
  const surchargeRateBp = admitted?.[0] ?? null
  if (surchargeRateBp !== null)
    assumptions.push({
      field: at('surcharge'),
      value: surchargeRateBp / 100,
      why: 'The customer is under the equivalence surcharge.',
    })
  return surchargeRateBp
}

/** Composes a line of a draft. Throws `validation_failed` for values that no line can hold. */
export async function composeLine(
  ctx: Ctx,
  input: InvoiceLineInput,
  index: number,
  defaults: LineDefaults,
  assumptions: Assumption[],
): Promise<DraftLine> {
  const at = (name: string) => `lines[${index}].${name}`
  const composing: Composing = { input, at, defaults, assumptions }
  const item = await itemOf(ctx, input.itemId, at('itemId'))
  const isDisbursement = input.isDisbursement ?? false
  const { taxTreatment, cause } = treatmentOf(composing, item)
  const costCents = input.cost === undefined ? null : validatedInteger(centsFromEuros(input.cost), at('cost'))
  const regimeKey =
    input.regimeKey ??
    (input.taxTreatment === undefined ? item?.regimeKey : null) ??
    defaults.system.keyOf({
      taxTreatment,
      cause,
      regime: defaults.vatRegime,
      hasCost: costCents !== null,
    })
  const vatRateBp = await rateOf(ctx, composing, item, taxTreatment)
  const taxed = taxTreatment === 'S1' && !isDisbursement
  // The price includes the tax of a margin, so there is no surcharge (LIVA art. 154).
  const surchargeable = taxed && !(costCents !== null && MARGIN_REGIMES.includes(regimeKey))
  const missing = (['quantity', 'unitPrice'] as const).filter((name) => input.missing?.includes(name))
  const figure = (name: LaterFigure) =>
    missing.includes(name) ? 0 : validatedInteger(microFromNumber(input[name]), at(name))
  const supply = input.supply ?? item?.supply ?? undefined
  return {
    description: normalizeText(input.description),
    quantityMicro: figure('quantity'),
    unit: trimmedOrNull(input.unit ?? item?.unit),
    unitPriceMicro: figure('unitPrice'),
    discountBp:
      input.discountPct === undefined
        ? 0
        : validatedInteger(basisPointsFromPercent(input.discountPct), at('discountPct')),
    discountCents:
      input.discountAmount === undefined
        ? 0
        : validatedInteger(centsFromEuros(input.discountAmount), at('discountAmount')),
    taxTreatment,
    regimeKey,
    vatRateBp,
    surchargeRateBp: surchargeOf(composing, surchargeable, vatRateBp),
    costCents,
    withholdable: isDisbursement ? false : (input.withholdable ?? item?.withholdable ?? true),
    isDisbursement,
    cause,
    itemId: item?.id ?? null,
    account: input.account ?? item?.account ?? null,
    ...(supply === undefined ? {} : { supply }),
    ...(missing.length === 0 ? {} : { missing }),
  }
}
