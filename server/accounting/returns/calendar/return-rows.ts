/** The returns as rows: by which periods each is filed, and for which indirect tax where not every business may file it. */
import type { CompanyRow } from '../../../company/index.ts'
import type { ModelNumber } from '../contract.ts'
import { isForal, taxSystemOf } from '../../../tax/systems/index.ts'
import type { TaxFamily } from '../../../tax/systems/contract.ts'

interface ReturnRow {
  model: ModelNumber
  every: 'quarter' | 'year'
  /** Indirect tax of the businesses that may file it; default every business. */
  tax?: TaxFamily
  /** Indirect tax of the businesses of which is known what the return asks; default every business. */
  knownUnder?: TaxFamily
}

/** In the order in which they are listed. */
export const ALL_RETURNS: readonly ReturnRow[] = [
  { model: '303', every: 'quarter', tax: 'vat' },
  { model: '309', every: 'quarter', tax: 'vat' },
  { model: '420', every: 'quarter', tax: 'igic' },
  { model: '130', every: 'quarter' },
  { model: '131', every: 'quarter' },
  { model: '111', every: 'quarter' },
  { model: '115', every: 'quarter' },
  { model: '123', every: 'quarter' },
  { model: '349', every: 'quarter', knownUnder: 'vat' },
  { model: '369', every: 'quarter', knownUnder: 'vat' },
  { model: '390', every: 'year', tax: 'vat' },
  { model: '425', every: 'year', tax: 'igic' },
  { model: '347', every: 'year', knownUnder: 'vat' },
  { model: '415', every: 'year', tax: 'igic' },
  { model: '190', every: 'year' },
  { model: '180', every: 'year' },
]

type Place = Pick<CompanyRow, 'territory'>

/** Returns the indirect tax of a business. */
export function familyOf({ territory }: Place): TaxFamily {
  return taxSystemOf(territory).family
}

/** Returns that are filed by years. */
export const YEARLY: readonly ModelNumber[] = ALL_RETURNS.filter(({ every }) => every === 'year').map(
  ({ model }) => model,
)

/** Returns the indirect tax that a return declares; undefined for any other return. */
export function taxOfReturn(model: ModelNumber): TaxFamily | undefined {
  return ALL_RETURNS.find((row) => row.model === model)?.tax
}

/** Returns whether it is known what a return asks of a business, by its indirect tax. */
export function isKnownFor(model: ModelNumber, place: Place): boolean {
  const known = ALL_RETURNS.find((row) => row.model === model)?.knownUnder
  return known === undefined || known === familyOf(place)
}

/** Returns those that a business may file here, by their periods; none where its treasury has forms of its own. */
export function returnsListedFor(place: Place): {
  quarterly: readonly ModelNumber[]
  yearly: readonly ModelNumber[]
} {
  const family = familyOf(place)
  const isHere = !isForal(place.territory)
  const of = (unit: ReturnRow['every']) =>
    ALL_RETURNS.filter(
      ({ every, tax }) => isHere && every === unit && (tax === undefined || tax === family),
    ).map(({ model }) => model)
  return { quarterly: of('quarter'), yearly: of('year') }
}
