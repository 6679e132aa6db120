/** Period of the ledger's tabs: a year, or one of its quarters or months. Pure. */

export interface LedgerPeriod {
  year: number
  quarter?: number
  month?: number
}

/** Returns the part for the address, such as `q2` or `m05`; anything else is the whole year. */
export function partOf({ quarter, month }: LedgerPeriod): string {
  if (quarter !== undefined) return `q${quarter}`
  return month === undefined ? '' : `m${String(month).padStart(2, '0')}`
}

/** Returns the period of a year and a part, as the address writes them. */
export function periodFrom(year: number, part: string): LedgerPeriod {
  const [, kind, digits] = /^([qm])(\d{1,2})$/.exec(part) ?? []
  const number = Number(digits)
  if (kind === 'q' && number >= 1 && number <= 4) return { year, quarter: number }
  if (kind === 'm' && number >= 1 && number <= 12) return { year, month: number }
  return { year }
}

/** Returns the next (1) or previous (-1) period of the same length. */
export function shifted(period: LedgerPeriod, step: 1 | -1): LedgerPeriod {
  const { year, quarter, month } = period
  const move = (value: number, count: number) => {
    const next = value + step
    if (next < 1) return { year: year - 1, value: count }
    return next > count ? { year: year + 1, value: 1 } : { year, value: next }
  }
  if (quarter !== undefined) {
    const to = move(quarter, 4)
    return { year: to.year, quarter: to.value }
  }
  if (month !== undefined) {
    const to = move(month, 12)
    return { year: to.year, month: to.value }
  }
  return { year: year + step }
}

/** Returns the first and last day. */
export function daysOf({ year, quarter, month }: LedgerPeriod): { from: string; to: string } {
  const first = month ?? (quarter === undefined ? 1 : quarter * 3 - 2)
  const last = month ?? (quarter === undefined ? 12 : quarter * 3)
  const two = (value: number) => String(value).padStart(2, '0')
  const end = new Date(Date.UTC(year, last, 0)).getUTCDate()
  return { from: `${year}-${two(first)}-01`, to: `${year}-${two(last)}-${two(end)}` }
}
