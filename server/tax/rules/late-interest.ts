/**
 * Interest on late commercial payments (Ley 3/2004 art. 7): the European Central Bank's main refinancing rate before each
 * half-year plus eight points, published by the Treasury; and the fixed compensation for the costs of recovery (art. 8).
 */
import type { BusinessDate } from '../../domain/dates.ts'
import { addDays, daysBetween } from '../../domain/dates.ts'
import { divideRounded } from '../../domain/money.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import { rowAt } from '../../domain/tax/dated.ts'
import type { Dated } from '../../domain/tax/dated.ts'

interface LateInterestRate extends Dated {
  rateBp: BasisPoints
}

const TREASURY = 'Resolución de la SG del Tesoro y Financiación Internacional'

/**
 * One row per half-year. The rate was checked against the bank's history; the date is that of the resolution, where
 * it was read.
 */
export const lateInterestRates: readonly [LateInterestRate, ...LateInterestRate[]] = [
  {
    rateBp: 800,
    from: '2020-01-01',
    to: '2020-06-30',
    source: `${TREASURY}, 1.er semestre de 2020 (BCE 0,00 + 8)`,
  },
  {
    rateBp: 800,
    from: '2020-07-01',
    to: '2020-12-31',
    source: `${TREASURY}, 2.º semestre de 2020 (BCE 0,00 + 8)`,
  },
  {
    rateBp: 800,
    from: '2021-01-01',
    to: '2021-06-30',
    source: `${TREASURY}, 1.er semestre de 2021 (BCE 0,00 + 8)`,
  },
  {
    rateBp: 800,
    from: '2021-07-01',
    to: '2021-12-31',
    source: `${TREASURY}, 2.º semestre de 2021 (BCE 0,00 + 8)`,
  },
  {
    rateBp: 800,
    from: '2022-01-01',
    to: '2022-06-30',
    source: `${TREASURY}, 1.er semestre de 2022 (BCE 0,00 + 8)`,
  },
  {
    rateBp: 800,
    from: '2022-07-01',
    to: '2022-12-31',
    source: `${TREASURY}, 2.º semestre de 2022 (BCE 0,00 + 8)`,
  },
  {
    rateBp: 1050,
    from: '2023-01-01',
    to: '2023-06-30',
    source: `${TREASURY}, 1.er semestre de 2023 (BCE 2,50 + 8)`,
  },
  {
    rateBp: 1200,
    from: '2023-07-01',
    to: '2023-12-31',
    source: `${TREASURY}, de 28 de junio de 2023 (BCE 4,00 + 8)`,
  },
  {
    rateBp: 1250,
    from: '2024-01-01',
    to: '2024-06-30',
    source: `${TREASURY}, 1.er semestre de 2024 (BCE 4,50 + 8)`,
  },
  {
    rateBp: 1225,
    from: '2024-07-01',
    to: '2024-12-31',
    source: `${TREASURY}, 2.º semestre de 2024 (BCE 4,25 + 8)`,
  },
  {
    rateBp: 1115,
    from: '2025-01-01',
    to: '2025-06-30',
    source: `${TREASURY}, 1.er semestre de 2025 (BCE 3,15 + 8)`,
  },
  {
    rateBp: 1015,
    from: '2025-07-01',
    to: '2025-12-31',
    source: `${TREASURY}, 2.º semestre de 2025 (BCE 2,15 + 8)`,
  },
  {
    rateBp: 1015,
    from: '2026-01-01',
    to: '2026-06-30',
    source: `${TREASURY}, de 23 de diciembre de 2025, BOE-A-2025-27201 (BCE 2,15 + 8)`,
  },
  {
    rateBp: 1015,
    from: '2026-07-01',
    to: null,
    source: `Estimado con el último tipo conocido: falta la ${TREASURY} del 2.º semestre de 2026`,
    certain: false,
  },
]

/** Fixed compensation for recovery costs, once for each invoice paid late. Source: Ley 3/2004 art. 8.1. */
export const recoveryCosts: readonly [Dated & { cents: Cents }, ...(Dated & { cents: Cents })[]] = [
  {
    cents: 4_000,
    from: '2013-02-24',
    to: null,
    source: 'Ley 3/2004 art. 8.1, en la redacción del RDL 4/2013',
  },
]

/** Returns the row of a day. */
export function lateInterestAt(date: BusinessDate): LateInterestRate {
  return rowAt(lateInterestRates, date)
}

export interface LateInterestPart {
  /** First and last day of the period, both counted. */
  from: BusinessDate
  to: BusinessDate
  days: number
  rateBp: BasisPoints
  cents: Cents
  source: string
  certain: boolean
}

interface LateInterest {
  days: number
  cents: Cents
  recoveryCents: Cents
  parts: LateInterestPart[]
  /** False when the computation used a rate that is not published yet. */
  certain: boolean
}

const DAYS_A_YEAR = 365n

/**
 * Computes simple interest for each day after `dueDate` up to and including `until`, at the rate of the day's
 * half-year, on a year of 365 days; each half-year's part is rounded to cents. Returns nothing when the debt is not
 * overdue.
 */
export function lateInterest(owed: {
  cents: Cents
  dueDate: BusinessDate
  until: BusinessDate
}): LateInterest {
  const parts: LateInterestPart[] = []
  let from = addDays(owed.dueDate, 1)
  while (from <= owed.until) {
    const row = lateInterestAt(from)
    const to = row.to === null || owed.until < row.to ? owed.until : row.to
    // Days before the table use the first row's rate, whose own validity begins later.
    const last = to < from ? owed.until : to
    const days = daysBetween(from, last) + 1
    const cents = Number(
      divideRounded(BigInt(owed.cents) * BigInt(row.rateBp) * BigInt(days), DAYS_A_YEAR * 10_000n),
    )
    parts.push({
      from,
      to: last,
      days,
      rateBp: row.rateBp,
      cents,
      source: row.source,
      certain: row.certain !== false,
    })
    from = addDays(last, 1)
  }
  const late = parts.length > 0
  return {
    days: parts.reduce((sum, part) => sum + part.days, 0),
    cents: parts.reduce((sum, part) => sum + part.cents, 0),
    recoveryCents: late && owed.cents > 0 ? rowAt(recoveryCosts, owed.until).cents : 0,
    parts,
    certain: parts.every((part) => part.certain),
  }
}
