/** Public interface of the attachments slice. */
export { fileOf } from './content.ts'
export type { IncomingFile } from './content.ts'
export {
  attachmentView,
  filesOf,
  findFile,
  storeFile,
  linkFile,
  pruneUnlinkedFiles,
  readFile,
  unlinkFile,
} from './files.ts'
export type { FileRow, FileTarget } from './files.ts'
export { deleteAttachment, downloadAttachment, uploadAttachment } from './operations.ts'
export { mediaTypeOf } from './sniff.ts'
export { verifyFiles } from './verify.ts'
