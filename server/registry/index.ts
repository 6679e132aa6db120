/** The registry slice for the others. */
export { appendRegistration, chainFaults, checkRegistration } from './append.ts'
export type { NewRegistration } from './append.ts'
export type { Authority } from './queue/authority.ts'
export { createRegistryJobs, sendBook, sendNow } from './queue/jobs.ts'
export {
  listRecords,
  registryDetail,
  registryFigures,
  registryGeneratedAt,
  registryStatus,
} from './status.ts'
export { checkChainAtStart, proveChain, verifyChain } from './verify.ts'
export type { ChainProof } from './verify.ts'
