/** Public interface of the going-live slice. */
export { carry, carryOffer } from './carry.ts'
