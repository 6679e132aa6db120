/** The idempotency slice for the others. */
export {
  answerOnce,
  answerOnceOutward,
  checkIdempotencyKey,
  KEPT_MS,
  pruneIdempotency,
  SECRET_MEMBERS,
  SECRET_MS,
} from './keep.ts'
export { verifyReplies } from './verify.ts'
export type { Answer, IdempotentRequest } from './keep.ts'
export { SEALED_REPLIES } from './sealed.ts'
