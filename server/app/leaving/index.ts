/** Public interface of leaving with everything of a company, and of bringing it back. */
export { archiveTo } from './leave.ts'
export { stageArchive } from './take/stage.ts'
export { takeIn } from './take/take-in.ts'
