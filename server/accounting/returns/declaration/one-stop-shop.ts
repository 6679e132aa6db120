/**
 * Builds the pages of model 369, Union scheme. Source: design of record DR369e21 with its notes and the agency's
 * description "Presentación por fichero Modelo 369" (pages 00, 04 and 09 always; a page again with `C` for more than 28
 * lines; kinds of payment); Directive 2006/112/EC art. 369 octies 4 bis for the three years of corrections.
 */
import { addDays, addYears } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { memberStateRatesAt } from '../../../tax/rules/index.ts'
import { filingTerm } from '../calendar/obligations.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'
import type { FileRecord } from '../files/file.ts'
import type { RecordValues } from '../files/record.ts'
import { ossReturn } from '../models/oss/one-stop-shop.ts'
import type { OssCorrection, OssLine } from '../models/oss/one-stop-shop.ts'
import { agencyText } from './agency-text.ts'
import { fault } from './checks/fault.ts'
import type { FilingChoices, Filer } from './choices.ts'
import type { ReturnKind } from './kinds.ts'

const NAME = 125
/** Lines of a page. */
const LINES = 28
const BASIS_POINTS = 100
/** Years in which a period may be corrected, from the last day of its term. */
const YEARS_TO_CORRECT = 3

interface OssDraft {
  filer: Filer
  choices: FilingChoices
  period: ReturnPeriod
  kind: ReturnKind | null
  resultCents: Cents
}

/** The agency writes EL for Greece; the rates, and documents that do not, say GR. */
const stateOf = (country: string): string => (country === 'GR' ? 'EL' : country)
const isoOf = (country: string): string => (country === 'EL' ? 'GR' : country)

/** Returns whether a rate is the standard or a reduced one of a state in a quarter; null if it is neither, or both. */
function rateKindOf({ country, rateBp }: OssLine, { from, to }: ReturnPeriod): 'S' | 'R' | null {
  const kinds = new Set<'S' | 'R'>()
  for (let day: BusinessDate = from; day <= to; day = addDays(day, 1)) {
    const rates = memberStateRatesAt(isoOf(country), day)
    if (rates?.standardBp === rateBp) kinds.add('S')
    if (rates?.reducedBp.includes(rateBp)) kinds.add('R')
  }
  const [kind] = kinds
  return kinds.size === 1 && kind !== undefined ? kind : null
}

function faultsOfLine(line: OssLine, period: ReturnPeriod): Fault[] {
  const { country, rateBp, nature, baseCents, taxCents } = line
  const faults: Fault[] = []
  const lacks = (code: string, message: string, fix: string): void => {
    faults.push(fault(code, 'lines', message, fix, { country, rate: rateBp / BASIS_POINTS }))
  }
  const isOfOther = country !== 'ES' && memberStateRatesAt(isoOf(country), period.to) !== null
  if (!isOfOther)
    lacks(
      'oss_country_unknown',
      'The state of consumption is no other member state.',
      'Correct the country of the customer in the invoices.',
    )
  else if (rateBp < 0 || rateKindOf(line, period) === null)
    lacks(
      'oss_rate_unknown',
      'The rate is neither the standard nor a reduced one of that state in the quarter.',
      'Check the rate of the invoices, or file it in the agency’s form.',
    )
  if (nature === '')
    lacks(
      'oss_nature_unknown',
      'The invoices do not say whether goods or services were sold.',
      'Say it in the lines of the invoices.',
    )
  if (baseCents < 0 || taxCents < 0)
    lacks(
      'oss_below_zero',
      'The corrections of the quarter are above its sales, and the field takes nothing below zero.',
      'Check which quarter the corrective invoices correct.',
    )
  return faults
}

function faultsOfCorrection({ country, year, quarter }: OssCorrection, today: BusinessDate): Fault[] {
  const last = addYears(filingTerm('369', year, `${quarter}T`).due, YEARS_TO_CORRECT)
  return today <= last
    ? []
    : [
        fault(
          'oss_correction_too_old',
          'corrections',
          'A period can be corrected within three years.',
          'Ask that state itself for the correction.',
          { country, period: `${quarter}T ${year}` },
        ),
      ]
}

/** What the books do not say: a person has to know better. */
const FROM_SPAIN: Fault = {
  ...fault(
    'oss_from_spain',
    'lines',
    'The file says that all goods were sent from Spain, that no establishment in another member state sold services, and that sales are goods unless their account is 705.',
    'Otherwise file it in the agency’s form: the books do not have that place nor its tax numbers.',
  ),
  severity: 'warning',
}

function faultsOf(
  lines: readonly OssLine[],
  corrections: readonly OssCorrection[],
  { unclear, today, period }: { unclear: number; today: BusinessDate; period: ReturnPeriod },
): Fault[] {
  return [
    ...lines.flatMap((line) => faultsOfLine(line, period)),
    ...corrections.flatMap((each) => faultsOfCorrection(each, today)),
    ...(unclear === 0
      ? []
      : [
          fault(
            'oss_correction_unclear',
            'corrections',
            'Corrective invoices name no original, or originals of several periods.',
            'Name in each the invoices that it corrects, of one quarter.',
            { count: unclear },
          ),
        ]),
    ...(lines.length === 0 ? [] : [FROM_SPAIN]),
  ]
}

function lineValues(line: OssLine, at: number, period: ReturnPeriod): RecordValues {
  const n = at + 1
  return {
    [`state${n}`]: stateOf(line.country),
    [`rate${n}`]: line.rateBp,
    [`rateKind${n}`]: rateKindOf(line, period) ?? '',
    [`base${n}`]: line.baseCents,
    [`tax${n}`]: line.taxCents,
  }
}

function correctionValues({ country, year, quarter, taxCents }: OssCorrection, at: number): RecordValues {
  const n = at + 1
  return {
    [`state${n}`]: stateOf(country),
    [`correctedYear${n}`]: year,
    [`correctedPeriodKind${n}`]: 'T',
    // The description says 1 to 4 for a field of two characters; another program writes the zero.
    [`correctedPeriod${n}`]: `0${quarter}`,
    [`correctedTax${n}`]: taxCents,
  }
}

/** Returns the pages of a list, each with up to 28 of its items; all but the first are additional ones. */
function listPages<Item>(
  record: string,
  items: readonly Item[],
  valuesOf: (item: Item, at: number) => RecordValues,
): FileRecord[] {
  const pages: FileRecord[] = []
  for (let from = 0; from < items.length; from += LINES)
    pages.push({
      record,
      values: Object.assign(
        from === 0 ? {} : { additionalPage: 'C' },
        ...items.slice(from, from + LINES).map(valuesOf),
      ) as RecordValues,
    })
  return pages
}

function headOf({ filer, choices, period, kind, resultCents }: OssDraft, isEmpty: boolean): RecordValues {
  return {
    regime: 'MOSS',
    category: 'D',
    ...(kind === null ? {} : { kind }),
    ...(kind === 'I' && choices.paymentReference !== undefined ? { nrc: choices.paymentReference } : {}),
    ...(kind === 'I' ? { paid: resultCents } : {}),
    country: 'ES',
    nif: filer.nif,
    name: agencyText(filer.name, NAME),
    year: period.year,
    periodKind: 'T',
    quarter: period.quarter ?? 4,
    noActivity: isEmpty ? '1' : '0',
  }
}

/** Returns the pages of a return of the one-stop shop, and what keeps them from being filed. */
export async function records369(
  ctx: Ctx,
  draft: OssDraft,
): Promise<{ records: FileRecord[]; faults: Fault[] }> {
  const { period, kind, choices } = draft
  const { lines, corrections, unclear } = await ossReturn(ctx, period)
  const faults = faultsOf(lines, corrections, { unclear, today: ctx.today(), period })
  // The file itself names the payment.
  if (kind === 'I' && choices.paymentReference === undefined)
    faults.push(
      fault(
        'payment_reference_missing',
        'paymentReference',
        'The file of a return that is paid names the reference of the payment (NRC).',
        'Pay it first and type the reference.',
      ),
    )
  const pagesOf = (record: string, nature: OssLine['nature']) =>
    listPages(
      record,
      lines.filter((line) => line.nature === nature),
      (line, at) => lineValues(line, at, period),
    )
  const services = pagesOf('04', 'services')
  const head = headOf(draft, lines.length === 0 && corrections.length === 0)
  const first = services.length === 0 ? [{ record: '04', values: {} }] : services
  return {
    records: [
      { record: '00', values: {} },
      ...first.map(({ record, values }) => ({ record, values: { ...head, ...values } })),
      ...pagesOf('05', 'goods'),
      ...listPages('08', corrections, correctionValues),
      { record: '09', values: {} },
    ],
    faults,
  }
}
