/**
 * Boxes of model 123 (withheld from dividends, interest and similar income), all typed by a person: the books do not
 * have them. Pure. Source: design of record DR123e24; Orden EHA/3435/2007.
 */
import type { Bilingual, Box } from '../boxes.ts'

export const SECTIONS_123: Record<string, Bilingual> = {
  dividends: { es: 'Dividendos y participación en fondos propios', en: 'Dividends and similar' },
  other: { es: 'Resto de rentas (intereses y otras)', en: 'Other income (interest and similar)' },
  sums: { es: 'Total', en: 'Total' },
  spread: { es: 'Periodificación', en: 'Spread over years' },
  total: { es: 'Liquidación', en: 'To pay' },
}

const NUMBER: Bilingual = { es: 'N.º de rentas', en: 'Number' }
const BASE: Bilingual = { es: 'Base de las retenciones', en: 'Base' }
const WITHHELD: Bilingual = { es: 'Retenciones e ingresos a cuenta', en: 'Withheld' }

const formula = (text: string): Bilingual => ({ es: text, en: text })
const column = (section: string, boxes: readonly [string, string, string], sums?: readonly string[]): Box[] =>
  [NUMBER, BASE, WITHHELD].map((label, at) => ({
    box: boxes[at] ?? '',
    section,
    label,
    ...(at === 0 ? { kind: 'count' as const } : {}),
    ...(sums ? { formula: formula(sums[at] ?? '') } : {}),
    input: true as const,
  }))

/** The boxes in the order in which they are typed. Box 13 comes from the earlier return of a complementary one. */
export const BOXES_123: readonly Box[] = [
  ...column('dividends', ['01', '04', '07']),
  ...column('other', ['02', '05', '08']),
  ...column('sums', ['03', '06', '09'], ['01 + 02', '04 + 05', '07 + 08']),
  {
    box: '10',
    section: 'spread',
    label: { es: 'Ingresos de ejercicios anteriores', en: 'Paid in earlier years' },
    input: true,
  },
  { box: '11', section: 'spread', label: { es: 'Regularización', en: 'Regularisation' }, input: true },
  {
    box: '12',
    section: 'total',
    label: { es: 'Suma de retenciones y regularización', en: 'Withheld and regularisation' },
    formula: formula('09 + 11'),
    input: true,
  },
  {
    box: '13',
    section: 'total',
    label: {
      es: 'Complementaria: resultado de la anterior',
      en: 'Supplementary return: result of the earlier one',
    },
  },
  {
    box: '14',
    section: 'total',
    label: { es: 'Resultado a ingresar', en: 'To pay' },
    formula: formula('12 − 13'),
    input: true,
  },
]
