/** Passkeys of this browser: creating one, using one, and what went wrong in words. */
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { asCallError } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { errorText } from '../../errors.ts'
import { translate } from '../../i18n.ts'
import { waitText } from '../app-lock/use-wait.ts'

/** Returns whether this browser can use passkeys here. */
export const hasPasskeys = (): boolean => browserSupportsWebAuthn()

type Answer = Record<string, unknown>

/** Lets the person create a passkey. Throws the browser's refusal. */
export async function createPasskey(options: unknown): Promise<Answer> {
  const response = await startRegistration({
    optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
  })
  return { ...response }
}

/** Lets the person use a passkey; with `autofill` the browser offers it in the field of the address. */
export async function usePasskey(options: unknown, autofill = false): Promise<Answer> {
  const response = await startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: autofill,
  })
  return { ...response }
}

/** Returns the text of a failed step. `refused` is that of a refusal that does not say what was wrong. */
export function stepFault(thrown: unknown, refused: string): string {
  if (thrown instanceof WebAuthnError && thrown.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return translate('people.passkeyThere')
  // The browser's own errors are `DOMException`s: a person who said no, and a time that ran out, are one of them.
  if (thrown instanceof WebAuthnError || thrown instanceof DOMException)
    return translate('people.passkeyStopped')
  const error = asCallError(thrown)
  if (error.code === 'sign_in_refused') return refused
  return callFault(error)
}

function callFault(error: CallError): string {
  const { retryAfterSeconds } = error.details
  if (error.code === 'rate_limited' && typeof retryAfterSeconds === 'number')
    return translate('people.wait', { time: waitText(retryAfterSeconds) })
  const { title, next } = errorText(error)
  return [title.replace(/\.$/, ''), next].filter(Boolean).join('. ')
}

const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const
const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

const firstOf = (list: readonly (readonly [RegExp, string])[], agent: string): string =>
  list.find(([pattern]) => pattern.test(agent))?.[1] ?? ''

/** Returns what a browser calls itself, in short: `Chrome · Linux`. */
export function deviceName(agent: string): string {
  return [firstOf(BROWSERS, agent), firstOf(SYSTEMS, agent)].filter(Boolean).join(' · ') || agent.slice(0, 40)
}
