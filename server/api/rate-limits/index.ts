/** Public interface of the rate-limits slice. */
export { setLimits } from './choose.ts'
export { Counters } from './counters.ts'
export { Semaphore } from './expensive-semaphore.ts'
export { limitsOf, loadLimits } from './policy.ts'
export type { StoreLimits } from './policy.ts'
export type { SharedCounts } from './shared-counts.ts'
export { disconnectSignal, countRequest } from './request.ts'
