/**
 * Model 415, the yearly list of operations with third parties of businesses of the Canary Islands. Sources: Decreto
 * 268/2011 and Orden of 17 April 2001 (limit and keys). Assumptions: amounts by quarter, as the state's own list has
 * them, and operations with withholding, which it leaves out and this one is said to state.
 */
import type { Ctx } from '../../../../context.ts'
import type { Computed } from '../../compute.ts'
import { thirdParties } from '../lists.ts'

/** Limit of a year for each party and side, in cents, tax included. */
const LIMIT_415 = 300_506

/** Lists the parties above the limit; keys A (purchases) and B (sales). The other keys are not known here. */
export async function list415(
  ctx: Ctx,
  year: number,
): Promise<Pick<Computed, 'sections' | 'values' | 'lists' | 'resultCents' | 'warnings'>> {
  const listed = await thirdParties(ctx, year, LIMIT_415)
  return {
    ...listed,
    warnings: [
      {
        code: 'keys_not_known',
        severity: 'info',
        message:
          'Only keys A (purchases) and B (sales) are listed: collections for third parties, public bodies, subsidies, travel agencies, cash above 6,000 euros and property are to be stated by a person.',
      },
    ],
  }
}
