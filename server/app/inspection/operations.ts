/** The operations of the inspector's pack. */
import { defineOperations, operation } from '../../context.ts'
import { inspectorPackContract, packProgressContract } from './contract.ts'
import { inspectorPack, packProgress } from './pack.ts'

export const inspectionOperations = defineOperations([
  operation(inspectorPackContract, inspectorPack),
  operation(packProgressContract, packProgress),
])
