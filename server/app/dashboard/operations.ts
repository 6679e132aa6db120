/** The operations of the dashboard, and those that only the owner may run. */
import { defineOperations, operation } from '../../context.ts'
import { createKeyByPersonContract } from '../../platform/api-keys/contract.ts'
import { decideApprovalContract } from '../../sales/invoices/issue/approvals-contract.ts'
import { dashboardContract } from '../session/contract.ts'
import { createKeyByPerson, decideApproval } from './approvals.ts'
import { getDashboard } from './index.ts'

export const keyByPersonOperations = defineOperations([
  operation(createKeyByPersonContract, createKeyByPerson),
])

export const approvalDecisionOperations = defineOperations([
  operation(decideApprovalContract, decideApproval),
])

export const dashboardOperations = defineOperations([operation(dashboardContract, getDashboard)])
