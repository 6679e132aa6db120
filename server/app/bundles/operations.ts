/** The operations between a client and its adviser by files. */
import { defineOperations, operation } from '../../context.ts'
import { rejectChanges, takeChanges } from './changes/take.ts'
import {
  acceptAdviserContract,
  bundlesStateContract,
  confirmPairingContract,
  endPairingContract,
  inviteAdviserContract,
  joinClientContract,
  readBundleContract,
  rejectChangesContract,
  removeCopyContract,
  takeChangesContract,
  writeBundleContract,
} from './contract.ts'
import {
  acceptAdviser,
  bundlesState,
  confirmPairing,
  endPairing,
  inviteAdviser,
  joinClient,
} from './pairing/manage.ts'
import { readBundle } from './read.ts'
import { removeCopy } from './remove-copy.ts'
import { writeBundle } from './write.ts'

export const bundleOperations = defineOperations([
  operation(bundlesStateContract, bundlesState),
  operation(inviteAdviserContract, inviteAdviser),
  operation(joinClientContract, joinClient),
  operation(acceptAdviserContract, acceptAdviser),
  operation(confirmPairingContract, confirmPairing),
  operation(endPairingContract, endPairing),
  operation(removeCopyContract, removeCopy),
  operation(writeBundleContract, writeBundle),
  operation(readBundleContract, readBundle),
  operation(takeChangesContract, takeChanges),
  operation(rejectChangesContract, rejectChanges),
])
