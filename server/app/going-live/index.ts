/** The going-live slice for the others. */
export { carry, carryOffer } from './carry.ts'
