/** The registry slice for the others. */
export {
  appendCancellation,
  appendRegistration,
  chainFaults,
  checkCancellationRecord,
  checkRegistration,
  seriesConflictFaults,
} from './append.ts'
export type { MadeRecord, NewCancellation, NewRegistration } from './append.ts'
export { acceptClock } from './clock.ts'
export { readDeclaration } from './declaration.ts'
export { setEnvironment } from './environment.ts'
export {
  exportedFiles,
  exportRange,
  exportRecords,
  exportRecordsTo,
  hashAt,
  installationsOf,
} from './export.ts'
export type { ExportedFile, ExportRange } from './export.ts'
export { chainEntries } from './export-chain.ts'
export type { ChainEntry } from './export-chain.ts'
export {
  contradictsMark,
  createHighWater,
  HIGH_WATER_FILE,
  marksIn,
  resealedMarks,
  verifyMark,
} from './high-water.ts'
export type { HighWater, Marks } from './high-water.ts'
export { newInstallation } from './installations.ts'
export type { Authority } from './queue/authority.ts'
export { standInFrom } from './aeat/index.ts'
export { closeRecord, resumeSending, sendNow } from './queue/decisions.ts'
export { authorityOf, createRegistryJobs, sendBook } from './queue/jobs.ts'
export type { CancellationTurn, RegistrationTurn } from './record/fields.ts'
export { listRecords } from './list.ts'
export { runAuthority } from './simulator/command.ts'
export { standingOf } from './standing.ts'
export type { Standing } from './standing.ts'
export { firstRegistration, registryDetail } from './registrations.ts'
export {
  registeredAmounts,
  verifyAuthority,
  verifyInstallations,
  verifyQueue,
  verifyReplies,
} from './verify-queue.ts'
export { registryFigures, registryStatus } from './status.ts'
export { checkChainAtStart, proveChain, verifyChain } from './verify.ts'
export type { ChainProof } from './verify.ts'
