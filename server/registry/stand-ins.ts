/**
 * Servers on this computer that a sandbox sends to in place of public services, named by the environment. No setting,
 * file or answer can name one.
 */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { validationFailed } from '../domain/errors/app-error.ts'
import type { AppEnvironment } from '../context.ts'
import { isLoopback } from '../platform/http-client/addresses.ts'

type MockEndpoint = NonNullable<AppEnvironment['mockEndpoint']>

/** Returns true for a name or address of this computer, without brackets. */
export function isLoopbackHost(host: string): boolean {
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
