/** The front page for the operations table, and the approvals that only the owner gives. */
import type { dashboardContract } from '../session/contract.ts'
import type { UseCase } from '../../context.ts'

export { createKeyByPerson, decideApproval } from './approvals.ts'

/** Returns the figures of the front page. Loads most of the program, so it is loaded with the first look. */
export const getDashboard: UseCase<typeof dashboardContract> = async (ctx, input) =>
  (await import('./front-page.ts')).getDashboard(ctx, input)
