/** The operations of what is remembered of suppliers. */
import { defineOperations, operation } from '../../context.ts'
import { forgetSupplierContract, supplierMemoryContract } from './contract.ts'
import { forgetSupplier, showMemory } from './show.ts'

export const supplierMemoryOperations = defineOperations([
  operation(supplierMemoryContract, showMemory),
  operation(forgetSupplierContract, forgetSupplier),
])
