/**
 * Lines of a form whose rate the filer writes: base, rate and tax. Places the rates of a period on them. Pure.
 * Assumption, since the forms do not say which rate belongs to which line: each line has a usual rate; another rate
 * takes the first line whose usual rate does not occur, and joins the line of the nearest rate where none is left.
 */
import type { BasisPoints } from '../../../domain/money.ts'
import type { FiscalWarning } from '../contract.ts'
import type { Bilingual, Box } from './boxes.ts'
import { all, rate } from './selectors.ts'
import type { When } from './selectors.ts'

export interface RateLine {
  base: string
  rate: string
  tax: string
  /** Null for a line without a usual rate. */
  usualBp: BasisPoints | null
}

interface PlacedLine extends RateLine {
  /** Rates whose amounts the line has; empty for an unused line. */
  ratesBp: BasisPoints[]
}

export interface PlacedRates {
  lines: PlacedLine[]
  /** Rates that share a line with another one: the form has too few lines. */
  crowdedBp: BasisPoints[]
}

/** Returns each line with its rates. `spare` are lines at the end, used only when the others are full. */
export function placeRates(
  lines: readonly RateLine[],
  found: readonly BasisPoints[],
  spare: readonly RateLine[] = [],
): PlacedRates {
  const rates = [...new Set(found)].sort((a, b) => a - b)
  const placed: PlacedLine[] = [...lines, ...spare].map((line) => ({ ...line, ratesBp: [] }))
  const others: BasisPoints[] = []
  for (const bp of rates) {
    const own = placed.find(({ usualBp }) => usualBp === bp)
    if (own) own.ratesBp.push(bp)
    else others.push(bp)
  }
  const crowdedBp: BasisPoints[] = []
  for (const bp of others) {
    const free = placed.find(({ ratesBp }) => ratesBp.length === 0)
    if (free) {
      free.ratesBp.push(bp)
      continue
    }
    const distance = ({ ratesBp }: PlacedLine) => Math.abs((ratesBp[0] ?? 0) - bp)
    const nearest = placed.toSorted((a, b) => distance(a) - distance(b))[0]
    nearest?.ratesBp.push(bp)
    crowdedBp.push(bp)
  }
  return { lines: placed, crowdedBp }
}

const percent = (rates: readonly BasisPoints[]) =>
  rates.map((bp) => String(bp / 100).replace('.', ',')).join(' / ')

/** Returns the three boxes of each line, in the order of the form; the rate is 0 on an unused or shared line. */
export function lineBoxes({ lines }: PlacedRates, section: string, label: Bilingual, when: When): Box[] {
  return lines.flatMap((line): Box[] => {
    const shown = line.ratesBp.length > 0 ? line.ratesBp : line.usualBp === null ? [] : [line.usualBp]
    const text = percent(shown)
    const es = shown.length === 0 ? label.es : `${label.es}, ${text} %`
    const en = shown.length === 0 ? label.en : `${label.en}, ${text.replaceAll(',', '.')} %`
    const of = all(when, rate(...line.ratesBp))
    const [only, second] = line.ratesBp
    const rateBp = only === undefined || second !== undefined ? 0 : only
    return [
      {
        box: line.base,
        section,
        label: { es: `${es}: base`, en: `${en}: base` },
        from: { when: of, take: 'base' },
      },
      {
        box: line.rate,
        section,
        label: { es: `${es}: tipo`, en: `${en}: rate` },
        kind: 'percent',
        rule: () => rateBp,
      },
      {
        box: line.tax,
        section,
        label: { es: `${es}: cuota`, en: `${en}: tax` },
        from: { when: of, take: 'tax' },
      },
    ]
  })
}

/** Returns the warning that a form has fewer lines than there are rates. */
export function crowdedWarnings(ratesBp: readonly number[]): FiscalWarning[] {
  if (ratesBp.length === 0) return []
  return [
    {
      code: 'rates_share_line',
      severity: 'warning',
      count: ratesBp.length,
      message: 'There are more rates than lines on the form: some rates share a line with another one.',
    },
  ]
}
