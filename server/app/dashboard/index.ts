/** Public interface of the dashboard, and the approvals that only the owner gives. */
import type { dashboardContract } from '../session/contract.ts'
import type { UseCase } from '../../context.ts'

/** Returns the data of the dashboard. It needs most of the program, which is loaded with the first use. */
export const getDashboard: UseCase<typeof dashboardContract> = async (ctx, input) =>
  (await import('./front-page.ts')).getDashboard(ctx, input)
