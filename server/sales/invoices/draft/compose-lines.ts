/** Composes the lines of a draft: what the caller leaves out comes from the item, the company and the day. */
import type { CompanyRow } from '../../../company/index.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { basisPointsFromPercent, centsFromEuros, microFromNumber } from '../../../domain/money.ts'
import { trimmedOrNull, normalizeText } from '../../../domain/text.ts'
import { usualRegime, MARGIN_REGIMES } from '../../../domain/tax/totals.ts'
import type { TaxTreatment } from '../../../domain/tax/totals.ts'
import { generalRateAt, vatRateAt } from '../../../domain/tax/vat-rates.ts'
import type { Ctx } from '../../../context.ts'
import { itemFacts } from '../../../catalog/items/index.ts'
import type { ItemFacts } from '../../../catalog/items/index.ts'
import { validatedInteger, inputFault } from './faults.ts'
import type { Assumption } from './faults.ts'
import type { DraftLine } from '../content.ts'
import type { InvoiceLineInput } from '../contract.ts'
import type { LaterFigure } from './draft-input.ts'

interface LineDefaults {
  rateDate: BusinessDate
  /** The customer is a retailer under the equivalence surcharge. */
  surcharge: boolean
  /** Usual tax of sales to the customer; null when there is none. */
  vatDefault: { taxTreatment: TaxTreatment; cause: string | null } | null
  vatRegime: CompanyRow['vat_regime']
}

/** Regime key of taxed operations, by the company's own regime. */
const REGIME_OF_COMPANY: Partial<Record<CompanyRow['vat_regime'], string>> = {
  cash: '07',
  simplified: '20',
  surcharge: '18',
}

/**
 * Returns the regime key of a treatment when none is named: exports have their own (02), taxed operations and
 * interior exemptions follow the company's regime, a line with its cost the margin scheme of the company, the rest
 * the general one.
 */
function regimeFor(treatment: TaxTreatment, hasCost: boolean, vatRegime: CompanyRow['vat_regime']): string {
  if (hasCost && treatment === 'S1') return vatRegime === 'travel' ? '05' : '03'
  if (treatment === 'S1') return REGIME_OF_COMPANY[vatRegime] ?? '01'
  if (treatment === 'E1' && vatRegime === 'cash') return '07'
  return usualRegime(treatment)
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
  if (item) return { taxTreatment: item.taxTreatment, cause: given ?? item.cause }
  const saysTaxed = (input.vatRate ?? 0) !== 0 || input.cost !== undefined || input.isDisbursement
  const inferred = (taxTreatment: TaxTreatment, cause: string | null, why: string) => {
    assumptions.push({ field: at('taxTreatment'), value: taxTreatment, why })
    return { taxTreatment, cause: given ?? cause }
  }
  const { vatDefault, vatRegime } = defaults
  if (vatDefault && !saysTaxed)
    return inferred(vatDefault.taxTreatment, vatDefault.cause, 'How sales to the customer are usually taxed.')
  if (vatRegime === 'exempt' && !saysTaxed)
    return inferred('E1', null, 'What the company does is exempt (art. 20 LIVA).')
  return { taxTreatment: 'S1', cause: given }
}

function rateOf(
  { input, at, defaults, assumptions }: Composing,
  item: ItemFacts | null,
  taxTreatment: TaxTreatment,
): number | null {
  if (input.vatRate !== undefined)
    return validatedInteger(basisPointsFromPercent(input.vatRate), at('vatRate'))
  if (input.isDisbursement) return null
  if (taxTreatment === 'S2') return 0
  if (taxTreatment !== 'S1') return null
  if (item && item.vatRateBp !== null && input.taxTreatment === undefined) return item.vatRateBp
  const rateBp = generalRateAt(defaults.rateDate)
  assumptions.push({ field: at('vatRate'), value: rateBp / 100, why: 'The general VAT rate on the day.' })
  return rateBp
}

function surchargeOf(
  { input, at, defaults, assumptions }: Composing,
  taxed: boolean,
  vatRateBp: number | null,
): number | null {
  const admitted = vatRateBp === null ? undefined : vatRateAt(vatRateBp, defaults.rateDate)?.surchargesBp
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
    regimeFor(taxTreatment, costCents !== null, defaults.vatRegime)
  const vatRateBp = rateOf(composing, item, taxTreatment)
  const taxed = taxTreatment === 'S1' && !isDisbursement
  // The price includes the tax of a margin, so there is no surcharge (LIVA art. 154).
  const surchargeable = taxed && !(costCents !== null && MARGIN_REGIMES.includes(regimeKey))
  const missing = (['quantity', 'unitPrice'] as const).filter((name) => input.missing?.includes(name))
  const figure = (name: LaterFigure) =>
    missing.includes(name) ? 0 : validatedInteger(microFromNumber(input[name]), at(name))
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
    ...(missing.length === 0 ? {} : { missing }),
  }
}
