/** Public interface of the companies of an installation. */
export { forgetPersonal, noteMissingEvents } from './end/end.ts'
export { removeOutside } from './end/objects.ts'
export { deleteRows } from './end/rows.ts'
export { readArrangement } from './personal.ts'
export type { Arrangement } from './personal.ts'
