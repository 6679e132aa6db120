/** Boxes of model 390, the yearly VAT summary. Source: Orden EHA/3111/2009 with its changes up to HAC/1177/2024. */
import { REGULARISATION } from './boxes.ts'
import type { Box, Bilingual } from './boxes.ts'
import {
  all,
  any,
  collected,
  correctedPurchases,
  deductible,
  domesticPurchases,
  euPurchases,
  exemptSales,
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

export const SECTIONS_390: Record<string, Bilingual> = {
  output: { es: 'IVA devengado', en: 'VAT charged' },
  surcharge: { es: 'Recargo de equivalencia', en: 'Equivalence surcharge' },
  input: { es: 'IVA deducible', en: 'VAT you may deduct' },
  result: { es: 'Resultado de la liquidación anual', en: 'Result of the year' },
  volume: { es: 'Volumen de operaciones', en: 'Volume of operations' },
  specific: { es: 'Operaciones específicas', en: 'Particular operations' },
}

/** Boxes of base and tax by rate in basis points. */
type Rates = readonly (readonly [rateBp: number, base: string, tax: string])[]

const SALES: Rates = [
  [0, '700', '701'],
  [200, '667', '668'],
  [400, '01', '02'],
  [500, '702', '703'],
  [750, '669', '670'],
  [1000, '03', '04'],
  [2100, '05', '06'],
]
const EU_GOODS: Rates = [
  [0, '716', '717'],
  [200, '683', '684'],
  [400, '21', '22'],
  [500, '718', '719'],
  [750, '685', '686'],
  [1000, '23', '24'],
  [2100, '25', '26'],
]
const EU_SERVICES: Rates = [
  [0, '720', '721'],
  [200, '687', '688'],
  [400, '545', '546'],
  [500, '722', '723'],
  [750, '689', '690'],
  [1000, '547', '548'],
  [2100, '551', '552'],
]
const SURCHARGES: Rates = [
  [0, '663', '664'],
  [26, '691', '692'],
  [50, '35', '36'],
  [62, '665', '666'],
  [100, '693', '694'],
  [140, '599', '600'],
  [520, '601', '602'],
  [175, '41', '42'],
]
const RUNNING: Rates = [
  [200, '695', '696'],
  [400, '190', '191'],
  [500, '724', '725'],
  [750, '697', '698'],
  [1000, '603', '604'],
  [2100, '605', '606'],
]
const GOODS: Rates = [
  [400, '196', '197'],
  [1000, '611', '612'],
  [2100, '613', '614'],
]
const IMPORTED: Rates = [
  [200, '757', '758'],
  [400, '202', '203'],
  [750, '759', '760'],
  [1000, '619', '620'],
  [2100, '621', '622'],
]
const IMPORTED_GOODS: Rates = [
  [400, '208', '209'],
  [1000, '623', '624'],
  [2100, '625', '626'],
]
const EU_RUNNING: Rates = [
  [200, '765', '766'],
  [400, '214', '215'],
  [500, '736', '737'],
  [750, '767', '768'],
  [1000, '627', '628'],
  [2100, '629', '630'],
]
const EU_INVESTMENT: Rates = [
  [400, '220', '221'],
  [1000, '631', '632'],
  [2100, '633', '634'],
]
const EU_SERVICES_BOUGHT: Rates = [
  [200, '773', '774'],
  [400, '587', '588'],
  [750, '775', '776'],
  [1000, '635', '636'],
  [2100, '637', '638'],
]

const regular = not(rectifying)
const bought = all(deductible, collected, regular)
const isServices: When = ({ nature }) => nature === 'services'
const hasSurcharge: When = ({ surchargeBp }) => surchargeBp >= 0

function lines(
  rates: Rates,
  section: string,
  label: Bilingual,
  when: When,
  take: 'tax' | 'deductible' | 'surcharge' = 'tax',
): Box[] {
  return rates.flatMap(([bp, base, tax]) => {
    const text = String(bp / 100)
    const es = `${label.es}, ${text.replace('.', ',')} %`
    const en = `${label.en}, ${text} %`
    const of = all(when, take === 'surcharge' ? surcharge(bp) : rate(bp))
    return [
      {
        box: base,
        section,
        label: { es: `${es}: base`, en: `${en}: base` },
        from: { when: of, take: 'base' },
      },
      { box: tax, section, label: { es: `${es}: cuota`, en: `${en}: tax` }, from: { when: of, take } },
    ] satisfies Box[]
  })
}

function both(
  base: string,
  tax: string,
  section: string,
  label: Bilingual,
  when: When,
  take: 'tax' | 'deductible' | 'surcharge' = 'tax',
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

const plus = (boxes: readonly string[]) => boxes.map((box) => [box, 1] as const)
const taxesOf = (...tables: readonly Rates[]) =>
  plus(tables.flatMap((table) => table.map(([, , tax]) => tax)))
const basesOf = (...tables: readonly Rates[]) =>
  plus(tables.flatMap((table) => table.map(([, base]) => base)))

/** Returns a subtotal of deductible tax: base and tax of the rates above it. */
function subtotal(base: string, tax: string, table: Rates, label: Bilingual): Box[] {
  return [
    {
      box: base,
      section: 'input',
      label: { es: `${label.es}, total: base`, en: `${label.en}, total: base` },
      sum: basesOf(table),
    },
    {
      box: tax,
      section: 'input',
      label: { es: `${label.es}, total: cuota`, en: `${label.en}, total: tax` },
      sum: taxesOf(table),
    },
  ]
}

interface InputBlock {
  table: Rates
  base: string
  tax: string
  label: Bilingual
  when: When
}

const INPUT: readonly InputBlock[] = [
  {
    table: RUNNING,
    base: '48',
    tax: '49',
    label: { es: 'Operaciones interiores corrientes', en: 'Bought in Spain, running costs' },
    when: all(domesticPurchases, not(investment)),
  },
  {
    table: GOODS,
    base: '50',
    tax: '51',
    label: { es: 'Operaciones interiores de bienes de inversión', en: 'Bought in Spain, investment goods' },
    when: all(domesticPurchases, investment),
  },
  {
    table: IMPORTED,
    base: '52',
    tax: '53',
    label: { es: 'Importaciones de bienes corrientes', en: 'Imports, running costs' },
    when: all(imports, not(investment)),
  },
  {
    table: IMPORTED_GOODS,
    base: '54',
    tax: '55',
    label: { es: 'Importaciones de bienes de inversión', en: 'Imports, investment goods' },
    when: all(imports, investment),
  },
  {
    table: EU_RUNNING,
    base: '56',
    tax: '57',
    label: {
      es: 'Adquisiciones intracomunitarias de bienes corrientes',
      en: 'Goods bought in the EU, running costs',
    },
    when: all(euPurchases, not(isServices), not(investment)),
  },
  {
    table: EU_INVESTMENT,
    base: '58',
    tax: '59',
    label: {
      es: 'Adquisiciones intracomunitarias de bienes de inversión',
      en: 'Goods bought in the EU, investment goods',
    },
    when: all(euPurchases, not(isServices), investment),
  },
  {
    table: EU_SERVICES_BOUGHT,
    base: '597',
    tax: '598',
    label: { es: 'Adquisiciones intracomunitarias de servicios', en: 'Services bought in the EU' },
    when: all(euPurchases, isServices),
  },
]

/** Returns the boxes of the form, in order. */
export function boxes390(): Box[] {
  const general = { es: 'Régimen ordinario', en: 'Sales' }
  return [
    ...lines(SALES, 'output', general, all(taxedSales, regular)),
    ...lines(
      EU_GOODS,
      'output',
      { es: 'Adquisiciones intracomunitarias de bienes', en: 'Goods bought in the EU' },
      all(euPurchases, made, regular, not(isServices)),
    ),
    ...lines(
      EU_SERVICES,
      'output',
      { es: 'Adquisiciones intracomunitarias de servicios', en: 'Services bought in the EU' },
      all(euPurchases, made, regular, isServices),
    ),
    ...both(
      '27',
      '28',
      'output',
      { es: 'Otros supuestos de inversión del sujeto pasivo', en: 'Other purchases with reverse charge' },
      all(otherSelfAssessed, made, regular),
    ),
    ...both(
      '29',
      '30',
      'output',
      { es: 'Modificación de bases y cuotas', en: 'Corrections' },
      all(rectifying, any(taxedSales, all(any(euPurchases, otherSelfAssessed), made))),
    ),
    {
      box: '33',
      section: 'output',
      label: { es: 'Total bases IVA', en: 'Total of bases' },
      sum: [...basesOf(SALES, EU_GOODS, EU_SERVICES), ['27', 1], ['29', 1]],
    },
    {
      box: '34',
      section: 'output',
      label: { es: 'Total cuotas IVA', en: 'Total of VAT' },
      sum: [...taxesOf(SALES, EU_GOODS, EU_SERVICES), ['28', 1], ['30', 1]],
    },
    ...lines(
      SURCHARGES,
      'surcharge',
      { es: 'Recargo de equivalencia', en: 'Surcharge' },
      all(taxedSales, regular),
      'surcharge',
    ),
    ...both(
      '43',
      '44',
      'surcharge',
      { es: 'Modificación del recargo de equivalencia', en: 'Corrections of the surcharge' },
      all(rectifying, taxedSales, hasSurcharge),
      'surcharge',
    ),
    {
      box: '47',
      section: 'surcharge',
      label: { es: 'Total cuotas IVA y recargo de equivalencia', en: 'Total of VAT and surcharge' },
      sum: [['34', 1], ...taxesOf(SURCHARGES), ['44', 1]],
    },
    ...INPUT.flatMap(({ table, base, tax, label, when }) => [
      ...lines(table, 'input', label, all(when, bought), 'deductible'),
      ...subtotal(base, tax, table, label),
    ]),
    ...both(
      '60',
      '61',
      'input',
      { es: 'Compensaciones del régimen especial de agricultura', en: 'Compensation paid to farmers' },
      all(farmers, deductible, collected),
      'deductible',
    ),
    ...both(
      '639',
      '62',
      'input',
      { es: 'Rectificación de deducciones', en: 'Corrections of what was deducted' },
      correctedPurchases,
      'deductible',
    ),
    {
      box: '63',
      section: 'input',
      label: { es: 'Regularización de bienes de inversión', en: 'Adjustment of investment goods' },
      formula: REGULARISATION,
      input: true,
    },
    {
      box: '522',
      section: 'input',
      label: {
        es: 'Regularización por el porcentaje definitivo de prorrata',
        en: 'Adjustment to the final pro rata',
      },
      input: true,
    },
    {
      box: '64',
      section: 'input',
      label: { es: 'Suma de deducciones', en: 'Total to deduct' },
      sum: plus([...INPUT.map(({ tax }) => tax), '61', '62', '63', '522']),
    },
    {
      box: '65',
      section: 'input',
      label: { es: 'Resultado régimen general', en: 'Result of the general scheme' },
      sum: [
        ['47', 1],
        ['64', -1],
      ],
    },
    {
      box: '84',
      section: 'result',
      label: { es: 'Suma de resultados', en: 'Sum of results' },
      sum: [['65', 1]],
    },
    {
      box: '85',
      section: 'result',
      label: { es: 'Compensación de cuotas del ejercicio anterior', en: 'Offset from the year before' },
    },
    {
      box: '86',
      section: 'result',
      label: { es: 'Resultado de la liquidación', en: 'Result of the year' },
      sum: [
        ['84', 1],
        ['85', -1],
      ],
    },
    {
      box: '99',
      section: 'volume',
      label: { es: 'Operaciones en régimen general', en: 'General scheme' },
      from: { when: all(taxedSales, made, not(regime('03', '04', '05', '07'))), take: 'base' },
    },
    {
      box: '653',
      section: 'volume',
      label: { es: 'Operaciones en criterio de caja', en: 'Cash accounting' },
      from: { when: all(issued, regime('07'), ({ stage }) => stage === 'accrued'), take: 'base' },
    },
    {
      box: '103',
      section: 'volume',
      label: { es: 'Entregas intracomunitarias exentas', en: 'Exempt sales to the EU' },
      from: { when: all(issued, made, treatment('E5')), take: 'base' },
    },
    {
      box: '104',
      section: 'volume',
      label: {
        es: 'Exportaciones y otras exentas con derecho a deducción',
        en: 'Exports and others with the right to deduct',
      },
      from: { when: exports, take: 'base' },
    },
    {
      box: '105',
      section: 'volume',
      label: { es: 'Operaciones exentas sin derecho a deducción', en: 'Exempt without the right to deduct' },
      from: { when: exemptSales, take: 'base' },
    },
    {
      box: '110',
      section: 'volume',
      label: { es: 'No sujetas por reglas de localización', en: 'Not subject by the place of supply' },
      from: {
        when: any(outsideRules, all(issued, made, treatment('N2'), not(outsideRules), not(regime('17')))),
        take: 'base',
      },
    },
    {
      box: '125',
      section: 'volume',
      label: { es: 'Sujetas con inversión del sujeto pasivo', en: 'With reverse charge' },
      from: { when: reverseChargeSales, take: 'base' },
    },
    {
      box: '126',
      section: 'volume',
      label: { es: 'Ventanilla única: no sujetas por localización', en: 'One-stop shop: not subject here' },
      from: { when: all(issued, made, regime('17'), not(treatment('S1'))), take: 'base' },
    },
    {
      box: '127',
      section: 'volume',
      label: { es: 'Ventanilla única: sujetas', en: 'One-stop shop: subject' },
      from: { when: all(issued, made, regime('17'), treatment('S1')), take: 'base' },
    },
    {
      box: '227',
      section: 'volume',
      label: { es: 'Bienes usados, objetos de arte y antigüedades', en: 'Used goods, art and antiques' },
      from: { when: all(taxedSales, made, regime('03')), take: 'base' },
    },
    {
      box: '228',
      section: 'volume',
      label: { es: 'Agencias de viajes', en: 'Travel agencies' },
      from: { when: all(taxedSales, made, regime('05')), take: 'base' },
    },
    {
      box: '107',
      section: 'volume',
      label: {
        es: 'Entregas de bienes de inversión (se restan)',
        en: 'Sales of investment goods (taken off)',
      },
      formula: {
        es: 'las ventas con factura de Bienes de inversión, si no se escribe otra cosa',
        en: 'the sales with an invoice of the fixed assets, unless something else is typed',
      },
      input: true,
    },
    {
      box: '108',
      section: 'volume',
      label: { es: 'Total volumen de operaciones', en: 'Total volume' },
      sum: [
        ...plus(['99', '653', '103', '104', '105', '110', '125', '126', '127', '227', '228']),
        ['107', -1],
      ],
    },
    {
      box: '230',
      section: 'specific',
      label: { es: 'Adquisiciones interiores exentas', en: 'Bought in Spain, exempt' },
      from: { when: all(received, made, treatment('E1', 'E2', 'E3', 'E4', 'E5', 'E6')), take: 'base' },
    },
    {
      box: '232',
      section: 'specific',
      label: {
        es: 'Bases imponibles del IVA soportado no deducible',
        en: 'Bases of VAT that may not be deducted',
      },
      from: { when: all(received, made, treatment('S1', 'S2'), not(deductible)), take: 'base' },
    },
  ]
}
