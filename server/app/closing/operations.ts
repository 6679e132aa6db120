/** The operations of the close of a quarter. */
import { defineOperations, operation } from '../../context.ts'
import { fiscalClosing } from './closing.ts'
import { closingContract, enterVatContract } from './contract.ts'
import { enterVat } from './vat-entry.ts'

export const closingOperations = defineOperations([
  operation(closingContract, fiscalClosing),
  operation(enterVatContract, enterVat),
])
