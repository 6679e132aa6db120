/** Public interface of the attachments slice. */
export { fileOf } from './content.ts'
export {
  attachmentView,
  FILE_CONTENTS,
  filesOf,
  findFile,
  linkFile,
  pruneUnlinkedFiles,
  readFile,
  unlinkFile,
} from './files.ts'
export { mediaTypeOf } from './sniff.ts'
export { verifyFiles } from './verify.ts'
