/** The operations of the company and of its document design. */
import { defineOperations, operation } from '../context.ts'
import { createCompanyContract, updateCompanyContract } from './contract.ts'
import { getDesignContract, setDesignContract, getLogoContract } from './design/contract.ts'
import { getDesign, setDesign, getLogo } from './design/design.ts'
import { createCompany, updateCompany } from './set-up.ts'

export const companyOperations = defineOperations([
  operation(createCompanyContract, createCompany),
  operation(updateCompanyContract, updateCompany),
  operation(getDesignContract, getDesign),
  operation(setDesignContract, setDesign),
  operation(getLogoContract, getLogo),
])
