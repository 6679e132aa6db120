/** Income tax withheld by the customer: the rate for each activity, by date. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints } from '../../domain/money.ts'
import type { Dated } from '../../domain/tax/dated.ts'
import { inForce } from '../../domain/tax/dated.ts'

export const WITHHOLDING_CODES = [
  'professional',
  'new_professional',
  'modules',
  'farming',
  'pigs_poultry',
  'forestry',
  'urban_rent',
  'director',
  'director_small',
  'author',
  'author_small',
  'author_advance',
  'courses',
  'image_rights',
  'capital',
] as const
export type WithholdingCode = (typeof WITHHOLDING_CODES)[number]

interface WithholdingRate extends Dated {
  code: WithholdingCode
  rateBp: BasisPoints
  /** Group to which it applies, in English. */
  note: string
}

export const withholdingTable: readonly WithholdingRate[] = [
  {
    code: 'professional',
    rateBp: 1900,
    note: 'Professionals until 11 July 2015.',
    from: '2015-01-01',
    to: '2015-07-11',
    source: 'LIRPF art. 101.5.a, DA 31ª; RIRPF art. 95.1',
  },
  {
    code: 'professional',
    rateBp: 1500,
    note: 'Professionals.',
    from: '2015-07-12',
    to: null,
    source: 'LIRPF art. 101.5.a; RIRPF art. 95.1; RDL 9/2015',
  },
  {
    code: 'new_professional',
    rateBp: 700,
    note: 'Professionals in the year they begin and the two after it, who told the customer in writing.',
    from: '2015-07-12',
    to: null,
    source: 'LIRPF art. 101.5.a; RIRPF art. 95.1',
  },
  {
    code: 'modules',
    rateBp: 100,
    note: 'Activities under objective estimation listed in the rule, to businesses.',
    from: '2007-04-01',
    to: null,
    source: 'LIRPF art. 101.5.d; RIRPF art. 95.6',
  },
  {
    code: 'farming',
    rateBp: 200,
    note: 'Crops and livestock in general.',
    from: '2007-01-01',
    to: null,
    source: 'LIRPF art. 101.5.b; RIRPF art. 95.4',
  },
  {
    code: 'pigs_poultry',
    rateBp: 100,
    note: 'Fattening of pigs and poultry.',
    from: '2007-01-01',
    to: null,
    source: 'LIRPF art. 101.5.b; RIRPF art. 95.4.1º',
  },
  {
    code: 'forestry',
    rateBp: 200,
    note: 'Forestry.',
    from: '2007-01-01',
    to: null,
    source: 'LIRPF art. 101.5.c; RIRPF art. 95.5',
  },
  {
    code: 'urban_rent',
    rateBp: 1900,
    note: 'Rent of urban property to a business; not below 900 euros a year to one tenant, nor from landlords who prove otherwise.',
    from: '2016-01-01',
    to: null,
    source: 'LIRPF art. 101.8; RIRPF arts. 75.3.g, 100',
  },
  {
    code: 'director',
    rateBp: 3500,
    note: 'Directors and members of boards.',
    from: '2016-01-01',
    to: null,
    source: 'LIRPF art. 101.2; RIRPF art. 80.1.3º',
  },
  {
    code: 'director_small',
    rateBp: 1900,
    note: 'Directors of entities with a turnover below 100,000 euros.',
    from: '2016-01-01',
    to: null,
    source: 'LIRPF art. 101.2; RIRPF art. 80.1.3º',
  },
  {
    code: 'author',
    rateBp: 1500,
    note: 'Royalties of authors, as income from work.',
    from: '2023-01-26',
    to: null,
    source: 'LIRPF art. 101.3; RIRPF art. 80.1.4º; RD 31/2023',
    certain: false,
  },
  {
    code: 'author_small',
    rateBp: 700,
    note: 'Royalties of authors below 15,000 euros a year that are over 75 % of their income.',
    from: '2023-01-26',
    to: null,
    source: 'LIRPF art. 101.3; RD 31/2023',
    certain: false,
  },
  {
    code: 'author_advance',
    rateBp: 700,
    note: 'Advances on royalties of authors.',
    from: '2023-01-26',
    to: null,
    source: 'RIRPF art. 80.1.4º; RD 142/2024',
    certain: false,
  },
  {
    code: 'courses',
    rateBp: 1500,
    note: 'Courses, talks and seminars that are not of an activity.',
    from: '2015-07-12',
    to: null,
    source: 'LIRPF art. 101.3; RIRPF art. 80.1.4º',
  },
  {
    code: 'image_rights',
    rateBp: 2400,
    note: 'Image rights that are not of an activity.',
    from: '2003-01-01',
    to: null,
    source: 'LIRPF art. 101.10; RIRPF art. 101.1',
  },
  {
    code: 'capital',
    rateBp: 1900,
    note: 'Income from capital, such as leases of movables that are not of an activity.',
    from: '2016-01-01',
    to: null,
    source: 'LIRPF art. 101.4, 9; RIRPF arts. 90, 101.2',
  },
]

/** Returns the rate of a code on a day; null when the table has none. */
export function withholdingRateAt(code: WithholdingCode, date: BusinessDate): WithholdingRate | null {
  return inForce(withholdingTable, date).find((row) => row.code === code) ?? null
}
