/**
 * OAuth 2.0 of mailboxes: authorization code with PKCE (RFC 7636) on a loopback address (RFC 8252), with a client id that
 * is the user's own, and the refresh of access tokens.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  checkedUrl,
  exchange,
  HttpClientFault,
  resolveAll,
} from '../../../../platform/http-client/exchange.ts'
import type { AppEnvironment } from '../../../../context.ts'
import type { OAuth } from '../contract.ts'
import { MailboxFault } from './connect.ts'

const LIMITS = { totalMs: 20_000, headersMs: 20_000, connectMs: 10_000, bytes: 64 * 1024 }

/** A request for a code: the address to open, and what only this process knows. */
export interface CodeRequest {
  url: string
  state: string
  verifier: string
}

/** Returns the address at which a person signs in. */
export function codeRequest(oauth: OAuth, redirect: string, user: string): CodeRequest {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const url = new URL(oauth.authorizeUrl)
  const fields = {
    response_type: 'code',
    client_id: oauth.clientId,
    redirect_uri: redirect,
    scope: oauth.scope,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: user,
    // Without these one provider gives no refresh token, or none at the second time.
    access_type: 'offline',
    prompt: 'consent',
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return { url: url.href, state, verifier }
}

interface Tokens {
  accessToken: string
  /** A new one in place of the one that was used. */
  refreshToken: string | null
}

interface Client {
  oauth: OAuth
  clientSecret: string | undefined
}

/** Exchanges the code of a sign-in for tokens. Throws a `MailboxFault`. */
export function redeemCode(
  env: AppEnvironment,
  client: Client,
  given: { code: string; verifier: string; redirect: string },
): Promise<Tokens> {
  const { code, verifier, redirect } = given
  const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirect }
  return ask(env, client, fields)
}

/** Returns an access token. Throws a `MailboxFault`: `sign_in_needed` if the refresh token holds no more. */
export function refreshTokens(
  env: AppEnvironment,
  client: Client,
  refreshToken: string,
  signal?: AbortSignal,
): Promise<Tokens> {
  return ask(env, client, { grant_type: 'refresh_token', refresh_token: refreshToken }, signal)
}

async function ask(
  env: AppEnvironment,
  { oauth, clientSecret }: Client,
  fields: Record<string, string>,
  signal?: AbortSignal,
): Promise<Tokens> {
  const reach = env.sandbox ? 'here' : 'public'
  const body = new URLSearchParams({
    ...fields,
    client_id: oauth.clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
  }).toString()
  let answer
  try {
    const url = checkedUrl(oauth.tokenUrl, reach)
    answer = await exchange(
      {
        base: new URL(url.origin),
        reach,
        resolve: resolveAll,
        ...(env.sandbox && env.mockEndpoint ? { caPem: env.mockEndpoint.caPem } : {}),
      },
      {
        method: 'POST',
        path: url.pathname + url.search,
        headers: {
          Accept: 'application/json',
          'Accept-Encoding': 'identity',
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': String(Buffer.byteLength(body)),
        },
        body,
        limits: LIMITS,
        signal,
        heard: { status: null, headers: {}, bytes: 0 },
      },
    )
  } catch (error) {
    if (!(error instanceof HttpClientFault)) throw error
    throw new MailboxFault(error.reason === 'timeout' ? 'timeout' : 'unreachable', error.reason)
  }
  const found = objectOf(answer.body)
  if (answer.status >= 500 || answer.status === 429)
    throw new MailboxFault('try_later', `HTTP ${answer.status}`)
  const { access_token: access, refresh_token: refresh } = found
  if (answer.status !== 200 || typeof access !== 'string')
    throw new MailboxFault('sign_in_needed', typeof found.error === 'string' ? found.error.slice(0, 60) : '')
  return { accessToken: access, refreshToken: typeof refresh === 'string' ? refresh : null }
}

function objectOf(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
