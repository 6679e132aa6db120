/**
 * Addresses of the three services. Sources: the description of Batuz's entry service (Bizkaia); for Araba and Gipuzkoa several
 * independent programs agree. Nothing was tried against a live service.
 */

export type Province = 'araba' | 'bizkaia' | 'gipuzkoa'
type ServiceEnvironment = 'production' | 'test'

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

const ARABA = 'https://ticketbai.araba.eus/TicketBAI/v1'
const ARABA_TEST = 'https://pruebas-ticketbai.araba.eus/TicketBAI/v1'
const BIZKAIA = 'https://sarrerak.bizkaia.eus'
const BIZKAIA_TEST = 'https://pruesarrerak.bizkaia.eus'
const GIPUZKOA = 'https://tbai-z.egoitza.gipuzkoa.eus/sarrerak'
const GIPUZKOA_TEST = 'https://tbai-z.prep.gipuzkoa.eus/sarrerak'

const araba = (base: string): ServiceAddresses => ({
  wire: 'xml',
  invoice: `${base}/facturas/`,
  cancellation: `${base}/anulaciones/`,
  correction: `${base}/facturas/subsanarmodificar`,
  cancellationCorrection: `${base}/anulaciones/baja`,
  query: null,
})
const gipuzkoa = (base: string): ServiceAddresses => ({
  wire: 'xml',
  invoice: `${base}/alta`,
  cancellation: `${base}/baja`,
  correction: `${base}/zuzendu-alta`,
  cancellationCorrection: `${base}/zuzendu-baja`,
  query: null,
})
const bizkaia = (base: string): ServiceAddresses => ({
  wire: 'lroe',
  invoice: `${base}/N3B4000M/aurkezpena`,
  cancellation: `${base}/N3B4000M/aurkezpena`,
  correction: null,
  cancellationCorrection: null,
  query: `${base}/N3B4001M/kontsulta`,
})

export const SERVICES: Readonly<Record<Province, Readonly<Record<ServiceEnvironment, ServiceAddresses>>>> = {
  araba: { production: araba(ARABA), test: araba(ARABA_TEST) },
  bizkaia: { production: bizkaia(BIZKAIA), test: bizkaia(BIZKAIA_TEST) },
  gipuzkoa: { production: gipuzkoa(GIPUZKOA), test: gipuzkoa(GIPUZKOA_TEST) },
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
