/** The operations that ask public services. */
import { findCompany } from '../../company/index.ts'
import { defineOperations, operation } from '../../context.ts'
import { checkVatNumber, listVatNumberChecks, checkCensus } from './check-party.ts'
import {
  checkVatNumberContract,
  listVatNumberChecksContract,
  checkCensusContract,
  exchangeRateContract,
} from './contract.ts'
import { exchangeRate } from './exchange-rate.ts'

export const lookupOperations = defineOperations([
  operation(
    checkVatNumberContract,
    checkVatNumber(async (ctx) => (await findCompany(ctx)).nif),
  ),
  operation(listVatNumberChecksContract, listVatNumberChecks),
  operation(checkCensusContract, checkCensus),
  operation(exchangeRateContract, exchangeRate),
])
