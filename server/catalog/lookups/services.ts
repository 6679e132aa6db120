/** Selects the service for a book: live books use the real ones, test books and sandboxes always the simulated ones. */
import { credentialOf } from '../../company/certificates/index.ts'
import type { Ctx } from '../../context.ts'
import { certificateMissing, createCensus } from './census.ts'
import { createEcb } from './ecb.ts'
import type { CensusService, ExchangeRateService, VatNumberService } from './ports.ts'
import { simulatedCensus, simulatedEcb, simulatedVies } from './mock-services.ts'
import { createVies } from './vies.ts'

/** Returns true where nothing may leave this computer. */
export function isSimulated(ctx: Ctx): boolean {
  return ctx.book.mode === 'test' || ctx.env.sandbox
}

export function vatNumberService(ctx: Ctx): VatNumberService {
  return isSimulated(ctx) ? simulatedVies : createVies()
}

/** Returns the census with the company's certificate. Throws `certificate_missing` in a live book without one. */
export async function censusService(ctx: Ctx): Promise<CensusService> {
  if (isSimulated(ctx)) return simulatedCensus
  const credential = await credentialOf(ctx)
  if (!credential) throw certificateMissing()
  return createCensus(credential)
}

export function exchangeRateService(ctx: Ctx): ExchangeRateService {
  return isSimulated(ctx) ? simulatedEcb(ctx.today()) : createEcb()
}
