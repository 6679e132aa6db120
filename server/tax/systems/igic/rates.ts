/**
 * Rates of IGIC by date. The law's own text was not read for any row: two open charts of taxes agree on those without a note,
 * and what a row says on its start is inferred from the law it names. Therefore none is certain.
 */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { SystemRate } from '../system.ts'

const LAW = 'Ley 4/2012 de Canarias art. 51 (refundida en DLeg 1/2025 de Canarias)'

type Kind = NonNullable<SystemRate['kind']>

interface Row {
  from: BusinessDate
  to?: BusinessDate
  source: string
  importSurchargeBp?: number
  offered?: false
}

function rate(rateBp: number, kind: Kind, { to, importSurchargeBp, ...row }: Row): SystemRate {
  return {
    rateBp,
    kind,
    ...(kind === 'general' ? { general: true as const } : {}),
    // No surcharge is charged between traders: only customs collects it (Ley 20/1991, régimen de comerciantes minoristas).
    surchargesBp: [],
    importSurchargeBp: importSurchargeBp ?? null,
    to: to ?? null,
    certain: false,
    ...row,
  }
}

/** The surcharge at customs is a tenth of the rate; there is none at 0 and 5 %, and none is known at 35 %. */
export const igicRates: readonly SystemRate[] = [
  rate(0, 'zero', { from: '2012-07-01', source: `${LAW}, 52` }),
  rate(100, 'reduced', {
    from: '2024-01-01',
    source: 'Un cuadro de impuestos abierto, sin norma citada: solo si tu caso lo dice',
    offered: false,
  }),
  rate(300, 'reduced', { from: '2012-07-01', source: `${LAW}, 54`, importSurchargeBp: 30 }),
  rate(500, 'reduced', { from: '2023-01-01', source: `${LAW}, tipo reducido de viviendas` }),
  rate(650, 'general', {
    from: '2019-01-01',
    to: '2019-12-31',
    source: `${LAW}, en la redacción de la Ley 7/2018`,
    importSurchargeBp: 65,
  }),
  rate(700, 'general', { from: '2012-07-01', to: '2018-12-31', source: LAW, importSurchargeBp: 70 }),
  rate(700, 'general', {
    from: '2020-01-01',
    source: `${LAW}, en la redacción de la Ley 19/2019`,
    importSurchargeBp: 70,
  }),
  rate(950, 'increased', { from: '2012-07-01', source: `${LAW}, 55`, importSurchargeBp: 95 }),
  rate(1350, 'increased', {
    from: '2012-07-01',
    to: '2019-12-31',
    source: `${LAW}, 56`,
    importSurchargeBp: 135,
  }),
  rate(1500, 'increased', {
    from: '2020-01-01',
    source: `${LAW}, 56, en la redacción de la Ley 19/2019`,
    importSurchargeBp: 150,
  }),
  rate(2000, 'special', {
    from: '2012-07-01',
    source: `${LAW}, labores del tabaco`,
    importSurchargeBp: 200,
  }),
  rate(3500, 'special', { from: '2012-07-01', source: `${LAW}, labores del tabaco` }),
]
