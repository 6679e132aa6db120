/**
 * Model 415, the yearly list of operations with third parties of businesses of the Canary Islands. Sources: Decreto
 * 268/2011 and Orden of 17 April 2001 (limits and keys). Assumptions: amounts by quarter, as the state's own list has
 * them, and operations with withholding, which it leaves out and this one is said to state.
 */
import type { Ctx } from '../../../../context.ts'
import { eurosFromCents } from '../../../../domain/money.ts'
import { cashReceived } from '../../../payments/index.ts'
import type { Computed } from '../../compute.ts'
import type { ModelList } from '../../contract.ts'
import { thirdParties } from '../lists.ts'

/** Limit of a year for each party and side, in cents, tax included. */
const LIMIT_415 = 300_506
/** Cash of a year from one party that is stated apart, in cents. */
const LIMIT_CASH = 600_000

async function cashList(ctx: Ctx, year: number): Promise<ModelList> {
  const parties = await cashReceived(ctx, year, LIMIT_CASH)
  return {
    id: 'cash',
    title: {
      es: 'Cobros en metálico de más de 6.000 € en el año',
      en: 'Paid in cash, above €6,000 in the year',
    },
    columns: [
      { id: 'nif', label: { es: 'NIF', en: 'Tax number' }, kind: 'text' },
      { id: 'name', label: { es: 'Nombre', en: 'Name' }, kind: 'text' },
      { id: 'cash', label: { es: 'En metálico', en: 'In cash' }, kind: 'amount' },
    ],
    rows: parties.map(({ nif, name, cents }) => [nif, name, eurosFromCents(cents)]),
    total: parties.length,
  }
}

/** Lists the parties above the limit: keys A (purchases) and B (sales), and cash apart. The other keys are not known here. */
export async function list415(
  ctx: Ctx,
  year: number,
): Promise<Pick<Computed, 'sections' | 'values' | 'lists' | 'resultCents' | 'warnings'>> {
  const listed = await thirdParties(ctx, year, LIMIT_415)
  return {
    ...listed,
    lists: [...listed.lists, await cashList(ctx, year)],
    warnings: [
      {
        code: 'keys_not_known',
        severity: 'info',
        message:
          'Only keys A (purchases) and B (sales) are listed, and what was paid in cash: collections for third parties (C, above 300.51 euros), purchases and subsidies of public bodies (D, E), travel agencies (F, G) and property are to be stated by a person.',
      },
    ],
  }
}
