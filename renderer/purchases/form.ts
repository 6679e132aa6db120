/** The form of a received invoice: conversion from a reading or an entry to fields, and from fields to the API. Pure. */
import type { InputOf, OutputOf } from '../../server/api/contracts.ts'
import { todayHere } from '../format.ts'
import { isNif } from '../../server/domain/tax/nif.ts'
import { taxArea } from '../../server/domain/tax/territories.ts'
import { taxSystemOfArea, VAT_SYSTEM } from '../../server/tax/systems/index.ts'
import { taxSystem } from '../tax/tax-system.ts'
import { receivedHeaderForm, receivedHeaderInput } from './header-form.ts'
import type { GivenHeader, ReceivedHeaderForm } from './header-form.ts'

export type Received = OutputOf<'received.get'>
export type ReceivedInput = InputOf<'received.create'>
export type Proposal = Extract<OutputOf<'received.read'>, { proposal: unknown }>['proposal']
type LineInput = ReceivedInput['taxLines'][number]
type Kind = NonNullable<ReceivedInput['kind']>

export const KINDS: readonly Kind[] = [
  'invoice',
  'simplified',
  'receipt',
  'rectifying',
  'customs',
  'reagyp',
  'self_billed',
]

/** The VAT of a base: a rate in percent, or a treatment without one that the supplier charges. */
export const TREATMENTS = [
  'E1',
  'N1',
  'reverse_charge',
  'eu_goods',
  'eu_services',
  'foreign_services',
] as const
type Bearing = string

/** Rates of VAT in every year of the books; of other taxes those of today. */
const VAT_RATES: readonly number[] = [21, 10, 4, 0]
/** Nothing chosen yet, where each good has the rate that its document states. */
const UNCHOSEN: Bearing = ''

/** Returns the rates that are offered, in percent. */
export function usualRates(): readonly number[] {
  const system = taxSystem.value
  return system === VAT_SYSTEM ? VAT_RATES : system.ratesAt(todayHere()).map(({ rateBp }) => rateBp / 100)
}

/** Returns the treatments without a charged rate that are offered. */
export function usualTreatments(): readonly Bearing[] {
  const { unionNatures } = taxSystem.value.purchases
  return TREATMENTS.filter((code) => unionNatures || (code !== 'eu_goods' && code !== 'eu_services'))
}

/** Returns what a new line bears: the general rate of the company's tax. */
function usualBearing(): Bearing {
  const system = taxSystem.value
  if (system === VAT_SYSTEM) return String(VAT_RATES[0])
  const rateBp = system.defaultRateAt(todayHere())
  return rateBp === null ? UNCHOSEN : String(rateBp / 100)
}
export const FARMER_RATES = [12, 10.5] as const
export const WITHHOLDING_RATES = [15, 7, 19, 2, 1] as const
/** Locations of a rented property, in the authority's codes. */
export const SITUATIONS = ['1', '2', '3', '4', '5'] as const
export interface LineForm {
  /** Cents. */
  base: number | null
  /** A rate (`21`) or one of TREATMENTS. */
  bearing: Bearing
  /** Cents; null to compute it. */
  tax: number | null
  /** Percent. */
  deductible: string
  /** Values of the line that the form does not show and must preserve. */
  kept: Partial<LineInput>
}

/** The fields of the header, and those with rules of their own. */
export interface ReceivedForm extends ReceivedHeaderForm {
  supplierName: string
  nif: string
  country: string
  supplierId: string | null
  account: string
  investment: boolean
  lines: LineForm[]
  /** Percent; empty for none. */
  withholding: string
  /** Withholding that the document states, and the sum of bases (cents) it stated it for. */
  withheld: { rate: string; base?: number; amount?: number; of: number } | null
  /** For a rent: 1 to 5, empty if not stated. */
  situation: string
  cadastral: string
  fxRate: number | null
  /** `2026-4` for a later quarter of deduction; empty for the quarter of receipt. */
  deductIn: string
  /** As read; not shown. */
  address: Proposal['supplierAddress'] | null
  rectifiesNumber: string
  rectifiesDate: string | null
}

export const emptyLine = (): LineForm => ({
  base: null,
  bearing: usualBearing(),
  tax: null,
  deductible: '',
  kept: {},
})

export function emptyForm(today: string): ReceivedForm {
  return {
    ...receivedHeaderForm({ receptionDate: today }),
    supplierName: '',
    nif: '',
    country: 'ES',
    supplierId: null,
    account: '',
    investment: false,
    lines: [emptyLine()],
    withholding: '',
    withheld: null,
    situation: '',
    cadastral: '',
    fxRate: null,
    deductIn: '',
    address: null,
    rectifiesNumber: '',
    rectifiesDate: null,
  }
}

const cents = (euros: number | undefined): number | null =>
  euros === undefined ? null : Math.round(euros * 100)

function bearingOf(line: LineInput): Bearing {
  const { taxTreatment = 'S1', nature } = line
  if (taxTreatment === 'S2') return nature && nature !== 'domestic' ? nature : 'reverse_charge'
  if (taxTreatment !== 'S1') return taxTreatment.startsWith('E') ? 'E1' : 'N1'
  return line.vatRate == null ? usualBearing() : String(line.vatRate)
}

function lineForm(line: LineInput): LineForm {
  const { base, tax, deductiblePct, ...kept } = line
  return {
    base: cents(base),
    bearing: bearingOf(line),
    tax: line.taxTreatment === 'S2' ? null : cents(tax),
    deductible: deductiblePct === undefined ? '' : String(deductiblePct).replace('.', ','),
    kept,
  }
}

function percent(text: string): number | null {
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() === '' || !Number.isFinite(number) ? null : number
}

function withheldOf(
  said: { rate: number; base?: number; amount?: number },
  bases: readonly number[],
): NonNullable<ReceivedForm['withheld']> {
  const of = bases.reduce((sum, base) => sum + Math.round(base * 100), 0)
  return {
    rate: String(said.rate),
    of,
    ...(said.base === undefined ? {} : { base: said.base }),
    ...(said.amount === undefined ? {} : { amount: said.amount }),
  }
}

/** Returns the withholding; base and amount are the document's while rate and bases are unchanged. */
function withholdingInput(form: ReceivedForm): (ReceivedInput['withholding'] & object) | null {
  const rate = percent(form.withholding)
  if (rate === null || rate === 0) return null
  const { withheld } = form
  const of = form.lines.reduce((sum, { base }) => sum + (base ?? 0), 0)
  if (withheld?.rate !== form.withholding || withheld.of !== of) return { rate }
  return {
    rate,
    ...(withheld.base === undefined ? {} : { base: withheld.base }),
    ...(withheld.amount === undefined ? {} : { amount: withheld.amount }),
  }
}

const ABROAD: readonly Bearing[] = ['eu_services', 'foreign_services']

/** Returns whether nobody chose the VAT of a line: it has the default rate, or the proposal for a foreign supplier. */
function isUntouched({ bearing, tax, kept }: LineForm): boolean {
  return (
    tax === null &&
    kept.taxTreatment === undefined &&
    (bearing === usualBearing() || ABROAD.includes(bearing))
  )
}

/**
 * Proposes the VAT of untouched lines by the supplier's country: a foreign supplier without a Spanish tax number
 * charges none, and the company self-assesses it. The user chooses goods where the line is for goods.
 */
export function proposeBearings(form: Pick<ReceivedForm, 'country' | 'nif' | 'kind' | 'lines'>): void {
  const { purchases } = taxSystem.value
  const area = taxArea(form.country, 'services')
  // Spain has several areas, which the postal code tells: the server proposes by it.
  const isAbroad = taxSystemOfArea(area) === undefined && !isNif(form.nif)
  const hasOwnRule = form.kind === 'customs' || form.kind === 'reagyp' || form.kind === 'simplified'
  const fromUnion = area === 'eu' && purchases.unionNatures
  const bearing = !isAbroad || hasOwnRule ? usualBearing() : fromUnion ? 'eu_services' : 'foreign_services'
  for (const line of form.lines) if (isUntouched(line)) line.bearing = bearing
}

type OtherFilled =
  | 'supplierName'
  | 'supplierNif'
  | 'supplierCountry'
  | 'supplierAddress'
  | 'supplierId'
  | 'withholding'
  | 'rectifies'
/** The values of a reading, or of an entry proposed elsewhere, that fill the form. */
type Filling = Pick<Proposal, 'taxLines'> &
  GivenHeader & { [Name in OtherFilled]?: Proposal[Name] | null | undefined }

/** Returns the form of a reading; what was not read stays empty. */
export function formOfProposal(proposal: Filling, today: string): ReceivedForm {
  const [rectified] = proposal.rectifies ?? []
  const filled: ReceivedForm = {
    ...emptyForm(today),
    ...receivedHeaderForm({ ...proposal, receptionDate: proposal.receptionDate ?? today }),
    supplierName: proposal.supplierName ?? '',
    nif: proposal.supplierNif ?? '',
    country: proposal.supplierCountry ?? 'ES',
    address: proposal.supplierAddress ?? null,
    supplierId: proposal.supplierId ?? null,
    lines: proposal.taxLines.length > 0 ? proposal.taxLines.map(lineForm) : [emptyLine()],
    withholding: proposal.withholding ? String(proposal.withholding.rate) : '',
    withheld: proposal.withholding
      ? withheldOf(
          proposal.withholding,
          proposal.taxLines.map(({ base }) => base),
        )
      : null,
    rectifiesNumber: rectified?.supplierNumber ?? '',
    rectifiesDate: rectified?.issueDate ?? null,
  }
  proposeBearings(filled)
  return filled
}

/**
 * Returns the form of an entry. Amounts are in the document's currency: a document in another currency is not shown
 * in euros.
 */
export function formOfReceived(entry: Received): ReceivedForm {
  const rate = entry.fxRate ?? 1
  const inDocument = (euros: number): number => Math.round(euros * rate * 100) / 100
  const [rectified] = entry.rectifies
  return {
    ...emptyForm(entry.receptionDate),
    ...receivedHeaderForm(entry),
    supplierName: entry.supplier.name,
    nif: entry.supplier.nif ?? '',
    country: entry.supplier.country,
    address: entry.supplier.address,
    deductIn: entry.deductionPeriod ? `${entry.deductionPeriod.year}-${entry.deductionPeriod.quarter}` : '',
    supplierId: entry.supplierId,
    investment: entry.taxLines.some((line) => line.investmentGood),
    lines: entry.taxLines.map((line) =>
      lineForm({
        base: inDocument(line.base),
        ...(line.vatRate === null ? {} : { vatRate: line.vatRate, tax: inDocument(line.tax) }),
        taxTreatment: line.taxTreatment,
        nature: line.nature,
        ...(line.surchargeRate === null ? {} : { surchargeRate: line.surchargeRate }),
        ...(line.surcharge === 0 ? {} : { surcharge: inDocument(line.surcharge) }),
        ...(line.vatRate === null ? {} : { deductiblePct: line.deductiblePct }),
        concept: line.concept,
        account: line.account,
        investmentGood: line.investmentGood,
        ...(line.description === null ? {} : { description: line.description }),
      }),
    ),
    withholding: entry.withholding ? String(entry.withholding.rate) : '',
    withheld:
      entry.withholding && entry.fxRate === null
        ? withheldOf(
            entry.withholding,
            entry.taxLines.map(({ base }) => base),
          )
        : null,
    situation: entry.property ? String(entry.property.situation) : '',
    cadastral: entry.property?.cadastralReference ?? '',
    fxRate: entry.fxRate === null ? null : Math.round(entry.fxRate * 1_000_000),
    rectifiesNumber: rectified?.supplierNumber ?? '',
    rectifiesDate: rectified?.issueDate ?? null,
  }
}

/** Returns a copy of an expense as a new form: without number, date and document of the original. */
export function formOfCopy(entry: Received, today: string): ReceivedForm {
  return {
    ...formOfReceived(entry),
    supplierNumber: '',
    issueDate: null,
    receptionDate: today,
    operationDate: null,
    dueDate: null,
    rectifiesNumber: '',
    rectifiesDate: null,
    externalRef: '',
    deductIn: '',
  }
}

const NATURES: readonly string[] = ['reverse_charge', 'eu_goods', 'eu_services', 'foreign_services']

function bearingInput(line: LineForm, { kind, country }: ReceivedForm): Partial<LineInput> {
  if (kind === 'receipt') return { taxTreatment: 'N1' }
  if (NATURES.includes(line.bearing)) {
    // A rate other than the general one was set elsewhere and is preserved.
    const rate = line.kept.taxTreatment === 'S2' ? line.kept.vatRate : undefined
    return {
      taxTreatment: 'S2',
      nature: line.bearing as NonNullable<LineInput['nature']>,
      ...(rate == null ? {} : { vatRate: rate }),
    }
  }
  if (line.bearing === 'E1' || line.bearing === 'N1') {
    const before = line.kept.taxTreatment
    const same = before !== undefined && before !== 'S1' && before !== 'S2' && before[0] === line.bearing[0]
    return { taxTreatment: same ? before : line.bearing }
  }
  return {
    ...(line.bearing === UNCHOSEN ? {} : { vatRate: Number(line.bearing) }),
    ...(line.tax === null ? {} : { tax: line.tax / 100 }),
    // Chosen although the supplier is foreign: VAT that the supplier charged.
    ...(country !== 'ES' && kind !== 'customs' && kind !== 'reagyp'
      ? { taxTreatment: 'S1' as const, nature: 'domestic' as const }
      : {}),
  }
}

function lineInput(line: LineForm, form: ReceivedForm): LineInput {
  const { description, surcharge, surchargeRate } = line.kept
  const deductible = percent(line.deductible)
  const bearing = bearingInput(line, form)
  const isCharged = bearing.taxTreatment === undefined || bearing.taxTreatment === 'S1'
  return {
    base: (line.base ?? 0) / 100,
    ...bearing,
    ...(isCharged && surcharge !== undefined ? { surcharge } : {}),
    ...(isCharged && surchargeRate != null ? { surchargeRate } : {}),
    ...(deductible === null || form.kind === 'receipt' ? {} : { deductiblePct: deductible }),
    ...(description === undefined ? {} : { description }),
    ...savedOf(line, form),
  }
}

/** Returns a line's own concept and account while those of the whole entry are unchanged. */
function savedOf({ kept }: LineForm, form: ReceivedForm): Partial<LineInput> {
  if (
    form.concept !== '' &&
    kept.concept !== undefined &&
    kept.concept === form.concept &&
    form.account === ''
  )
    return {
      concept: kept.concept,
      ...(kept.account !== undefined && kept.investmentGood === form.investment
        ? { account: kept.account }
        : {}),
    }
  return {}
}

/** Returns the form as the server takes it; empty amounts count as zero. */
export function receivedInput(form: ReceivedForm): ReceivedInput {
  const { issueDate, receptionDate, concept, ...header } = receivedHeaderInput(form)
  return {
    ...header,
    issueDate: issueDate ?? '',
    // Left out, the server takes today and the concept of the supplier's last invoice.
    ...(receptionDate === null ? {} : { receptionDate }),
    ...(concept === null ? {} : { concept }),
    supplierName: form.supplierName.trim(),
    supplierNif: form.nif.trim() || null,
    ...(form.supplierId ? { supplierId: form.supplierId } : {}),
    // An address belongs to the country it was read with.
    supplier: {
      country: form.country,
      ...(form.address?.country === form.country ? { address: form.address } : {}),
    },
    taxLines: form.lines.map((line) => lineInput(line, form)),
    withholding: withholdingInput(form),
    property: form.situation
      ? {
          situation: Number(form.situation),
          ...(form.cadastral.trim() ? { cadastralReference: form.cadastral.trim() } : {}),
        }
      : null,
    ...(form.account.trim() ? { account: form.account.trim() } : {}),
    investmentGood: form.investment,
    fxRate: form.currency === 'EUR' || form.fxRate === null ? null : form.fxRate / 1_000_000,
    deductionPeriod: deductionPeriodOf(form.deductIn),
    rectifies:
      form.kind === 'rectifying' && form.rectifiesNumber.trim() && form.rectifiesDate
        ? [{ supplierNumber: form.rectifiesNumber.trim(), issueDate: form.rectifiesDate }]
        : [],
  }
}

function deductionPeriodOf(text: string): { year: number; quarter: number } | null {
  const [year, quarter] = text.split('-').map(Number)
  return year && quarter ? { year, quarter } : null
}

/** Returns the four quarters after the one of a date, in which its VAT may be deducted instead. */
export function laterQuarters(day: string): { value: string; year: number; quarter: number }[] {
  let year = Number(day.slice(0, 4))
  let quarter = Math.ceil(Number(day.slice(5, 7)) / 3)
  return Array.from({ length: 4 }, () => {
    quarter += 1
    if (quarter > 4) {
      quarter = 1
      year += 1
    }
    return { value: `${year}-${quarter}`, year, quarter }
  })
}

/** Returns true if there is enough content to request totals from the server. */
export function canPreview(form: ReceivedForm): boolean {
  return (
    form.supplierName.trim() !== '' &&
    form.issueDate !== null &&
    form.lines.some((line) => line.base !== null)
  )
}

/** Returns the form's name of a fault's field; lines as `lines[0].base`. */
export function formField(field: string): string {
  const line = /^taxLines\[(\d+)\]\.(\w+)$/.exec(field)
  if (line) {
    const names: Record<string, string> = {
      vatRate: 'bearing',
      taxTreatment: 'bearing',
      deductiblePct: 'deductible',
    }
    if (line[2] === 'concept' || line[2] === 'account') return line[2]
    return `lines[${line[1]}].${names[line[2] ?? ''] ?? line[2]}`
  }
  const names: Record<string, string> = {
    supplierNif: 'nif',
    taxLines: 'lines[0].base',
    deductionPeriod: 'receptionDate',
  }
  return names[field] ?? field
}
