/** Public interface of the inspector's pack. */
export { bookEntries } from './books.ts'
export { inspectorPack } from './pack.ts'
export { yearsOfBook } from './plan.ts'
