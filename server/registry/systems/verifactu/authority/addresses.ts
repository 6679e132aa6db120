/**
 * Addresses of the authority's services, fixed by environment and kind of certificate; a sandbox uses a mock endpoint
 * on this computer instead. No setting, file or answer can name another host.
 */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Credential } from '../../../../company/certificates/index.ts'
import { validationFailed } from '../../../../domain/errors/app-error.ts'
import type { AppEnvironment, Book } from '../../../../context.ts'
import { isLoopback } from '../../../../platform/http-client/addresses.ts'

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

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host)
}

/** Environment variables that name a mock endpoint, and the file of its certificate. */
interface MockVariables {
  url: string
  ca: string
}

const REGISTRY: MockVariables = { url: 'SELLO_TEST_AUTHORITY_URL', ca: 'SELLO_TEST_AUTHORITY_CA' }
/** The services of tax returns: another server, with other paths. */
const RETURNS: MockVariables = { url: 'SELLO_TEST_RETURNS_URL', ca: 'SELLO_TEST_RETURNS_CA' }
/** The portal of public bodies, which is no service of the agency; the rules for its stand-in are the same. */
const PORTAL: MockVariables = { url: 'SELLO_TEST_PORTAL_URL', ca: 'SELLO_TEST_PORTAL_CA' }
/** The public platform of invoices between businesses. */
const PLATFORM: MockVariables = { url: 'SELLO_TEST_PLATFORM_URL', ca: 'SELLO_TEST_PLATFORM_CA' }

/**
 * Reads the mock endpoint that the environment names for a sandbox: an https address of this computer and the file
 * with the certificate that vouches for it. Ignores the setting for books that are not a sandbox, and reports that
 * through `say`. Throws `validation_failed` for an address that is not on this computer: the sandbox would otherwise
 * start without an authority.
 */
export function mockEndpointFrom(
  environment: Readonly<Record<string, string | undefined>>,
  sandbox: boolean,
  say: (line: string) => void = () => {},
): MockEndpoint | null {
  return endpointFrom(REGISTRY, environment, { sandbox, say })
}

/** Reads the mock endpoint of the services of tax returns, by the same rules. */
export function returnsMockEndpointFrom(
  environment: Readonly<Record<string, string | undefined>>,
  sandbox: boolean,
  say: (line: string) => void = () => {},
): MockEndpoint | null {
  return endpointFrom(RETURNS, environment, { sandbox, say })
}

/** Reads the mock endpoint of the portal of public bodies, by the same rules. */
export function portalMockEndpointFrom(
  environment: Readonly<Record<string, string | undefined>>,
  sandbox: boolean,
  say: (line: string) => void = () => {},
): MockEndpoint | null {
  return endpointFrom(PORTAL, environment, { sandbox, say })
}

/** Reads the mock endpoint of the public platform of invoices between businesses, by the same rules. */
export function platformMockEndpointFrom(
  environment: Readonly<Record<string, string | undefined>>,
  sandbox: boolean,
  say: (line: string) => void = () => {},
): MockEndpoint | null {
  return endpointFrom(PLATFORM, environment, { sandbox, say })
}

function endpointFrom(
  variables: MockVariables,
  environment: Readonly<Record<string, string | undefined>>,
  { sandbox, say }: { sandbox: boolean; say: (line: string) => void },
): MockEndpoint | null {
  const url = environment[variables.url] ?? ''
  if (url === '') return null
  if (!sandbox) {
    say(`${variables.url} is ignored: these books are no sandbox.`)
    return null
  }
  const parsed = URL.canParse(url) ? new URL(url) : null
  const bare = parsed !== null && parsed.username === '' && parsed.password === '' && parsed.hash === ''
  if (!bare || parsed.protocol !== 'https:' || !isLoopbackHost(parsed.hostname.replace(/^\[|\]$/g, '')))
    throw wrong(
      variables.url,
      'stand_in_address',
      'The stand-in of the authority must be an https address of this computer.',
      'Use one like https://127.0.0.1:8443/.',
    )
  return { url, caPem: readCa(environment[variables.ca] ?? '', variables.ca) }
}

function readCa(file: string, variable: string): string {
  try {
    const pem = readFileSync(file, 'utf8')
    void new X509Certificate(pem)
    return pem
  } catch (cause) {
    throw wrong(
      variable,
      'stand_in_certificate',
      `No certificate in PEM could be read from the file that ${variable} names.`,
      'Name the file ca.pem that the stand-in wrote.',
      cause,
    )
  }
}

function wrong(field: string, code: string, message: string, fix: string, cause?: unknown): Error {
  const error = validationFailed([{ code, field, severity: 'error', message, fix }])
  if (cause !== undefined) error.cause = cause
  return error
}
