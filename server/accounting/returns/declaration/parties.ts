/**
 * Builds the records of the returns that list parties: 347 and 349. Source: the designs of records of Orden HAC/1431/2025
 * (347) and Orden HAC/174/2020 (349).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { postalCodesByNif } from '../../../catalog/contacts/index.ts'
import { partiesAbove, partyQuarters } from '../../../tax/totals/index.ts'
import type { Side } from '../../../tax/totals/index.ts'
import { periodUnit } from '../calendar/periods.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'
import type { FileRecord } from '../files/file.ts'
import type { RecordValues } from '../files/record.ts'
import { euReturn } from '../models/eu-return.ts'
import type { EuCorrection, EuOperation } from '../models/eu-return.ts'
import { isMonthly349, thirdPartyLimit } from '../models/lists.ts'
import { agencyPhone, agencyText } from './agency-text.ts'
import type { FilingChoices, Filer } from './choices.ts'

const NAME = 40
const SPAIN = 'ES'
const ABROAD = 99
const LAST_PROVINCE = 52

/** What every list return says of its filer. */
export interface ListHead {
  filer: Filer
  choices: FilingChoices
  period: ReturnPeriod
  /** Thirteen digits of our choice that begin with the model. */
  number: string
}

interface ListReturn {
  records: FileRecord[]
  faults: Fault[]
}

const partyFault = (code: string, field: string, message: string, fix: string, name?: string): Fault => ({
  code,
  field,
  severity: 'error',
  message,
  fix,
  ...(name === undefined ? {} : { params: { name } }),
})

/** Returns the first fields of record 1, which all list returns share. */
export function headValues({ filer, choices, period, number }: ListHead): RecordValues {
  const phone = agencyPhone(filer.contactPhone)
  return {
    year: period.year,
    nif: filer.nif,
    name: agencyText(filer.name, NAME),
    contact: agencyText(filer.contactName, NAME),
    number: Number(number),
    ...(phone === null ? {} : { phone }),
    ...(choices.nature === 'complementary' ? { complementary: 'C' } : {}),
    ...(choices.nature === 'substitutive' ? { substitutive: 'S' } : {}),
    ...(choices.previousReceipt === undefined ? {} : { previousNumber: Number(choices.previousReceipt) }),
  }
}

/** Returns what the head of a list return lacks. */
export function faultsOfHead({ filer, choices }: Pick<ListHead, 'filer' | 'choices'>): Fault[] {
  const faults: Fault[] = []
  if (agencyPhone(filer.contactPhone) === null)
    faults.push(
      partyFault(
        'contact_phone_missing',
        'contactPhone',
        'The form asks for a telephone number of nine digits.',
        'Type it among the data for filing.',
      ),
    )
  if (choices.nature !== 'first' && !/^\d{13}$/.test(choices.previousReceipt ?? ''))
    faults.push(
      partyFault(
        'previous_number_missing',
        'previousReceipt',
        'The form asks for the 13 digits of the earlier return.',
        'Copy them from its receipt.',
      ),
    )
  return faults
}

/** Returns an amount as its sign and its size, which these records hold apart. */
export function signed(name: string, cents: Cents): RecordValues {
  return {
    ...(cents < 0 ? { [`${name}Sign`]: 'N' } : {}),
    ...(cents === 0 ? {} : { [name]: Math.abs(cents) }),
  }
}

/** Returns the province of a Spanish postal code, 1 to 52; null if it has none. */
export function provinceOf(postalCode: string | null | undefined): number | null {
  const code = Number(/^(\d{2})\d{3}$/.exec(postalCode?.trim() ?? '')?.[1])
  return code >= 1 && code <= LAST_PROVINCE ? code : null
}

interface Party {
  name: string
  nif: string | null
  country: string
}

/** Countries whose VAT numbers the form takes; Greece writes EL, Northern Ireland XI. */
const EU = new Set(
  'AT BE BG CY CZ DE DK EE EL FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
)

/** Returns the country and the number of a VAT number; null for a party outside the EU or without one. */
function euNumberOf({ nif, country }: Party): { euCountry: string; euNumber: string } | null {
  const euCountry = country === 'GR' ? 'EL' : country
  const euNumber = (nif ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '')
  const rest = euNumber.startsWith(euCountry) ? euNumber.slice(euCountry.length) : euNumber
  return EU.has(euCountry) && rest !== '' ? { euCountry, euNumber: rest } : null
}

/** Returns who a party is, as record 2 of the 347 says it, or what is missing. */
function partyValues(party: Party, provinces: ReadonlyMap<string, string>): RecordValues | Fault {
  const partyName = agencyText(party.name, NAME)
  if (party.country !== SPAIN)
    return { partyName, province: ABROAD, country: party.country, ...euNumberOf(party) }
  if (party.nif === null)
    return partyFault(
      'party_without_nif',
      'parties',
      'A party in Spain has no tax number.',
      'Write it in the contact, or in the document.',
      party.name,
    )
  const province = provinceOf(provinces.get(party.nif))
  if (province === null)
    return partyFault(
      'party_without_province',
      'parties',
      'The postal code of a party is not known, and the form asks for its province.',
      'Write the address in the contact with that tax number.',
      party.name,
    )
  return { partyNif: party.nif, partyName, province }
}

const isFault = (value: RecordValues | Fault): value is Fault => 'severity' in value

/**
 * Returns what the books do not tell of the operations: cash accounting has records and amounts of its own, which makes the
 * file wrong; the rest a person has to look at. Source: design of records of Orden HAC/1431/2025, record 2.
 */
function unmarkedFaults({ cashAccounting }: Filer): Fault[] {
  if (cashAccounting)
    return [
      partyFault(
        'third_party_cash_accounting',
        'parties',
        'Under cash accounting the form wants yearly amounts and amounts accrued, which Sello does not tell apart.',
        'File it in the agency’s form.',
      ),
    ]
  return [
    {
      ...partyFault(
        'third_party_marks_missing',
        'parties',
        'Rents, insurance, reverse charge, and cash above 6,000 euros are not marked in the file.',
        'Mark those records in the agency’s form after uploading the file.',
      ),
      severity: 'warning',
    },
  ]
}

type ThirdParty = Awaited<ReturnType<typeof partiesAbove>>[number] & {
  operation: 'A' | 'B'
  quarters: readonly [Cents, Cents, Cents, Cents]
}

const ATTEMPTS = 3
const sumOf = (amounts: readonly Cents[]): Cents => amounts.reduce((sum, cents) => sum + cents, 0)
const closes = ({ quarters, thirdCents }: ThirdParty): boolean => sumOf(quarters) === thirdCents

/**
 * Returns purchases or sales above the limit, with their quarters. Others have their turn between the pieces, and may
 * write: what does not add up is read again.
 */
async function thirdParties(ctx: Ctx, side: Side, year: number): Promise<ThirdParty[]> {
  for (let attempt = 1; ; attempt += 1) {
    const parties = await partiesAbove(ctx, side, year, thirdPartyLimit(year))
    await nextTurn()
    const ids = parties.map(({ partyId }) => partyId)
    const quarters = await partyQuarters(ctx, side, year, ids)
    const found = parties.map((party): ThirdParty => ({
      ...party,
      operation: side === 'issued' ? 'B' : 'A',
      quarters: quarters.get(party.partyId) ?? [0, 0, 0, 0],
    }))
    if (attempt === ATTEMPTS || found.every(closes)) return found
  }
}

/** Parties made into records before others get their turn. */
const PARTIES_AT_ONCE = 250

/** Returns the records of model 347. */
export async function records347(ctx: Ctx, head: ListHead): Promise<ListReturn> {
  const { year } = head.period
  const rows = [...(await thirdParties(ctx, 'received', year)), ...(await thirdParties(ctx, 'issued', year))]
  const postalCodes = await postalCodesByNif(
    ctx,
    rows.flatMap(({ nif, country }) => (nif !== null && country === SPAIN ? [nif] : [])),
  )
  const faults = [...faultsOfHead(head), ...(rows.length === 0 ? [] : unmarkedFaults(head.filer))]
  const records: FileRecord[] = []
  for (const [index, row] of rows.entries()) {
    if (index % PARTIES_AT_ONCE === PARTIES_AT_ONCE - 1) await nextTurn()
    const who = partyValues(row, postalCodes)
    if (isFault(who)) faults.push(who)
    else if (!closes(row))
      faults.push(
        partyFault(
          'quarters_do_not_close',
          'parties',
          'The quarters of a party do not add up to its year.',
          'Try again: the books may have changed meanwhile. If it stays so, verify the books.',
          row.name,
        ),
      )
    else
      records.push({
        record: '2D',
        values: {
          year,
          nif: head.filer.nif,
          ...who,
          operation: row.operation,
          ...signed('amount', row.thirdCents),
          ...Object.assign({}, ...row.quarters.map((cents, at) => signed(`quarter${at + 1}`, cents))),
        },
      })
  }
  const first: RecordValues = {
    ...headValues(head),
    support: 'T',
    ...(rows.length === 0 ? {} : { persons: rows.length }),
    ...signed('total', sumOf(rows.map(({ thirdCents }) => thirdCents))),
  }
  return { records: [{ record: '1', values: first }, ...records], faults }
}

function operatorValues(operator: EuOperation | EuCorrection): RecordValues | Fault {
  const number = euNumberOf(operator)
  if (number === null)
    return partyFault(
      'operator_without_number',
      'parties',
      'An operator in the EU has no VAT number, and the form takes no record without one.',
      'Ask for it and write it in the contact.',
      operator.name,
    )
  return { ...number, partyName: agencyText(operator.name, NAME), operation: operator.euKey }
}

const belowZero = (name: string): Fault =>
  partyFault(
    'operator_below_zero',
    'parties',
    'The operations of an operator come to less than zero, which the form does not take.',
    'Tell apart what corrects earlier periods, and file it in the agency’s form.',
    name,
  )

/** Returns the records of model 349: operations of the period, and corrections of earlier ones. */
export async function records349(ctx: Ctx, head: ListHead): Promise<ListReturn> {
  const { period } = head
  const { operations, corrections, unclear } = await euReturn(ctx, period)
  const faults = faultsOfHead(head)
  if (periodUnit(period.code) === 'quarter' && (await isMonthly349(ctx, period)))
    faults.push({
      ...partyFault(
        'monthly_349',
        'period',
        'More than 50,000 euros were sold to the EU in a quarter: the return is due every month (RIVA art. 81).',
        'Check it, and state monthly returns among the schemes of the year.',
      ),
      severity: 'warning',
    })
  if (unclear > 0)
    faults.push(
      partyFault(
        'eu_period_unclear',
        'parties',
        'Rectifying documents name no original, or originals of several periods.',
        'Check which period they correct, and file it in the agency’s form.',
      ),
    )
  const records: FileRecord[] = []
  const common = { year: period.year, nif: head.filer.nif }
  for (const each of operations) {
    const who = operatorValues(each)
    if (isFault(who)) faults.push(who)
    else if (each.baseCents < 0) faults.push(belowZero(each.name))
    else records.push({ record: '2O', values: { ...common, ...who, amount: each.baseCents } })
  }
  let rectifiedCents = 0
  for (const each of corrections) {
    const who = operatorValues(each)
    const { rectifiedCents: now, declaredCents: before } = each
    if (isFault(who)) faults.push(who)
    else if (now === null || before === null)
      faults.push(
        partyFault(
          'eu_declared_unknown',
          'parties',
          'What was declared before of a correction is not known here.',
          'Look it up in the earlier return, and file this one in the agency’s form.',
          each.name,
        ),
      )
    else if (now < 0 || before < 0) faults.push(belowZero(each.name))
    else {
      rectifiedCents += now
      records.push({
        record: '2R',
        values: {
          ...common,
          ...who,
          correctedYear: each.year,
          correctedPeriod: each.period,
          ...(now === 0 ? {} : { amount: now }),
          ...(before === 0 ? {} : { declaredBefore: before }),
        },
      })
    }
  }
  const total = operations.reduce((sum, { baseCents }) => sum + baseCents, 0)
  const first: RecordValues = {
    ...headValues(head),
    period: period.code,
    ...(operations.length === 0 ? {} : { operators: operations.length }),
    ...(total === 0 ? {} : { total }),
    ...(corrections.length === 0 ? {} : { rectifications: corrections.length }),
    ...(rectifiedCents === 0 ? {} : { rectifiedTotal: rectifiedCents }),
  }
  return { records: [{ record: '1', values: first }, ...records], faults }
}
