/** Public interface of the window's session: current person and book, the recovery code, and saved views. */
export { confirmRecovery, createRecoveryCode, hasRecoveryCode, revealRecovery } from './recovery-code.ts'
export { recordOfflineChanges } from './offline-changes.ts'
export { listViews, saveViews } from './views.ts'
