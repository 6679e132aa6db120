/** Amounts at which a rule begins or ends to apply, and the farmers' flat-rate compensation, by date. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import { inForce } from '../../domain/tax/dated.ts'
import type { Dated } from '../../domain/tax/dated.ts'

export const THRESHOLD_CODES = [
  'simplified_invoice',
  'simplified_invoice_sectors',
  'operations_with_third_parties',
  'intra_eu_monthly',
  'oss',
  'reverse_charge_devices',
  'cash_accounting_turnover',
  'cash_accounting_single_payer',
  'simplified_regime_turnover',
  'simplified_regime_purchases',
  'large_company',
  'rent_withholding_floor',
  'director_small_turnover',
  'cash_payment_limit',
  'export_travellers',
] as const
type ThresholdCode = (typeof THRESHOLD_CODES)[number]

interface Threshold extends Dated {
  code: ThresholdCode
  cents: Cents
}

export const thresholds: readonly Threshold[] = [
  {
    code: 'simplified_invoice',
    cents: 40_000,
    from: '2013-01-01',
    to: null,
    source: 'RD 1619/2012 art. 4.1.a',
  },
  {
    code: 'simplified_invoice_sectors',
    cents: 300_000,
    from: '2013-01-01',
    to: null,
    source: 'RD 1619/2012 art. 4.2',
  },
  {
    code: 'operations_with_third_parties',
    cents: 300_506,
    from: '2008-01-01',
    to: null,
    source: 'RD 1065/2007 art. 33.1',
  },
  {
    code: 'intra_eu_monthly',
    cents: 5_000_000,
    from: '2010-01-01',
    to: null,
    source: 'RD 1624/1992 art. 81',
  },
  { code: 'oss', cents: 1_000_000, from: '2021-07-01', to: null, source: 'Ley 37/1992 art. 73' },
  {
    code: 'reverse_charge_devices',
    cents: 1_000_000,
    from: '2015-04-01',
    to: null,
    source: "Ley 37/1992 art. 84.Uno.2º.g, b')",
  },
  {
    code: 'cash_accounting_turnover',
    cents: 200_000_000,
    from: '2014-01-01',
    to: null,
    source: 'Ley 37/1992 art. 163 decies.Uno',
  },
  {
    code: 'cash_accounting_single_payer',
    cents: 10_000_000,
    from: '2014-01-01',
    to: null,
    source: 'Ley 37/1992 art. 163 decies.Tres; RD 1624/1992 (cobros en efectivo de un mismo cliente)',
    certain: false,
  },
  {
    code: 'simplified_regime_turnover',
    cents: 25_000_000,
    from: '2016-01-01',
    to: '2026-12-31',
    source: 'Ley 37/1992 art. 122 y DT 13ª',
    certain: false,
  },
  {
    code: 'simplified_regime_purchases',
    cents: 25_000_000,
    from: '2016-01-01',
    to: '2026-12-31',
    source: 'Ley 37/1992 art. 122 y DT 13ª',
    certain: false,
  },
  {
    code: 'large_company',
    cents: 601_012_104,
    from: '1993-01-01',
    to: null,
    source: 'Ley 37/1992 art. 121; RD 1624/1992 art. 71.3',
  },
  {
    code: 'rent_withholding_floor',
    cents: 90_000,
    from: '1999-01-01',
    to: null,
    source: 'RD 439/2007 art. 75.3.g.2º',
  },
  {
    code: 'director_small_turnover',
    cents: 10_000_000,
    from: '2015-01-01',
    to: null,
    source: 'LIRPF art. 101.2',
  },
  {
    code: 'cash_payment_limit',
    cents: 100_000,
    from: '2021-07-11',
    to: null,
    source: 'Ley 7/2012 art. 7, en la redacción de la Ley 11/2021',
  },
  {
    code: 'export_travellers',
    cents: 0,
    from: '2018-07-05',
    to: null,
    source: 'Ley 37/1992 art. 21.2º.A, en la redacción de la Ley 6/2018 (sin importe mínimo)',
  },
]

/** Returns the amount of a threshold on a day; null when the table has none. */
export function thresholdAt(code: ThresholdCode, date: BusinessDate): Threshold | null {
  return inForce(thresholds, date).find((row) => row.code === code) ?? null
}

interface Compensation extends Dated {
  code: 'crops_forestry' | 'livestock_fisheries'
  rateBp: BasisPoints
}

/** Paid by the buyer to a farmer under the special scheme (REAGYP), with a receipt instead of an invoice. */
export const compensations: readonly Compensation[] = [
  {
    code: 'crops_forestry',
    rateBp: 1200,
    from: '2013-01-01',
    to: null,
    source: 'Ley 37/1992 art. 130.Cinco.1º',
  },
  {
    code: 'livestock_fisheries',
    rateBp: 1050,
    from: '2013-01-01',
    to: null,
    source: 'Ley 37/1992 art. 130.Cinco.2º',
  },
]

/** Returns the compensations of a day. */
export function compensationsAt(date: BusinessDate): Compensation[] {
  return inForce(compensations, date)
}
