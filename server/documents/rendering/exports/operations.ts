/** The operations of exports of many documents. */
import { defineOperations, operation } from '../../../context.ts'
import {
  createExportContract,
  getExportContract,
  exportFileContract,
  cancelExportContract,
} from './contract.ts'
import { createExport, getExport, exportFile, cancelExport } from './exports.ts'

export const exportOperations = defineOperations([
  operation(createExportContract, createExport),
  operation(getExportContract, getExport),
  operation(exportFileContract, exportFile),
  operation(cancelExportContract, cancelExport),
])
