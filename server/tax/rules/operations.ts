/** The operations of the tax rules. */
import { findCompany } from '../../company/index.ts'
import type { Ctx } from '../../context.ts'
import { defineOperations, operation } from '../../context.ts'
import { proposeTreatmentContract, taxRatesContract, taxCausesContract } from './contract.ts'
import { proposeForCompany, taxRates, taxCauses } from './tables.ts'
import type { SellerFacts } from './treatment/propose.ts'

/** Returns what of the company decides how its sales are taxed; the rules themselves know no companies. */
async function sellerFacts(ctx: Ctx): Promise<SellerFacts> {
  const { territory, vat_regime: vatRegime, kind } = await findCompany(ctx)
  return { territory, vatRegime, kind }
}

export const taxOperations = defineOperations([
  operation(proposeTreatmentContract, proposeForCompany(sellerFacts)),
  operation(taxRatesContract, taxRates),
  operation(taxCausesContract, taxCauses),
])
