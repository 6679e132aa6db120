/** The operations of the audit log. */
import { defineOperations, operation } from '../../context.ts'
import {
  listAuditContract,
  windowAuditContract,
  auditTermsContract,
  verifyAuditContract,
} from './contract.ts'
import { listAudit, verifyAudit } from './list.ts'
import { windowAudit, listAuditTerms } from './window.ts'

export const auditOperations = defineOperations([
  operation(listAuditContract, listAudit),
  operation(windowAuditContract, windowAudit),
  operation(auditTermsContract, listAuditTerms),
  operation(verifyAuditContract, verifyAudit),
])
