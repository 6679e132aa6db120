/** Public interface of the privacy slice. */
export { erasePerson } from './erase.ts'
export { exportPerson } from './export.ts'
export { blockedPeople, findPerson, liftBlock, previewErasure } from './find.ts'
