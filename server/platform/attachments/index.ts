/** Public interface of the attachments slice. */
export { contentOf, fileOf } from './content.ts'
export {
  attachmentView,
  FILE_CONTENTS,
  filesOf,
  findFile,
  keepFile,
  linkFile,
  pruneUnlinkedFiles,
  readFile,
  storeFile,
  unlinkFile,
} from './files.ts'
export { verifyFiles } from './verify.ts'
