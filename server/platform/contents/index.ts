/** Public interface of the contents slice: the bytes of documents, which a row holds or points to. */
export { contentOrFault, keepContent, readContent, removeContent } from './contents.ts'
