/** Public interface of imports: how rows of lists become contacts and items. */
export { importerOf } from './apply.ts'
export { fieldList } from './fields.ts'
export { guessMapping } from './guess.ts'
export { RowReader } from './importer.ts'
