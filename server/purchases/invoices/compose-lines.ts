/** Composes the tax lines of a received invoice: treatment, VAT as stated on the document, deductible part. Pure. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import {
  basisPointsFromPercent,
  centsFromEuros,
  centsToText,
  basisPointsToText,
  divideRounded,
  percentOf,
} from '../../domain/money.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import { taxArea } from '../../domain/tax/territories.ts'
import { normalizeText } from '../../domain/text.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { TaxSystem } from '../../tax/systems/index.ts'
import { isAbroad, proposeAbroad } from './abroad.ts'
import type { SupplierStanding } from './abroad.ts'
import { ASSET_ACCOUNT, findConcept, investmentFloorCents, isFarmerRate } from './concepts.ts'
import type { ReceivedContent, ReceivedLine } from './content.ts'
import type { ReceivedKind, TaxLineInput } from './contract.ts'
import { error, warning } from '../fault.ts'

type Nature = ReceivedLine['nature']

/** Facts of the whole document that its lines use. */
export interface LineSetting {
  /** Tax of the company's territory. */
  system: TaxSystem
  /** The company pays the retailers' surcharge of its tax at customs. */
  paysImportSurcharge: boolean
  kind: ReceivedKind
  /** Day of the operation, which decides its rates. */
  date: BusinessDate
  supplier: SupplierStanding
  concept: string
  /** Account of all lines, when one was given. */
  account: string | null
  investmentGood: boolean
  fxRateMicro: Micro | null
  cashAccounting: boolean
  rentsProperty: boolean
  /** The company deducts no VAT at all (exempt activity, equivalence surcharge). */
  deductsNothing: boolean
}

const SELF_ASSESSED: readonly Nature[] = ['reverse_charge', 'eu_goods', 'eu_services', 'foreign_services']
const WHOLE_BP = 10_000
/** Difference between the VAT of a document and base × rate that causes no warning: a cent of rounding. */
const ROUNDING_CENTS = 1

function natureOf(line: TaxLineInput, setting: LineSetting): Nature {
  if (line.nature) return line.nature
  if (setting.kind === 'customs') return 'import'
  if (setting.kind === 'reagyp') return 'reagyp'
  if (line.taxTreatment !== 'S2') return 'domestic'
  const area = taxArea(setting.supplier.place, 'services')
  if (area === setting.system.area) return 'reverse_charge'
  return area === 'eu' && setting.system.purchases.unionNatures ? 'eu_services' : 'foreign_services'
}

function treatmentOf(line: TaxLineInput, nature: Nature, kind: ReceivedKind): TaxTreatment {
  if (line.taxTreatment) return line.taxTreatment
  if (kind === 'receipt') return 'N1'
  return SELF_ASSESSED.includes(nature) ? 'S2' : 'S1'
}

/** Keys of the received book (AEAT, unified books: "Clave de Operación"); a customs document has the general one. */
function regimeKeyOf(nature: Nature, treatment: TaxTreatment, setting: LineSetting): string {
  if (nature === 'reagyp') return '02'
  if (nature === 'eu_goods' || nature === 'eu_services') return '09'
  if (setting.cashAccounting && treatment === 'S1') return '07'
  return setting.rentsProperty && treatment === 'S1' ? '12' : '01'
}

/** Converts cents of the document's currency to cents of a euro. */
export function toEuroCents(cents: Cents, fxRateMicro: Micro | null): Cents {
  if (fxRateMicro === null) return cents
  return Number(divideRounded(BigInt(cents) * 1_000_000n, BigInt(fxRateMicro)))
}

const exactCents = (euros: number): Cents => centsFromEuros(euros) ?? 0
const exactBp = (percent: number): BasisPoints => basisPointsFromPercent(percent) ?? 0

/** Returns the usual surcharge beside a rate, when the document states only the amount. */
function surchargeRateOf(
  surchargeCents: Cents,
  baseCents: Cents,
  vatRateBp: BasisPoints,
  { rates }: TaxSystem,
): BasisPoints | null {
  const known = rates
    .filter((rate) => rate.rateBp === vatRateBp)
    .flatMap(({ surchargesBp, importSurchargeBp }) =>
      importSurchargeBp === null ? surchargesBp : [...surchargesBp, importSurchargeBp],
    )
  return known.find((rate) => Math.abs(percentOf(baseCents, rate) - surchargeCents) <= ROUNDING_CENTS) ?? null
}

function checkTreatment(
  line: TaxLineInput,
  at: string,
  { nature, treatment, kind }: { nature: Nature; treatment: TaxTreatment; kind: ReceivedKind },
): Fault[] {
  const isTaxed = treatment === 'S1' || treatment === 'S2'
  const faults: Fault[] = []
  if (kind === 'receipt' && (isTaxed || (line.tax ?? 0) !== 0 || (line.vatRate ?? 0) !== 0))
    faults.push(
      error(
        'receipt_with_vat',
        `${at}.vatRate`,
        'A receipt is no invoice, so its VAT cannot be deducted.',
        'Leave rate and VAT out and put the whole amount into the base, or enter it as an invoice.',
      ),
    )
  else if (!isTaxed && ((line.tax ?? 0) !== 0 || (line.vatRate ?? 0) !== 0 || (line.surcharge ?? 0) !== 0))
    faults.push(
      error(
        'rate_without_tax',
        `${at}.vatRate`,
        'What is exempt or not subject bears no VAT.',
        'Remove rate and VAT, or choose S1 or S2.',
      ),
    )
  if (isTaxed && SELF_ASSESSED.includes(nature) !== (treatment === 'S2'))
    faults.push(
      error(
        'nature_treatment',
        `${at}.taxTreatment`,
        'The treatment does not go with the kind of operation.',
        'Use S2 with reverse charge and purchases from abroad, S1 with domestic operations, imports and farmers.',
        { nature, taxTreatment: treatment },
      ),
    )
  return faults
}

interface Amounts {
  base: Cents
  tax: Cents
  surcharge: Cents
}

function checkAmounts(
  amounts: Amounts,
  rates: { vat: BasisPoints | null; surcharge: BasisPoints | null },
  at: string,
): Fault[] {
  const faults: Fault[] = []
  const stated = (code: string, field: string, amount: Cents, rateBp: BasisPoints): void => {
    const expected = percentOf(amounts.base, rateBp)
    if (Math.abs(amount - expected) <= ROUNDING_CENTS) return
    faults.push(
      warning(
        code,
        `${at}.${field}`,
        `The document says ${centsToText(amount)}; ${centsToText(amounts.base)} at ${basisPointsToText(rateBp)} % is ${centsToText(expected)}.`,
        'Check base, rate and amount against the document. What the document charges is what counts.',
        {
          given: centsToText(amount),
          base: centsToText(amounts.base),
          rate: basisPointsToText(rateBp),
          expected: centsToText(expected),
        },
      ),
    )
  }
  if (rates.vat !== null) stated('tax_deviates', 'tax', amounts.tax, rates.vat)
  if (rates.surcharge !== null) stated('surcharge_deviates', 'surcharge', amounts.surcharge, rates.surcharge)
  return faults
}

function checkRate(
  rateBp: BasisPoints | null,
  nature: Nature,
  { date, system }: LineSetting,
  at: string,
): Fault[] {
  if (rateBp === null) return []
  const known = nature === 'reagyp' ? isFarmerRate(rateBp, date) : system.rateAt(rateBp, date) !== undefined
  if (known) return []
  return [
    warning(
      nature === 'reagyp' ? 'farmer_rate_unknown' : 'vat_rate_unknown',
      `${at}.vatRate`,
      'That rate was not in force on the day of the operation.',
      'Check the rate and the date against the document.',
      { rate: basisPointsToText(rateBp), date },
    ),
  ]
}

function deductionOf(
  line: TaxLineInput,
  { nature, isTaxed }: { nature: Nature; isTaxed: boolean },
  setting: LineSetting,
): BasisPoints {
  if (!isTaxed || setting.deductsNothing) return 0
  if (line.deductiblePct !== undefined) return exactBp(line.deductiblePct)
  if (!setting.system.purchases.deducts) return 0
  // Tax charged by a supplier without a Spanish tax number is not Spanish VAT unless a person says so.
  if (nature === 'domestic' && isForeign(setting)) return 0
  // A ticket gives no right to deduct unless it names the buyer and shows the VAT apart (RD 1619/2012 art. 7.2).
  return setting.kind === 'simplified' ? 0 : WHOLE_BP
}

function accountOf(line: TaxLineInput, concept: string, investment: boolean, setting: LineSetting): string {
  const given = line.account ?? (line.concept === undefined ? setting.account : null)
  if (given) return given
  return investment ? ASSET_ACCOUNT : (findConcept(concept)?.account ?? '629')
}

/**
 * True when another country charges the tax; the Spanish islands use Spanish tax numbers and are left to
 * `proposeAbroad`.
 */
function isForeign({ supplier, system }: LineSetting): boolean {
  return !supplier.place.startsWith('ES') && isAbroad(supplier, system)
}

/** Returns the surcharge that a retailer pays at customs beside a rate, where its tax has one. */
function importSurchargeOf(rateBp: BasisPoints | null, setting: LineSetting): BasisPoints | null {
  if (rateBp === null || !setting.paysImportSurcharge) return null
  return setting.system.rateAt(rateBp, setting.date)?.importSurchargeBp ?? null
}

const rateMissing = (system: TaxSystem, at: string): Fault =>
  error(
    'rate_not_chosen',
    `${at}.vatRate`,
    `${system.name} has a rate for each good and service: copy it from the document.`,
    `Give the rate of ${system.name} in percent.`,
    { tax: system.name },
  )

/** A customs document states what its tax is charged on; a surcharge of the tax's own exists only there. */
function checkCustoms(line: TaxLineInput, { kind, system }: LineSetting, at: string): Fault[] {
  const faults: Fault[] = []
  if (kind === 'customs' && line.base === 0)
    faults.push(
      error(
        'customs_base_missing',
        `${at}.base`,
        'The customs document (DUA) needs the base on which its tax was charged.',
        'Copy the taxable base from the document: the value of the goods with duties and other costs.',
      ),
    )
  const hasSurcharge = (line.surcharge ?? 0) !== 0 || (line.surchargeRate ?? 0) !== 0
  const onInvoices = system.rates.some(({ surchargesBp }) => surchargesBp.length > 0)
  if (hasSurcharge && kind !== 'customs' && !onInvoices)
    faults.push(
      error(
        'surcharge_not_of_tax',
        `${at}.surcharge`,
        `Under ${system.name} no invoice bears a surcharge of retailers: only customs charges it.`,
        'Leave the surcharge out.',
        { tax: system.name },
      ),
    )
  return faults
}

/** Composes one line with its defaults and its faults. */
export function composeLine(
  given: TaxLineInput,
  index: number,
  setting: LineSetting,
): { line: ReceivedLine; faults: Fault[] } {
  const at = `taxLines[${index}]`
  const proposed = proposeAbroad(given, setting, at)
  const line = proposed?.line ?? given
  const nature = proposed?.nature ?? natureOf(line, setting)
  const treatment = proposed?.treatment ?? treatmentOf(line, nature, setting.kind)
  const isTaxed = treatment === 'S1' || treatment === 'S2'
  const faults = checkTreatment(line, at, { nature, treatment, kind: setting.kind })
  if (proposed) faults.push(proposed.fault)
  if (nature === 'reagyp' && isTaxed && line.vatRate == null)
    faults.push(
      error(
        'required',
        `${at}.vatRate`,
        'The compensation needs its rate.',
        'Send 12 for crops and forestry, 10.5 for livestock and fishing.',
      ),
    )
  const vatRateBp = isTaxed
    ? line.vatRate == null
      ? setting.system.defaultRateAt(setting.date)
      : exactBp(line.vatRate)
    : null
  const base = exactCents(line.base)
  const tax =
    vatRateBp === null ? 0 : line.tax === undefined ? percentOf(base, vatRateBp) : exactCents(line.tax)
  const givenSurcharge = line.surcharge === undefined ? null : exactCents(line.surcharge)
  if (isTaxed && vatRateBp === null) faults.push(rateMissing(setting.system, at))
  faults.push(...checkCustoms(line, setting, at))
  const surchargeRateBp = !isTaxed
    ? null
    : line.surchargeRate != null
      ? exactBp(line.surchargeRate)
      : givenSurcharge
        ? surchargeRateOf(givenSurcharge, base, vatRateBp ?? 0, setting.system)
        : givenSurcharge === null && setting.kind === 'customs'
          ? importSurchargeOf(vatRateBp, setting)
          : null
  const surcharge = givenSurcharge ?? (surchargeRateBp === null ? 0 : percentOf(base, surchargeRateBp))
  faults.push(...checkAmounts({ base, tax, surcharge }, { vat: vatRateBp, surcharge: surchargeRateBp }, at))
  faults.push(...checkRate(vatRateBp, nature, setting, at))

  const concept = line.concept ?? setting.concept
  const investmentGood = line.investmentGood ?? setting.investmentGood
  const deductibleBp = deductionOf(line, { nature, isTaxed }, setting)
  const taxCents = toEuroCents(tax, setting.fxRateMicro)
  const baseCents = toEuroCents(base, setting.fxRateMicro)
  faults.push(...checkConcept(concept, setting.date, at))
  if (setting.kind === 'simplified' && deductibleBp > 0)
    faults.push(
      warning(
        'simplified_not_qualified',
        `${at}.deductiblePct`,
        'The VAT of a ticket can only be deducted when it shows your tax number, your address and the VAT apart.',
        'Ask for a complete invoice, or check that the ticket shows them (RD 1619/2012 art. 7.2).',
      ),
    )
  const floor = investmentFloorCents(setting.date)
  if (investmentGood && Math.abs(baseCents) < floor)
    faults.push(
      warning(
        'investment_small',
        `${at}.investmentGood`,
        `Below ${centsToText(floor)} euros a good is no investment good for VAT.`,
        'Untick it, unless it is part of a larger one (art. 108.Dos.5 of Ley 37/1992).',
        { floor: centsToText(floor) },
      ),
    )
  return {
    faults,
    line: {
      description: line.description === undefined ? null : normalizeText(line.description) || null,
      taxTreatment: treatment,
      nature,
      regimeKey: regimeKeyOf(nature, treatment, setting),
      vatRateBp,
      baseCents,
      taxCents,
      selfAssessed: isTaxed && SELF_ASSESSED.includes(nature),
      surchargeRateBp,
      surchargeCents: toEuroCents(surcharge, setting.fxRateMicro),
      deductibleBp,
      deductibleCents: percentOf(taxCents, deductibleBp),
      concept,
      account: accountOf(line, concept, investmentGood, setting),
      investmentGood,
      documentBaseCents: base,
      documentTaxCents: tax,
      documentSurchargeCents: surcharge,
    },
  }
}

function checkConcept(code: string, date: BusinessDate, at: string): Fault[] {
  const concept = findConcept(code)
  if (!concept)
    return [
      error(
        'concept_unknown',
        `${at}.concept`,
        'There is no such concept of expense.',
        'Take one of GET /received-invoices/concepts.',
        { concept: code },
      ),
    ]
  if ((concept.to === null || date <= concept.to) && (concept.from === null || date >= concept.from))
    return []
  return [
    error(
      'concept_not_in_force',
      `${at}.concept`,
      'That concept of expense was not in force on that day.',
      'Take one that was: G45 or G46 instead of G06.',
      { concept: code, date },
    ),
  ]
}

/** Returns the faults that only the lines together show. */
export function checkLines(content: Pick<ReceivedContent, 'kind' | 'lines'>): Fault[] {
  const [first, ...rest] = content.lines
  if (!first || content.kind === 'rectifying') return []
  const mixed = rest.some((line) => line.selfAssessed !== first.selfAssessed && line.taxTreatment !== 'N1')
  return mixed
    ? [
        warning(
          'self_assessed_mixed',
          'taxLines',
          'Some lines bear VAT of the supplier and others VAT that you declare yourself.',
          'Check that the document really has both.',
        ),
      ]
    : []
}
