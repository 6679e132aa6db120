/** Public interface of the slice of fixed assets. */
export {
  assetVat,
  goodsOfBook,
  goodsWithoutAsset,
  linesWithAsset,
  missingProratas,
  quarterDepreciation,
  soldWithInvoice,
} from './figures.ts'
export type { GoodOfBook } from './figures.ts'
export { deleteImportedAsset, insertImportedAsset } from './moving-in.ts'
export type { ImportedAsset } from './moving-in.ts'
export { kindOfAccount } from './kinds.ts'
