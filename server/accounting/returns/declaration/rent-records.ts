/**
 * Builds the records of model 180: one for each landlord, kind of rent and premises. Source: the design of records of
 * Orden HFP/1284/2023. Amounts come from the books, premises are typed by a person.
 */
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Cents } from '../../../domain/money.ts'
import { percentOf } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { postalCodesByNif } from '../../../catalog/contacts/index.ts'
import { withholdingTotals } from '../../../tax/totals/index.ts'
import type { WithholdingFigure } from '../../../tax/totals/index.ts'
import type { FileRecord } from '../files/file.ts'
import type { RecordValues } from '../files/record.ts'
import { findPremises, rentDocuments } from '../models/premises-rows.ts'
import type { PremisesRow, RentDocument } from '../models/premises-rows.ts'
import { agencyText } from './agency-text.ts'
import { faultsOfHead, headValues, provinceOf, signed } from './parties.ts'
import type { ListHead } from './parties.ts'
import { lacking, mixedRates, withheldBelowZero, withoutNif, withoutProvince } from './recipient-fault.ts'

const NAME = 40
/** Cents by which rounding each document may move a withheld amount. */
const ROUNDING_EACH = 1

/** Returns parts of an amount by their weights, cut to whole cents; the last one takes what is left. */
function shared(cents: Cents, weights: readonly Cents[]): Cents[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  const parts = weights
    .slice(0, -1)
    .map((weight) => (whole === 0n ? 0 : Number((BigInt(cents) * BigInt(weight)) / whole)))
  return [...parts, cents - parts.reduce((sum, part) => sum + part, 0)]
}

/** Returns the rate last used with a landlord, in basis points; null if the rates do not explain what was withheld. */
function lastRate(row: WithholdingFigure, documents: readonly RentDocument[]): number | null {
  const expected = documents.reduce((sum, { baseCents, rateBp }) => sum + percentOf(baseCents, rateBp), 0)
  const isExplained = Math.abs(expected - row.amountCents) <= row.documents * ROUNDING_EACH
  return isExplained ? (documents.at(-1)?.rateBp ?? null) : null
}

/** Returns the base of each of a landlord's premises, or why it is not known. */
function basesOf(row: WithholdingFigure, premises: readonly PremisesRow[]): Cents[] | Fault {
  const [only, ...others] = premises
  if (only === undefined)
    return lacking(
      'premises_unknown',
      'The form asks for the address and the cadastral number of rented premises, which are not in the books.',
      'Type them on the page of the 180.',
      row.name,
    )
  if (others.length === 0 && only.base_cents === null) return [row.baseCents]
  const bases = premises.map(({ base_cents }) => base_cents)
  if (bases.includes(null))
    return lacking(
      'rent_bases_missing',
      'A landlord has several premises, and the form asks for the rent of each.',
      'Type the rent of each on the page of the 180.',
      row.name,
    )
  const typed = bases.reduce((sum: Cents, base) => sum + (base ?? 0), 0)
  return typed === row.baseCents
    ? bases.map((base) => base ?? 0)
    : lacking(
        'rent_bases_differ',
        'The rents typed for the premises of a landlord do not add up to those of the books.',
        'Check them on the page of the 180, and the invoices of the landlord.',
        row.name,
        { typed, books: row.baseCents },
      )
}

function addressValues(premises: PremisesRow): RecordValues {
  const texts = {
    cadastralNumber: [premises.cadastral_number, 20],
    streetType: [premises.street_type, 5],
    street: [premises.street, 50],
    qualifier: [premises.qualifier, 3],
    block: [premises.block, 3],
    entrance: [premises.entrance, 3],
    staircase: [premises.staircase, 3],
    floor: [premises.floor, 3],
    door: [premises.door, 3],
    complement: [premises.complement, 40],
    town: [premises.town, 30],
    municipality: [premises.municipality, 30],
  } as const
  const written = Object.entries(texts).flatMap(([key, [text, width]]) => {
    const value = agencyText(text ?? '', width)
    return value === '' ? [] : [[key, value] as const]
  })
  return {
    ...Object.fromEntries(written),
    // The form itself has KM. and S/N, with their signs.
    numbering: premises.numbering,
    ...(premises.house_number ? { houseNumber: premises.house_number } : {}),
    municipalityCode: Number(premises.municipality_code),
    premisesProvince: Number(premises.province),
    postcode: Number(premises.postal_code),
  }
}

interface Landlord {
  row: WithholdingFigure
  postalCode: string | undefined
  premises: readonly PremisesRow[]
  documents: readonly RentDocument[]
}

/** Returns the records of one landlord without their head, or what keeps them out of the file. */
function recordsOfLandlord({ row, postalCode, premises, documents }: Landlord): RecordValues[] | Fault {
  if (row.nif === null) return withoutNif(row.name)
  const { nif } = row
  const province = provinceOf(postalCode)
  if (province === null) return withoutProvince(row.name)
  if (row.amountCents < 0) return withheldBelowZero(row.name)
  if (row.baseCents < 0)
    return lacking(
      'rent_below_zero',
      'The rents of a landlord come to less than zero: the form wants the year in which they were due.',
      'File this return in the agency’s form.',
      row.name,
    )
  const rate = lastRate(row, documents)
  if (rate === null) return mixedRates(row.name)
  const bases = basesOf(row, premises)
  if (!Array.isArray(bases)) return bases
  const withheld = shared(row.amountCents, bases)
  return premises.map((each, at) => ({
    partyNif: nif,
    partyName: agencyText(row.name, NAME),
    province,
    rentKind: each.rent_kind,
    ...signed('base', bases[at] ?? 0),
    rate,
    ...(withheld[at] ? { withheld: withheld[at] } : {}),
    situation: each.situation,
    ...addressValues(each),
  }))
}

/** Returns the records of model 180. */
export async function records180(
  ctx: Ctx,
  list: ListHead,
): Promise<{ records: FileRecord[]; faults: Fault[] }> {
  const { year } = list.period
  const rows = (await withholdingTotals(ctx, list.period.months)).filter(({ reason }) => reason === 'rent')
  const postalCodes = await postalCodesByNif(
    ctx,
    rows.flatMap(({ nif }) => nif ?? []),
  )
  const premises = (await findPremises(ctx, year)).filter(
    ({ from_year, to_year }) => from_year <= year && year <= (to_year ?? year),
  )
  const documents = await rentDocuments(ctx, list.period)
  const faults = faultsOfHead(list)
  const records: FileRecord[] = []
  for (const row of rows) {
    const found = recordsOfLandlord({
      row,
      postalCode: postalCodes.get(row.nif ?? ''),
      premises: premises.filter(({ landlord_nif }) => landlord_nif === row.nif),
      documents: documents.filter(({ nif }) => nif === row.nif),
    })
    if (Array.isArray(found))
      for (const values of found)
        records.push({ record: '2', values: { year, nif: list.filer.nif, ...values } })
    else faults.push(found)
  }
  const sum = (name: string) => records.reduce((all, { values }) => all + Number(values[name] ?? 0), 0)
  const first: RecordValues = {
    ...headValues(list),
    support: 'T',
    ...(records.length === 0 ? {} : { recipients: records.length }),
    ...signed('total', sum('base')),
    ...(sum('withheld') === 0 ? {} : { withheldTotal: sum('withheld') }),
  }
  return { records: [{ record: '1', values: first }, ...records], faults }
}
