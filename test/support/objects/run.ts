/** What the run says of object storage; loads nothing of it. */

/** Variable with the address of the storage of this run; `build/test-objects.ts` sets it before the first test. */
export const STORAGE = 'SELLO_TEST_S3'

/** True in the project whose tests keep all content of documents in object storage. */
export const IN_OBJECTS = process.env.SELLO_OBJECTS === '1'

/** Returns true if this run has object storage. */
export function hasObjectStorage(): boolean {
  return process.env[STORAGE] !== undefined
}
