/** Rented premises, typed by the user for model 180: the books know the landlord and the amounts, not the address. */
import { recordAudit } from '../../../platform/audit/index.ts'
import type { ContractInput, ContractOutput } from '../../../domain/contract/define-contract.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { centsFromEuros, eurosFromCents } from '../../../domain/money.ts'
import { checkNif } from '../../../domain/tax/nif.ts'
import { normalizeText, trimmedOrNull } from '../../../domain/text.ts'
import type { UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { withholdingTotals } from '../../../tax/totals/index.ts'
import { yearReturn } from '../calendar/periods.ts'
import { agencyText } from '../declaration/agency-text.ts'
import { findFilings } from '../rows.ts'
import { modelView } from './models.ts'
import { findPremises, removePremises, writePremises, writeRentBase } from './premises-rows.ts'
import type { PremisesColumns, PremisesRow } from './premises-rows.ts'
import type { fiscalRentedPremisesContract, fiscalSetRentedPremisesContract } from './recipients-contract.ts'

type Typed = ContractInput<typeof fiscalSetRentedPremisesContract>['premises'][number]

type View = ContractOutput<typeof fiscalRentedPremisesContract>['premises'][number]

function viewOf(row: PremisesRow): View {
  return {
    id: row.public_id,
    landlordNif: row.landlord_nif,
    landlordName: row.landlord_name,
    rentKind: row.rent_kind === 1 ? 'money' : 'kind',
    situation: row.situation,
    cadastralNumber: row.cadastral_number,
    streetType: row.street_type,
    street: row.street,
    numbering: row.numbering,
    houseNumber: row.house_number,
    qualifier: row.qualifier,
    block: row.block,
    entrance: row.entrance,
    staircase: row.staircase,
    floor: row.floor,
    door: row.door,
    complement: row.complement,
    town: row.town,
    municipality: row.municipality,
    municipalityCode: row.municipality_code,
    province: row.province,
    postalCode: row.postal_code,
    fromYear: row.from_year,
    toYear: row.to_year,
    base: row.base_cents === null ? null : eurosFromCents(row.base_cents),
  }
}

/** Returns the landlords of a year as the books have them, and the premises typed so far. */
export const getRentedPremises: UseCase<typeof fiscalRentedPremisesContract> = async (ctx, { year }) => {
  const rents = (await withholdingTotals(ctx, yearReturn(year).months)).filter(
    ({ reason }) => reason === 'rent',
  )
  return {
    year,
    landlords: rents.map(({ nif, name, baseCents, amountCents }) => ({
      nif,
      name,
      base: eurosFromCents(baseCents),
      withheld: eurosFromCents(amountCents),
      untrusted: true,
    })),
    premises: (await findPremises(ctx, year)).map(viewOf),
  }
}

/** A cadastral number without the blanks in which it is often printed. */
const cadastral = (text: string | null): string | null =>
  trimmedOrNull(text)?.replace(/\s/g, '').toUpperCase() ?? null

const LA_PALMA = '53'
/** Postal codes and codes of municipalities of La Palma begin like those of its province. */
const numberedAs = (province: string): string => (province === LA_PALMA ? '38' : province)

/** Provinces of the situations 1 to 3. Source: the design, position 114. */
const SITUATED: Readonly<Record<number, (province: string) => boolean>> = {
  1: (province) => !['01', '20', '48', '31'].includes(province),
  2: (province) => ['01', '20', '48'].includes(province),
  3: (province) => province === '31',
}

const isProvince = (code: string): boolean => Number(code) >= 1 && Number(code) <= Number(LA_PALMA)

/** Kinds of numbering without a number. */
const UNNUMBERED = 'S/N'

/** Returns what is wrong with premises by themselves. Source: the tax agency's design of records 180 of 2023. */
function faultsOfPremises(typed: Typed, index: number): Fault[] {
  const faults: Fault[] = []
  const refusePremises = (code: string, field: keyof Typed, message: string, fix: string) =>
    faults.push({ code, field: `premises[${index}].${field}`, severity: 'error', message, fix })
  const nif = checkNif(typed.landlordNif)
  if (!nif.ok)
    refusePremises(
      'nif_invalid',
      'landlordNif',
      'That is not a Spanish tax number.',
      'Copy it from the invoice.',
    )
  const number = cadastral(typed.cadastralNumber)
  if (typed.situation === 4 && number !== null)
    refusePremises(
      'cadastral_number_unneeded',
      'cadastralNumber',
      'Situation 4 is for premises without a cadastral number.',
      'Take it out, or choose the situation by the place.',
    )
  else if (typed.situation !== 4 && !/^[0-9A-Z]{20}$/.test(number ?? ''))
    refusePremises(
      'cadastral_number_invalid',
      'cadastralNumber',
      'A cadastral number has 20 letters and digits.',
      'Copy it from the receipt of the property tax, or choose situation 4.',
    )
  if (!isProvince(typed.province))
    refusePremises(
      'wrong_format',
      'province',
      'No province has that code.',
      'Type 01 to 52, or 53 for La Palma.',
    )
  else if (SITUATED[typed.situation]?.(typed.province) === false)
    refusePremises(
      'premises_situation_elsewhere',
      'situation',
      'The situation does not match the province.',
      'Choose 2 for the Basque Country, 3 for Navarre, and 1 for the rest of Spain.',
    )
  for (const field of ['postalCode', 'municipalityCode'] as const)
    if (!typed[field].startsWith(numberedAs(typed.province)))
      refusePremises(
        'premises_province_differs',
        field,
        'This code is of another province.',
        'Check the code and the province.',
      )
  if (!/^[A-Z./]{1,3}$/.test(numberingOf(typed)))
    refusePremises('wrong_format', 'numbering', 'That is no kind of numbering.', 'Type NUM, KM. or S/N.')
  else if ((numberingOf(typed) === UNNUMBERED) !== (typed.houseNumber === null))
    refusePremises(
      'house_number_differs',
      'houseNumber',
      'Only a street without numbers (S/N) has no number.',
      'Type the number, or choose S/N.',
    )
  for (const field of ['landlordName', 'streetType', 'street', 'municipality'] as const)
    if (agencyText(typed[field], 120) === '')
      refusePremises(
        'wrong_format',
        field,
        'There are no letters or digits in it.',
        'Type it as it is written.',
      )
  if (typed.toYear !== null && typed.toYear < typed.fromYear)
    refusePremises('dates_reversed', 'toYear', 'The last year is before the first one.', 'Check both years.')
  return faults
}

const numberingOf = ({ numbering }: Typed): string =>
  numbering.trim().toUpperCase().normalize('NFD').replace(/\p{M}/gu, '')

/** Returns the places of premises that repeat others: the form has one record for landlord, kind and premises. */
function faultsOfRepeats(premises: readonly Typed[]): Fault[] {
  const overlap = (a: Typed, b: Typed) =>
    a.fromYear <= (b.toYear ?? Infinity) && b.fromYear <= (a.toYear ?? Infinity)
  const identity = (each: Typed) =>
    JSON.stringify([
      checkNif(each.landlordNif).nif,
      each.rentKind,
      cadastral(each.cadastralNumber) ?? Object.entries(columnsOf(each)).slice(5, -2),
    ])
  return premises.flatMap((each, index) =>
    premises.slice(0, index).some((other) => identity(other) === identity(each) && overlap(other, each))
      ? [
          {
            code: 'repeated',
            field: `premises[${index}].cadastralNumber`,
            severity: 'error' as const,
            message: 'These premises of this landlord are typed twice for the same years.',
            fix: 'Remove one of them.',
          },
        ]
      : [],
  )
}

function columnsOf(typed: Typed): PremisesColumns {
  return {
    landlord_nif: checkNif(typed.landlordNif).nif,
    landlord_name: normalizeText(typed.landlordName),
    rent_kind: typed.rentKind === 'money' ? 1 : 2,
    situation: typed.situation,
    cadastral_number: cadastral(typed.cadastralNumber),
    street_type: normalizeText(typed.streetType),
    street: normalizeText(typed.street),
    numbering: numberingOf(typed),
    house_number: typed.houseNumber,
    qualifier: trimmedOrNull(typed.qualifier),
    block: trimmedOrNull(typed.block),
    entrance: trimmedOrNull(typed.entrance),
    staircase: trimmedOrNull(typed.staircase),
    floor: trimmedOrNull(typed.floor),
    door: trimmedOrNull(typed.door),
    complement: trimmedOrNull(typed.complement),
    town: trimmedOrNull(typed.town),
    municipality: normalizeText(typed.municipality),
    municipality_code: typed.municipalityCode,
    province: typed.province,
    postal_code: typed.postalCode,
    from_year: typed.fromYear,
    to_year: typed.toYear,
  }
}

/**
 * Replaces the rented premises, and the rents of one year for them. Throws `already_filed` once the 180 of that year is
 * marked as filed, and `validation_failed` for what the form does not take.
 */
export const setRentedPremises: UseCase<typeof fiscalSetRentedPremisesContract> = (ctx, { year, premises }) =>
  ctx.transaction(async (tx) => {
    const period = yearReturn(year)
    const filings = await findFilings(tx, '180', { from: year, to: year })
    if (filings.has(`${year} ${period.code}`)) throw new AppError('already_filed')
    const before = new Map((await findPremises(tx, year)).map(({ public_id, id }) => [public_id, id]))
    const unknown = premises.flatMap(({ id }, index): Fault[] =>
      id === undefined || before.has(id)
        ? []
        : [
            {
              code: 'premises_gone',
              field: `premises[${index}].id`,
              severity: 'error',
              message: 'These premises were removed meanwhile.',
              fix: 'Open the dialog again.',
            },
          ],
    )
    const faults = [...unknown, ...premises.flatMap(faultsOfPremises), ...faultsOfRepeats(premises)]
    if (faults.length > 0) throw validationFailed(faults.slice(0, 100))
    const kept = new Set(premises.flatMap(({ id }) => id ?? []))
    await removePremises(
      tx,
      [...before].flatMap(([id, row]) => (kept.has(id) ? [] : [row])),
    )
    for (const typed of premises) {
      const row = typed.id === undefined ? null : (before.get(typed.id) ?? null)
      const rowId = await writePremises(tx, row, columnsOf(typed))
      await writeRentBase(tx, rowId, year, typed.base === null ? null : (centsFromEuros(typed.base) ?? 0))
    }
    await recordAudit(tx, {
      action: 'filing.premises_typed',
      target: { type: 'company', id: tx.book.publicId, label: `180 ${year}: ${premises.length}` },
    })
    await emitEvent(tx, 'filing.changed', { model: '180', year, period: period.code })
    return modelView(tx, '180', period)
  })
