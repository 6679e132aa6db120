/** Reads the mock endpoint of an accounting system for a sandbox: an address of this computer, and the request pace. */
import { isLoopback } from '../../../platform/http-client/addresses.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'

const ERP_URL = 'SELLO_TEST_ERP_URL'
const ERP_PACE = 'SELLO_TEST_ERP_PACE_MS'
const USUAL_PACE_MS = 1_050

/**
 * Returns the mock endpoint that the environment names; null without one, and for books that are not a sandbox, which
 * is reported through `say`. Throws `validation_failed` for an address that is not this computer's.
 */
export function erpMockEndpointFrom(
  environment: Readonly<Record<string, string | undefined>>,
  sandbox: boolean,
  say: (line: string) => void = () => {},
): { url: string; paceMs: number } | null {
  const text = environment[ERP_URL] ?? ''
  if (text === '') return null
  if (!sandbox) {
    say(`${ERP_URL} is ignored: these books are no sandbox.`)
    return null
  }
  const url = URL.canParse(text) ? new URL(text) : null
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const isHere = host === 'localhost' || isLoopback(host)
  if (!url || !isHere || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw validationFailed([
      {
        code: 'stand_in_address',
        field: ERP_URL,
        severity: 'error',
        message: 'The stand-in of the accounting system must be an address of this computer.',
        fix: 'Use one like http://127.0.0.1:8081.',
      },
    ])
  const pace = environment[ERP_PACE] ?? ''
  const paceMs = /^\d{1,6}$/.test(pace) ? Number(pace) : USUAL_PACE_MS
  return { url: url.origin + url.pathname.replace(/\/+$/, ''), paceMs }
}
