/** Exports of the registry slice for other slices. */
export {
  appendCancellation,
  appendRegistration,
  chainFaults,
  checkCancellationRecord,
  checkRegistration,
  seriesConflictFaults,
} from './chain/append.ts'
export type { MadeRecord, NewCancellation, NewRegistration } from './chain/append.ts'
export type { InvoiceDetail, RowSupplies } from './invoice-detail.ts'
export { FIRST_REGISTRY, REGISTRIES, systemOf } from './systems/index.ts'
export { findChainState, recordRowId } from './chain/rows.ts'
export type { ChainState } from './chain/rows.ts'
export { exportedFiles, exportRange, exportRecordsTo, hashAt, installationsOf } from './chain/export.ts'
export type { ExportRange } from './chain/export.ts'
export { chainEntries } from './chain/export-chain.ts'
export {
  contradictsMark,
  createRollbackGuard,
  HIGH_WATER_FILE,
  marksIn,
  resealedMarks,
  verifyMark,
} from './chain/rollback-guard.ts'
export { guardBook } from './chain/outside-marks.ts'
export type { Marks } from './chain/marks.ts'
export type { RollbackGuard } from './chain/rollback-guard.ts'
export {
  mockEndpointFrom,
  platformMockEndpointFrom,
  portalMockEndpointFrom,
  returnsMockEndpointFrom,
} from './stand-ins.ts'
export { authorityOf, createRegistryJobs, registryWork, sendBook } from './queue/jobs.ts'
export { runAuthority } from './systems/index.ts'
export { standingOf } from './state/standing.ts'
export type { Standing } from './state/standing.ts'
export {
  firstRegistration,
  newRecordDetail,
  registrationAsStored,
  registryDetail,
} from './state/registrations.ts'
export {
  registeredAmounts,
  verifyAuthority,
  verifyInstallations,
  verifyQueue,
  verifyReplies,
} from './queue/verify.ts'
export { registryCounts } from './state/status.ts'
export { registryTroubles } from './state/troubles.ts'
export { checkChainAtStart, proveChain, verifyChain } from './chain/verify.ts'
