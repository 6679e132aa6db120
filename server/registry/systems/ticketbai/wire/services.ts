/** Addresses of the three services by what is sent to them, from the profiles. Nothing was tried against a live service. */
import { PROFILES } from '../profiles.ts'
import type { Province, ProvinceProfile, TicketBaiEnvironment } from '../profiles.ts'

export type { Province } from '../profiles.ts'

export interface ServiceAddresses {
  wire: 'xml' | 'lroe'
  invoice: string
  cancellation: string
  /** Null where a kept file cannot be corrected by message. */
  correction: string | null
  cancellationCorrection: string | null
  /** Null where the service has no query. */
  query: string | null
}

function addressesOf({ wire }: ProvinceProfile, environment: TicketBaiEnvironment): ServiceAddresses {
  const own = wire[environment]
  return own.kind === 'xml'
    ? {
        wire: 'xml',
        invoice: own.issue.url,
        cancellation: own.cancel.url,
        correction: own.amendIssue.url,
        cancellationCorrection: own.amendCancel.url,
        query: null,
      }
    : {
        wire: 'lroe',
        invoice: own.send.url,
        cancellation: own.send.url,
        correction: null,
        cancellationCorrection: null,
        query: own.query.url,
      }
}

const servicesOf = (profile: ProvinceProfile): Readonly<Record<TicketBaiEnvironment, ServiceAddresses>> => ({
  production: addressesOf(profile, 'production'),
  test: addressesOf(profile, 'test'),
})

export const SERVICES: Readonly<Record<Province, Readonly<Record<TicketBaiEnvironment, ServiceAddresses>>>> =
  {
    araba: servicesOf(PROFILES.araba),
    bizkaia: servicesOf(PROFILES.bizkaia),
    gipuzkoa: servicesOf(PROFILES.gipuzkoa),
  }

/** Returns the addresses of a province's simulator at an address of this computer: the real paths below it. */
export function simulatedService(province: Province, origin: string): ServiceAddresses {
  const moved = (url: string | null): string | null =>
    url === null ? null : new URL(new URL(url).pathname, origin).href
  const { wire, invoice, cancellation, correction, cancellationCorrection, query } =
    SERVICES[province].production
  return {
    wire,
    invoice: moved(invoice) ?? '',
    cancellation: moved(cancellation) ?? '',
    correction: moved(correction),
    cancellationCorrection: moved(cancellationCorrection),
    query: moved(query),
  }
}
