/** Filers and returns for tests of the declaration builders. */
import type { Filer } from '../../../../../server/accounting/returns/declaration/choices.ts'
import { NO_SCHEMES } from '../../../../support/schemes.ts'
import { layoutFor } from '../../../../../server/accounting/returns/files/layout.ts'
import type { pagesOf, PageModel } from '../../../../../server/accounting/returns/declaration/pages.ts'

type PageReturn = Parameters<typeof pagesOf>[0]

export const IBAN = 'ES9121000418450200051332'

export const COMPANY: Filer = {
  nif: 'B12345674',
  kind: 'legal',
  name: 'Talleres Ejemplo, S.L.',
  surnames: 'Talleres Ejemplo, S.L.',
  firstName: '',
  contactName: 'Talleres Ejemplo, S.L.',
  contactPhone: '912345678',
  cashAccounting: false,
}

export const PERSON: Filer = {
  ...COMPANY,
  nif: '87654321X',
  kind: 'natural',
  name: 'García Álvarez, María José',
  surnames: 'García Álvarez',
  firstName: 'María José',
}

/** Models whose files consist of pages, with an exercise whose design is known. */
export const PAGE_MODELS: readonly (readonly [model: PageModel, year: number])[] = [
  ['303', 2026],
  ['130', 2026],
  ['111', 2026],
  ['115', 2026],
  ['123', 2026],
  ['390', 2025],
]

/** Returns a first return of the first quarter of 2026 by a company, with changes. */
export function pageReturn(changes: Partial<PageReturn> = {}): PageReturn {
  return {
    model: '303',
    year: 2026,
    period: '1T',
    isLastOfYear: false,
    boxes: {},
    kind: 'I',
    choices: { nature: 'first' },
    filer: COMPANY,
    schemes: NO_SCHEMES,
    ...changes,
  }
}

/** Returns the sums that the design of a model states, by box: the boxes that it adds or takes off. */
export async function sumsOf(
  model: PageModel,
  year: number,
): Promise<Map<string, { box: string; sign: 1 | -1 }[]>> {
  const { records } = await layoutFor(model, year)
  const found = new Map<string, { box: string; sign: 1 | -1 }[]>()
  for (const { key, sum } of Object.values(records).flat())
    if (sum !== undefined)
      found.set(
        key,
        [...sum.matchAll(/([+-]?)([\w/]+)/g)].map(([, sign, box = '']) => ({
          box,
          sign: sign === '-' ? -1 : 1,
        })),
      )
  return found
}
