/** The operations of proposed actions, with the checks that say what each would do. */
import { defineOperations, operation } from '../../context.ts'
import {
  proposeActionContract,
  listInboxContract,
  openInboxContract,
  decideInboxContract,
} from '../approvals/contract.ts'
import { proposeAction, listInbox, openInbox, decideInbox } from '../approvals/index.ts'
import { proposalChecks } from './index.ts'

export const inboxOperations = defineOperations([
  operation(proposeActionContract, proposeAction(proposalChecks)),
  operation(listInboxContract, listInbox),
  operation(openInboxContract, openInbox(proposalChecks)),
  operation(decideInboxContract, decideInbox(proposalChecks)),
])
