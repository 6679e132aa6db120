/** The operations of leaving with everything, and of bringing it back. */
import { defineOperations, operation } from '../../context.ts'
import {
  leaveContract,
  leavingProgressContract,
  sendArchiveContract,
  takeInContract,
  takeInProgressContract,
} from './contract.ts'
import { leave, leavingProgress, sendArchive, takeInProgress, takeInSent } from './leave.ts'

export const leavingOperations = defineOperations([
  operation(leaveContract, leave),
  operation(leavingProgressContract, leavingProgress),
  operation(sendArchiveContract, sendArchive),
  operation(takeInContract, takeInSent),
  operation(takeInProgressContract, takeInProgress),
])
