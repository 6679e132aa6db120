/** Public interface of the imports slice. */
export { applyImport, checkImport, getImport, listImports, undoImport } from './apply.ts'
export { importTemplate } from './template.ts'
export { discardImport, uploadImport } from './upload.ts'
