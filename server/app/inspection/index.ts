/** Public interface of the inspector's pack. */
export { inspectorPack } from './pack.ts'
