/** Public interface of the idempotency slice. */
export {
  answerOnce,
  answerOnceExternal,
  checkIdempotencyKey,
  RETENTION_MS,
  pruneIdempotency,
  SECRET_MEMBERS,
  SECRET_MS,
} from './replies.ts'
export { verifyReplies } from './verify.ts'
export { SEALED_REPLIES } from './sealed.ts'
