/** The operations of the connection to an ERP. */
import { defineOperations, operation } from '../../context.ts'
import { connectErp, disconnectErp } from './connection/connect.ts'
import { erpStatus, changeErpSettings, forgetErp } from './connection/status.ts'
import {
  connectContract,
  disconnectContract,
  syncContract,
  cancelRunContract,
  statusContract,
  settingsContract,
  runsContract,
  runContract,
  rejectsContract,
  forgetContract,
} from './contract.ts'
import { listRuns, getRun, listRejects } from './reading/run-rows.ts'
import { syncErp, cancelRun } from './reading/run.ts'

export const erpOperations = defineOperations([
  operation(connectContract, connectErp),
  operation(disconnectContract, disconnectErp),
  operation(syncContract, syncErp),
  operation(cancelRunContract, cancelRun),
  operation(statusContract, erpStatus),
  operation(settingsContract, changeErpSettings),
  operation(runsContract, listRuns),
  operation(runContract, getRun),
  operation(rejectsContract, listRejects),
  operation(forgetContract, forgetErp),
])
