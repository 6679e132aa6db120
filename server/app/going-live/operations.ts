/** The operations that carry test data into the live book. */
import { defineOperations, operation } from '../../context.ts'
import { carryOffer, carry } from './carry.ts'
import { carryOfferContract, carryContract } from './contract.ts'

export const goingLiveOperations = defineOperations([
  operation(carryOfferContract, carryOffer),
  operation(carryContract, carry),
])
