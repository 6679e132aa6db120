/** The operations that verify the books. */
import { defineOperations, operation } from '../../context.ts'
import { verifyBooksContract, verificationContract } from './contract.ts'
import { verifyBooks, getVerification } from './run.ts'

export const verificationOperations = defineOperations([
  operation(verifyBooksContract, verifyBooks),
  operation(verificationContract, getVerification),
])
