/** The operations of the tax rules, asked for the company of the book: the room of the taxes knows no companies. */
import type { Ctx } from '../context.ts'
import { defineOperations, operation } from '../context.ts'
import { proposeTreatmentContract, taxRatesContract, taxCausesContract } from '../tax/rules/contract.ts'
import { causesForCompany, proposeForCompany, taxRates } from '../tax/rules/index.ts'
import type { SellerFacts } from '../tax/rules/index.ts'
import { findCompany } from './rows.ts'

/** Returns what of the company decides how its sales are taxed. */
async function sellerFacts(ctx: Ctx): Promise<SellerFacts> {
  const { territory, vat_regime: vatRegime, kind } = await findCompany(ctx)
  return { territory, vatRegime, kind }
}

export const taxOperations = defineOperations([
  operation(proposeTreatmentContract, proposeForCompany(sellerFacts)),
  operation(taxRatesContract, taxRates),
  operation(taxCausesContract, causesForCompany(sellerFacts)),
])
