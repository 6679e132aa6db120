/** The operation that describes the company and its book to a program that connects. */
import { currentCompanyContract } from '../../company/contract.ts'
import { defineOperations, operation } from '../../context.ts'
import { getContext } from './context.ts'

export const contextOperations = defineOperations([operation(currentCompanyContract, getContext)])
