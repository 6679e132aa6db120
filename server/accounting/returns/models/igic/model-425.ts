/**
 * Boxes of model 425, the yearly summary of IGIC. Source: official instructions of the form of the Canary tax office.
 * Assumptions: which rate each line prints, and that a seventh rate stands on the "bis" line (boxes 16 to 18 and 64 to
 * 66 bis).
 */
import type { TaxTotalRow } from '../../../../tax/totals/index.ts'
import type { Bilingual, Box } from '../boxes.ts'
import { lineBoxes, placeRates } from '../rate-lines.ts'
import type { PlacedRates, RateLine } from '../rate-lines.ts'
import {
  all,
  deductible,
  issued,
  made,
  not,
  outsideRules,
  received,
  regime,
  treatment,
} from '../selectors.ts'
import type { When } from '../selectors.ts'
import {
  cashPurchasesMade,
  cashSalesMade,
  correctionsOfDue,
  FARMERS_IGIC,
  IGIC,
  INPUT_LINES,
  isIgic,
  linesOfSales,
  outsideOrReversed,
  owedAsBuyer,
  pairOf,
  ratesOf,
  TYPED_IGIC,
} from './model-420.ts'

export const SECTIONS_425: Record<string, Bilingual> = {
  output: { es: 'Régimen general: IGIC devengado', en: 'General scheme: IGIC charged' },
  used: { es: 'Bienes usados', en: 'Used goods' },
  art: { es: 'Objetos de arte y de colección', en: 'Art and collectors’ items' },
  cash: { es: 'Criterio de caja', en: 'Cash accounting' },
  total: { es: 'Totales', en: 'Totals' },
  input: { es: 'IGIC deducible', en: 'IGIC you may deduct' },
  simplified: { es: 'Régimen simplificado', en: 'Simplified scheme' },
  result: { es: 'Resultado del año', en: 'Result of the year' },
  volume: { es: 'Volumen de operaciones', en: 'Volume of operations' },
  specific: { es: 'Operaciones específicas', en: 'Particular operations' },
  small: {
    es: 'Pequeño empresario y comerciante minorista',
    en: 'Small businesses and retailers',
  },
}

const USED_GOODS = '03'
const TRAVEL = '05'
const CASH = '07'
const RETAIL = '17'
/** Key of what a small business sells. */
export const SMALL = '18'

const USUAL = [0, 300, 700, 950, 1500, 2000]
const two = (number: number) => String(number).padStart(2, '0')

/** Returns consecutive lines of three boxes. */
function linesFrom(first: number, usual: readonly (number | null)[]): RateLine[] {
  return usual.map((usualBp, index) => {
    const base = first + 3 * index
    return { base: two(base), rate: two(base + 1), tax: two(base + 2), usualBp }
  })
}
const bis = (base: number): RateLine => ({
  base: `${base} bis`,
  rate: `${base + 1} bis`,
  tax: `${base + 2} bis`,
  usualBp: null,
})

interface Block {
  section: string
  label: Bilingual
  lines: readonly RateLine[]
  spare: readonly RateLine[]
  when: When
}

const ordinary: When = all(linesOfSales, not(regime(USED_GOODS, TRAVEL, CASH)))

const BLOCKS: readonly Block[] = [
  {
    section: 'output',
    label: { es: 'Régimen ordinario', en: 'Sales' },
    lines: linesFrom(1, USUAL),
    spare: [bis(16)],
    when: ordinary,
  },
  {
    section: 'used',
    label: { es: 'Bienes usados', en: 'Used goods' },
    lines: linesFrom(19, [300, 700, 950, 1500, 2000]),
    spare: [],
    when: all(linesOfSales, regime(USED_GOODS)),
  },
  {
    section: 'cash',
    label: { es: 'Criterio de caja', en: 'Cash accounting' },
    lines: linesFrom(49, USUAL),
    spare: [bis(64)],
    when: all(linesOfSales, regime(CASH)),
  },
]

/** Returns the lines of each block with the rates of a year. */
function placedBlocks(figures: readonly TaxTotalRow[]): (Block & { placed: PlacedRates })[] {
  return BLOCKS.map((block) => ({
    ...block,
    placed: placeRates(block.lines, ratesOf(figures, block.when), block.spare),
  }))
}

/** Returns the rates that share a line of the form with another one, in basis points. */
export function crowded425(figures: readonly TaxTotalRow[]): number[] {
  return placedBlocks(figures).flatMap(({ placed }) => placed.crowdedBp)
}

const plus = (boxes: readonly string[]) => boxes.map((box) => [box, 1] as const)
const input = (box: string, section: string, es: string, en: string): Box => ({
  box,
  section,
  label: { es, en },
  input: true,
})

/**
 * The record has one key for used goods, art and collectors' items: all count as used goods, and a person moves what is
 * art.
 */
const ART: Box[] = linesFrom(34, [null, null, null, null, null]).flatMap((line, index) => [
  input(line.base, 'art', `Línea ${index + 1}: base`, `Line ${index + 1}: base`),
  {
    ...input(line.rate, 'art', `Línea ${index + 1}: tipo`, `Line ${index + 1}: rate`),
    kind: 'percent' as const,
  },
  input(line.tax, 'art', `Línea ${index + 1}: cuota`, `Line ${index + 1}: tax`),
])
const ART_BASES = ['34', '37', '40', '43', '46']
const ART_TAXES = ['36', '39', '42', '45', '48']

const travel: When = all(linesOfSales, regime(TRAVEL))

function output(figures: readonly TaxTotalRow[]): Box[] {
  const blocks = placedBlocks(figures)
  const travelRates = ratesOf(figures, travel)
  const of = (name: 'base' | 'tax') => blocks.flatMap(({ placed }) => placed.lines.map((line) => line[name]))
  const boxesOf = (section: string) => {
    const block = blocks.find((each) => each.section === section)!
    return lineBoxes(block.placed, block.section, block.label, block.when)
  }
  return [
    ...boxesOf('output'),
    ...boxesOf('used'),
    ...ART,
    ...boxesOf('cash'),
    {
      box: '67',
      section: 'total',
      label: { es: 'Agencias de viajes: base', en: 'Travel agencies: base' },
      from: { when: travel, take: 'base' },
    },
    {
      box: '68',
      section: 'total',
      label: { es: 'Agencias de viajes: tipo', en: 'Travel agencies: rate' },
      kind: 'percent',
      rule: () => (travelRates.length === 1 ? travelRates[0]! : 0),
    },
    {
      box: '69',
      section: 'total',
      label: { es: 'Agencias de viajes: cuota', en: 'Travel agencies: tax' },
      from: { when: travel, take: 'tax' },
    },
    ...pairOf(
      ['70', '71'],
      'total',
      { es: 'Modificación de bases y cuotas', en: 'Corrections of sales and of tax you assess' },
      correctionsOfDue,
      'tax',
    ),
    input(
      '72',
      'total',
      'Modificación por concurso o crédito incobrable (en positivo, resta): base',
      'Corrections by insolvency or bad debt (positive, taken off): base',
    ),
    input(
      '73',
      'total',
      'Modificación por concurso o crédito incobrable (en positivo, resta): cuota',
      'Corrections by insolvency or bad debt (positive, taken off): tax',
    ),
    {
      box: '74',
      section: 'total',
      label: { es: 'Total bases', en: 'Total of bases' },
      sum: [...plus([...of('base'), ...ART_BASES, '67', '70']), ['72', -1]],
    },
    ...pairOf(
      ['75', '76'],
      'total',
      { es: 'Inversión del sujeto pasivo, como destinatario', en: 'Reverse charge, as the buyer' },
      owedAsBuyer,
      'tax',
    ),
    ...typedOf('output', 'total'),
    {
      box: '79',
      section: 'total',
      label: { es: 'Total cuotas devengadas', en: 'Total IGIC charged' },
      sum: [...plus([...of('tax'), ...ART_TAXES, '69', '71', '76']), ['73', -1], ['78', -1]],
    },
  ]
}

/** Returns the boxes that repeat what was typed in the quarters; another amount can be typed here. */
function typedOf(section: string, shownIn: string): Box[] {
  return TYPED_IGIC.filter((row) => row.section === section).map(({ year, label }) => ({
    box: year,
    section: shownIn,
    label,
    formula: {
      es: 'la suma de los cuatro 420, si no se escribe otra cosa',
      en: 'the sum of the four forms 420, unless something else is typed',
    },
    input: true as const,
  }))
}

const INPUT: readonly Box[] = [
  ...INPUT_LINES.flatMap(({ year, label, when }) => pairOf(year, 'input', label, when, 'deductible')),
  {
    box: '90',
    section: 'input',
    label: FARMERS_IGIC.label,
    from: { when: FARMERS_IGIC.when, take: 'deductible' },
  },
  ...typedOf('input', 'input'),
  {
    box: '94',
    section: 'input',
    label: { es: 'Total cuotas deducibles', en: 'Total to deduct' },
    sum: plus(['81', '83', '85', '87', '89', '90', '91', '92', '93']),
  },
  {
    box: '95',
    section: 'result',
    label: { es: 'Resultado régimen general', en: 'Result of the general scheme' },
    sum: [
      ['79', 1],
      ['94', -1],
    ],
  },
]

const SIMPLIFIED: readonly Box[] = [
  ...[96, 97, 98, 99, 100, 101, 102].map((box, index) =>
    input(
      String(box),
      'simplified',
      `Cuota anual de la actividad ${index + 1}`,
      `Quota of the year, activity ${index + 1}`,
    ),
  ),
  {
    box: '103',
    section: 'simplified',
    label: { es: 'Total cuota anual', en: 'Total quota of the year' },
    sum: plus(['96', '97', '98', '99', '100', '101', '102']),
  },
  input(
    '104',
    'simplified',
    'Cuotas por transmisión de activos fijos e inversión del sujeto pasivo',
    'Tax on fixed assets sold and on reverse charge',
  ),
  input('105', 'simplified', 'Cuotas por arrendamiento de inmuebles', 'Tax on letting of property'),
  input('106', 'simplified', 'Rectificación de 104 y 105', 'Corrections of 104 and 105'),
  {
    box: '107',
    section: 'simplified',
    label: { es: 'Total cuotas', en: 'Total tax' },
    sum: plus(['103', '104', '105', '106']),
  },
  input('108', 'simplified', 'Cuotas deducibles de activos fijos', 'Deductible tax of fixed assets'),
  input('109', 'simplified', 'Cuotas deducibles por arrendamiento', 'Deductible tax of letting'),
  {
    box: '110',
    section: 'simplified',
    label: { es: 'Total deducible', en: 'Total to deduct' },
    sum: plus(['108', '109']),
  },
  {
    box: '111',
    section: 'simplified',
    label: { es: 'Resultado régimen simplificado', en: 'Result of the simplified scheme' },
    sum: [
      ['107', 1],
      ['110', -1],
    ],
  },
]

const RESULT: readonly Box[] = [
  ...typedOf('result', 'result'),
  {
    box: '113',
    section: 'result',
    label: { es: 'Suma de resultados', en: 'Sum of results' },
    sum: plus(['95', '111']),
  },
  {
    box: '114',
    section: 'result',
    label: { es: 'Cuotas a compensar del año anterior', en: 'To offset from the year before' },
  },
  {
    box: '115',
    section: 'result',
    label: { es: 'Resultado del año', en: 'Result of the year' },
    sum: [...plus(['112', '113']), ['114', -1]],
  },
  {
    box: '116',
    section: 'result',
    label: {
      es: 'Total a ingresar en las autoliquidaciones del año',
      en: 'To pay in the returns of the year',
    },
  },
  input('117', 'result', 'Devoluciones mensuales', 'Monthly refunds'),
  {
    box: '118',
    section: 'result',
    label: { es: 'Última autoliquidación del año: a compensar', en: 'Last return of the year: to offset' },
  },
  {
    box: '119',
    section: 'result',
    label: { es: 'Última autoliquidación del año: a devolver', en: 'Last return of the year: to refund' },
  },
]

const volume = (box: string, es: string, en: string, when: When): Box => ({
  box,
  section: 'volume',
  label: { es, en },
  from: { when, take: 'base' },
})
const exempt = (...codes: readonly string[]): When => all(issued, isIgic, made, treatment(...codes))

const VOLUME: readonly Box[] = [
  volume(
    '120',
    'Régimen general',
    'General scheme',
    all(IGIC.taxedSales, made, not(regime(USED_GOODS, TRAVEL, CASH))),
  ),
  volume(
    '121',
    'Criterio de caja, por la regla general',
    'Cash accounting, by the general rule',
    cashSalesMade,
  ),
  volume('122', 'Exportaciones y operaciones asimiladas', 'Exports and the like', exempt('E2', 'E3')),
  volume('123', 'Zonas, depósitos y regímenes exentos', 'Exempt areas and warehouses', exempt('E4')),
  volume(
    '124',
    'Exentas por el art. 25 Ley 19/1994 (interiores)',
    'Exempt by art. 25 of Ley 19/1994',
    exempt('E5'),
  ),
  volume(
    '125',
    'Otras exentas con derecho a deducción',
    'Other exempt with the right to deduct',
    exempt('E6'),
  ),
  volume(
    '126',
    'Exentas sin derecho a deducción',
    'Exempt without the right to deduct',
    all(exempt('E1', 'E8'), not(regime(RETAIL, SMALL))),
  ),
  input('127', 'volume', 'Régimen simplificado', 'Simplified scheme'),
  volume(
    '128',
    'No sujetas por localización o con inversión del sujeto pasivo',
    'Not subject by the place of supply, or with reverse charge',
    all(outsideOrReversed, not(regime(SMALL))),
  ),
  input('129', 'volume', 'Régimen de agricultura, ganadería y pesca', 'Farming scheme'),
  volume(
    '130',
    'Bienes usados y objetos de arte',
    'Used goods and art',
    all(IGIC.taxedSales, made, regime(USED_GOODS)),
  ),
  volume('131', 'Agencias de viajes', 'Travel agencies', all(IGIC.taxedSales, made, regime(TRAVEL))),
  input(
    '132',
    'volume',
    'Operaciones inmobiliarias y financieras no habituales (se restan)',
    'Occasional property and financial operations (taken off)',
  ),
  input(
    '133',
    'volume',
    'Entregas de bienes de inversión (se restan)',
    'Sales of investment goods (taken off)',
  ),
  {
    box: '134',
    section: 'volume',
    label: { es: 'Total volumen de operaciones', en: 'Total volume' },
    sum: [
      ...plus(['120', '121', '122', '123', '124', '125', '126', '127', '128', '129', '130', '131']),
      ['132', -1],
      ['133', -1],
    ],
  },
]

const SPECIFIC: readonly Box[] = [
  input(
    '135',
    'specific',
    'Importaciones de bienes de inversión exentas por el art. 25 Ley 19/1994',
    'Imports of investment goods exempt by art. 25 of Ley 19/1994',
  ),
  {
    box: '136',
    section: 'specific',
    label: {
      es: 'Cuotas soportadas de facturas sin nada deducible',
      en: 'Tax borne on invoices of which nothing is deducted',
    },
    from: { when: all(received, isIgic, made, treatment('S1', 'S2'), not(deductible)), take: 'tax' },
  },
  input('137', 'specific', 'No sujetas con derecho a deducción', 'Not subject with the right to deduct'),
  ...pairOf(
    ['138', '139'],
    'specific',
    { es: 'Criterio de caja, entregas por la regla general', en: 'Cash accounting, sold in the year' },
    cashSalesMade,
    'tax',
  ),
  ...pairOf(
    ['140', '141'],
    'specific',
    { es: 'Criterio de caja, adquisiciones afectadas', en: 'Bought from suppliers with cash accounting' },
    cashPurchasesMade,
    'tax',
  ),
]

const SMALL_BUSINESS: readonly Box[] = [
  {
    box: '142',
    section: 'small',
    label: { es: 'Exentas por el régimen del pequeño empresario', en: 'Exempt as a small business' },
    from: { when: exempt('E7'), take: 'base' },
  },
  {
    box: '143',
    section: 'small',
    label: { es: 'Exentas como comerciante minorista', en: 'Exempt as a retailer' },
    from: { when: all(exempt('E1', 'E8'), regime(RETAIL)), take: 'base' },
  },
  {
    box: '144',
    section: 'small',
    label: { es: 'Operaciones no sujetas', en: 'Operations not subject' },
    from: { when: all(outsideRules, isIgic, regime(SMALL)), take: 'base' },
  },
  input('146', 'small', 'Volumen del negocio adquirido', 'Volume of a business taken over'),
  {
    box: '147',
    section: 'small',
    label: { es: 'Total', en: 'Total' },
    sum: plus(['142', '143', '144', '146']),
  },
]

/** Returns the boxes of the form for the totals of a year, in order. */
export function boxes425(figures: readonly TaxTotalRow[]): Box[] {
  return [...output(figures), ...INPUT, ...SIMPLIFIED, ...RESULT, ...VOLUME, ...SPECIFIC, ...SMALL_BUSINESS]
}
