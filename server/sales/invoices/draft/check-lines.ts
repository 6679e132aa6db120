/** Checks of the lines of a draft: rate, treatment, regime, discount, margin. Pure. */
import type { BusinessDate } from '../../../domain/dates.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { isMarginScheme, isOneStopShop, usualRegime } from '../../../domain/tax/totals.ts'
import { taxSystemOfCode, VAT_SYSTEM } from '../../../tax/systems/index.ts'
import type { TaxSystem } from '../../../tax/systems/index.ts'
import { error, warning } from './faults.ts'
import type { DraftContent, DraftLine } from '../content.ts'

type At = (name: string) => string

/** Returns the faults of one line. */
export function lineFaults(
  line: DraftLine,
  index: number,
  content: DraftContent,
  rateDate: BusinessDate,
): Fault[] {
  const at = (name: string) => `lines[${index}].${name}`
  const faults = missingFaults(line, at)
  if (line.isDisbursement) return faults
  const { taxTreatment, vatRateBp, surchargeRateBp, regimeKey } = line
  const system = taxSystemOfCode(content.tax)
  faults.push(...amountFaults(line, at), ...causeFaults(line, at, system))
  if (system.supply.oneStopShop && isOneStopShop(line))
    return [...faults, ...oneStopShopFaults(line, content, at)]
  faults.push(...marginFaults(line, at))
  if (taxTreatment === 'S1') {
    faults.push(...rateFaults(line, at, system, rateDate))
  } else {
    if (taxTreatment === 'S2' && vatRateBp !== 0)
      faults.push(
        error({
          code: 'rate_with_reverse_charge',
          field: at('vatRate'),
          message: 'With reverse charge the rate is 0.',
          fix: 'Leave the rate out.',
          authorityCode: '1198',
        }),
      )
    if (taxTreatment !== 'S2' && vatRateBp !== null)
      faults.push(
        error({
          code: 'rate_without_tax',
          field: at('vatRate'),
          message: 'Exempt and not subject lines bear no rate.',
          fix: 'Leave the rate out.',
          authorityCode: taxTreatment.startsWith('N') ? '1237' : '1238',
        }),
      )
    if (surchargeRateBp !== null)
      faults.push(
        error({
          code: 'surcharge_without_tax',
          field: at('surcharge'),
          message: 'Only taxed lines bear the surcharge.',
          fix: 'Leave the surcharge out.',
          authorityCode: '1281',
        }),
      )
  }
  if (!system.treatments.includes(taxTreatment))
    faults.push(
      error(
        system === VAT_SYSTEM
          ? {
              code: 'treatment_not_vat',
              field: at('taxTreatment'),
              message: "E7 and E8 are for the Canary Islands' tax only.",
              fix: 'Use E1 to E6.',
            }
          : {
              code: 'treatment_not_of_tax',
              field: at('taxTreatment'),
              message: `${system.name} has no exemption ${taxTreatment}.`,
              fix: `Use one of ${system.treatments.join(', ')}.`,
              params: { tax: system.name, treatment: taxTreatment },
            },
      ),
    )
  if (
    regimeKey === '01' &&
    (taxTreatment === 'E2' || taxTreatment === 'E3') &&
    (system.keyOfTreatment[taxTreatment] ?? usualRegime(taxTreatment)) !== '01'
  )
    faults.push(
      error({
        code: 'regime_mismatch',
        field: at('regimeKey'),
        message: 'Exports go with regime 02.',
        fix: 'Leave the regime out.',
      }),
    )
  return faults
}

/** Checks the rate of a taxed line, and the surcharge beside it, against the tables of the day. */
function rateFaults(line: DraftLine, at: At, system: TaxSystem, rateDate: BusinessDate): Fault[] {
  const { vatRateBp, surchargeRateBp } = line
  if (vatRateBp === null && !system.hasGeneralRate)
    return [
      error({
        code: 'rate_not_chosen',
        field: at('vatRate'),
        message: `${system.name} has a rate for each good and service: choose the one of your city's table.`,
        fix: `Choose one of ${ratesText(system, rateDate)} %; the item remembers it.`,
        params: { tax: system.name },
      }),
    ]
  const rate = vatRateBp === null ? undefined : system.rateAt(vatRateBp, rateDate)
  if (!rate)
    return [
      error(
        system === VAT_SYSTEM
          ? {
              code: 'vat_rate_unknown',
              field: at('vatRate'),
              message: `${(vatRateBp ?? 0) / 100} % is not a VAT rate on ${rateDate}.`,
              fix: 'Use a rate in force on the day of the operation.',
              params: { rate: (vatRateBp ?? 0) / 100, date: rateDate },
            }
          : {
              code: 'rate_unknown_in_tax',
              field: at('vatRate'),
              message: `${(vatRateBp ?? 0) / 100} % is not a rate of ${system.name} on ${rateDate}.`,
              fix: `Use a rate in force on the day of the operation: ${ratesText(system, rateDate)} %.`,
              params: { rate: (vatRateBp ?? 0) / 100, date: rateDate, tax: system.name },
            },
      ),
    ]
  if (surchargeRateBp === null || rate.surchargesBp.includes(surchargeRateBp)) return []
  const hasSurcharges = system.rates.some((each) => each.surchargesBp.length > 0)
  return [
    error(
      hasSurcharges
        ? {
            code: 'surcharge_wrong',
            field: at('surcharge'),
            message: 'That surcharge does not go with the VAT rate.',
            fix:
              rate.surchargesBp.length > 0
                ? `Use ${rate.surchargesBp.map((bp) => bp / 100).join(' or ')}.`
                : 'Leave the surcharge out.',
          }
        : {
            code: 'surcharge_not_of_tax',
            field: at('surcharge'),
            message: `Under ${system.name} no invoice bears a surcharge of retailers.`,
            fix: 'Leave the surcharge out.',
            params: { tax: system.name },
          },
    ),
  ]
}

function ratesText(system: TaxSystem, date: BusinessDate): string {
  return system
    .ratesAt(date)
    .map(({ rateBp }) => rateBp / 100)
    .toReversed()
    .join(', ')
}

/** Reports the figures left for later: a draft may leave them empty, an invoice may not. */
function missingFaults({ missing = [] }: Pick<DraftLine, 'missing'>, at: At): Fault[] {
  return missing.map((name) =>
    error({
      code: name === 'unitPrice' ? 'price_missing' : 'quantity_missing',
      field: at(name),
      message: name === 'unitPrice' ? 'The price is missing.' : 'The quantity is missing.',
      fix: name === 'unitPrice' ? 'Write the price; 0 if it is free.' : 'Write the quantity.',
    }),
  )
}

/** Throws `validation_failed` when a figure of a line was left for later. */
export function assertFiguresGiven({ lines }: Pick<DraftContent, 'lines'>): void {
  const faults = lines.flatMap((line, index) => missingFaults(line, (name) => `lines[${index}].${name}`))
  if (faults.length > 0) throw validationFailed(faults)
}

/** Checks that a cause is in the catalogue and belongs to the line's treatment. */
function causeFaults({ cause, taxTreatment }: DraftLine, at: At, system: TaxSystem): Fault[] {
  if (cause === null) return []
  const known = system.findCause(cause)
  if (known?.taxTreatment === taxTreatment) return []
  return [
    error({
      code: known ? 'cause_of_another_treatment' : 'cause_unknown',
      field: at('cause'),
      message: known
        ? `That cause belongs to ${known.taxTreatment}, the line says ${taxTreatment}.`
        : 'No cause has that code.',
      fix: 'Choose one of GET /tax/causes, or leave it out.',
    }),
  ]
}

/** Rejects a discount that changes the sign of the line: it is a typing error. */
function amountFaults(line: DraftLine, at: At): Fault[] {
  const listed = BigInt(line.quantityMicro) * BigInt(line.unitPriceMicro)
  if (line.discountCents === 0 || listed >= BigInt(line.discountCents) * 10_000_000_000n) return []
  return [
    warning({
      code: 'discount_above_line',
      field: at('discountAmount'),
      message: 'The discount is more than the line.',
      fix: 'Check the amount.',
    }),
  ]
}

/** Checks used goods and travel: only the margin is taxed, so the cost must be known (LIVA arts. 137 and 145). */
function marginFaults(line: DraftLine, at: At): Fault[] {
  const { taxTreatment, regimeKey, costCents } = line
  const isMargin = isMarginScheme({ taxTreatment, regimeKey })
  if (isMargin && costCents === null)
    return [
      error({
        code: 'margin_cost_missing',
        field: at('cost'),
        message: 'Under a margin scheme only the margin is taxed: what it cost must be known.',
        fix: 'Give the cost, tax included, or take the line out of the scheme.',
      }),
    ]
  if (!isMargin && costCents !== null)
    return [
      error({
        code: 'cost_without_margin',
        field: at('cost'),
        message: 'A cost belongs to the margin schemes only (regimes 03 and 05).',
        fix: 'Leave the cost out, or choose the scheme.',
      }),
    ]
  if (costCents !== null && Math.sign(costCents) * Math.sign(line.quantityMicro * line.unitPriceMicro) < 0)
    return [
      error({
        code: 'cost_sign',
        field: at('cost'),
        message: 'Cost and price must have the same sign.',
        fix: 'Check the cost.',
      }),
    ]
  return []
}

const EU_COUNTRIES = 'AT BE BG CY CZ DE DK EE EL FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(
  ' ',
)

/** Checks sales to consumers in other member states, taxed there (LIVA arts. 163 unvicies and following). */
function oneStopShopFaults(line: DraftLine, content: DraftContent, at: At): Fault[] {
  const faults: Fault[] = []
  if (line.vatRateBp === null)
    faults.push(
      error({
        code: 'oss_rate_missing',
        field: at('vatRate'),
        message: "Under the one-stop shop the line bears the VAT of the customer's country.",
        fix: "Give that country's rate.",
      }),
    )
  if (!EU_COUNTRIES.includes(content.client.country))
    faults.push(
      error({
        code: 'oss_country',
        field: 'client.country',
        message: 'The one-stop shop is for customers in other countries of the European Union.',
        fix: "Set the customer's country, or choose another regime.",
      }),
    )
  return faults
}
