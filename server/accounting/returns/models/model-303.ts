/**
 * Boxes of model 303, the periodic VAT return, as dated data. Source: Orden EHA/3786/2008 with its changes
 * (HFP/417/2017, HAC/646/2021, HFP/1124/2022, HAC/819/2024, HAC/1347/2024); the numbers checked against the layouts
 * published for 2021, 2023, October 2024 and 2026.
 */
import type { Box, Bilingual } from './boxes.ts'
import { REGULARISATION } from './boxes.ts'
import { MODEL_SOURCES } from './names.ts'
import {
  all,
  any,
  collected,
  correctedPurchases,
  deductible,
  domesticPurchases,
  euPurchases,
  euSales,
  exports,
  farmers,
  imports,
  investment,
  issued,
  made,
  not,
  otherSelfAssessed,
  outsideRules,
  rate,
  received,
  rectifying,
  regime,
  reverseChargeSales,
  surcharge,
  taxedSales,
  treatment,
} from './selectors.ts'
import type { When } from './selectors.ts'

/** Base, rate and tax of one line of the form. */
interface RateLine {
  base: string
  rate: string
  tax: string
  rates: readonly number[]
}

interface Layout {
  /** First month to which it applies: 202410. */
  from: number
  rates: readonly RateLine[]
  surcharges: readonly RateLine[]
  source: Bilingual
}

const RATES_COMMON: readonly RateLine[] = [
  { base: '01', rate: '02', tax: '03', rates: [400] },
  { base: '04', rate: '05', tax: '06', rates: [1000] },
  { base: '07', rate: '08', tax: '09', rates: [2100] },
]
const SURCHARGES_COMMON: readonly RateLine[] = [
  { base: '19', rate: '20', tax: '21', rates: [140] },
  { base: '22', rate: '23', tax: '24', rates: [520] },
]

/** Newest first. */
const LAYOUTS: readonly Layout[] = [
  {
    from: 202410,
    rates: [
      { base: '150', rate: '151', tax: '152', rates: [0] },
      { base: '165', rate: '166', tax: '167', rates: [200] },
      RATES_COMMON[0]!,
      { base: '153', rate: '154', tax: '155', rates: [500, 750] },
      RATES_COMMON[1]!,
      RATES_COMMON[2]!,
    ],
    surcharges: [
      { base: '156', rate: '157', tax: '158', rates: [175] },
      { base: '168', rate: '169', tax: '170', rates: [26, 50] },
      { base: '16', rate: '17', tax: '18', rates: [0, 62, 100] },
      ...SURCHARGES_COMMON,
    ],
    source: {
      es: 'Orden HAC/819/2024 (desde octubre de 2024), que sigue en el diseño de 2026',
      en: 'Orden HAC/819/2024 (from October 2024), kept in the layout of 2026',
    },
  },
  {
    from: 202301,
    rates: [
      { base: '150', rate: '151', tax: '152', rates: [0] },
      RATES_COMMON[0]!,
      { base: '153', rate: '154', tax: '155', rates: [500] },
      RATES_COMMON[1]!,
      RATES_COMMON[2]!,
    ],
    surcharges: [
      { base: '156', rate: '157', tax: '158', rates: [175] },
      { base: '16', rate: '17', tax: '18', rates: [0, 50, 62] },
      ...SURCHARGES_COMMON,
    ],
    source: {
      es: 'Orden HFP/1124/2022 (desde enero de 2023)',
      en: 'Orden HFP/1124/2022 (from January 2023)',
    },
  },
  {
    from: 0,
    rates: [{ base: '01', rate: '02', tax: '03', rates: [0, 400, 500] }, RATES_COMMON[1]!, RATES_COMMON[2]!],
    surcharges: [{ base: '16', rate: '17', tax: '18', rates: [0, 50, 62, 175] }, ...SURCHARGES_COMMON],
    source: {
      es: 'Orden HAC/646/2021 (hasta diciembre de 2022)',
      en: 'Orden HAC/646/2021 (until December 2022)',
    },
  },
]

export const SECTIONS_303: Record<string, Bilingual> = {
  output: { es: 'IVA devengado', en: 'VAT charged' },
  surcharge: { es: 'Recargo de equivalencia', en: 'Equivalence surcharge' },
  input: { es: 'IVA deducible', en: 'VAT you may deduct' },
  information: { es: 'Información adicional', en: 'Further information' },
  result: { es: 'Resultado', en: 'Result' },
}

const percent = (rates: readonly number[]) =>
  rates.map((bp) => String(bp / 100).replace('.', ',')).join(' / ')

/** Returns the two boxes of one line: base and tax. */
function pair(
  [base, tax]: readonly [string, string],
  section: string,
  label: Bilingual,
  when: When,
  take: 'tax' | 'surcharge' | 'deductible',
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

const regular = not(rectifying)

function rateBoxes(line: RateLine): Box[] {
  const text = percent(line.rates)
  const when = all(taxedSales, regular, rate(...line.rates))
  return pair(
    [line.base, line.tax],
    'output',
    { es: `Régimen general, ${text} %`, en: `Sales at ${text.replaceAll(',', '.')} %` },
    when,
    'tax',
  )
}

function surchargeBoxes(line: RateLine): Box[] {
  const text = percent(line.rates)
  const when = all(taxedSales, regular, surcharge(...line.rates))
  return pair(
    [line.base, line.tax],
    'surcharge',
    { es: `Recargo de equivalencia, ${text} %`, en: `Surcharge of ${text.replaceAll(',', '.')} %` },
    when,
    'surcharge',
  )
}

const hasSurcharge: When = ({ surchargeBp }) => surchargeBp >= 0
const bought = all(deductible, collected, regular)

const INPUT_LINES: readonly [string, string, Bilingual, When][] = [
  [
    '28',
    '29',
    { es: 'Operaciones interiores corrientes', en: 'Bought in Spain, running costs' },
    all(domesticPurchases, bought, not(investment)),
  ],
  [
    '30',
    '31',
    { es: 'Operaciones interiores con bienes de inversión', en: 'Bought in Spain, investment goods' },
    all(domesticPurchases, bought, investment),
  ],
  [
    '32',
    '33',
    { es: 'Importaciones de bienes corrientes', en: 'Imports, running costs' },
    all(imports, bought, not(investment)),
  ],
  [
    '34',
    '35',
    { es: 'Importaciones de bienes de inversión', en: 'Imports, investment goods' },
    all(imports, bought, investment),
  ],
  [
    '36',
    '37',
    {
      es: 'Adquisiciones intracomunitarias de bienes y servicios corrientes',
      en: 'Bought in the EU, running costs',
    },
    all(euPurchases, bought, not(investment)),
  ],
  [
    '38',
    '39',
    {
      es: 'Adquisiciones intracomunitarias de bienes de inversión',
      en: 'Bought in the EU, investment goods',
    },
    all(euPurchases, bought, investment),
  ],
  [
    '40',
    '41',
    { es: 'Rectificación de deducciones', en: 'Corrections of what was deducted' },
    correctedPurchases,
  ],
]

const RESULT: readonly Box[] = [
  {
    box: '76',
    section: 'result',
    label: {
      es: 'Regularización de cuotas art. 80.Cinco.5ª LIVA',
      en: 'Tax of uncollectible purchases (art. 80.Cinco.5ª)',
    },
    input: true,
  },
  {
    box: '64',
    section: 'result',
    label: { es: 'Suma de resultados', en: 'Sum of results' },
    sum: [
      ['46', 1],
      ['76', 1],
    ],
  },
  {
    box: '66',
    section: 'result',
    label: { es: 'Atribuible a la Administración del Estado (100 %)', en: 'Part of the State (100 %)' },
    sum: [['64', 1]],
  },
  {
    box: '77',
    section: 'result',
    label: {
      es: 'IVA a la importación liquidado por la Aduana pendiente de ingreso',
      en: 'Import VAT assessed by customs and not yet paid',
    },
    input: true,
  },
  {
    box: '110',
    section: 'result',
    label: {
      es: 'Cuotas a compensar pendientes de periodos anteriores',
      en: 'Left to offset from earlier periods',
    },
  },
  {
    box: '78',
    section: 'result',
    label: { es: 'Cuotas a compensar de periodos anteriores aplicadas en este periodo', en: 'Offset now' },
    formula: {
      es: 'la menor de 110 y 66 + 77, nunca negativa',
      en: 'the smaller of 110 and 66 + 77, never negative',
    },
    rule: (box) => Math.max(0, Math.min(box('110'), box('66') + box('77'))),
  },
  {
    box: '87',
    section: 'result',
    label: { es: 'Cuotas a compensar pendientes para periodos posteriores', en: 'Left to offset later' },
    sum: [
      ['110', 1],
      ['78', -1],
    ],
  },
  {
    box: '68',
    section: 'result',
    label: {
      es: 'Resultado de la regularización anual (tributación foral conjunta)',
      en: 'Yearly adjustment (shared with a foral territory)',
    },
    input: true,
  },
  {
    box: '108',
    section: 'result',
    label: { es: 'Rectificativa: otros ajustes', en: 'Corrective return: other adjustments' },
    input: true,
  },
  {
    box: '69',
    section: 'result',
    label: { es: 'Resultado de la autoliquidación', en: 'Result of the return' },
    sum: [
      ['66', 1],
      ['77', 1],
      ['78', -1],
      ['68', 1],
      ['108', 1],
    ],
  },
  {
    box: '70',
    section: 'result',
    label: {
      es: 'Rectificativa: resultado a ingresar de la autoliquidación anterior',
      en: 'Corrective return: paid with the earlier one',
    },
    input: true,
  },
  {
    box: '109',
    section: 'result',
    label: { es: 'Rectificativa: devolución acordada antes', en: 'Corrective return: refund granted before' },
    input: true,
  },
  {
    box: '71',
    section: 'result',
    label: { es: 'Resultado de la liquidación', en: 'To pay, or in your favour' },
    sum: [
      ['69', 1],
      ['70', -1],
      ['109', 1],
    ],
  },
]

const sumOf = (boxes: readonly string[]) => boxes.map((box) => [box, 1] as const)

/** Returns the boxes of the form in force in a month (202607), in form order. */
export function boxes303(month: number): Box[] {
  const layout = LAYOUTS.find(({ from }) => from <= month)
  if (!layout) throw new Error(`No layout of model 303 for ${month}.`)
  const output = [
    ...layout.rates.flatMap(rateBoxes),
    ...pair(
      ['10', '11'],
      'output',
      { es: 'Adquisiciones intracomunitarias de bienes y servicios', en: 'Bought in the EU' },
      all(euPurchases, made, regular),
      'tax',
    ),
    ...pair(
      ['12', '13'],
      'output',
      { es: 'Otras operaciones con inversión del sujeto pasivo', en: 'Other purchases with reverse charge' },
      all(otherSelfAssessed, made, regular),
      'tax',
    ),
    ...pair(
      ['14', '15'],
      'output',
      { es: 'Modificación de bases y cuotas', en: 'Corrections of sales and of tax you assess' },
      all(rectifying, any(taxedSales, all(any(euPurchases, otherSelfAssessed), made))),
      'tax',
    ),
  ]
  const surcharges = [
    ...layout.surcharges.flatMap(surchargeBoxes),
    ...pair(
      ['25', '26'],
      'surcharge',
      {
        es: 'Modificación de bases y cuotas del recargo de equivalencia',
        en: 'Corrections of the surcharge',
      },
      all(rectifying, taxedSales, hasSurcharge),
      'surcharge',
    ),
  ]
  const taxes = [
    ...layout.rates.map(({ tax }) => tax),
    '11',
    '13',
    '15',
    ...layout.surcharges.map(({ tax }) => tax),
    '26',
  ]
  const input = INPUT_LINES.flatMap(([base, tax, label, when]) =>
    pair([base, tax], 'input', label, when, 'deductible'),
  )
  return [
    ...output,
    ...surcharges,
    {
      box: '27',
      section: 'output',
      label: { es: 'Total cuota devengada', en: 'Total VAT charged' },
      sum: sumOf(taxes),
    },
    ...input,
    {
      box: '42',
      section: 'input',
      label: {
        es: 'Compensaciones del régimen especial de agricultura, ganadería y pesca',
        en: 'Compensation paid to farmers',
      },
      from: { when: all(farmers, deductible, collected), take: 'deductible' },
    },
    {
      box: '43',
      section: 'input',
      label: { es: 'Regularización de bienes de inversión', en: 'Adjustment of investment goods' },
      formula: REGULARISATION,
      input: true,
    },
    {
      box: '44',
      section: 'input',
      label: {
        es: 'Regularización por el porcentaje definitivo de prorrata',
        en: 'Adjustment to the final pro rata',
      },
      input: true,
    },
    {
      box: '45',
      section: 'input',
      label: { es: 'Total a deducir', en: 'Total to deduct' },
      sum: sumOf(['29', '31', '33', '35', '37', '39', '41', '42', '43', '44']),
    },
    {
      box: '46',
      section: 'result',
      label: { es: 'Resultado régimen general', en: 'Result of the general scheme' },
      sum: [
        ['27', 1],
        ['45', -1],
      ],
    },
    ...RESULT,
    {
      box: '59',
      section: 'information',
      label: { es: 'Entregas intracomunitarias de bienes y servicios', en: 'Sold to businesses in the EU' },
      from: { when: euSales, take: 'base' },
    },
    {
      box: '60',
      section: 'information',
      label: { es: 'Exportaciones y operaciones asimiladas', en: 'Exports and the like' },
      from: { when: exports, take: 'base' },
    },
    {
      box: '120',
      section: 'information',
      label: {
        es: 'Operaciones no sujetas por reglas de localización',
        en: 'Not subject by the place of supply',
      },
      from: { when: outsideRules, take: 'base' },
    },
    {
      box: '122',
      section: 'information',
      label: { es: 'Operaciones sujetas con inversión del sujeto pasivo', en: 'Sold with reverse charge' },
      from: { when: reverseChargeSales, take: 'base' },
    },
    {
      box: '123',
      section: 'information',
      label: {
        es: 'No sujetas por localización, acogidas a ventanilla única',
        en: 'One-stop shop: not subject here',
      },
      from: { when: all(issued, made, regime('17'), not(treatment('S1'))), take: 'base' },
    },
    {
      box: '124',
      section: 'information',
      label: { es: 'Sujetas y acogidas a ventanilla única', en: 'One-stop shop: subject' },
      from: { when: all(issued, made, regime('17'), treatment('S1')), take: 'base' },
    },
    ...pair(
      ['62', '63'],
      'information',
      { es: 'Criterio de caja, devengadas por la regla general', en: 'Cash accounting, made in the period' },
      all(issued, regime('07'), ({ stage }) => stage === 'accrued'),
      'tax',
    ),
    ...pair(
      ['74', '75'],
      'information',
      { es: 'Criterio de caja, adquisiciones afectadas', en: 'Bought from suppliers with cash accounting' },
      all(received, regime('07'), ({ stage }) => stage === 'accrued'),
      'tax',
    ),
  ]
}

/** Returns the source of the box layout of a month. */
export function source303(month: number): Bilingual {
  return LAYOUTS.find(({ from }) => from <= month)?.source ?? MODEL_SOURCES['303']
}
