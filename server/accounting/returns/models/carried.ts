/**
 * Periodic returns of the indirect taxes, of which a result in favour of the business passes to the next period. One row
 * for each tax: the boxes of the form, and what its period leaves to the next one. Pure.
 */
import type { CompanyRow } from '../../../company/index.ts'
import type { Cents } from '../../../domain/money.ts'
import type { TaxFamily } from '../../../tax/systems/contract.ts'
import type { TaxTotalRow } from '../../../tax/totals/index.ts'
import { familyOf } from '../calendar/return-rows.ts'
import type { ModelNumber } from '../contract.ts'
import type { FilingRow } from '../rows.ts'
import type { Bilingual, Box } from './boxes.ts'
import { boxes420, lines420, SECTIONS_420 } from './igic/model-420.ts'
import { boxes303, SECTIONS_303, source303 } from './model-303.ts'
import { MODEL_SOURCES } from './names.ts'

/** What a period leaves to offset, in cents, never negative. */
interface Carry {
  /** Box that takes what earlier periods left. */
  into: string
  /** By the boxes of a period that is not filed: its negative result is assumed to be offset. */
  left: (box: (number: string) => Cents) => Cents
  /** By a filed return. */
  leftOfFiling: (filing: Pick<FilingRow, 'boxes' | 'outcome' | 'resultCents'>) => Cents
}

export interface CarriedReturn {
  model: ModelNumber
  family: TaxFamily
  sections: Record<string, Bilingual>
  /** Boxes for the last month of a period (202607) and its totals, in the order of the form. */
  boxes: (month: number, figures: readonly TaxTotalRow[]) => Box[]
  source: (month: number) => Bilingual
  carry: Carry
  /** Tax charged, tax to deduct, their difference, and the result to pay. */
  shown: { output: string; input: string; difference: string; result: string }
  /**
   * What a filed return settles in the books: what of earlier periods it uses up, and what is then to pay, or in favour
   * without what earlier periods left.
   */
  settled: (filing: Pick<FilingRow, 'boxes' | 'resultCents'>) => { appliedCents: Cents; resultCents: Cents }
  /** Box of the regularisation of investment goods, which follows from the fixed assets in the last period of a year. */
  fromAssets: string | null
  /** Rates that share a line of the form with another one, in basis points. */
  crowded: (figures: readonly TaxTotalRow[]) => readonly number[]
}

const negative = (cents: Cents): Cents => Math.max(0, -cents)

const ROWS: readonly CarriedReturn[] = [
  {
    model: '303',
    family: 'vat',
    sections: SECTIONS_303,
    boxes: boxes303,
    source: source303,
    carry: {
      into: '110',
      left: (box) => box('87') + negative(box('71')),
      // What was paid in excess (box 111 of a rectification) is paid back, not carried.
      leftOfFiling: ({ boxes, outcome, resultCents }) =>
        (boxes['87'] ?? 0) + (outcome === 'offset' ? Math.max(0, -resultCents - (boxes['111'] ?? 0)) : 0),
    },
    shown: { output: '27', input: '45', difference: '46', result: '71' },
    settled: ({ boxes, resultCents }) => ({
      appliedCents: boxes['78'] ?? 0,
      // VAT of imports (box 77) is booked in 4750 with the import itself.
      resultCents: resultCents - (boxes['77'] ?? 0),
    }),
    fromAssets: '43',
    crowded: () => [],
  },
  {
    model: '420',
    family: 'igic',
    sections: SECTIONS_420,
    boxes: (_month, figures) => boxes420(figures),
    source: () => MODEL_SOURCES['420'],
    carry: {
      // The whole of what is left is taken off here, so a result in favour contains what earlier periods left.
      into: '43',
      left: (box) => negative(box('45')),
      leftOfFiling: ({ outcome, resultCents }) => (outcome === 'offset' ? negative(resultCents) : 0),
    },
    shown: { output: '25', input: '40', difference: '41', result: '45' },
    settled: ({ boxes }) => {
      const dueCents = (boxes['41'] ?? 0) + (boxes['42'] ?? 0)
      const appliedCents = Math.max(0, Math.min(boxes['43'] ?? 0, dueCents))
      return { appliedCents, resultCents: dueCents - appliedCents }
    },
    // The register computes it by the articles on VAT, which are not those of this tax.
    fromAssets: null,
    crowded: (figures) => lines420(figures).crowdedBp,
  },
]

/** Returns the periodic return of a model; undefined for any other return. */
export function carriedReturn(model: ModelNumber): CarriedReturn | undefined {
  return ROWS.find((row) => row.model === model)
}

/** Returns the periodic return of the tax of a business; that of the State where Sello computes none for its tax. */
export function taxReturnOf(company: Pick<CompanyRow, 'territory'>): CarriedReturn {
  const family = familyOf(company)
  return ROWS.find((row) => row.family === family) ?? ROWS[0]!
}
