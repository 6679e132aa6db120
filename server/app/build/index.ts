/** The build that runs: its hash, and the check of its files. */
export { buildFolder, RUNNING_BUILD } from './identity.ts'
export { checksumsOf, verifyBuild } from './verify.ts'
