/** Public interface of privacy: the periods of the law. */
export {
  isExpired,
  later,
  retentionOfEntry,
  retentionOfIssued,
  retentionOfMandate,
  retentionOfReceived,
} from './retention.ts'
export type { Law, RetentionPeriod } from './retention.ts'
