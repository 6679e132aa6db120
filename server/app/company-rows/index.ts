/** The rows of a company as the schema tells them: tables, references between them, and other ids for their copies. */
export { LOOSE, NOT_COPIED } from './references.ts'
export { rowRenumbering, readKinds } from './renumber.ts'
export type { Kinds, Renumbering, Shift } from './renumber.ts'
export { belongsTo, OF_INSTALLATION, shapeOf, shapeOfBuild, tableNamed, tablesOf } from './shape.ts'
export type { Shape, Table } from './shape.ts'
