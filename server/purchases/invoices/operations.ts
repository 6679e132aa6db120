/** The operations of received invoices; to create one is an operation of the incoming documents, which learn from it. */
import { defineOperations, operation } from '../../context.ts'
import {
  listReceivedContract,
  windowReceivedContract,
  exportReceivedContract,
  receivedFilesContract,
  previewReceivedContract,
  getReceivedContract,
  updateReceivedContract,
  voidReceivedContract,
  restoreReceivedContract,
  attachReceivedContract,
  detachReceivedContract,
  conceptsContract,
} from './contract.ts'
import { exportReceived, exportReceivedFiles } from './export.ts'
import { attachReceived, detachReceived } from './files.ts'
import { listReceived, windowReceived, getReceived, listConcepts } from './list.ts'
import { previewReceived, updateReceived, voidReceived, restoreReceived } from './write.ts'

export const receivedOperations = defineOperations([
  operation(listReceivedContract, listReceived),
  operation(windowReceivedContract, windowReceived),
  operation(exportReceivedContract, exportReceived),
  operation(receivedFilesContract, exportReceivedFiles),
  operation(previewReceivedContract, previewReceived),
  operation(getReceivedContract, getReceived),
  operation(updateReceivedContract, updateReceived),
  operation(voidReceivedContract, voidReceived),
  operation(restoreReceivedContract, restoreReceived),
  operation(attachReceivedContract, attachReceived),
  operation(detachReceivedContract, detachReceived),
  operation(conceptsContract, listConcepts),
])
