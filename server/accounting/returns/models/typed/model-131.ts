/**
 * Boxes of model 131 (instalment under objective estimation, modules), all typed by a person: neither the modules nor
 * the indexes are in the books. Pure. Source: design of record DR131_2026; Orden EHA/672/2007; RIRPF art. 110.1.b and c.
 * Fields without a number have the names of the layout; those of the page of an activity follow `a1.` to `a5.`.
 */
import type { Bilingual, Box } from '../boxes.ts'

/** Activities that the first page has room for. */
export const ACTIVITIES_131 = 5

type Field = readonly [key: string, kind: Box['kind'], es: string, en: string, formula?: string]

const boxOf = (section: string, [key, kind, es, en, formula]: Field): Box => ({
  box: key,
  section,
  label: { es, en },
  ...(kind === undefined ? {} : { kind }),
  ...(formula === undefined ? {} : { formula: { es: formula, en: formula } }),
  input: true,
})

const HOLDER: readonly Field[] = [
  [
    'disabled',
    'code',
    'Titular con discapacidad del 33 % o más (1 si es así)',
    'Holder disabled, 33 % or more (1 if so)',
  ],
]

const activityFields = (n: number): readonly Field[] => [
  [`iae${n}`, 'code', 'Epígrafe del IAE', 'IAE heading'],
  [`yield${n}`, undefined, 'Rendimiento neto', 'Net yield'],
  [`share${n}`, 'percent', 'Porcentaje aplicable', 'Percentage'],
  [`part${n}`, undefined, 'Resultado de la actividad', 'After the percentage'],
]

/** Fields of the page of an activity, in its order. */
const MODULE_FIELDS: readonly Field[] = [
  ['helper', 'code', 'Solo 659.4 y 691.9: clase (1 o 2)', 'Only 659.4 and 691.9: kind (1 or 2)'],
  ['entityShare', 'percent', 'Participación en la entidad', 'Share in the entity'],
  ['seasonDays', 'code', 'De temporada: días del año anterior', 'Seasonal: days of the year before'],
  ['startYear', 'code', 'Actividad nueva: año de inicio', 'New activity: year of start'],
  ['ceuta', 'code', 'Ceuta o Melilla (1 sí, 2 no)', 'Ceuta or Melilla (1 yes, 2 no)'],
  ['onePremises', 'code', 'Un local o ninguno (1 sí, 2 no)', 'One premises or none (1 yes, 2 no)'],
  ['vehicles', 'code', 'Vehículos de la actividad', 'Vehicles of the activity'],
  ['tractorsOnly', 'code', 'Solo cabezas tractoras (1 si es así)', 'Only tractor units (1 if so)'],
  ['oneTractor', 'code', 'Una sola cabeza tractora (1 si es así)', 'One tractor unit only (1 if so)'],
  ['over1000kg', 'code', 'Vehículo de más de 1.000 kg (1 sí, 2 no)', 'Vehicle above 1,000 kg (1 yes, 2 no)'],
  ['municipality', 'code', 'Municipio: código de población', 'Municipality: code of population'],
  ['percent', 'percent', 'Porcentaje superior elegido', 'Higher percentage chosen'],
  ['staffAdults', 'code', 'Personal: horas de mayores de 19 años', 'Staff: hours, over 19'],
  ['staffYoung', 'code', 'Personal: horas de menores y formación', 'Staff: hours, under 19 and trainees'],
  ['staffDisabled', 'code', 'Personal: horas de discapacitados', 'Staff: hours, disabled'],
  ['staffYearHours', 'code', 'Personal: horas al año del convenio', 'Staff: hours a year by agreement'],
  ['otherAdults', 'code', 'Otro personal: horas de mayores de 19', 'Other staff: hours, over 19'],
  ['otherYoung', 'code', 'Otro personal: horas de menores', 'Other staff: hours, under 19'],
  ['otherDisabled', 'code', 'Otro personal: horas de discapacitados', 'Other staff: hours, disabled'],
  ['otherYearHours', 'code', 'Otro personal: horas del convenio', 'Other staff: hours by agreement'],
  ['holderHours', 'code', 'No asalariado: horas del titular', 'Own work: hours of the holder'],
  ['spouseHours', 'code', 'No asalariado: horas del cónyuge', 'Own work: hours of the spouse'],
  ['childHours', 'code', 'No asalariado: horas de hijos menores', 'Own work: hours of children'],
  ...[1, 2, 3, 4].flatMap((n): Field[] => [
    [`capacity${n}`, 'code', `Mesas ${n}: capacidad`, `Tables ${n}: capacity`],
    [`tables${n}`, 'code', `Mesas ${n}: número`, `Tables ${n}: number`],
  ]),
  ...[1, 2, 3, 4, 5, 6, 7].flatMap((n): Field[] => [
    [`units${n}`, undefined, `Módulo ${n}: unidades`, `Module ${n}: units`],
    [`moduleYield${n}`, undefined, `Módulo ${n}: rendimiento`, `Module ${n}: yield`],
  ]),
  ['employment', undefined, 'Incentivos al empleo', 'Employment incentives'],
  ['investment', undefined, 'Incentivos a la inversión', 'Investment incentives'],
  ['specialIndex', undefined, 'Índice especial', 'Special index'],
  ['smallIndex', undefined, 'Índice de pequeña dimensión', 'Small-business index'],
  ['seasonIndex', undefined, 'Índice de temporada', 'Seasonal index'],
  ['excessIndex', undefined, 'Índice de exceso', 'Excess index'],
  ['newIndex', undefined, 'Índice de inicio de actividad', 'New-activity index'],
  ['days', 'code', 'Días de actividad en el trimestre', 'Days worked in the quarter'],
]

/** Names of the fields of the page of an activity. */
export const MODULE_KEYS: readonly string[] = MODULE_FIELDS.map(([key]) => key)

const AFTER: readonly (readonly [section: string, fields: readonly Field[]])[] = [
  [
    'objective',
    [
      ['01', undefined, 'Suma de rendimientos netos', 'Sum of net yields'],
      [
        '02',
        undefined,
        'Pago fraccionado previo: suma de resultados',
        'Provisional instalment: sum of results',
      ],
    ],
  ],
  [
    'noData',
    [
      ['noDataCeuta', 'code', 'Ceuta o Melilla (1 sí, 2 no)', 'Ceuta or Melilla (1 yes, 2 no)'],
      ['noDataSales', undefined, 'Ventas o ingresos del trimestre', 'Sales or income of the quarter'],
      ['noDataPercent', 'percent', 'Porcentaje superior elegido', 'Higher percentage chosen'],
      [
        'noDataLoanIncome',
        undefined,
        'Vivienda: ingresos del primer trimestre',
        'Home loan: income of the first quarter',
      ],
      [
        'noDataLoanDays',
        'code',
        'Vivienda: días del primer trimestre',
        'Home loan: days of the first quarter',
      ],
      [
        'noDataLoanYearDays',
        'code',
        'Vivienda: días previstos del año',
        'Home loan: days expected in the year',
      ],
      ['03', undefined, 'Volumen de ventas o ingresos', 'Sales or income'],
      ['04', undefined, 'Pago fraccionado previo', 'Provisional instalment'],
    ],
  ],
  [
    'farm',
    [
      ['farmOrdinary', undefined, 'Ingresos de explotaciones ordinarias', 'Income of ordinary farms'],
      ['farmPriority', undefined, 'Ingresos de explotaciones prioritarias', 'Income of priority farms'],
      ['farmPercent', 'percent', 'Porcentaje superior elegido', 'Higher percentage chosen'],
      [
        'farmCeutaOrdinary',
        undefined,
        'Ceuta y Melilla: explotaciones ordinarias',
        'Ceuta and Melilla: ordinary farms',
      ],
      [
        'farmCeutaPriority',
        undefined,
        'Ceuta y Melilla: explotaciones prioritarias',
        'Ceuta and Melilla: priority farms',
      ],
      [
        'farmCeutaPercent',
        'percent',
        'Ceuta y Melilla: porcentaje superior',
        'Ceuta and Melilla: higher percentage',
      ],
      [
        'farmLoanIncome',
        undefined,
        'Vivienda: ingresos del primer trimestre',
        'Home loan: income of the first quarter',
      ],
      ['farmLoanDays', 'code', 'Vivienda: días del primer trimestre', 'Home loan: days of the first quarter'],
      [
        'farmLoanYearDays',
        'code',
        'Vivienda: días previstos del año',
        'Home loan: days expected in the year',
      ],
      ['05', undefined, 'Ingresos del trimestre', 'Income of the quarter'],
      ['06', undefined, 'Pago fraccionado previo', 'Provisional instalment'],
    ],
  ],
  [
    'total',
    [
      [
        '07',
        undefined,
        'Suma de los pagos fraccionados previos',
        'Sum of provisional instalments',
        '02 + 04 + 06',
      ],
      ['08', undefined, 'Retenciones e ingresos a cuenta del trimestre', 'Withheld in the quarter'],
      [
        'netBand',
        'code',
        'Rendimiento del año anterior hasta 12.000 €: código del tramo',
        'Net income of the year before up to 12,000: code of its band',
      ],
      ['takenIn130', undefined, 'Minoración ya aplicada en el 130', 'Reduction already taken in form 130'],
      ['09', undefined, 'Minoración del art. 110.3.c', 'Reduction of art. 110.3.c'],
      ['10', undefined, 'Diferencia', 'Difference', '07 − 08 − 09'],
      [
        '11',
        undefined,
        'Resultados negativos de trimestres anteriores',
        'Negative results of earlier quarters',
      ],
      [
        'homeLoan',
        'code',
        'Deducción por vivienda (1 si se aplica)',
        'Home loan deduction (1 if it applies)',
      ],
      ['homeLoanUsed', undefined, 'Casilla 12 de los trimestres anteriores', 'Box 12 of earlier quarters'],
      ['12', undefined, 'Deducción por préstamos de vivienda', 'Home loan'],
      ['13', undefined, 'Total', 'Total', '10 − 11 − 12'],
    ],
  ],
]

const TITLES: Record<string, Bilingual> = {
  holder: { es: 'Titular', en: 'Holder' },
  objective: { es: 'I. Actividades con módulos', en: 'I. Activities with modules' },
  noData: { es: 'II. Actividades sin datos-base', en: 'II. Activities without base data' },
  farm: { es: 'III. Actividades agrícolas, ganaderas y forestales', en: 'III. Farming and forestry' },
  total: { es: 'IV. Total liquidación', en: 'IV. Total' },
}

/** Returns the activities that somebody has begun to type, and the next one. */
function activitiesShown(typed: ReadonlyMap<string, number>): number[] {
  const numbers = Array.from({ length: ACTIVITIES_131 }, (_, at) => at + 1)
  const last = numbers.findLast((n) => activityFields(n).some(([key]) => typed.has(key))) ?? 0
  return numbers.slice(0, last + 1)
}

/** Returns the sections of the return, in its order, with the activities that `typed` has. */
export function sections131(typed: ReadonlyMap<string, number>): Record<string, Bilingual> {
  const activities = activitiesShown(typed).flatMap((n): [string, Bilingual][] => [
    [`activity${n}`, { es: `I. Actividad ${n}`, en: `I. Activity ${n}` }],
    [`modules${n}`, { es: `Actividad ${n}: sus módulos`, en: `Activity ${n}: its modules` }],
  ])
  const { holder, ...after } = TITLES
  return { holder: holder!, ...Object.fromEntries(activities), ...after }
}

/**
 * Returns the boxes in the order of the form. Those of an activity's modules follow once its heading is typed. Box 14
 * comes from the earlier return of a complementary one.
 */
export function boxes131(typed: ReadonlyMap<string, number>): Box[] {
  return [
    ...HOLDER.map((field) => boxOf('holder', field)),
    ...activitiesShown(typed).flatMap((n) => [
      ...activityFields(n).map((field) => boxOf(`activity${n}`, field)),
      ...(typed.has(`iae${n}`)
        ? MODULE_FIELDS.map(([key, ...rest]) => boxOf(`modules${n}`, [`a${n}.${key}`, ...rest]))
        : []),
    ]),
    ...AFTER.flatMap(([section, fields]) => fields.map((field) => boxOf(section, field))),
    {
      box: '14',
      section: 'total',
      label: {
        es: 'Complementaria: resultado de la anterior',
        en: 'Supplementary return: result of the earlier one',
      },
    },
    boxOf('total', ['15', undefined, 'Resultado', 'Result', '13 − 14']),
  ]
}
