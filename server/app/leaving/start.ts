/** What the start of a desk does about archives. */
export { dropArchives } from './take/folder.ts'
