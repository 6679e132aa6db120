/** Public interface of the replies. */
export type { PageFacts } from './facts.ts'
export { repliesOf } from './list.ts'
export { offerPage } from './offer.ts'
export type { OfferedPage } from './offer.ts'
export { SEALED_REPLY_SECRETS } from './secret.ts'
export { takeCodes } from './take.ts'
