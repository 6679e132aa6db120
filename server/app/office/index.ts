/** Public interface of the office: the application over PostgreSQL. */
export { openBucket } from '../../db/postgres/objects/bucket.ts'
export type { Bucket, BucketSettings } from '../../db/postgres/objects/bucket.ts'
export { openOffice } from './application.ts'
export type { OfficeOptions, OpenedOffice } from './application.ts'
export { OFFICE_WORK_KINDS, startOfficeWork } from './work/index.ts'
export type { OfficeWork, OfficeWorkOptions } from './work/index.ts'
export type { OfficeWorkKind } from './work/handlers.ts'
