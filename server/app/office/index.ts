/** Public interface of the office: the application over PostgreSQL. */
export { openOffice } from './application.ts'
export type { OfficeOptions } from './application.ts'
