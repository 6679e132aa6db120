/** The inbox slice for the others. */
export { decideInbox, listInbox, proposeAction, waitingProposals } from './proposals.ts'
export type { FindTarget, ProposalTarget } from './proposals.ts'
