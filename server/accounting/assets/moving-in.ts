/** Assets of an earlier program: taken in and taken back by the run that moves a company in. */
import type { Ctx } from '../../context.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type { createAssetContract } from './contract.ts'
import { addAsset, dropAsset } from './save.ts'
import { findAsset } from './rows.ts'

/** An asset as the earlier program has it: dates, cost, method, and what was depreciated there until a day. */
export type ImportedAsset = ContractInput<typeof createAssetContract>

/**
 * Takes an asset in, within the transaction of the run; returns its identifier. Throws `validation_failed` with what is wrong
 * with it. Books nothing: cost and depreciation come with the opening balances.
 */
export function insertImportedAsset(tx: Ctx, asset: ImportedAsset): Promise<string> {
  return addAsset(tx, asset, 'asset.imported')
}

/** Takes an asset back. Throws `asset_booked` or `asset_disposed` if something of it was booked since. */
export async function deleteImportedAsset(tx: Ctx, id: string): Promise<void> {
  await dropAsset(tx, await findAsset(tx, id), 'asset.import_undone')
}
