/** The operations of moving in. */
import { defineOperations, operation } from '../../context.ts'
import { addFile, changeMove, removeFile } from './adding/add-file.ts'
import { applyMove, startMove } from './apply.ts'
import {
  addFileContract,
  applyMoveContract,
  attachDocumentsContract,
  changeMoveContract,
  discardMoveContract,
  documentOriginContract,
  explainReturnContract,
  finishMoveContract,
  getMoveContract,
  listMovesContract,
  moveProofContract,
  moveRowsContract,
  removeFileContract,
  setFiledContract,
  startMoveContract,
  undoMoveContract,
} from './contract.ts'
import { attachDocuments } from './attaching/attach.ts'
import { documentOrigin } from './origin.ts'
import { moveProof } from './proof/returns.ts'
import { explainReturn, finishMove, setFiled } from './proof/say.ts'
import { discardMove, undoMove } from './undo.ts'
import { getMove, listMoves, moveRows } from './view.ts'

export const movingInOperations = defineOperations([
  operation(startMoveContract, startMove),
  operation(getMoveContract, getMove),
  operation(listMovesContract, listMoves),
  operation(moveRowsContract, moveRows),
  operation(changeMoveContract, changeMove),
  operation(addFileContract, addFile),
  operation(removeFileContract, removeFile),
  operation(applyMoveContract, applyMove),
  operation(documentOriginContract, documentOrigin),
  operation(attachDocumentsContract, attachDocuments),
  operation(moveProofContract, moveProof),
  operation(setFiledContract, setFiled),
  operation(explainReturnContract, explainReturn),
  operation(finishMoveContract, finishMove),
  operation(undoMoveContract, undoMove),
  operation(discardMoveContract, discardMove),
])
