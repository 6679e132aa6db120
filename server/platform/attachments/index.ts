/** Public interface of the attachments slice. */
export { fileOf } from './content.ts'
export {
  attachmentView,
  filesOf,
  findFile,
  linkFile,
  pruneUnlinkedFiles,
  readFile,
  unlinkFile,
} from './files.ts'
export { mediaTypeOf } from './sniff.ts'
export { verifyFiles } from './verify.ts'
