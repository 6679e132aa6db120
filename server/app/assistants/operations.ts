/** The operations of connected assistants. */
import { defineOperations, operation } from '../../context.ts'
import { listCalls, listClients } from './calls.ts'
import { checkConnection } from './check.ts'
import {
  listCallsContract,
  listClientsContract,
  getSetupContract,
  getBundleContract,
  checkConnectionContract,
} from './contract.ts'
import { getSetup, getBundle } from './setup.ts'

export const assistantOperations = defineOperations([
  operation(listCallsContract, listCalls),
  operation(listClientsContract, listClients),
  operation(getSetupContract, getSetup),
  operation(getBundleContract, getBundle),
  operation(checkConnectionContract, checkConnection),
])
