/** The operations of rate limits. */
import { defineOperations, operation } from '../../context.ts'
import { currentLimits, getLimits, setLimits } from './choose.ts'
import { currentLimitsContract, getLimitsContract, setLimitsContract } from './contract.ts'

export const limitOperations = defineOperations([
  operation(currentLimitsContract, currentLimits),
  operation(getLimitsContract, getLimits),
  operation(setLimitsContract, setLimits),
])
