/** The operations of the handing back of a company. */
import { defineOperations, operation } from '../../../context.ts'
import { handBackContract, handBackOfferContract, takeBackContract } from './contract.ts'
import { handBack, handBackOffer, takeBack } from './hand-back.ts'

export const handBackOperations = defineOperations([
  operation(handBackOfferContract, handBackOffer),
  operation(handBackContract, handBack),
  operation(takeBackContract, takeBack),
])
