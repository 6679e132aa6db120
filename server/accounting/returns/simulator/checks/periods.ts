/** The models that the simulator takes, and their periods. */
import { monthPeriod, quarterPeriod, yearPeriod } from '../../../../domain/dates.ts'
import type { BusinessDate } from '../../../../domain/dates.ts'

/** Periods by model: quarters (Q), months (M), the year (Y). */
const PERIODS: Readonly<Record<string, string>> = {
  '111': 'QM',
  '115': 'QM',
  '123': 'QM',
  '130': 'Q',
  '131': 'Q',
  '303': 'QM',
  '390': 'Y',
  '180': 'Y',
  '190': 'Y',
  '347': 'Y',
  '349': 'QM',
}

const INFORMATIVE: readonly string[] = ['347', '349', '190', '180']

/** Returns true for an informative return, which is sent as records in steps. */
export function isInformative(model: string): boolean {
  return INFORMATIVE.includes(model)
}

/** Returns true for a return in pages, which is sent whole. */
export function isPageModel(model: string): boolean {
  return Object.hasOwn(PERIODS, model) && !isInformative(model)
}

/** Returns the last day of a period; null if the model has no such period. */
export function lastDayOf(model: string, year: number, period: string): BusinessDate | null {
  const allowed = Object.hasOwn(PERIODS, model) ? (PERIODS[model] ?? '') : ''
  if (/^[1-4]T$/.test(period))
    return allowed.includes('Q') ? quarterPeriod(year, Number(period.charAt(0))).to : null
  if (/^(?:0[1-9]|1[0-2])$/.test(period))
    return allowed.includes('M') ? monthPeriod(year, Number(period)).to : null
  return period === '0A' && allowed.includes('Y') ? yearPeriod(year).to : null
}

/** Returns true for the last period of a year. */
export function isLastOfYear(period: string): boolean {
  return period === '4T' || period === '12'
}
