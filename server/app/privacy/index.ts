/** The privacy slice for the others: one person's data. */
export { erasePerson } from './erase.ts'
export { exportPerson } from './export.ts'
export { blockedPeople, findPerson, liftBlock, previewErasure } from './find.ts'
