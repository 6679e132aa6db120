/** Model 425 from the totals of a year and its four returns 420, and the comparison of both. Pure. */
import type { Cents } from '../../../../domain/money.ts'
import { eurosFromCents } from '../../../../domain/money.ts'
import type { TaxTotalRow } from '../../../../tax/totals/index.ts'
import type { CarriedPeriod, Computed } from '../../compute.ts'
import type { FiscalWarning, ModelList } from '../../contract.ts'
import { evaluate } from '../boxes.ts'
import type { Bilingual, BoxValue } from '../boxes.ts'
import { crowdedWarnings } from '../rate-lines.ts'
import { FARMERS_IGIC, INPUT_LINES, isIgic, TYPED_IGIC } from './model-420.ts'
import { all, any, issued, regime, treatment } from '../selectors.ts'
import type { When } from '../selectors.ts'
import { boxes425, crowded425, SECTIONS_425, SMALL } from './model-425.ts'

/** Amounts of one 420: as filed, else as computed. */
type Quarter = (box: string) => Cents

function quarterOf({ values, filing }: CarriedPeriod): Quarter {
  if (filing) return (box) => filing.boxes[box] ?? 0
  const byBox = new Map(values.map(({ box, value }) => [box.box, value]))
  return (box) => byBox.get(box) ?? 0
}

/** Sums that both returns have: boxes of the 420 over the year, and boxes of the 425 (a minus sign takes off). */
const COMPARED: readonly { quarter: string; year: readonly string[]; label: Bilingual }[] = [
  {
    quarter: '21',
    year: ['70', '-72'],
    label: { es: 'Modificación de bases', en: 'Corrections: bases' },
  },
  {
    quarter: '22',
    year: ['71', '-73'],
    label: { es: 'Modificación de cuotas', en: 'Corrections: tax' },
  },
  { quarter: '25', year: ['79'], label: { es: 'Total cuotas devengadas', en: 'Total IGIC charged' } },
  ...INPUT_LINES.flatMap(({ quarter, year, label }) => [
    {
      quarter: quarter[0],
      year: [year[0]],
      label: { es: `${label.es}: base`, en: `${label.en}: base` },
    },
    {
      quarter: quarter[1],
      year: [year[1]],
      label: { es: `${label.es}: cuota`, en: `${label.en}: tax` },
    },
  ]),
  { quarter: '36', year: ['90'], label: FARMERS_IGIC.label },
  ...TYPED_IGIC.filter(({ section }) => section === 'input').map(({ quarter, year, label }) => ({
    quarter,
    year: [year],
    label,
  })),
  { quarter: '40', year: ['94'], label: { es: 'Total cuotas deducibles', en: 'Total to deduct' } },
]

interface Difference {
  label: Bilingual
  boxes: string
  quartersCents: Cents
  yearCents: Cents
}

/** Compares the year with its quarters; returns the sums that differ. */
function differencesOf(quarters: readonly Quarter[], values: readonly BoxValue[]): Difference[] {
  const yearly = new Map(values.map(({ box, value }) => [box.box, value]))
  return COMPARED.flatMap(({ quarter, year, label }) => {
    const quartersCents = quarters.reduce((sum, box) => sum + box(quarter), 0)
    const yearCents = year.reduce(
      (sum, box) => sum + (box.startsWith('-') ? -(yearly.get(box.slice(1)) ?? 0) : (yearly.get(box) ?? 0)),
      0,
    )
    const boxes = `${quarter} · ${year.map((box) => box.replace('-', '−')).join(' ')}`
    return quartersCents === yearCents ? [] : [{ label, boxes, quartersCents, yearCents }]
  })
}

function listOf(differences: readonly Difference[]): ModelList {
  const amount = (id: string, es: string, en: string) => ({ id, label: { es, en }, kind: 'amount' as const })
  const values = Object.fromEntries(differences.map(({ boxes, label }) => [boxes, label]))
  return {
    id: 'quarters',
    title: { es: 'Cotejo con los cuatro 420', en: 'Compared with the four forms 420' },
    columns: [
      { id: 'boxes', label: { es: 'Casillas (420 · 425)', en: 'Boxes (420 · 425)' }, kind: 'text' },
      { id: 'what', label: { es: 'Concepto', en: 'What' }, kind: 'text', values },
      amount('quarters', 'Suma de los 420', 'Sum of the 420'),
      amount('year', '425', '425'),
      amount('difference', 'Diferencia', 'Difference'),
    ],
    rows: differences.map(({ boxes, quartersCents, yearCents }) => [
      boxes,
      boxes,
      eurosFromCents(quartersCents),
      eurosFromCents(yearCents),
      eurosFromCents(yearCents - quartersCents),
    ]),
    total: differences.length,
  }
}

function warningsOf(differences: readonly Difference[], figures: readonly TaxTotalRow[]): FiscalWarning[] {
  const warnings: FiscalWarning[] = []
  if (differences.length > 0)
    warnings.push({
      code: 'quarters_differ',
      severity: 'warning',
      count: differences.length,
      message: 'Amounts of the year differ from the sum of its quarterly returns.',
    })
  warnings.push(...crowdedWarnings(crowded425(figures)))
  return warnings
}

const ofSmall = regime(SMALL)
const soldHere: When = all(issued, isIgic)
const smallOrOutside: When = any(treatment('E7'), ofSmall, treatment('N1', 'N2'))

/**
 * Returns the totals that the summary of a small business states, or null for any other business. If all its sales of the
 * year are exempt by its scheme, it fills in its own part only (instructions of the form): what it bought is left out,
 * and what is not subject stands in that part.
 */
function figuresOfSmall(figures: readonly TaxTotalRow[]): readonly TaxTotalRow[] | null {
  const sold = figures.filter(soldHere)
  const isSmall = sold.some(any(treatment('E7'), ofSmall)) && sold.every(smallOrOutside)
  return isSmall ? sold.map((group) => ({ ...group, regimeKey: SMALL })) : null
}

/**
 * Returns the yearly summary. `filed` are the four returns of the year, as filed or as computed: they say what was
 * brought forward, paid, left to offset or to refund. Amounts are cents.
 */
export function compute425(
  ofYear: readonly TaxTotalRow[],
  filed: readonly CarriedPeriod[],
  typed: ReadonlyMap<string, number>,
): Pick<Computed, 'sections' | 'values' | 'lists' | 'resultCents' | 'warnings'> {
  const ofSmallBusiness = figuresOfSmall(ofYear)
  const figures = ofSmallBusiness ?? ofYear
  const quarters = ofSmallBusiness ? [] : filed
  const amounts = quarters.map(quarterOf)
  // A complementary return states what it adds to the earlier one, whose payment is in box 44.
  const results = amounts.map((box) => box('45') + box('44'))
  const inFavour = Math.max(0, -(results.at(-1) ?? 0))
  const isRefund = quarters.at(-1)?.filing?.outcome === 'refund'
  const values = evaluate(
    boxes425(figures),
    figures,
    new Map([
      ...TYPED_IGIC.map(({ quarter, year }): [string, number] => [
        year,
        amounts.reduce((sum, box) => sum + box(quarter), 0),
      ]),
      ['114', amounts[0]?.('43') ?? 0],
      ['116', results.reduce((sum, cents) => sum + Math.max(0, cents), 0)],
      ['118', isRefund ? 0 : inFavour],
      ['119', isRefund ? inFavour : 0],
      ...typed,
    ]),
  )
  const differences = quarters.length === 0 ? [] : differencesOf(amounts, values)
  return {
    sections: SECTIONS_425,
    values,
    lists: [listOf(differences)],
    resultCents: null,
    warnings: warningsOf(differences, figures),
  }
}
