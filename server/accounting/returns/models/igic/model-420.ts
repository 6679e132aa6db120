/**
 * Boxes of model 420, the quarterly return of IGIC in the general scheme. Source: resolution of 14 January 2019 of the
 * Canary tax office (BOC no. 15 of 23 January 2019), form and instructions. The lines of rates 0, 3, 7, 9.5, 15 and 20
 * are an assumption: the form prints no rate, the filer writes it.
 */
import type { BasisPoints } from '../../../../domain/money.ts'
import type { TaxTotalRow } from '../../../../tax/totals/index.ts'
import type { Bilingual, Box } from '../boxes.ts'
import { lineBoxes, placeRates } from '../rate-lines.ts'
import type { PlacedRates, RateLine } from '../rate-lines.ts'
import {
  all,
  any,
  collected,
  deductible,
  investment,
  issued,
  made,
  not,
  ofTax,
  outsideRules,
  received,
  rectifying,
  regime,
  selectorsOf,
  treatment,
} from '../selectors.ts'
import type { When } from '../selectors.ts'

export const IGIC = selectorsOf('igic')
export const isIgic = ofTax('igic')
const regular = not(rectifying)
const bought = all(deductible, collected, regular)
const waiting: When = ({ stage }) => stage === 'accrued'

/** Sales with tax, without corrections. */
export const linesOfSales: When = all(IGIC.taxedSales, regular)
/** Tax that the buyer owes: reverse charge, and services from outside the islands. */
export const owedAsBuyer: When = all(IGIC.otherSelfAssessed, made, regular)
/** Corrections of sales, and of tax that was owed as the buyer. */
export const correctionsOfDue: When = all(rectifying, any(IGIC.taxedSales, all(IGIC.otherSelfAssessed, made)))
const exemptWithRight: When = all(issued, isIgic, made, treatment('E2', 'E3', 'E4', 'E5', 'E6'))
export const outsideOrReversed: When = any(all(outsideRules, isIgic), IGIC.reverseChargeSales)
export const cashSalesMade: When = all(issued, isIgic, regime('07'), waiting)
export const cashPurchasesMade: When = all(received, isIgic, regime('07'), waiting)

export const SECTIONS_420: Record<string, Bilingual> = {
  output: { es: 'IGIC devengado', en: 'IGIC charged' },
  input: { es: 'IGIC deducible', en: 'IGIC you may deduct' },
  result: { es: 'Resultado', en: 'Result' },
  information: { es: 'Información adicional', en: 'Further information' },
}

const LINES: readonly RateLine[] = [
  { base: '01', rate: '02', tax: '03', usualBp: 0 },
  { base: '04', rate: '05', tax: '06', usualBp: 300 },
  { base: '07', rate: '08', tax: '09', usualBp: 700 },
  { base: '10', rate: '11', tax: '12', usualBp: 950 },
  { base: '13', rate: '14', tax: '15', usualBp: 1500 },
  { base: '16', rate: '17', tax: '18', usualBp: 2000 },
]

/** Returns the rates of the taxed sales that occur, in basis points. */
export function ratesOf(figures: readonly TaxTotalRow[], when: When): BasisPoints[] {
  return [...new Set(figures.filter(when).map(({ vatRateBp }) => vatRateBp))].sort((a, b) => a - b)
}

/** Returns the lines of the form with the rates of a period. */
export const lines420 = (figures: readonly TaxTotalRow[]): PlacedRates =>
  placeRates(LINES, ratesOf(figures, linesOfSales))

/** Returns base and tax of one kind of operation. */
export function pairOf(
  [base, tax]: readonly [string, string],
  section: string,
  label: Bilingual,
  when: When,
  take: 'tax' | 'deductible',
): Box[] {
  return [
    {
      box: base,
      section,
      label: { es: `${label.es}: base`, en: `${label.en}: base` },
      from: { when, take: 'base' },
    },
    { box: tax, section, label: { es: `${label.es}: cuota`, en: `${label.en}: tax` }, from: { when, take } },
  ]
}

/** Deductible tax by kind of purchase, with the boxes of the quarterly and of the yearly return. */
export const INPUT_LINES: readonly {
  quarter: readonly [string, string]
  year: readonly [string, string]
  label: Bilingual
  when: When
}[] = [
  {
    quarter: ['26', '27'],
    year: ['80', '81'],
    label: { es: 'Operaciones interiores corrientes', en: 'Bought in the islands, running costs' },
    when: all(IGIC.domesticPurchases, bought, not(investment)),
  },
  {
    quarter: ['28', '29'],
    year: ['82', '83'],
    label: {
      es: 'Operaciones interiores con bienes de inversión',
      en: 'Bought in the islands, investment goods',
    },
    when: all(IGIC.domesticPurchases, bought, investment),
  },
  {
    quarter: ['30', '31'],
    year: ['84', '85'],
    label: { es: 'Importaciones de bienes corrientes', en: 'Imports, running costs' },
    when: all(IGIC.imports, bought, not(investment)),
  },
  {
    quarter: ['32', '33'],
    year: ['86', '87'],
    label: { es: 'Importaciones de bienes de inversión', en: 'Imports, investment goods' },
    when: all(IGIC.imports, bought, investment),
  },
  {
    quarter: ['34', '35'],
    year: ['88', '89'],
    label: { es: 'Rectificación de deducciones', en: 'Corrections of what was deducted' },
    when: IGIC.correctedPurchases,
  },
]

/** Amounts that a person types, with the boxes of the quarterly and of the yearly return. */
export const TYPED_IGIC: readonly { quarter: string; year: string; section: string; label: Bilingual }[] = [
  {
    quarter: '23',
    year: '77',
    section: 'output',
    label: { es: 'Devoluciones en régimen de viajeros: base', en: 'Refunded to travellers: base' },
  },
  {
    quarter: '24',
    year: '78',
    section: 'output',
    label: { es: 'Devoluciones en régimen de viajeros: cuota', en: 'Refunded to travellers: tax' },
  },
  {
    quarter: '37',
    year: '91',
    section: 'input',
    label: { es: 'Regularización de bienes de inversión', en: 'Adjustment of investment goods' },
  },
  {
    quarter: '38',
    year: '92',
    section: 'input',
    label: {
      es: 'Regularización de cuotas anteriores al inicio de la actividad',
      en: 'Adjustment of tax borne before the activity began',
    },
  },
  {
    quarter: '39',
    year: '93',
    section: 'input',
    label: {
      es: 'Regularización por el porcentaje definitivo de prorrata (solo en el 4T)',
      en: 'Adjustment to the final pro rata (fourth quarter only)',
    },
  },
  {
    quarter: '42',
    year: '112',
    section: 'result',
    label: {
      es: 'Regularización de cuotas art. 22.Ocho.5 Ley 20/1991',
      en: 'Adjustment of art. 22.Ocho.5 of Ley 20/1991',
    },
  },
]

const typed = (box: string): Box => {
  const row = TYPED_IGIC.find(({ quarter }) => quarter === box)
  if (!row) throw new Error(`Box ${box} of model 420 is not typed.`)
  return { box, section: row.section, label: row.label, input: true }
}

export const FARMERS_IGIC = {
  label: {
    es: 'Compensación del régimen especial de agricultura, ganadería y pesca',
    en: 'Compensation paid to farmers',
  },
  when: all(IGIC.farmers, deductible, collected),
} as const

const plus = (...boxes: readonly string[]) => boxes.map((box) => [box, 1] as const)

/** Returns the boxes of the form for the totals of a period: its rates decide the lines. */
export function boxes420(figures: readonly TaxTotalRow[]): Box[] {
  const placed = lines420(figures)
  return [
    ...lineBoxes(placed, 'output', { es: 'Ventas', en: 'Sales' }, linesOfSales),
    ...pairOf(
      ['19', '20'],
      'output',
      { es: 'Inversión del sujeto pasivo, como destinatario', en: 'Reverse charge, as the buyer' },
      owedAsBuyer,
      'tax',
    ),
    ...pairOf(
      ['21', '22'],
      'output',
      { es: 'Modificación de bases y cuotas', en: 'Corrections of sales and of tax you assess' },
      correctionsOfDue,
      'tax',
    ),
    typed('23'),
    typed('24'),
    {
      box: '25',
      section: 'output',
      label: { es: 'Total cuotas devengadas', en: 'Total IGIC charged' },
      sum: [...plus(...placed.lines.map(({ tax }) => tax), '20', '22'), ['24', -1]],
    },
    ...INPUT_LINES.flatMap(({ quarter, label, when }) => pairOf(quarter, 'input', label, when, 'deductible')),
    {
      box: '36',
      section: 'input',
      label: FARMERS_IGIC.label,
      from: { when: FARMERS_IGIC.when, take: 'deductible' },
    },
    typed('37'),
    typed('38'),
    typed('39'),
    {
      box: '40',
      section: 'input',
      label: { es: 'Total cuotas deducibles', en: 'Total to deduct' },
      sum: plus('27', '29', '31', '33', '35', '36', '37', '38', '39'),
    },
    {
      box: '41',
      section: 'result',
      label: { es: 'Diferencia', en: 'Difference' },
      sum: [
        ['25', 1],
        ['40', -1],
      ],
    },
    typed('42'),
    {
      box: '43',
      section: 'result',
      label: { es: 'Cuotas a compensar de periodos anteriores', en: 'To offset from earlier periods' },
    },
    {
      box: '44',
      section: 'result',
      label: { es: 'A deducir (solo en complementarias)', en: 'To deduct (complementary returns only)' },
      input: true,
    },
    {
      box: '45',
      section: 'result',
      label: { es: 'Resultado de la autoliquidación', en: 'Result of the return' },
      sum: [
        ['41', 1],
        ['42', 1],
        ['43', -1],
        ['44', -1],
      ],
    },
    {
      box: '46',
      section: 'information',
      label: {
        es: 'Exportaciones y operaciones exentas con derecho a deducción',
        en: 'Exports and exempt sales with the right to deduct',
      },
      from: { when: exemptWithRight, take: 'base' },
    },
    {
      box: '47',
      section: 'information',
      label: {
        es: 'No sujetas o con inversión del sujeto pasivo, con derecho a deducción',
        en: 'Not subject, or with reverse charge, with the right to deduct',
      },
      from: { when: outsideOrReversed, take: 'base' },
    },
    ...pairOf(
      ['48', '49'],
      'information',
      { es: 'Criterio de caja, entregas por la regla general', en: 'Cash accounting, sold in the period' },
      cashSalesMade,
      'tax',
    ),
    ...pairOf(
      ['50', '51'],
      'information',
      { es: 'Criterio de caja, adquisiciones afectadas', en: 'Bought from suppliers with cash accounting' },
      cashPurchasesMade,
      'tax',
    ),
  ]
}
