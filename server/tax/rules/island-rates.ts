/** Rates of the taxes that replace VAT: IGIC in the Canary Islands, IPSI in Ceuta and Melilla. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints } from '../../domain/money.ts'
import type { Dated } from './dated.ts'
import { inForce } from './dated.ts'

interface IslandRate extends Dated {
  tax: 'igic' | 'ipsi'
  rateBp: BasisPoints
  kind: 'zero' | 'reduced' | 'general' | 'increased' | 'special'
}

const IGIC = 'Ley 4/2012 de Canarias art. 51 (refundida en DLeg 1/2025 de Canarias)'
const IPSI = 'Ley 8/1991 art. 18 (entre 0,5 y 10 %) y ordenanzas fiscales de Ceuta y de Melilla'

/**
 * The cities set the rates of IPSI within the law's limits for each good: these are the rates in use, and the city's
 * own table says which one applies to a good or service.
 */
export const islandRates: readonly IslandRate[] = [
  {
    tax: 'igic',
    rateBp: 0,
    kind: 'zero',
    from: '2012-07-01',
    to: null,
    source: `${IGIC}, 52`,
    certain: false,
  },
  {
    tax: 'igic',
    rateBp: 300,
    kind: 'reduced',
    from: '2012-07-01',
    to: null,
    source: `${IGIC}, 54`,
    certain: false,
  },
  {
    tax: 'igic',
    rateBp: 500,
    kind: 'reduced',
    from: '2023-01-01',
    to: null,
    source: `${IGIC}, tipo reducido de viviendas`,
    certain: false,
  },
  {
    tax: 'igic',
    rateBp: 650,
    kind: 'general',
    from: '2019-01-01',
    to: '2019-12-31',
    source: `${IGIC}, en la redacción de la Ley 7/2018`,
    certain: false,
  },
  {
    tax: 'igic',
    rateBp: 700,
    kind: 'general',
    from: '2012-07-01',
    to: '2018-12-31',
    source: IGIC,
    certain: false,
  },
  {
    tax: 'igic',
    rateBp: 700,
    kind: 'general',
    from: '2020-01-01',
    to: null,
    source: `${IGIC}, en la redacción de la Ley 19/2019`,
    certain: false,
  },
  {
    tax: 'igic',
    rateBp: 950,
    kind: 'increased',
    from: '2012-07-01',
    to: null,
    source: `${IGIC}, 55`,
    certain: false,
  },
  {
    tax: 'igic',
    rateBp: 1350,
    kind: 'increased',
    from: '2012-07-01',
    to: '2019-12-31',
    source: `${IGIC}, 56`,
    certain: false,
  },
  {
    tax: 'igic',
    rateBp: 1500,
    kind: 'increased',
    from: '2020-01-01',
    to: null,
    source: `${IGIC}, 56, en la redacción de la Ley 19/2019`,
    certain: false,
  },
  {
    tax: 'igic',
    rateBp: 2000,
    kind: 'special',
    from: '2012-07-01',
    to: null,
    source: `${IGIC}, labores del tabaco`,
    certain: false,
  },
  {
    tax: 'igic',
    rateBp: 3500,
    kind: 'special',
    from: '2012-07-01',
    to: null,
    source: `${IGIC}, labores del tabaco`,
    certain: false,
  },
  { tax: 'ipsi', rateBp: 50, kind: 'reduced', from: '1991-03-27', to: null, source: IPSI, certain: false },
  { tax: 'ipsi', rateBp: 100, kind: 'reduced', from: '1991-03-27', to: null, source: IPSI, certain: false },
  { tax: 'ipsi', rateBp: 200, kind: 'reduced', from: '1991-03-27', to: null, source: IPSI, certain: false },
  { tax: 'ipsi', rateBp: 300, kind: 'reduced', from: '1991-03-27', to: null, source: IPSI, certain: false },
  { tax: 'ipsi', rateBp: 400, kind: 'general', from: '1991-03-27', to: null, source: IPSI, certain: false },
  { tax: 'ipsi', rateBp: 800, kind: 'increased', from: '1991-03-27', to: null, source: IPSI, certain: false },
  {
    tax: 'ipsi',
    rateBp: 1000,
    kind: 'increased',
    from: '1991-03-27',
    to: null,
    source: IPSI,
    certain: false,
  },
]

/** Returns the rates of one of these taxes on a day, lowest first. */
export function islandRatesAt(tax: 'igic' | 'ipsi', date: BusinessDate): IslandRate[] {
  return inForce(islandRates, date)
    .filter((row) => row.tax === tax)
    .sort((a, b) => a.rateBp - b.rateBp)
}

/** Returns the default rate of a good or service. */
export function islandGeneralRateAt(tax: 'igic' | 'ipsi', date: BusinessDate): IslandRate {
  const rows = islandRatesAt(tax, date)
  const general =
    rows.find((row) => row.kind === 'general') ??
    islandRates.find((row) => row.tax === tax && row.kind === 'general')
  if (!general) throw new Error(`${tax} has no general rate.`)
  return general
}
