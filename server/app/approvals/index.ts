/** The inbox slice for the others. */
export type { ContactChanges, Outcome, ProposalPoint, ProposedAction, ProposedChange } from './contract.ts'
export { decideInbox, listInbox, openInbox, waitingProposals } from './decide.ts'
export type { Asked, AskedFor, Assessment, Feasibility } from './feasibility.ts'
export { proposeAction } from './propose.ts'
