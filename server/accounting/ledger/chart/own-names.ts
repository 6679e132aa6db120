/** Names of the plan's accounts in the books of a company: with its own tax where the plan says VAT. */
import { findCompany } from '../../../company/index.ts'
import type { Ctx } from '../../../context.ts'
import { taxSystemOf, VAT_SYSTEM } from '../../../tax/systems/index.ts'
import { nameOf } from './chart.ts'
import type { Language } from './chart.ts'

/** Returns the name of an account by its code. */
export type AccountNames = (code: string) => string

/** Returns how the accounts of the plan are named in these books. */
export async function accountNames(ctx: Ctx, language: Language): Promise<AccountNames> {
  const system = taxSystemOf((await findCompany(ctx)).territory)
  if (system === VAT_SYSTEM) return (code) => nameOf(code, language)
  const own = language === 'es' ? system.name : system.englishName
  const usual = language === 'es' ? VAT_SYSTEM.name : VAT_SYSTEM.englishName
  return (code) => nameOf(code, language).replace(usual, own)
}
