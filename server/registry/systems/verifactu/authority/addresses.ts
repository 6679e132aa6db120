/**
 * Addresses of the authority's services, fixed by environment and kind of certificate; a sandbox uses a mock endpoint
 * on this computer instead. No setting, file or answer can name another host.
 */
import type { Credential } from '../../../../company/certificates/index.ts'
import type { AppEnvironment, Book } from '../../../../context.ts'
import { isLoopbackHost } from '../../../stand-ins.ts'

type MockEndpoint = NonNullable<AppEnvironment['mockEndpoint']>

export interface Address {
  /** A host name or an IP address, without brackets. */
  host: string
  port: number
  path: string
  /** The only root certificate trusted at this address; null where the usual public roots apply. */
  caPem: string | null
}

// Source: the service's WSDL (ports of service sfVerifactu) and the web service description 1.0.3.
const HOSTS: Record<Book['environment'], Record<Credential['kind'], string>> = {
  production: {
    person: 'www1.agenciatributaria.gob.es',
    representative: 'www1.agenciatributaria.gob.es',
    seal: 'www10.agenciatributaria.gob.es',
  },
  preproduction: {
    person: 'prewww1.aeat.es',
    representative: 'prewww1.aeat.es',
    seal: 'prewww10.aeat.es',
  },
}

/** The only path of the service, for submissions and queries alike. */
const SERVICE_PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP'

export interface Destination {
  environment: Book['environment']
  sandbox: boolean
  standIn: MockEndpoint | null
}

/**
 * Returns the address that a company's messages go to. Throws for a sandbox without a mock endpoint and for real
 * books with one: both are bugs, and no mistake elsewhere may send a sandbox's messages to the real hosts or real
 * messages to another host.
 */
export function addressOf(destination: Destination, kind: Credential['kind']): Address {
  if (destination.sandbox) {
    if (!destination.standIn) throw new Error('A sandbox without a stand-in has nowhere to send.')
    return mockAddress(destination.standIn)
  }
  if (destination.standIn) throw new Error('Only a sandbox can be pointed at a stand-in.')
  return { host: HOSTS[destination.environment][kind], port: 443, path: SERVICE_PATH, caPem: null }
}

function mockAddress({ url, caPem }: MockEndpoint): Address {
  const { hostname, port, pathname, search } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!isLoopbackHost(host)) throw new Error('A stand-in is on this computer.')
  const path = pathname === '/' && search === '' ? SERVICE_PATH : pathname + search
  return { host, port: port === '' ? 443 : Number(port), path, caPem }
}
