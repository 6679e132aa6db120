/** Exports of the items slice for other slices. */
export {
  checkItem,
  createItem,
  insertItem,
  isItemUsed,
  removeItem,
  restoreItem,
  rewriteItem,
} from './change.ts'
export { copyItem, itemsOfBook } from './copy.ts'
export { listItems } from './list.ts'
export { findItem, findItemByRow, findSameItems, itemFacts } from './rows.ts'
export type { ItemFacts, ItemRecord } from './rows.ts'
