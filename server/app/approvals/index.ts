/** Public interface of the inbox slice. */
export type { ContactChanges, Outcome, ProposalPoint, ProposedAction, ProposedChange } from './contract.ts'
export { decideInbox, listInbox, openInbox, waitingProposals } from './decide.ts'
export type { ActionRequest, ActionRequestOf, Assessment, ProposalChecks } from './ports.ts'
export { proposeAction } from './propose.ts'
