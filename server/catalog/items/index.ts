/** Exports of the items slice for other slices. */
export {
  checkItem,
  createItem,
  deleteItem,
  insertItem,
  isItemUsed,
  removeItem,
  restoreItem,
  rewriteItem,
  updateItem,
} from './change.ts'
export { copyItem, itemsOfBook } from './copy.ts'
export { exportItems } from './export.ts'
export { getItem, listItems } from './list.ts'
export { findItem, findItemByRow, findSameItems, itemFacts } from './rows.ts'
export type { ItemFacts, ItemRecord } from './rows.ts'
