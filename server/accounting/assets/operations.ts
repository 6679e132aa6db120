/** The operations of fixed assets. */
import { defineOperations, operation } from '../../context.ts'
import { listCandidates } from './candidates.ts'
import {
  assetCandidatesContract,
  createAssetContract,
  deleteAssetContract,
  depreciateContract,
  depreciationContract,
  disposeAssetContract,
  getAssetContract,
  listAssetsContract,
  previewAssetContract,
  setProrataContract,
  undoDepreciationContract,
  undoDisposalContract,
  updateAssetContract,
  bookVatAdjustmentContract,
  vatAdjustmentsContract,
} from './contract.ts'
import { depreciate, depreciationRun, undoDepreciation } from './depreciate.ts'
import { disposeAsset, undoDisposal } from './dispose.ts'
import { getAsset, listAssets } from './list.ts'
import { bookVatAdjustment, setProrata, vatAdjustments } from './prorata.ts'
import { createAsset, deleteAsset, previewAsset, updateAsset } from './save.ts'

export const assetOperations = defineOperations([
  operation(listAssetsContract, listAssets),
  operation(assetCandidatesContract, listCandidates),
  operation(depreciationContract, depreciationRun),
  operation(vatAdjustmentsContract, vatAdjustments),
  operation(bookVatAdjustmentContract, bookVatAdjustment),
  operation(getAssetContract, getAsset),
  operation(createAssetContract, createAsset),
  operation(updateAssetContract, updateAsset),
  operation(deleteAssetContract, deleteAsset),
  operation(previewAssetContract, previewAsset),
  operation(depreciateContract, depreciate),
  operation(undoDepreciationContract, undoDepreciation),
  operation(disposeAssetContract, disposeAsset),
  operation(undoDisposalContract, undoDisposal),
  operation(setProrataContract, setProrata),
])
