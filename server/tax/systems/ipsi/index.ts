/**
 * IPSI: Ceuta and Melilla. Each city fixes the rate of each good and service by ordinance, and the tables were not found in
 * full: a person chooses among the rates in use, and the choice is kept with the item.
 */
import type { TaxTreatment } from '../../../domain/tax/totals.ts'
import { defineSystem, regimeRule } from '../system.ts'
import type { SystemRate, TaxSystem } from '../system.ts'
import { mentionsWithName } from '../mentions.ts'
import { IPSI_EXEMPT_KEY, IPSI_KEYS, ipsiArticle, ipsiCauses } from './causes.ts'
import { ipsiSupply } from './place.ts'
import { IPSI_MENTIONS } from './mentions.ts'

/** Basis points of the rates in use, between the limits of the law. */
const RATES: readonly (readonly [rateBp: number, kind: NonNullable<SystemRate['kind']>])[] = [
  [50, 'reduced'],
  [100, 'reduced'],
  [200, 'reduced'],
  [300, 'reduced'],
  [400, 'general'],
  [800, 'increased'],
  [1000, 'increased'],
]

const TREATMENTS: readonly TaxTreatment[] = ['S1', 'S2', 'N1', 'N2', 'E1', 'E2', 'E3', 'E4', 'E6']

export const IPSI_SYSTEM: TaxSystem = defineSystem({
  family: 'ipsi',
  code: '02',
  name: 'IPSI',
  englishName: 'IPSI',
  generalRateReason: null,
  area: 'ceuta_melilla',
  place: 'ES-CE',
  category: { taxed: 'M', zero: 'M' },
  rates: RATES.map(([rateBp, kind]) => ({
    rateBp,
    kind,
    ...(kind === 'general' ? { general: true as const } : {}),
    surchargesBp: [],
    importSurchargeBp: null,
    from: '1991-03-27',
    to: null,
    source: 'Ley 8/1991 art. 18 (entre 0,5 y 10 %) y ordenanzas fiscales de Ceuta y de Melilla',
    certain: false,
  })),
  hasGeneralRate: false,
  regimes: [
    regimeRule('general'),
    regimeRule('exempt', {
      sale: {
        on: 'all',
        taxTreatment: 'E1',
        cause: null,
        why: 'What the company does is exempt (arts. 7 y 8 Ley 8/1991).',
      },
      deducts: false,
    }),
  ],
  regimeKeys: IPSI_KEYS,
  // Exports have no key of their own in the list of IPSI: the general one, which no rule of the record forbids.
  keyOfTreatment: { E1: IPSI_EXEMPT_KEY, E2: '01', E3: '01' },
  treatments: TREATMENTS,
  causes: ipsiCauses,
  articleOf: ipsiArticle,
  words: IPSI_MENTIONS,
  translated: mentionsWithName('IPSI'),
  law: null,
  supply: ipsiSupply,
  // What may be deducted depends on the activity and on each city's ordinance: nothing is, unless a person says so.
  purchases: { unionNatures: false, deducts: false, trustsOwnRateFromElsewhere: false },
  listsWithheld: false,
  limits: [],
  // The numbers of the cities' forms were not found: there is no return to name.
  returns: [],
})
