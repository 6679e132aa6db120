/** The imports slice for the others. */
export { applyImport, checkImport, getImport, listImports, undoImport } from './apply.ts'
export { importTemplate } from './template.ts'
export { discardImport, uploadImport } from './upload.ts'
