/** Public interface of lookups: the services, for a question that belongs to no contact. */
import { credentialOf } from '../../company/certificates/index.ts'
import type { AppEnvironment, Ctx } from '../../context.ts'
import { createCensus } from './census.ts'
import { simulatedCensus, simulatedVies } from './mock-services.ts'
import type { CensusService, VatNumberService } from './ports.ts'
import { createVies } from './vies.ts'

/** Returns VIES for a number that is in no book yet; in a sandbox the simulated one. */
export function viesOfInstallation({ sandbox }: Pick<AppEnvironment, 'sandbox'>): VatNumberService {
  return sandbox ? simulatedVies : createVies()
}

/** Returns the census with the certificate of the company of a live book; null without one. In a sandbox the simulated one. */
export async function censusOfCompany(live: Ctx): Promise<CensusService | null> {
  if (live.env.sandbox) return simulatedCensus
  const credential = await credentialOf(live)
  return credential ? createCensus(credential) : null
}
