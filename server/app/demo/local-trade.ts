/** The tax and the places of demonstration books: those of the company's territory. */
import { findCompany } from '../../company/index.ts'
import type { Ctx } from '../../context.ts'
import type { BasisPoints } from '../../domain/money.ts'
import { taxSystemOf, VAT_SYSTEM } from '../../tax/systems/index.ts'
import type { TaxCode } from '../../tax/systems/index.ts'
import { SERVICES } from './names.ts'

interface Place {
  postalCode: string
  city: string
  province: string
}

interface LocalTrade {
  /** Code of the tax in the record. */
  tax: TaxCode
  /** Returns the local rate of something that has a rate of VAT in the lists of this folder. */
  rateOf: (vatRateBp: BasisPoints) => BasisPoints
  /** Place of every customer; null where they may be in any city of the area of VAT. */
  place: Place | null
}

/** The highest rate of the lists, that of most services. */
const GENERAL_BP = Math.max(...SERVICES.map(({ vatRateBp }) => vatRateBp))

/**
 * Returns the trade of a company: its rates and places. Where a tax has no general rate, as a person chooses it for each
 * thing, services have the one in the middle of its table.
 */
export async function localTrade(ctx: Ctx): Promise<LocalTrade> {
  const company = await findCompany(ctx)
  const system = taxSystemOf(company.territory)
  if (system === VAT_SYSTEM) return { tax: system.code, rateOf: (vatRateBp) => vatRateBp, place: null }
  const today = ctx.today()
  const rates = system.ratesAt(today).flatMap(({ rateBp }) => (rateBp > 0 ? [rateBp] : []))
  const reduced = rates.at(-1) ?? 0
  const general = system.defaultRateAt(today) ?? rates[Math.floor(rates.length / 2)] ?? reduced
  return {
    tax: system.code,
    rateOf: (vatRateBp) => (vatRateBp === GENERAL_BP ? general : reduced),
    // A service to a business of another area would not bear this tax.
    place: {
      postalCode: company.postal_code ?? '',
      city: company.city ?? '',
      province: company.province ?? company.city ?? '',
    },
  }
}
