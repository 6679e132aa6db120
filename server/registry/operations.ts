/** The operations of the registry record and of its sending. */
import { defineOperations, operation } from '../context.ts'
import { exportRecords } from './chain/export.ts'
import { newInstallation } from './chain/installations.ts'
import { verifyChain } from './chain/verify.ts'
import {
  registryStatusContract,
  listRecordsContract,
  verifyChainContract,
  sendNowContract,
  resumeSendingContract,
  closeRecordContract,
  setEnvironmentContract,
  newInstallationContract,
  acceptClockContract,
  exportRecordsContract,
  declarationContract,
} from './contract.ts'
import { readDeclaration } from './declaration.ts'
import { setEnvironment } from './environment.ts'
import { sendNow, resumeSending, closeRecord } from './queue/decisions.ts'
import { acceptClock } from './state/clock.ts'
import { listRecords } from './state/list.ts'
import { registryStatus } from './state/status.ts'

export const registryOperations = defineOperations([
  operation(registryStatusContract, registryStatus),
  operation(listRecordsContract, listRecords),
  operation(verifyChainContract, verifyChain),
  operation(sendNowContract, sendNow),
  operation(resumeSendingContract, resumeSending),
  operation(closeRecordContract, closeRecord),
  operation(setEnvironmentContract, setEnvironment),
  operation(newInstallationContract, newInstallation),
  operation(acceptClockContract, acceptClock),
  operation(exportRecordsContract, exportRecords),
  operation(declarationContract, readDeclaration),
])
