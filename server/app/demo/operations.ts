/** The operations of the sample company. */
import { defineOperations, operation } from '../../context.ts'
import { sampleStateContract, fillSampleContract, removeSampleContract } from './contract.ts'
import { getSample, fillSample, removeSample } from './sample.ts'

export const demoOperations = defineOperations([
  operation(sampleStateContract, getSample),
  operation(fillSampleContract, fillSample),
  operation(removeSampleContract, removeSample),
])
