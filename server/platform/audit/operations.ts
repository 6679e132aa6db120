/** The operations of the audit log. */
import { defineOperations, operation } from '../../context.ts'
import {
  listAuditContract,
  windowAuditContract,
  auditPeopleContract,
  auditTermsContract,
  verifyAuditContract,
} from './contract.ts'
import { listAudit, verifyAudit } from './list.ts'
import { windowAudit, listAuditPeople, listAuditTerms } from './window.ts'

export const auditOperations = defineOperations([
  operation(listAuditContract, listAudit),
  operation(windowAuditContract, windowAudit),
  operation(auditTermsContract, listAuditTerms),
  operation(auditPeopleContract, listAuditPeople),
  operation(verifyAuditContract, verifyAudit),
])
