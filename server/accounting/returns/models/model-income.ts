/**
 * Boxes of the income tax returns 130 (instalment of natural persons), 111 and 115 (withheld from others). Pure.
 * Source: Orden EHA/672/2007 (130), Orden EHA/586/2011 (111), Orden EHA/3435/2007 (115); RIRPF arts. 30 and 109 to
 * 110.
 */
import type { Cents } from '../../../domain/money.ts'
import { percentOf } from '../../../domain/money.ts'
import type { Box, Bilingual } from './boxes.ts'
import { issued, received } from './selectors.ts'

/** Rules of the instalment, by date. */
interface InstalmentRules {
  from: number
  to: number | null
  /** RIRPF art. 110.1.a. */
  rateBp: number
  /**
   * Expenses that are hard to justify: part of the net income and yearly maximum (RIRPF art. 30.2.4ª; LIRPF disp.
   * adic. 53ª for 2023).
   */
  hardToJustifyBp: number
  hardToJustifyCap: Cents
  /** Deduction per quarter by the previous year's net income (RIRPF art. 110.3.c). */
  deductions: readonly { upTo: Cents; cents: Cents }[]
  /**
   * A business pays no instalments when this part of its income was subject to withholding in the previous year
   * (RIRPF art. 109.1).
   */
  exemptFromBp: number
  source: Bilingual
}

const DEDUCTIONS = [
  { upTo: 900_000, cents: 10_000 },
  { upTo: 1_000_000, cents: 7_500 },
  { upTo: 1_100_000, cents: 5_000 },
  { upTo: 1_200_000, cents: 2_500 },
]

const INSTALMENT_RULES: readonly InstalmentRules[] = [
  {
    from: 2024,
    to: null,
    rateBp: 2000,
    hardToJustifyBp: 500,
    hardToJustifyCap: 200_000,
    deductions: DEDUCTIONS,
    exemptFromBp: 7000,
    source: { es: 'Arts. 30.2.4ª, 109 y 110 RIRPF', en: 'RIRPF arts. 30.2.4ª, 109 and 110' },
  },
  {
    from: 2023,
    to: 2023,
    rateBp: 2000,
    hardToJustifyBp: 700,
    hardToJustifyCap: 200_000,
    deductions: DEDUCTIONS,
    exemptFromBp: 7000,
    source: {
      es: 'Ley 31/2022 (disp. adic. 53ª LIRPF): 7 % en 2023',
      en: 'Ley 31/2022 (LIRPF disp. adic. 53ª): 7 % in 2023',
    },
  },
  {
    from: 2015,
    to: 2022,
    rateBp: 2000,
    hardToJustifyBp: 500,
    hardToJustifyCap: 200_000,
    deductions: DEDUCTIONS,
    exemptFromBp: 7000,
    source: { es: 'Arts. 30.2.4ª, 109 y 110 RIRPF', en: 'RIRPF arts. 30.2.4ª, 109 and 110' },
  },
]

/** Returns the rules of a year. */
export function instalmentRules(year: number): InstalmentRules {
  const rules = INSTALMENT_RULES.find(({ from, to }) => from <= year && (to === null || year <= to))
  return rules ?? INSTALMENT_RULES.at(-1)!
}

/**
 * Returns the expenses hard to justify under simplified direct estimation: part of the income left after other
 * expenses, never negative.
 */
export function hardToJustify(income: Cents, expenses: Cents, rules: InstalmentRules): Cents {
  return Math.min(percentOf(Math.max(0, income - expenses), rules.hardToJustifyBp), rules.hardToJustifyCap)
}

/** Returns the deduction of a quarter by the previous year's net income; 0 when that is unknown or too high. */
export function quarterDeduction(lastYearNet: Cents | null, rules: InstalmentRules): Cents {
  if (lastYearNet === null) return 0
  return rules.deductions.find(({ upTo }) => lastYearNet <= upTo)?.cents ?? 0
}

export const SECTIONS_130: Record<string, Bilingual> = {
  activity: { es: 'Actividades económicas en estimación directa', en: 'Business income so far this year' },
  total: { es: 'Total liquidación', en: 'To pay' },
}

/** Returns the boxes of model 130. Boxes 05, 06, 13 and 15 come from earlier quarters and are given. */
export function boxes130(rules: InstalmentRules): Box[] {
  return [
    {
      box: '01',
      section: 'activity',
      label: { es: 'Ingresos computables del ejercicio', en: 'Income of the year so far' },
      formula: {
        es: 'los ingresos con factura, menos la venta de bienes registrados (art. 28.2 LIRPF)',
        en: 'income with an invoice, less sales of registered assets (LIRPF art. 28.2)',
      },
      from: { when: issued, take: 'income' },
    },
    {
      box: 'documented',
      section: 'activity',
      label: { es: 'Gastos con factura o justificante', en: 'Expenses with a document' },
      from: { when: received, take: 'income' },
    },
    {
      box: 'assets',
      section: 'activity',
      label: { es: 'Amortización de los bienes registrados', en: 'Depreciation of the registered assets' },
      formula: {
        es: 'el plan de Bienes de inversión desde el 1 de enero, asentado o no',
        en: 'the plan of the fixed assets since 1 January, booked or not',
      },
    },
    {
      box: 'depreciation',
      section: 'activity',
      label: {
        es: 'Otras amortizaciones y gastos sin documento',
        en: 'Other depreciation and expenses without a document',
      },
      input: true,
    },
    {
      box: 'hard',
      section: 'activity',
      label: {
        es: `Gastos de difícil justificación (${rules.hardToJustifyBp / 100} %, máximo ${rules.hardToJustifyCap / 100} € al año)`,
        en: `Expenses hard to justify (${rules.hardToJustifyBp / 100} %, at most ${rules.hardToJustifyCap / 100} euros a year)`,
      },
    },
    {
      box: '02',
      section: 'activity',
      label: { es: 'Gastos fiscalmente deducibles', en: 'Deductible expenses' },
      // The form gives no numbers to the boxes it adds up.
      formula: { es: 'la suma de los cuatro anteriores', en: 'the sum of the four above' },
      sum: [
        ['documented', 1],
        ['assets', 1],
        ['depreciation', 1],
        ['hard', 1],
      ],
    },
    {
      box: '03',
      section: 'activity',
      label: { es: 'Rendimiento neto', en: 'Net yield' },
      sum: [
        ['01', 1],
        ['02', -1],
      ],
    },
    {
      box: '04',
      section: 'activity',
      label: {
        es: `${rules.rateBp / 100} % del rendimiento neto`,
        en: `${rules.rateBp / 100} % of the net yield`,
      },
      formula: {
        es: `el ${rules.rateBp / 100} % de 03, nunca negativo`,
        en: `${rules.rateBp / 100} % of 03, never negative`,
      },
      rule: (box) => percentOf(Math.max(0, box('03')), rules.rateBp),
    },
    {
      box: '05',
      section: 'activity',
      label: { es: 'Pagos fraccionados de trimestres anteriores', en: 'Paid in earlier quarters' },
    },
    {
      box: '06',
      section: 'activity',
      label: { es: 'Retenciones e ingresos a cuenta soportados', en: 'Withheld by customers so far' },
    },
    {
      box: '07',
      section: 'activity',
      label: { es: 'Pago fraccionado previo', en: 'Instalment before deductions' },
      sum: [
        ['04', 1],
        ['05', -1],
        ['06', -1],
      ],
    },
    {
      box: '12',
      section: 'total',
      label: { es: 'Suma de pagos fraccionados previos', en: 'Sum of instalments' },
      formula: { es: '07, nunca negativa', en: '07, never negative' },
      rule: (box) => Math.max(0, box('07')),
    },
    {
      box: '13',
      section: 'total',
      label: { es: 'Minoración por rendimientos bajos (art. 110.3.c RIRPF)', en: 'Deduction for low yields' },
    },
    {
      box: '14',
      section: 'total',
      label: { es: 'Diferencia', en: 'Difference' },
      sum: [
        ['12', 1],
        ['13', -1],
      ],
    },
    {
      box: '15',
      section: 'total',
      label: {
        es: 'Resultados negativos de trimestres anteriores',
        en: 'Negative results of earlier quarters',
      },
    },
    {
      box: '16',
      section: 'total',
      label: { es: 'Deducción por vivienda habitual', en: 'Deduction for the home' },
      input: true,
    },
    {
      box: '17',
      section: 'total',
      label: { es: 'Total', en: 'Total' },
      sum: [
        ['14', 1],
        ['15', -1],
        ['16', -1],
      ],
    },
    {
      box: '18',
      section: 'total',
      label: {
        es: 'Complementaria: resultado de la anterior',
        en: 'Supplementary return: result of the earlier one',
      },
      input: true,
    },
    {
      box: '19',
      section: 'total',
      label: { es: 'Resultado de la autoliquidación', en: 'Result of the return' },
      sum: [
        ['17', 1],
        ['18', -1],
      ],
    },
  ]
}

export const SECTIONS_111: Record<string, Bilingual> = {
  work: { es: 'Rendimientos del trabajo', en: 'Wages' },
  professional: { es: 'Rendimientos de actividades económicas', en: 'Professionals and other businesses' },
  total: { es: 'Total liquidación', en: 'To pay' },
}

/** Boxes of wages, which only the user knows. */
export const WAGE_BOXES: readonly string[] = ['01', '02', '03', '04', '05', '06']

/** Boxes of model 111; wages are typed, the rest is given. */
export const BOXES_111: readonly Box[] = [
  {
    box: '01',
    section: 'work',
    kind: 'count',
    label: { es: 'En dinero: n.º de perceptores', en: 'In money: recipients' },
    input: true,
  },
  {
    box: '02',
    section: 'work',
    label: { es: 'En dinero: importe de las percepciones', en: 'In money: paid' },
    input: true,
  },
  {
    box: '03',
    section: 'work',
    label: { es: 'En dinero: importe de las retenciones', en: 'In money: withheld' },
    input: true,
  },
  {
    box: '04',
    section: 'work',
    kind: 'count',
    label: { es: 'En especie: n.º de perceptores', en: 'In kind: recipients' },
    input: true,
  },
  {
    box: '05',
    section: 'work',
    label: { es: 'En especie: valor de las percepciones', en: 'In kind: value' },
    input: true,
  },
  {
    box: '06',
    section: 'work',
    label: { es: 'En especie: importe de los ingresos a cuenta', en: 'In kind: paid on account' },
    input: true,
  },
  {
    box: '07',
    section: 'professional',
    kind: 'count',
    label: { es: 'N.º de perceptores', en: 'Recipients' },
  },
  { box: '08', section: 'professional', label: { es: 'Importe de las percepciones', en: 'Paid' } },
  { box: '09', section: 'professional', label: { es: 'Importe de las retenciones', en: 'Withheld' } },
  {
    box: '28',
    section: 'total',
    label: { es: 'Suma de retenciones e ingresos a cuenta', en: 'Sum of what was withheld' },
    sum: [
      ['03', 1],
      ['06', 1],
      ['09', 1],
    ],
  },
  {
    box: '29',
    section: 'total',
    label: {
      es: 'Complementaria: resultado de la anterior',
      en: 'Supplementary return: result of the earlier one',
    },
    input: true,
  },
  {
    box: '30',
    section: 'total',
    label: { es: 'Resultado a ingresar', en: 'To pay' },
    sum: [
      ['28', 1],
      ['29', -1],
    ],
  },
]

export const SECTIONS_115: Record<string, Bilingual> = {
  rent: { es: 'Arrendamiento de inmuebles urbanos', en: 'Rent of business premises' },
}

/** Boxes of model 115; count, base and amount withheld are given. */
export const BOXES_115: readonly Box[] = [
  { box: '01', section: 'rent', kind: 'count', label: { es: 'N.º de perceptores', en: 'Recipients' } },
  { box: '02', section: 'rent', label: { es: 'Base de las retenciones', en: 'Base' } },
  { box: '03', section: 'rent', label: { es: 'Retenciones e ingresos a cuenta', en: 'Withheld' } },
  {
    box: '04',
    section: 'rent',
    label: {
      es: 'Complementaria: resultado de la anterior',
      en: 'Supplementary return: result of the earlier one',
    },
    input: true,
  },
  {
    box: '05',
    section: 'rent',
    label: { es: 'Resultado a ingresar', en: 'To pay' },
    sum: [
      ['03', 1],
      ['04', -1],
    ],
  },
]
