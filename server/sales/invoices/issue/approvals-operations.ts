/** The operations that read approvals. `approvals.decide` is registered by app/dashboard. */
import { defineOperations, operation } from '../../../context.ts'
import { listApprovalsContract, getApprovalContract } from './approvals-contract.ts'
import { listApprovals, getApproval } from './decide-approval.ts'

export const approvalOperations = defineOperations([
  operation(listApprovalsContract, listApprovals),
  operation(getApprovalContract, getApproval),
])
