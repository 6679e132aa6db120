/** The operations of imports. */
import { defineOperations, operation } from '../../context.ts'
import { listImports, getImport, checkImport, applyImport, undoImport } from './apply.ts'
import {
  listImportsContract,
  importTemplateContract,
  uploadImportContract,
  getImportContract,
  checkImportContract,
  applyImportContract,
  undoImportContract,
  discardImportContract,
} from './contract.ts'
import { importTemplate } from './template.ts'
import { uploadImport, discardImport } from './upload.ts'

export const importOperations = defineOperations([
  operation(listImportsContract, listImports),
  operation(importTemplateContract, importTemplate),
  operation(uploadImportContract, uploadImport),
  operation(getImportContract, getImport),
  operation(checkImportContract, checkImport),
  operation(applyImportContract, applyImport),
  operation(undoImportContract, undoImport),
  operation(discardImportContract, discardImport),
])
